//! stdio, streamable HTTP and in-memory; does not know what a tool is.
//!
//! A transport takes bytes from a peer to [`Server::handle`](haft_core::Server::handle), drives what is given back, and
//! brings the answers home. What the bytes mean is not known here. With the feature `client`, the module of that name is
//! the other end: it takes messages to a server.

#[cfg(feature = "client")]
pub mod client;
mod course;
pub mod http;
#[cfg(unix)]
mod lines;
mod memory;
#[cfg(unix)]
pub mod stdio;

pub use memory::{InMemory, Replies};
