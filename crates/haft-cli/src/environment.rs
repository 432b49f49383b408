//! The environment of the process. Only this file reads it; everything else is handed what it needs.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// A variable that is set to a text.
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var_os(name)?.into_string().ok()
}

/// A variable that is set to an absolute path. A relative one is ignored, as the XDG specification asks for.
pub(crate) fn absolute_path(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Where the user's configuration lies.
pub(crate) fn configuration_folder() -> Option<PathBuf> {
    absolute_path("XDG_CONFIG_HOME").or_else(|| absolute_path("HOME").map(|home| home.join(".config")))
}

/// The name of the user, for records: what they are called where they logged in, or their number.
pub(crate) fn user() -> String {
    variable("USER")
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| format!("uid {}", rustix::process::getuid().as_raw()))
}

/// Where the process runs.
pub(crate) fn current_directory() -> std::io::Result<PathBuf> {
    env::current_dir()
}

/// The file of this program, as a client can start it.
pub(crate) fn program() -> Option<PathBuf> {
    env::current_exe().ok()
}

/// What programs that are started as servers get of it: where they are and who runs them, and nothing that is secret.
pub(crate) fn for_programs() -> Vec<(OsString, OsString)> {
    let is_for_all = |name: &str| FOR_PROGRAMS.contains(&name) || name.starts_with("LC_") || name.starts_with("XDG_");
    env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_for_all)).collect()
}

/// Beside all that begin with `LC_` and `XDG_`.
const FOR_PROGRAMS: [&str; 10] =
    ["HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];
