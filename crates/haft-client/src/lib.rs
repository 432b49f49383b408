//! The client of MCP servers: what a target means, probe, negotiate, list, call, cache, validate.
//!
//! [`target`] reads what a person names, [`Client::connect`] finds out which revision a server speaks and remembers it.
//! After that nothing here knows revisions: the codec writes and reads, and this crate waits, bounds, checks and explains.

mod answers;
pub mod arguments;
pub mod bridge;
mod client;
mod connect;
mod error;
mod items;
mod listen;
mod live;
mod options;
mod pending;
mod pump;
mod retry;
mod rounds;
mod saved;
pub mod target;
mod tools;

pub use answers::{Answer, Answers, Asked};
pub use client::Client;
pub use connect::{Endpoint, Server};
pub use error::ClientError;
pub use haft_transport::client::Sent;
pub use options::{CallOptions, ClientOptions, ProgressReport};
pub use tools::{Tool, Tools};
