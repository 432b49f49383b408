//! What outlives a start: for each manifest a folder that only its user can open.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use haft_diag::Diagnostic;
use haft_store::{Limits, SqliteStore};

use crate::arguments::Place;
use crate::failure::Failure;
use crate::serve::Token;
use crate::{environment, locate};

/// The folder of a manifest: the one that was named, or `$XDG_STATE_HOME/haft/<digest of the manifest's path>`.
pub(crate) fn folder(named: Option<&Path>, manifest: &Path) -> Result<PathBuf, Failure> {
    let folder = if let Some(folder) = named {
        folder.to_owned()
    } else {
        let path = manifest.canonicalize().unwrap_or_else(|_| manifest.to_owned());
        let digest = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
        let name: String = digest.chars().take(DIGEST).collect();
        root("name a folder with `--state DIR`, or set `HAFT_TOKEN`")?.join(name)
    };
    DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(|error| unusable(&folder, &error))?;
    Ok(folder)
}

/// The folder of the server that a person names; `command` is for the hint.
pub(crate) fn of(place: &Place, command: &str) -> Result<PathBuf, Failure> {
    match &place.state {
        Some(folder) => Ok(folder.clone()),
        None => folder(None, &locate::manifest(place.file.as_deref(), command)?),
    }
}

/// `$XDG_STATE_HOME/haft`, or where that is when the variable is not set; `hint` says what to do where that is not known.
pub(crate) fn root(hint: &str) -> Result<PathBuf, Failure> {
    let home = environment::absolute_path("XDG_STATE_HOME")
        .or_else(|| environment::absolute_path("HOME").map(|home| home.join(".local/state")));
    let home = home.ok_or_else(|| {
        let diagnostic = Diagnostic::error("no place to keep anything: neither `XDG_STATE_HOME` nor `HOME` is set");
        Failure::from(diagnostic.hint(hint))
    })?;
    Ok(home.join("haft"))
}

/// What a person was asked and has answered, in a folder.
pub(crate) fn approvals(folder: &Path) -> Result<SqliteStore, Failure> {
    let path = folder.join(APPROVALS);
    SqliteStore::open(&path, Limits::default()).map_err(|error| Diagnostic::from_error(&error).into())
}

/// The token of a folder; a new one where there is none yet.
pub(crate) fn token(folder: &Path) -> Result<Token, Failure> {
    let path = folder.join("token");
    if !path.exists() {
        create(folder, &path).map_err(|error| unusable(&path, &error))?;
    }
    let text = read(&path).map_err(|error| unusable(&path, &error))?;
    let token = Token::parse(&text).map_err(|reason| {
        let diagnostic = Diagnostic::error("the kept token is not usable").in_file(path.display().to_string());
        diagnostic.cause(reason).hint("remove the file; the next start makes a new one")
    })?;
    Ok(token)
}

/// The token of a folder, if it has one that nobody else could have written.
pub(crate) fn kept_token(folder: &Path) -> Option<Token> {
    Token::parse(&read(&folder.join("token")).ok()?).ok()
}

/// Says that this process listens at `url` with the token of the folder, for as long as what is returned is held.
pub(crate) fn announce(folder: &Path, port: u16, url: &str) -> io::Result<File> {
    let path = folder.join(format!("{LISTENS}{port}"));
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    file.try_lock().map_err(io::Error::other)?;
    file.set_len(0)?;
    writeln!(file, "{url}")?;
    Ok(file)
}

/// Whether a process listens at `url` with the token of the folder. What a process said that ended without taking it
/// back does not count: somebody else may listen there by now.
pub(crate) fn is_announced(folder: &Path, port: u16, url: &str) -> bool {
    let path = folder.join(format!("{LISTENS}{port}"));
    let Ok(mut file) = File::open(path) else { return false };
    let is_held = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    let mut text = String::new();
    is_held && (&mut file).take(LARGEST).read_to_string(&mut text).is_ok() && text.trim_end() == url
}

/// Makes the token whole under another name first, so that nobody who starts at the same time reads a part of it.
fn create(folder: &Path, path: &Path) -> io::Result<()> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    let draft = folder.join(format!("token.{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    writeln!(file, "{}", URL_SAFE_NO_PAD.encode(random))?;
    file.sync_all()?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    match linked {
        // Somebody else was first: theirs is the token.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    }
}

/// Reads a token that nobody else could read or write.
fn read(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.mode() & 0o077 != 0 || metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("other users may read or change it"));
    }
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text)?;
    Ok(text)
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    let diagnostic = Diagnostic::error("the state folder cannot be used").in_file(path.display().to_string());
    diagnostic.cause(error.to_string()).hint("name another one with `--state DIR`, or set `HAFT_TOKEN`").into()
}

/// The name of the audit log's folder.
pub(crate) const AUDIT: &str = "audit";
/// The name of the file with approvals.
const APPROVALS: &str = "approvals.sqlite";
/// Hexadecimal digits of a path's digest; enough to tell all manifests of a machine apart.
const DIGEST: usize = 32;
/// What the name of a file begins with that says where a process listens; its port follows.
const LISTENS: &str = "listens-";
/// More than any token has.
const LARGEST: u64 = 4096;

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_token_is_made_once_and_for_its_user_alone() {
        let top = tempfile::tempdir().unwrap();
        let folder = folder(Some(&top.path().join("a/b")), Path::new("haft.toml")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        let first = token(&folder).unwrap().reveal().to_owned();
        // 256 bits.
        assert_eq!(first.len(), 43);
        assert_eq!(token(&folder).unwrap().reveal(), first);
        assert_eq!(mode(&folder.join("token")), 0o600);
        let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["token"]);
    }

    #[test]
    fn a_token_that_others_could_have_read_or_that_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        token(folder.path()).unwrap();
        let path = folder.path().join("token");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(token(folder.path()).is_err());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(token(folder.path()).is_ok());
        fs::write(&path, "short").unwrap();
        assert!(token(folder.path()).is_err());
    }
}
