//! Which manifest is meant.

use std::path::{Path, PathBuf};

use haft_diag::Diagnostic;

use crate::environment;
use crate::failure::Failure;

/// The manifest that was named, or the one here or above; `command` is for the hint.
pub(crate) fn manifest(named: Option<&Path>, command: &str) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return Ok(if path.is_dir() { path.join(NAME) } else { path.to_owned() });
    }
    let here = environment::current_directory()
        .map_err(|error| Diagnostic::error("the current directory is not known").cause(error.to_string()))?;
    let above = here.ancestors().skip(1).map(|directory| directory.join(NAME));
    // Here, the short name is the one to print.
    let found = std::iter::once(PathBuf::from(NAME)).chain(above).find(|path| path.is_file());
    found.ok_or_else(|| {
        Diagnostic::error("no `haft.toml` here or in a directory above")
            .hint(format!("name the manifest: `haft {command} path/to/haft.toml`"))
            .into()
    })
}

const NAME: &str = "haft.toml";
