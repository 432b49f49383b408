//! What the server gives back for one message.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::exchange::Exchange;
use crate::server::Shared;

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
    /// Keep it as long as the body waits to be sent: the server counts what readers leave lying.
    pub unsent: Option<Unsent>,
}

/// The bytes of a large answer that nobody has read yet. Dropping it says that they are gone.
pub struct Unsent {
    server: Arc<Shared>,
    bytes: usize,
}

impl Unsent {
    /// Counts a body, if it is large enough to matter.
    pub(crate) fn of(server: &Arc<Shared>, body: &[u8]) -> Option<Self> {
        (body.len() >= LARGE).then(|| {
            server.unsent_bytes.fetch_add(body.len(), Ordering::AcqRel);
            Self { server: Arc::clone(server), bytes: body.len() }
        })
    }
}

impl Drop for Unsent {
    fn drop(&mut self) {
        self.server.unsent_bytes.fetch_sub(self.bytes, Ordering::AcqRel);
    }
}

impl fmt::Debug for Unsent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.bytes)
    }
}

/// Smaller answers are bounded well enough by the number of calls.
const LARGE: usize = 64 * 1024;

impl Answer {
    pub(crate) const fn ok(body: Vec<u8>) -> Self {
        Self { status: 200, body, session: None, retry_after: None, unsent: None }
    }
}
