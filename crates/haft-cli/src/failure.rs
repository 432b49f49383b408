//! Why a command could not do its work, as a person is told.

use std::io;

use haft_diag::Diagnostic;
use haft_manifest::ManifestErrors;

/// Why a command could not do its work. The exit code is 2.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads what is printed any more, which is fine.
    Closed,
    /// A manifest that cannot be served.
    Manifest(ManifestErrors),
    /// Anything else.
    Other(Box<Diagnostic>),
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Other(Box::new(diagnostic))
    }
}

impl From<ManifestErrors> for Failure {
    fn from(errors: ManifestErrors) -> Self {
        Self::Manifest(errors)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Diagnostic::error("cannot write the output").cause(error.to_string()).into()
    }
}
