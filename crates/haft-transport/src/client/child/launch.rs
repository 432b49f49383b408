//! What to start.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A program that speaks the protocol over its standard input and output. It inherits nothing.
#[derive(Clone)]
#[non_exhaustive]
pub struct Launch {
    /// The file that is executed, absolute; [`haft_child::resolve`] finds it.
    pub program: PathBuf,
    /// What follows the program's name, each item exactly one argument.
    pub arguments: Vec<OsString>,
    /// Where it runs.
    pub directory: PathBuf,
    /// Its whole environment, but for [`haft_child::MARKER`], which is added.
    pub environment: Vec<(OsString, OsString)>,
    /// The most bytes of a line of its output. 64 MiB by default.
    pub message_bytes: usize,
    /// How many of the last bytes of its standard error are kept. 16 KiB by default.
    pub stderr_bytes: usize,
    /// Whether the lines of its standard error come in as [`Incoming::Stderr`](crate::client::Incoming::Stderr). Not by
    /// default.
    pub stderr_lines: bool,
    /// How long it may take until it reads what it is sent. 30 seconds by default.
    pub write_timeout: Duration,
    /// How long it may take to end once its input is closed, and again from `SIGTERM` to `SIGKILL`. 2 seconds by
    /// default.
    pub grace: Duration,
}

impl Launch {
    /// A program without arguments and without environment, with the usual bounds.
    pub fn new(program: impl Into<PathBuf>, directory: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            directory: directory.into(),
            environment: Vec::new(),
            message_bytes: 64 << 20,
            stderr_bytes: 16 << 10,
            stderr_lines: false,
            write_timeout: Duration::from_secs(30),
            grace: Duration::from_secs(2),
        }
    }
}

/// Without arguments and values of the environment, which may be secret.
impl fmt::Debug for Launch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variables: Vec<_> = self.environment.iter().map(|(name, _)| name).collect();
        formatter
            .debug_struct("Launch")
            .field("program", &self.program)
            .field("arguments", &self.arguments.len())
            .field("directory", &self.directory)
            .field("environment", &variables)
            .finish_non_exhaustive()
    }
}
