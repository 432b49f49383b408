//! Functions under `#[tool]`, called as a client calls them.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what stands outside of test functions here is for tests too"
)]

mod arguments;
mod context;
mod conversation;
mod definition;
mod function;
mod returns;
