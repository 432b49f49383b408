//! The public API of a crate as sorted text, one item a line, read from the sources with `syn`.
//!
//! It follows `mod` declarations and every `pub use` whose target is in this workspace, so that an item shows under the
//! path a user writes. What only a macro expands to is invisible to it; what another project owns is one `pub use` line.

mod forest;
mod lines;
mod resolve;
mod signatures;
mod tokens;

use std::path::{Path, PathBuf};

use forest::Forest;

/// The crates whose API is promised to stay, and so is kept as a snapshot under `docs/api`.
pub const SNAPSHOT_CRATES: [&str; 3] = ["haft", "haft-policy", "haft-wire"];

/// Why a snapshot could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// A source file or folder is not readable.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A source file is not Rust.
    #[error("cannot parse `{}`", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What the parser said.
        source: syn::Error,
    },
    /// A `mod` declaration has no file.
    #[error("no file for module `{module}` of `{}`", declared_in.display())]
    NoModule {
        /// The module's name.
        module: String,
        /// The file with the declaration.
        declared_in: PathBuf,
    },
    /// There is no such crate.
    #[error("no library crate named `{name}` in `crates`")]
    NoCrate {
        /// The name that was asked for.
        name: String,
    },
}

/// Where the snapshot of the crate `name` lies in the repository at `root`.
pub fn snapshot_path(root: &Path, name: &str) -> PathBuf {
    root.join("docs/api").join(format!("{name}.txt"))
}

/// Reads the sources in `root/crates` and returns the public API of the crate `name`, one item a line.
pub fn snapshot(root: &Path, name: &str) -> Result<String, ApiError> {
    let forest = Forest::load(&root.join("crates"))?;
    let crate_root = forest.root(&name.replace('-', "_")).ok_or_else(|| ApiError::NoCrate { name: name.to_owned() })?;
    let mut text = format!("# The public API of {name}. Written by `cargo xtask docs`, never by hand.\n");
    for line in lines::public_lines(&forest, crate_root) {
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
