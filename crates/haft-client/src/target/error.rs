//! Why a target is nothing to connect to.

use std::io;
use std::path::PathBuf;

use haft_child::ResolveError;
use haft_diag::escape;
use thiserror::Error;

/// A target that could not be understood, or not be used. No message holds a value of a variable, a header or an
/// argument; names from files are escaped.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TargetError {
    /// The entry is switched off in its file, and nobody named it.
    #[error("the entry `{}` of `{}` is disabled", escape(entry), shown(file))]
    Disabled {
        /// The file.
        file: PathBuf,
        /// Its only entry.
        entry: String,
    },
    /// One key stands twice in an object, and readers of the file differ in which one they take.
    #[error("`{}` has the key `{}` twice in one object", shown(file), escape(key))]
    DuplicateKey {
        /// The file.
        file: PathBuf,
        /// The key.
        key: String,
    },
    /// A folder without a manifest was named.
    #[error("no `haft.toml` in `{}`", shown(folder))]
    EmptyFolder {
        /// The folder.
        folder: PathBuf,
        /// Files in it that list servers.
        lists: Vec<PathBuf>,
    },
    /// The file lists servers, but none of that name.
    #[error("no entry `{}` in `{}`", escape(entry), shown(file))]
    NoEntry {
        /// The file.
        file: PathBuf,
        /// The name that was looked for.
        entry: String,
        /// The names that there are.
        names: Vec<String>,
    },
    /// Nothing stands at this path.
    #[error("no file `{}`", shown(path))]
    NoFile {
        /// The path.
        path: PathBuf,
        /// It begins as the name of a host does.
        looks_like_url: bool,
    },
    /// Nothing was named, and there is no manifest to fall back on.
    #[error("no `haft.toml` in `{}` or in a directory above", shown(folder))]
    NoManifest {
        /// Where the search began.
        folder: PathBuf,
    },
    /// The entry's program does not exist.
    #[error("cannot find the program `{}`", escape(program))]
    NoProgram {
        /// Its name.
        program: String,
        /// Where it was looked for.
        #[source]
        source: ResolveError,
    },
    /// A directory, a pipe or a device.
    #[error("`{}` is not a regular file", shown(path))]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The file is not UTF-8.
    #[error("`{}` is not UTF-8 text", shown(path))]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// The file is neither JSON nor TOML.
    #[error("`{}` is not valid {format}: line {line}: {reason}", shown(path))]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What it was read as.
        format: &'static str,
        /// Where it goes wrong; the first line is 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// The file is larger than any file of its kind.
    #[error("`{}` is larger than {} MiB", shown(path), most >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most bytes that are read.
        most: u64,
    },
    /// The file was read, and is nothing to connect to.
    #[error("`{}` is no target: {found}", shown(path))]
    UnknownContent {
        /// The file.
        path: PathBuf,
        /// What it holds instead.
        found: String,
    },
    /// The file could not be read.
    #[error("cannot read `{}`", shown(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A text of the file uses a variable that has no value.
    #[error("{place}: `{}` is not set", escape(variable))]
    Unset {
        /// The file, the entry and the key.
        place: String,
        /// The variable, as the text names it.
        variable: String,
        /// How to give it a value.
        remedy: String,
    },
    /// The entry asks for something that haft does not do.
    #[error("{place}: {what}")]
    Unsupported {
        /// The file, the entry and the key.
        place: String,
        /// What is not done, and what to do instead.
        what: String,
    },
    /// A URL that cannot be connected to.
    #[error("{place}: {reason}")]
    Url {
        /// Where it stands.
        place: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A value of a wrong kind.
    #[error("{place}: expected {expected}, found {found}")]
    Value {
        /// The file, the entry and the key.
        place: String,
        /// What belongs there.
        expected: String,
        /// What kind stands there.
        found: String,
    },
    /// The file lists several servers, and none was picked.
    #[error("`{}` lists {} servers", shown(file), names.len())]
    WhichEntry {
        /// The file.
        file: PathBuf,
        /// Their names.
        names: Vec<String>,
    },
}

impl TargetError {
    /// What to do about it, when there is something.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Disabled { file, entry } => {
                Some(format!("name it to use it all the same: `{}#{}`", shown(file), escape(entry)))
            }
            Self::EmptyFolder { lists, .. } => {
                lists.first().map(|list| format!("it has a list of servers: name `{}`", shown(list)))
            }
            Self::NoEntry { file, entry, names } => match haft_diag::nearest(entry, names.iter().map(String::as_str)) {
                Some(near) => Some(format!("did you mean `{}#{}`?", shown(file), escape(near))),
                None if names.is_empty() => Some("the list is empty".to_owned()),
                None => Some(format!("there are {}", listed(names))),
            },
            Self::NoManifest { .. } => Some(
                "name a target: a `haft.toml`, a `tools.json`, `.mcp.json#name`, a URL, or a command after `--`"
                    .to_owned(),
            ),
            Self::NoProgram { program, .. } if program.contains(char::is_whitespace) => {
                Some("`command` is the program alone; its arguments belong into `args`".to_owned())
            }
            Self::NoProgram { program, .. } if program.starts_with('~') => {
                Some("`~` is not expanded; write the whole path, or `${userHome}`".to_owned())
            }
            Self::UnknownContent { .. } => Some(format!("looked for {LOOKED_FOR}")),
            Self::NoFile { looks_like_url: true, .. } => Some("a URL begins with `http://` or `https://`".to_owned()),
            Self::Unset { remedy, .. } => Some(remedy.clone()),
            Self::WhichEntry { file, names } => {
                let first = names.first().map_or("name", String::as_str);
                Some(format!("pick one, such as `{}#{}`; there are {}", shown(file), escape(first), listed(names)))
            }
            _ => None,
        }
    }
}

/// A path, harmless on a terminal.
pub(super) fn shown(path: &std::path::Path) -> String {
    escape(&path.to_string_lossy()).into_owned()
}

/// Names in backticks, not more than a person reads.
pub(super) fn listed(names: &[String]) -> String {
    let shown = names.iter().take(MOST_LISTED).map(|name| format!("`{}`", escape(name)));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(MOST_LISTED) {
        Some(more @ 1..) => format!("{shown} and {more} more"),
        _ => shown,
    }
}

const MOST_LISTED: usize = 20;
const LOOKED_FOR: &str = "a `haft.toml` (`[server]`, `[[tool]]`), saved tools (an array of tools or `tools`), servers \
    (`mcpServers`, `servers`, `context_servers`), or Codex's `[mcp_servers.NAME]`";
