//! What can go wrong with an exchange over HTTP, and whether the server may have seen the request.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use thiserror::Error;

use super::Excerpt;

/// Whether a message reached the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing between knowing and not knowing")]
pub enum Sent {
    /// It may have, so the server may have acted upon it.
    Maybe,
    /// It certainly did not.
    No,
}

/// An error of a library below, as it came.
pub type Cause = Box<dyn Error + Send + Sync>;

/// Why an exchange ended without an answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The connection broke after the request was begun.
    #[error("the connection broke before the answer was complete")]
    Broke {
        /// What broke it.
        source: Cause,
    },
    /// No connection came about: no such host, refused, no trusted certificate, or not in time.
    #[error("cannot connect to `{origin}`")]
    Connect {
        /// Scheme, host and port.
        origin: String,
        /// What prevented it.
        source: Cause,
    },
    /// A successful answer that is neither JSON nor a stream of events.
    #[error("the server answered with `{content_type}` instead of JSON or a stream of events")]
    Media {
        /// What it is; empty when the server did not say.
        content_type: Excerpt,
        /// How it begins.
        body: Excerpt,
    },
    /// An answer that says it is JSON and is not.
    #[error("the server answered with something that is no JSON message: {body}")]
    NotJson {
        /// How it begins.
        body: Excerpt,
    },
    /// A stream broke off, and the server did not let us take it up again.
    #[error("the stream of the answer broke off and could not be taken up again (status {status})")]
    NotResumed {
        /// What it said to the attempt.
        status: u16,
    },
    /// The server speaks the transport of 2024-11-05, with two URLs, which has been replaced since 2025-03-26.
    #[error("the server speaks the HTTP+SSE transport of 2024-11-05, which is not supported")]
    OldTransport,
    /// The server sent us elsewhere. Neither a message nor credentials are sent to a place that nobody named.
    #[error("the server redirects to {}, which is not followed", target(location.as_ref()))]
    Redirected {
        /// The status.
        status: u16,
        /// Scheme, host and port of the place, without path and query.
        location: Option<Excerpt>,
    },
    /// A status that is an error, without a message of the protocol.
    #[error("{0}")]
    Status(Box<Refusal>),
    /// Nothing came in time.
    #[error("no answer within {} s", limit.as_secs_f64())]
    Timeout {
        /// The time.
        limit: Duration,
    },
    /// The answer, or one event of it, has more bytes than are taken.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// The most bytes.
        limit: usize,
    },
    /// The stream ended in good order, without the answer.
    #[error("the stream ended without an answer")]
    Unanswered,
}

impl Fault {
    /// Whether the server may have acted upon the request.
    ///
    /// A status says nothing for certain: the caller, who knows what it means, may know better.
    pub fn sent(&self) -> Sent {
        match self {
            Self::Connect { .. } => Sent::No,
            _ => Sent::Maybe,
        }
    }
}

/// A status that is an error, and what the server said with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The status.
    pub status: u16,
    /// `Retry-After`, when it is a number of seconds.
    pub retry_after: Option<Duration>,
    /// `WWW-Authenticate`, each header on its own, as it came; at most 8 of at most 8 KiB.
    pub www_authenticate: Vec<String>,
    /// What kind of text `body` is; empty when the server did not say.
    pub content_type: Excerpt,
    /// How the body begins.
    pub body: Excerpt,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = http::StatusCode::from_u16(self.status).ok();
        let reason = status.and_then(|status| status.canonical_reason()).unwrap_or("no standard status");
        write!(formatter, "the server answered with status {} ({reason})", self.status)
    }
}

fn target(location: Option<&Excerpt>) -> String {
    location.map_or_else(|| "nowhere".to_owned(), |location| format!("`{location}`"))
}
