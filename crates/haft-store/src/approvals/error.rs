//! Why a store did not do what it was asked.

use std::io;
use std::path::PathBuf;

use super::{TicketId, TicketIdError};

/// Why a store did not do what it was asked. Whoever gets one must not run the call.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Several tickets begin like this.
    #[error("more than one ticket begins with `{prefix}`")]
    Ambiguous {
        /// What was asked for.
        prefix: String,
    },
    /// Another process holds the file for longer than a write may take.
    #[error("`{path}` is in use by another process for too long")]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("`{path}` is damaged: {what}")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The moment up to which something should count is not in the future.
    #[error("expires at {expires}, which is over")]
    Expired {
        /// When it expires.
        expires: crate::Moment,
    },
    /// A bound is reached.
    #[error("there are already {limit} {what}")]
    Full {
        /// What there are too many of.
        what: &'static str,
        /// How many there may be.
        limit: usize,
    },
    /// A newer haft made the file.
    #[error("`{path}` has version {found} of the format; this haft knows versions up to {known}")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version that is known here.
        known: i64,
    },
    /// The operating system has no random numbers for a new ticket.
    #[error("no random numbers for a new ticket")]
    NoRandomness {
        /// What the system said.
        source: io::Error,
    },
    /// The file is something else.
    #[error("`{path}` is not a store of haft")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The ticket has its answer.
    #[error("ticket `{id}` is already {state}")]
    Settled {
        /// The ticket.
        id: TicketId,
        /// Its state.
        state: &'static str,
    },
    /// What was given is no ticket id nor the beginning of one.
    #[error(transparent)]
    TicketId(#[from] TicketIdError),
    /// A question has more text than a person can read through.
    #[error("the question has {bytes} bytes of text; {limit} are the most that a person is asked about")]
    TooLarge {
        /// How many bytes there are.
        bytes: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The operating system refused.
    #[error("`{path}` cannot be used")]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no such ticket, or it has expired or was spent.
    #[error("no ticket begins with `{id}`; it may have expired or been used")]
    UnknownTicket {
        /// What was asked for.
        id: String,
    },
}
