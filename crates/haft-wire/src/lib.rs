//! The wire of the Model Context Protocol: JSON-RPC, the five revisions, one neutral model and one codec per era.
//!
//! Nothing here is asynchronous and nothing knows HTTP. It is the only crate that knows how revisions differ:
//! a message comes in as bytes, [`jsonrpc::parse`] reads its envelope once, a [`Codec`] turns it into the neutral
//! [`model`], and the same codec writes the neutral answer the way the peer's revision wants it.

mod base64;
mod client;
mod codec;
mod error;
mod handshake;
pub mod headers;
pub mod jsonrpc;
pub mod model;
mod revision;
mod stateless;
mod write;

pub use client::{ClientFacts, ServerRequest};
pub use codec::{Asks, Codec, Disconnect};
pub use error::{Fault, code};
pub use revision::{Era, Revision};
