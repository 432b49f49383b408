//! From the name of a program to the file that is executed.

use std::{
    env,
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    path::{self, Path, PathBuf},
};

use rustix::fs::{Access, access};
use thiserror::Error;

/// The absolute path of the program `name`, found as `execvp` finds it: a name with a slash is a path, relative to
/// `directory`; another name is looked for in each directory of `search_path` (the value of a `PATH` variable), in
/// which an empty or relative entry is relative to `directory`, too. A file that may not be executed is passed over.
///
/// # Errors
///
/// When the name is empty, when no such file exists, or when one exists but may not be executed.
pub fn resolve(name: &OsStr, search_path: &OsStr, directory: &Path) -> Result<PathBuf, ResolveError> {
    if name.is_empty() {
        return Err(ResolveError::Unnamed);
    }
    let directory = path::absolute(directory).map_err(|source| ResolveError::Directory { source })?;
    if name.as_bytes().contains(&b'/') {
        let file = directory.join(name);
        return match executable(&file) {
            Candidate::Executable => Ok(file),
            Candidate::Forbidden => Err(ResolveError::NotExecutable { path: file }),
            Candidate::Missing => Err(ResolveError::NoFile { path: file }),
        };
    }
    let mut forbidden = None;
    let mut searched = Vec::new();
    for entry in env::split_paths(search_path) {
        // `join("")` would add a slash at the end.
        let folder = if entry.as_os_str().is_empty() { directory.clone() } else { directory.join(entry) };
        let file = folder.join(name);
        match executable(&file) {
            Candidate::Executable => return Ok(file),
            Candidate::Forbidden => forbidden = forbidden.or(Some(file)),
            Candidate::Missing => {}
        }
        if !searched.contains(&folder) {
            searched.push(folder);
        }
    }
    Err(match forbidden {
        Some(path) => ResolveError::NotExecutable { path },
        None => ResolveError::NotFound { name: name.to_string_lossy().into_owned(), searched },
    })
}

/// A program that was not found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// A relative directory could not be completed because our own is gone.
    #[error("the current directory is not known")]
    Directory {
        /// What the system said.
        source: io::Error,
    },
    /// The name is a path, and there is no file.
    #[error("no program `{}`", path.display())]
    NoFile {
        /// Where it was expected.
        path: PathBuf,
    },
    /// There is one, but it is a directory or lacks the permission.
    #[error("`{}` is not an executable file", path.display())]
    NotExecutable {
        /// The first such file.
        path: PathBuf,
    },
    /// No directory of the search path has it.
    #[error("no program `{name}` in {}", list(searched))]
    NotFound {
        /// The name as given.
        name: String,
        /// Where it was looked for, in order.
        searched: Vec<PathBuf>,
    },
    /// The name is empty.
    #[error("the name of the program is empty")]
    Unnamed,
}

enum Candidate {
    Executable,
    Forbidden,
    Missing,
}

fn executable(file: &Path) -> Candidate {
    // Not `exists`: what cannot be looked at is as good as missing, for `execvp` too.
    match file.metadata() {
        Ok(metadata) if metadata.is_file() && access(file, Access::EXEC_OK).is_ok() => Candidate::Executable,
        Ok(_) => Candidate::Forbidden,
        Err(_) => Candidate::Missing,
    }
}

fn list(folders: &[PathBuf]) -> String {
    if folders.is_empty() {
        return "an empty search path".to_owned();
    }
    let quoted: Vec<_> = folders.iter().map(|folder| format!("`{}`", folder.display())).collect();
    quoted.join(", ")
}
