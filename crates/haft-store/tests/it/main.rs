//! The store and the audit log, at the surface that servers and the command line use.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests")]

mod again;
mod approvals;
mod audit;
mod files;
mod killed;
mod shared;
mod stores;
