//! What goes wrong inside, until it is known of which file it is said.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;

use super::StoreError;

/// An error of the database or of what was asked of it.
#[derive(Debug)]
pub(super) enum Fault {
    /// The database has content that this crate never wrote.
    Content(&'static str),
    /// `SQLite` says so.
    Database(rusqlite::Error),
    /// The operation itself refuses.
    Store(StoreError),
}

impl Fault {
    /// Whether another process holds the file.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, Self::Database(error) if matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
        ))
    }

    /// The error as it is told of the file `path`.
    pub(super) fn at(self, path: &Path) -> StoreError {
        let path = path.to_owned();
        if self.is_busy() {
            return StoreError::Busy { path };
        }
        match self {
            Self::Content(what) => StoreError::Corrupt { path, what: what.to_owned() },
            Self::Store(error) => error,
            Self::Database(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    StoreError::Corrupt { path, what: error.to_string() }
                }
                _ if is_of_content(&error) => StoreError::Corrupt { path, what: error.to_string() },
                _ => StoreError::Unusable { path, source: io::Error::other(error) },
            },
        }
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A column has a type or size that no row of ours has.
fn is_of_content(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
    matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..))
}
