//! The audit log: what was decided, what was about to run, what came of it; chained so that changes are seen.
//!
//! A folder holds the logs of all writers that ever had it open. A writer is one open [`AuditLog`]; it has files of its
//! own, so that several servers may share a folder, and a later one goes on with the files of one that has ended.
//!
//! | file | what it is |
//! |---|---|
//! | `key` | 32 random bytes, for this user alone; made once |
//! | `w01.lock` | held by the writer `w01` while it is open |
//! | `w01-000001.jsonl` | its first file; the next begins when this is long enough |
//! | `w01.head` | where its log ends, with a code that only holders of the key can make |
//! | `w01-000001.torn-1` | what a crash left behind the last whole batch, set aside |
//!
//! Lines are JSON objects. Those with a `seq` are records. Each flush ends a batch with a line that holds a BLAKE3 hash over the
//! hash before it and the bytes of the batch, and a keyed BLAKE3 code over that line. [`verify`] follows the
//! chain from the first file of each writer to its head.
//!
//! What that proves: who does not have the key cannot change, remove, reorder or cut anything that was flushed without
//! [`verify`] finding it. What it does not prove: anything against somebody who can read the key (the same user, or
//! root), who can write another history; and nobody sees that the whole folder was put back to an older state, or that
//! all files of a writer are gone, unless a copy of the heads is kept elsewhere.

mod entry;
mod error;
mod folder;
mod head;
mod keys;
mod log;
mod read;
mod record;
mod scan;
mod seal;
mod segment;
mod verify;
mod writer;

pub use entry::Entry;
pub use error::AuditError;
pub use log::{AuditLog, Options, Values};
pub use read::{Entries, read};
pub use record::{ApprovalStep, Event, Outcome, Record, Verdict};
pub use scan::{Break, Fault};
pub use verify::{Report, WriterReport, verify};
