//! What to start, and what came of it.

use std::{ffi::OsString, io, path::PathBuf, time::Duration};

use thiserror::Error;

use crate::Limits;

/// A program with everything it gets. It inherits nothing: no variable, no open file, no standard input.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Program {
    /// The file that is executed, absolute; [`resolve`](crate::resolve) finds it.
    pub path: PathBuf,
    /// What follows the program's name, each item exactly one argument.
    pub arguments: Vec<OsString>,
    /// Where it runs.
    pub directory: PathBuf,
    /// Its whole environment, but for [`MARKER`](crate::MARKER), which is added.
    pub environment: Vec<(OsString, OsString)>,
    /// What it can read. Of no meaning to [`spawn`](crate::spawn()), as are the limits.
    pub stdin: Stdin,
    /// What it may use.
    pub limits: Limits,
}

impl Program {
    /// A program without arguments, without environment, with nothing to read and the default limits.
    pub fn new(path: impl Into<PathBuf>, directory: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            arguments: Vec::new(),
            directory: directory.into(),
            environment: Vec::new(),
            stdin: Stdin::Null,
            limits: Limits::default(),
        }
    }
}

/// Standard input of a program. It is never ours, which may be a protocol.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Stdin {
    /// These bytes, then the end. A program need not read them.
    Bytes(Vec<u8>),
    /// The end at once.
    #[default]
    Null,
}

/// A program that ran.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finished {
    /// The first bytes of standard output.
    pub stdout: Captured,
    /// The last bytes of standard error.
    pub stderr: Captured,
    /// Why it ended.
    pub ending: Ending,
    /// From its start until nothing of it was left.
    pub elapsed: Duration,
}

/// What was kept of an output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Captured {
    /// What was kept. Not necessarily text.
    pub bytes: Vec<u8>,
    /// How many bytes were read. After the limit of standard output reading stops, so the program may have meant
    /// to write more.
    pub total: u64,
}

impl Captured {
    /// Whether something is missing in `bytes`.
    pub fn truncated(&self) -> bool {
        self.total > self.bytes.len() as u64
    }
}

/// Why a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// By itself, with this status.
    Exited(i32),
    /// Through [`kill_all`](crate::kill_all), or in a way that the system did not tell.
    Killed,
    /// Ended by us: it wrote more than [`Limits::stdout`].
    OutputLimit,
    /// Through this signal, which did not come from us.
    Signalled(i32),
    /// Ended by us: it ran longer than [`Limits::timeout`].
    TimedOut,
}

/// A program that could not be started. Nothing ran.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The directory to run in is missing, no directory, or closed to us.
    #[error("working directory `{}` cannot be entered", directory.display())]
    Directory {
        /// [`Program::directory`].
        directory: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused: no such file, not executable, a zero byte in an argument, arguments too long, no more
    /// processes or descriptors.
    #[error("program `{}` cannot be started", path.display())]
    Program {
        /// [`Program::path`].
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
