//! The error of building and serving.

use std::fmt;

use haft_core::BuildError;
use haft_transport::http::{HttpError, UnusableAddress};
#[cfg(unix)]
use haft_transport::stdio::PipeError;

/// What this crate's functions return.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// Why a server could not be built, or stopped.
///
/// Its `Debug` form is for people, since that is what a `main` that returns it prints: the message and all its causes.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address names no place to listen at.
    #[error(transparent)]
    Address(#[from] UnusableAddress),
    /// The server cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// HTTP is not served.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The conversation over pipes failed.
    #[cfg(unix)]
    #[error(transparent)]
    Pipe(#[from] PipeError),
    /// The system does not tell when the server is to end.
    #[error("cannot wait for signals")]
    Signal(#[source] std::io::Error),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}
