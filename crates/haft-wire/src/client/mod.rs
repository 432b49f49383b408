//! The client's half of the codecs: requests out, answers in.

mod ask;
mod codec;
mod content;
mod reply;

pub use ask::ClientFacts;
pub use codec::ServerRequest;
