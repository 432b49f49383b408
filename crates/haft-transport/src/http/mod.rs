//! Streamable HTTP: one path, a POST for each message, JSON for what is answered at once and events for what streams.
//!
//! [`HttpService`] is the whole of it as a `tower` service, for programs that have a router of their own; [`Endpoint`] is a
//! listener that serves nothing else.

mod event;
mod server;

pub use server::{
    Address, ClientAddress, Endpoint, HttpBody, HttpError, HttpFuture, HttpOptions, HttpService, UnusableAddress,
};
