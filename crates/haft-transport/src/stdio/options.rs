//! Bounds of a conversation over pipes, and how it fails.

use std::io;
use std::time::Duration;

/// Bounds of a conversation over pipes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PipeOptions {
    /// How long calls may go on after the last message was read, before they are cancelled.
    pub drain: Duration,
    /// How long a peer may read nothing while something waits for it, before it is given up.
    pub stall: Duration,
    /// Bytes that may wait for the peer; above that, nothing more is read from it.
    pub queue_bytes: usize,
}

impl Default for PipeOptions {
    fn default() -> Self {
        Self { drain: Duration::from_secs(10), stall: Duration::from_secs(30), queue_bytes: 8 * 1024 * 1024 }
    }
}

/// Why a conversation over pipes did not begin, or did not end well.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PipeError {
    /// The standard streams are in use by another conversation of this process.
    #[error("stdin and stdout already serve another conversation of this process")]
    AlreadyServed,
    /// The peer left what waits for it unread for too long.
    #[error("the client read nothing for {} s", waited.as_secs())]
    Stalled {
        /// How long nothing was read.
        waited: Duration,
    },
    /// A stream could not be set up.
    #[error("cannot use {stream} as a stream of messages")]
    Unusable {
        /// Which one.
        stream: &'static str,
        /// Why not.
        #[source]
        source: io::Error,
    },
}
