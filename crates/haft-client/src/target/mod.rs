//! What a person names on a command line, turned into something to connect to. Nothing is started or connected here.
//!
//! A target is a `haft.toml`, a saved `tools.json`, an entry of a file that lists MCP servers (`.mcp.json#name`), a
//! URL, or a command after `--`. What a file is, its content decides. [`Target::parse`] reads the text of a target,
//! [`Target::discover`] finds the `haft.toml` here or above, [`Target::command`] takes the words after `--`.
//!
//! A program that a file names is not to be started, and variables are not to be sent where a file says, before
//! [`TrustStore::check`] says so.

pub(crate) mod comments;
mod document;
mod entry;
mod environment_file;
mod error;
mod expanded;
mod fields;
pub(crate) mod file;
mod header;
mod ignored;
mod inputs;
mod parse;
mod positionals;
mod program;
mod secret;
mod servers;
mod surroundings;
pub mod trust;
mod url;
mod variables;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use http::HeaderMap;

pub use error::TargetError;
pub use header::{HeaderError, HeaderFlag};
pub use positionals::{Positionals, PositionalsError, split_positionals};
pub use program::{NamedBy, Program};
pub use secret::Secret;
pub use surroundings::Surroundings;
pub use trust::TrustStore;
pub use url::RemoteUrl;

/// Something to list tools of, and mostly to call.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Target {
    /// A `haft.toml`.
    #[non_exhaustive]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Nobody named it: it was found here or in a directory above, so its programs need trust.
        is_discovered: bool,
    },
    /// A program that speaks MCP on its standard input and output.
    Program(Program),
    /// A server that speaks streamable HTTP.
    #[non_exhaustive]
    Remote {
        /// Where it is.
        url: RemoteUrl,
        /// What to send with each request; the values are marked as sensitive, so `Debug` does not print them.
        headers: HeaderMap,
        /// Who said that it is to be connected to.
        named_by: NamedBy,
        /// The variables and inputs of the person whose values the address or the headers hold, because a file says
        /// so. Such a file needs trust as one with a program does: it could send any variable to anybody.
        lent: BTreeSet<String>,
    },
    /// A saved list of tools: it can be listed, not called.
    Tools(PathBuf),
}

/// A target, and what its file said beside it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// What to connect to.
    pub target: Target,
    /// What the file says and haft does not do, one sentence each, escaped for a terminal.
    pub notes: Vec<String>,
    /// How long the server may take to start, when the file says so in a unit that is certain.
    pub startup_timeout: Option<Duration>,
    /// How long a call may take, likewise.
    pub call_timeout: Option<Duration>,
}

impl Loaded {
    pub(crate) fn new(target: Target) -> Self {
        Self { target, notes: Vec::new(), startup_timeout: None, call_timeout: None }
    }
}
