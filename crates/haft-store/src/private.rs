//! Folders and files that nobody but their user may read or change.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Makes a folder, with those above it, that only its user can open; one that exists must not be writable by others.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let metadata = fs::metadata(path)?;
    if metadata.mode() & 0o022 != 0 || metadata.uid() != own_uid() {
        return Err(io::Error::other("other users may put files into the folder"));
    }
    Ok(())
}

/// Opens a file for reading and writing, at its end, and makes it where there is none.
pub(crate) fn file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).mode(0o600).custom_flags(no_links());
    checked(options.open(path)?)
}

/// Opens a file for reading.
pub(crate) fn existing(path: &Path) -> io::Result<File> {
    checked(OpenOptions::new().read(true).custom_flags(no_links()).open(path)?)
}

/// The content of a file that is small.
pub(crate) fn small(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    existing(path)?.take(SMALL).read_to_end(&mut content)?;
    Ok(content)
}

/// Makes a file with `content` where there is none.
///
/// It appears whole: of several that make it at the same time, one wins. No descriptor of a file that is in its place
/// is opened or closed.
pub(crate) fn make(path: &Path, content: &[u8]) -> io::Result<()> {
    match check(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        known => return known,
    }
    let draft = beside(path, &format!("{:016x}", u64::from_ne_bytes(random()?)));
    write_new(&draft, content)?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => sync_folder_of(path),
    }
}

/// Whether a file is one that nobody but its user may read or change, without opening it.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    is_private(&fs::symlink_metadata(path)?)
}

/// Puts `content` in the place of a file's: whoever opens it, even after a crash, sees the old content or the new one.
///
/// Only one at a time may do this for a path.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let draft = beside(path, "new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600).custom_flags(no_links());
    let mut file = checked(options.open(&draft)?)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&draft, path)
}

/// Makes the names in the folder of `path` durable.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Bytes from the operating system's source of randomness.
pub(crate) fn random<const LENGTH: usize>() -> io::Result<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

fn checked(file: File) -> io::Result<File> {
    is_private(&file.metadata()?)?;
    Ok(file)
}

fn is_private(metadata: &Metadata) -> io::Result<()> {
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if metadata.mode() & 0o077 != 0 || metadata.uid() != own_uid() {
        return Err(io::Error::other("other users may read or change it"));
    }
    Ok(())
}

fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// A link would lead to a file that somebody else chose; a pipe must not hold up whoever opens it.
fn no_links() -> i32 {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    flags.bits().cast_signed()
}

/// More than any file has that is read whole.
const SMALL: u64 = 64 * 1024;

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_made_is_for_its_user_alone() {
        let top = tempfile::tempdir().unwrap();
        let inner = top.path().join("a/b");
        folder(&inner).unwrap();
        let path = inner.join("f");
        drop(file(&path).unwrap());
        replace(&inner.join("r"), b"1").unwrap();
        for content in [b"1", b"2"] {
            make(&inner.join("n"), content).unwrap();
            assert_eq!(small(&inner.join("n")).unwrap(), b"1");
        }
        assert_eq!(
            [mode(&inner), mode(&path), mode(&inner.join("r")), mode(&inner.join("n"))],
            [0o700, 0o600, 0o600, 0o600]
        );
        assert_eq!(fs::read_dir(&inner).unwrap().count(), 3, "no draft stays");
    }

    #[test]
    fn what_others_could_change_is_refused() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("f");
        drop(file(&path).unwrap());
        for bits in [0o640, 0o604, 0o620] {
            fs::set_permissions(&path, fs::Permissions::from_mode(bits)).unwrap();
            assert!(file(&path).is_err() && existing(&path).is_err() && make(&path, b"").is_err());
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&path, top.path().join("link")).unwrap();
        assert!(file(&top.path().join("link")).is_err());
        assert!(file(top.path()).is_err());
        fs::set_permissions(top.path(), fs::Permissions::from_mode(0o770)).unwrap();
        assert!(folder(top.path()).is_err());
    }
}
