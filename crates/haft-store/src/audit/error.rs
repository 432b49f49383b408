//! Why something is not in the audit log.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::Break;

/// Why something is not in the audit log. A call that must be on record does not run then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// The log that is to be continued was changed.
    #[error("the audit log was changed: {0}")]
    Broken(Box<Break>),
    /// Records come faster than they can be written.
    #[error("{bytes} bytes of records wait to be written; there is no room for more")]
    Full {
        /// How many bytes wait.
        bytes: usize,
    },
    /// The disk did not answer in time.
    #[error("the audit log was not written within {within:?}")]
    Late {
        /// How long it was waited for.
        within: Duration,
    },
    /// As many logs as there may be are open in the folder.
    #[error("`{path}` has {limit} open audit logs; that is the most")]
    TooMany {
        /// The folder.
        path: PathBuf,
        /// How many there may be.
        limit: u32,
    },
    /// The last attempt to write failed. It is tried again, and until it succeeds nothing is recorded.
    #[error("the audit log cannot be written: {reason}")]
    Unwritable {
        /// What the system said.
        reason: String,
    },
    /// The operating system refused.
    #[error("`{path}` cannot be used")]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
