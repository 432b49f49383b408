//! JSON-RPC 2.0: ids, envelopes and the keys inside them.

mod id;
mod keys;
mod message;
mod params;
mod raw;
mod scan;
mod text;

pub use id::Id;
pub use keys::{KeyFault, KeyProblem};
pub use message::{Body, Malformed, Message, Notification, Request, Response, parse};
pub use params::Params;
pub use raw::Raw;
