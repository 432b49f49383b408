//! The store and the audit log, at the surface that servers and the command line use.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod approvals;
mod files;
mod killed;
mod shared;
mod stores;
