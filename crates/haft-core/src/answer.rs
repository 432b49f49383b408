//! What the server gives back for one message.

use crate::exchange::Exchange;

/// What became of a message.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a transport has to serve each of these")]
pub enum Handled {
    /// A notification or a response: there is nothing to answer.
    Accepted,
    /// The answer.
    Answer(Answer),
    /// Several messages at once; each answer goes out when it is there.
    Batch(Vec<Self>),
    /// A request that goes on: drive it for its events.
    Exchange(Box<Exchange>),
}

/// An answer, ready to be sent.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The HTTP status that goes with it.
    pub status: u16,
    /// A JSON-RPC message; empty when there is nothing but the status.
    pub body: Vec<u8>,
    /// The session that begins with this answer.
    pub session: Option<String>,
    /// Seconds to wait before the next attempt.
    pub retry_after: Option<u32>,
}

impl Answer {
    pub(crate) const fn ok(body: Vec<u8>) -> Self {
        Self { status: 200, body, session: None, retry_after: None }
    }
}
