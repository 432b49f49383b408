//! `cargo xtask docs`: writes what is generated from the sources, and says which files changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xtask::api::{ApiError, SNAPSHOT_CRATES, snapshot, snapshot_path};

/// Why the generated files could not be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DocsError {
    #[error(transparent)]
    Api(#[from] ApiError),
    #[error("cannot write `{}`", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Writes every generated file of the repository at `root`.
pub(crate) fn docs(root: &Path) -> Result<(), DocsError> {
    for name in SNAPSHOT_CRATES {
        let path = snapshot_path(root, name);
        let text = snapshot(root, name)?;
        let is_new = fs::read_to_string(&path).is_ok_and(|old| old == text);
        if !is_new {
            let write = |source| DocsError::Write { path: path.clone(), source };
            fs::create_dir_all(path.parent().unwrap_or(root)).map_err(write)?;
            fs::write(&path, &text).map_err(write)?;
        }
        let shown = path.strip_prefix(root).unwrap_or(&path).display();
        println!("{shown}: {}", if is_new { "unchanged" } else { "written" });
    }
    Ok(())
}
