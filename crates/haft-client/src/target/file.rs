//! Reads a file of a person's, of a bounded size, and only if it is one.

use std::fs::{File, metadata};
use std::io::Read as _;
use std::path::Path;

use super::TargetError;

/// The text of the file at `path`, without a byte order mark.
pub(crate) fn read(path: &Path, most: u64) -> Result<String, TargetError> {
    let unreadable = |source| TargetError::Unreadable { path: path.to_owned(), source };
    // A pipe or a device could keep us waiting, or never end.
    let metadata = metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(TargetError::NotAFile { path: path.to_owned() });
    }
    if metadata.len() > most {
        return Err(TargetError::TooLarge { path: path.to_owned(), most });
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    // It can have grown, or lie about its length as those of `/proc` do.
    if bytes.len() as u64 > most {
        return Err(TargetError::TooLarge { path: path.to_owned(), most });
    }
    let text = String::from_utf8(bytes).map_err(|_| TargetError::NotText { path: path.to_owned() })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Lists of servers are small, but Claude Code keeps its own in a file with everything else it remembers.
pub(crate) const LARGEST_LIST: u64 = 16 << 20;
/// Files with variables or one header.
pub(crate) const LARGEST_SMALL: u64 = 1 << 20;
