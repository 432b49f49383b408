//! Why a link cannot be made, or cannot take a message.

use std::io;
use std::time::Duration;

use http::HeaderName;
use thiserror::Error;

use super::{Fault, Sent};

/// A link that could not be made, or a message that it did not take.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LinkError {
    /// Nothing is sent on this connection any more.
    #[error("the connection is closed")]
    Closed {
        /// Whether this message was sent before.
        sent: Sent,
    },
    /// Credentials in a URL end in logs and errors.
    #[error("the URL for `{host}` contains credentials, which belong in a header")]
    Credentials {
        /// Whom it is for.
        host: String,
    },
    /// A message without an answer, which the server did not accept.
    #[error("the server did not accept the message")]
    Fault(#[source] Fault),
    /// A header that describes the message itself, which the link writes.
    #[error("header `{name}` cannot be set, for the connection sets it itself")]
    Header {
        /// Its name.
        name: HeaderName,
    },
    /// Links live in a tokio runtime with I/O and time.
    #[error("there is no asynchronous runtime here to connect in")]
    NoRuntime,
    /// The program did not read for too long.
    #[error("the program does not read what it is sent: nothing within {} s", limit.as_secs_f64())]
    Stalled {
        /// How long.
        limit: Duration,
        /// Whether it read the beginning of this message.
        sent: Sent,
    },
    /// The program was not started.
    #[cfg(unix)]
    #[error(transparent)]
    Start(#[from] haft_child::StartError),
    /// No certificate of an authority to trust can be found on this machine.
    #[error("there is no certificate of an authority to trust on this machine")]
    Tls {
        /// Why.
        source: io::Error,
    },
    /// A URL that leads nowhere. It is not shown, for a query may hold a secret.
    #[error("the URL cannot be used: {reason}")]
    Url {
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl LinkError {
    /// Whether the server may have acted upon the message.
    pub fn sent(&self) -> Sent {
        match self {
            Self::Closed { sent } | Self::Stalled { sent, .. } => *sent,
            Self::Fault(fault) => fault.sent(),
            _ => Sent::No,
        }
    }
}
