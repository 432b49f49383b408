//! The environment of the process. Only this file reads it; everything else is handed what it needs.

use std::env;
use std::path::PathBuf;

/// A variable that is set to a text.
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var_os(name)?.into_string().ok()
}

/// A variable that is set to an absolute path. A relative one is ignored, as the XDG specification asks for.
pub(crate) fn absolute_path(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Where the process runs.
pub(crate) fn current_directory() -> std::io::Result<PathBuf> {
    env::current_dir()
}

/// The file of this program, as a client can start it.
pub(crate) fn program() -> Option<PathBuf> {
    env::current_exe().ok()
}
