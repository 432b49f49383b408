//! A program to start as a server, and who named it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

use super::{Secret, TargetError};

/// A program that speaks MCP on its standard input and output.
#[derive(Clone)]
#[non_exhaustive]
pub struct Program {
    /// The program and its arguments; never empty.
    pub argv: Vec<OsString>,
    /// Variables to set beside those that every program gets.
    pub environment: BTreeMap<String, Secret>,
    /// The directory to start it in.
    pub directory: PathBuf,
    /// Who said that it is to be started.
    pub named_by: NamedBy,
}

/// Who said that a program is to be started.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum NamedBy {
    /// The person at the prompt: naming it is trusting it.
    CommandLine,
    /// An entry of a file, which somebody else may have written.
    File {
        /// The file, absolute and free of links.
        path: PathBuf,
        /// The entry's name.
        entry: String,
    },
}

impl Program {
    /// The file to execute: a name with a slash is relative to [`Program::directory`], another one is looked for in
    /// the `PATH` that the entry sets, else in `search_path`.
    ///
    /// # Errors
    ///
    /// When there is none; [`TargetError::hint`] says what is often the reason.
    pub fn resolve(&self, search_path: &OsStr) -> Result<PathBuf, TargetError> {
        let name = self.argv.first().map(OsString::as_os_str).unwrap_or_default();
        let own = self.environment.get("PATH").map(|path| OsStr::new(path.expose()));
        haft_child::resolve(name, own.unwrap_or(search_path), &self.directory)
            .map_err(|source| TargetError::NoProgram { program: name.to_string_lossy().into_owned(), source })
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Arguments can hold secrets, too: files write keys into them.
        formatter
            .debug_struct("Program")
            .field("program", &self.argv.first())
            .field("arguments", &self.argv.len().saturating_sub(1))
            .field("environment", &self.environment.keys())
            .field("directory", &self.directory)
            .field("named_by", &self.named_by)
            .finish()
    }
}
