//! Files that a result holds: saved under names that nothing else has.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes the bytes into a new file in `folder`, named after the tool and the kind of the content; never over another.
pub(super) fn save(folder: &Path, tool: &str, mime_type: Option<&str>, bytes: &[u8]) -> io::Result<PathBuf> {
    let stem = stem(tool);
    let extension = extension(mime_type.unwrap_or_default());
    for number in 1..=MOST {
        let path = folder.join(format!("{stem}-{number}.{extension}"));
        let mut file = match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        file.write_all(bytes)?;
        return Ok(path);
    }
    Err(io::Error::other(format!("there are {MOST} files of that name already")))
}

/// The tool's name as a part of a file's: no path leads out of it, nothing hides it.
fn stem(tool: &str) -> String {
    let plain = |character: char| if character.is_ascii_alphanumeric() || character == '_' { character } else { '-' };
    let stem: String = tool.chars().take(LONGEST).map(plain).collect();
    let stem = stem.trim_matches('-');
    if stem.is_empty() { "tool".to_owned() } else { stem.to_owned() }
}

fn extension(mime_type: &str) -> &'static str {
    let kind = mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    KINDS.iter().find(|(known, _)| *known == kind).map_or("bin", |(_, extension)| extension)
}

const MOST: usize = 10_000;
const LONGEST: usize = 64;
/// What opens by itself under these names shows a picture or plays a sound; nothing else is given a name that runs it.
const KINDS: [(&str, &str); 21] = [
    ("application/json", "json"),
    ("application/pdf", "pdf"),
    ("application/zip", "zip"),
    ("audio/aac", "aac"),
    ("audio/flac", "flac"),
    ("audio/mp3", "mp3"),
    ("audio/mp4", "m4a"),
    ("audio/mpeg", "mp3"),
    ("audio/ogg", "ogg"),
    ("audio/wav", "wav"),
    ("audio/webm", "weba"),
    ("audio/x-wav", "wav"),
    ("image/bmp", "bmp"),
    ("image/gif", "gif"),
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("image/svg+xml", "svg"),
    ("image/webp", "webp"),
    ("text/csv", "csv"),
    ("text/markdown", "md"),
    ("text/plain", "txt"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere_and_overwrites_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let save = |tool: &str, kind: &str| {
            let path = save(folder.path(), tool, Some(kind), b"x").unwrap();
            path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(save("echo", "image/png"), "echo-1.png");
        assert_eq!(save("echo", "IMAGE/PNG; q=1"), "echo-2.png");
        assert_eq!(save("../../etc/passwd", "application/x-sh"), "etc-passwd-1.bin");
        assert_eq!(save(".\u{1b}", ""), "tool-1.bin");
        std::os::unix::fs::symlink("/nowhere/else", folder.path().join("link-1.png")).unwrap();
        assert_eq!(save("link", "image/png"), "link-2.png");
    }
}
