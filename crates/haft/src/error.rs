//! The error of building and serving.

use std::fmt;

use haft_core::BuildError;

/// What this crate's functions return.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// Why a server could not be built, or stopped.
///
/// Its `Debug` form is for people, since that is what a `main` that returns it prints: the message and all its causes.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
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
