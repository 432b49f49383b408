//! Approvals: what was asked, what was answered, and that an answer counts for one call only.

mod call;
mod error;
mod limits;
mod memory;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod ticket;
mod ticket_id;

pub use call::{Binding, Call};
pub use error::StoreError;
pub use limits::Limits;
pub use memory::MemoryStore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;
pub use store::Store;
pub use ticket::{Grant, Request, Spent, State, Ticket};
pub use ticket_id::{TicketId, TicketIdError};

use crate::Digest;

/// The digest of a value that may be spent once, such as a nonce of sealed state: the same length for all.
fn nonce_digest(nonce: &[u8]) -> Digest {
    blake3::Hasher::new_derive_key("haft-store 1 nonce").update(nonce).finalize().into()
}
