//! The codecs of all revisions, at the surface that servers use.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests")]

mod client;
mod content;
mod faults;
mod meta;
