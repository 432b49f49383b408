//! The client's ends: one connection to a server, whatever carries it.
//!
//! A [`Link`] hands messages over, an [`Inbox`] is where everything arrives. Both move bytes and the facts of their
//! carrier; which request a message answers, and what a revision expects, is for the one who holds them.

#[cfg(unix)]
mod child;
mod error;
mod excerpt;
mod fault;
mod http;
mod inbox;
mod incoming;
mod link;
mod memory;
mod outgoing;
mod shape;

#[cfg(unix)]
pub use child::Launch;
pub use error::LinkError;
pub use excerpt::Excerpt;
pub use fault::{Cause, Fault, Refusal, Sent};
pub use http::{PlainCredentials, Remote};
pub use inbox::Inbox;
pub use incoming::{Closed, End, Head, Incoming};
pub use link::{Link, Opening};
pub use outgoing::Outgoing;
