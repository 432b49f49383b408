//! Programs that a file names are started only after a person said so once: `haft trust`.
//!
//! What is trusted is one digest: BLAKE3 over the file's path, the entry's name, the whole argv, the directory and
//! the variables with their values; for a `haft.toml` that was found rather than named, over its path and content. An
//! entry with a URL starts nothing, but its file can have any variable sent to anybody: where it does, the digest is
//! over the file, the entry, the scheme and host that the address has, its path as the file writes it and the names of
//! the variables, so that a fresh token in a header, the path or the query asks nothing. A change of any of these asks
//! again. What is shown and kept of an address has the names of variables in place of their values. Each grant is a file of its own, named by the digest, in the folder `trust` of
//! the state folder. It is written beside and renamed, so it is there as a whole or not at all, and any number of
//! processes can grant and forget at once without waiting for each other.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use haft_diag::escape;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::error::shown;
use super::{NamedBy, Program, RemoteUrl, Target};

/// The grants of one person.
#[derive(Clone, Debug)]
pub struct TrustStore {
    folder: PathBuf,
}

/// Whether a target may be started.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Standing {
    /// A person has to look at it first.
    NeedsTrust(Question),
    /// The person named it, or granted it before, or it starts nothing.
    Trusted,
}

/// What a person has to see before they trust a target; escaped for a terminal.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// What would be started, by what, where and with which variables; no value of a variable.
    pub lines: Vec<String>,
    /// The whole argv, quoted as for a shell; empty when it is no program.
    pub argv: String,
    /// What the grant is bound to, in hex.
    pub digest: String,
}

/// One thing that is trusted.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Grant {
    /// What it is bound to, in hex.
    pub digest: String,
    /// The file that names it.
    pub file: String,
    /// The entry of that file; none for a manifest.
    pub entry: Option<String>,
    /// The program, or the address that variables are sent to, with their names in it; none for a manifest.
    pub program: Option<String>,
}

/// Grants that cannot be read or written. Whoever meets it starts nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrustError {
    /// A grant is not as it was written.
    #[error("`{}` is no grant of trust: {reason}; delete it, and trust again what it was for", shown(path))]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Other users could add grants.
    #[error("others can write to `{}`, so what it grants counts for nothing", shown(path))]
    Exposed {
        /// The folder or the file.
        path: PathBuf,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot {action} `{}`", shown(path))]
    Io {
        /// What was to be done.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl TrustStore {
    /// The grants below the folder `state`, which need not exist yet.
    pub fn new(state: &Path) -> Self {
        Self { folder: state.join("trust") }
    }

    /// Whether the target may be started.
    ///
    /// # Errors
    ///
    /// When the grant for it is damaged or could have been written by another user.
    pub fn check(&self, target: &Target) -> Result<Standing, TrustError> {
        let Some(subject) = Subject::of(target)? else { return Ok(Standing::Trusted) };
        let path = self.path(&subject.grant.digest);
        match self.read(&path) {
            Ok(grant) if grant.digest == subject.grant.digest => Ok(Standing::Trusted),
            Ok(_) => Err(TrustError::Corrupt { path, reason: "it is for another digest" }),
            Err(TrustError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                let Subject { lines, argv, grant } = subject;
                Ok(Standing::NeedsTrust(Question { lines, argv, digest: grant.digest }))
            }
            Err(error) => Err(error),
        }
    }

    /// Grants it: the same target is trusted from now on. A damaged grant is replaced.
    ///
    /// # Errors
    ///
    /// When the grant cannot be written.
    pub fn trust(&self, target: &Target) -> Result<(), TrustError> {
        let Some(Subject { grant, .. }) = Subject::of(target)? else { return Ok(()) };
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder).map_err(failed("create", &self.folder))?;
        refuse_exposed(&self.folder)?;
        let path = self.path(&grant.digest);
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let beside = self.folder.join(format!(".{}-{}-{number}", grant.digest, process::id()));
        let write = || {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
            file.write_all(serde_json::to_string(&grant)?.as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, &path)?;
            File::open(&self.folder)?.sync_all()
        };
        write().map_err(|source| {
            // What is left is ignored by all readers; the error that matters is the first one.
            drop(fs::remove_file(&beside));
            failed("write", &path)(source)
        })
    }

    /// Takes the grant back; false when there was none.
    ///
    /// # Errors
    ///
    /// When it cannot be removed.
    pub fn forget(&self, target: &Target) -> Result<bool, TrustError> {
        match Subject::of(target)? {
            Some(subject) => self.forget_digest(&subject.grant.digest),
            None => Ok(false),
        }
    }

    /// Takes back the grant with this digest, as [`TrustStore::list`] gives it; false when there was none.
    ///
    /// # Errors
    ///
    /// When it cannot be removed.
    pub fn forget_digest(&self, digest: &str) -> Result<bool, TrustError> {
        // A digest is part of a path here.
        if digest.is_empty() || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(false);
        }
        let path = self.path(digest);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(failed("remove", &path)(error)),
        }
    }

    /// All grants, by file and entry.
    ///
    /// # Errors
    ///
    /// When one of them is damaged, which the error names.
    pub fn list(&self) -> Result<Vec<Grant>, TrustError> {
        let files = match fs::read_dir(&self.folder) {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed("read", &self.folder)(error)),
        };
        let mut grants = Vec::new();
        for file in files {
            let file = file.map_err(failed("read", &self.folder))?;
            // Not yet renamed, or never.
            if file.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = file.path();
            match self.read(&path) {
                Ok(grant) if self.path(&grant.digest) == path => grants.push(grant),
                Ok(_) => return Err(TrustError::Corrupt { path, reason: "its name is not its digest" }),
                // Forgotten in the meantime.
                Err(TrustError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        grants.sort_by(|one, other| {
            (&one.file, &one.entry, &one.digest).cmp(&(&other.file, &other.entry, &other.digest))
        });
        Ok(grants)
    }

    fn path(&self, digest: &str) -> PathBuf {
        self.folder.join(format!("{digest}.json"))
    }

    fn read(&self, path: &Path) -> Result<Grant, TrustError> {
        let corrupt = |reason| TrustError::Corrupt { path: path.to_owned(), reason };
        let metadata = fs::symlink_metadata(path).map_err(failed("read", path))?;
        if !metadata.is_file() {
            return Err(corrupt("it is not a regular file"));
        }
        refuse_exposed(&self.folder)?;
        refuse_exposed(path)?;
        let mut text = Vec::new();
        let file = File::open(path).map_err(failed("read", path))?;
        file.take(LARGEST_GRANT + 1).read_to_end(&mut text).map_err(failed("read", path))?;
        if text.len() as u64 > LARGEST_GRANT {
            return Err(corrupt("it is too large"));
        }
        serde_json::from_slice(&text).map_err(|_| corrupt("it is not the JSON that was written"))
    }
}

/// What there is to trust in a target.
struct Subject {
    lines: Vec<String>,
    argv: String,
    grant: Grant,
}

impl Subject {
    /// None when there is nothing to ask about.
    fn of(target: &Target) -> Result<Option<Self>, TrustError> {
        match target {
            Target::Manifest { path, is_discovered: true } => Self::manifest(path).map(Some),
            Target::Program(program) => Ok(match &program.named_by {
                NamedBy::CommandLine => None,
                NamedBy::File { path, entry } => Some(Self::program(program, path, entry)),
            }),
            Target::Remote { url, named_by: NamedBy::File { path, entry }, lent, .. } if !lent.is_empty() => {
                Ok(Some(Self::remote(url, lent, path, entry)))
            }
            Target::Manifest { is_discovered: false, .. } | Target::Remote { .. } | Target::Tools(_) => Ok(None),
        }
    }

    fn manifest(path: &Path) -> Result<Self, TrustError> {
        let path = path.canonicalize().map_err(failed("read", path))?;
        let mut content = blake3::Hasher::new();
        File::open(&path)
            .and_then(|file| io::copy(&mut file.take(LARGEST_MANIFEST), &mut content))
            .map_err(failed("read", &path))?;
        let mut digest = Digest::of("manifest");
        digest.add(path.as_os_str().as_encoded_bytes());
        digest.add(content.finalize().as_bytes());
        let file = path.to_string_lossy().into_owned();
        let lines = vec![
            format!("`{}` was found, not named", escape(&file)),
            "its tools can start the programs that it names, and each change of it asks again".to_owned(),
        ];
        let grant = Grant { digest: digest.finish(), file, entry: None, program: None };
        Ok(Self { lines, argv: String::new(), grant })
    }

    fn remote(url: &RemoteUrl, lent: &BTreeSet<String>, path: &Path, entry: &str) -> Self {
        let mut digest = Digest::of("remote");
        digest.add(path.as_os_str().as_encoded_bytes());
        digest.add(entry.as_bytes());
        // The query often is the very value that changes, and so may a variable in the path be.
        let uri = url.uri();
        digest.add(uri.scheme_str().unwrap_or_default().as_bytes());
        digest.add(uri.authority().map_or("", |authority| authority.as_str()).as_bytes());
        digest.add(url.path_by_names());
        for name in lent {
            digest.add(name.as_bytes());
        }
        let file = path.to_string_lossy().into_owned();
        let names: Vec<String> = lent.iter().map(|name| format!("`{}`", escape(name))).collect();
        let lines = vec![
            format!("the entry `{}` of `{}` sends the value of", escape(entry), escape(&file)),
            format!("  {}", names.join(", ")),
            format!("to `{url}`"),
        ];
        let grant =
            Grant { digest: digest.finish(), file, entry: Some(entry.to_owned()), program: Some(url.to_string()) };
        Self { lines, argv: String::new(), grant }
    }

    fn program(program: &Program, path: &Path, entry: &str) -> Self {
        let mut digest = Digest::of("program");
        digest.add(path.as_os_str().as_encoded_bytes());
        digest.add(entry.as_bytes());
        digest.count(program.argv.len());
        for word in &program.argv {
            digest.add(word.as_encoded_bytes());
        }
        digest.add(program.directory.as_os_str().as_encoded_bytes());
        for (name, value) in &program.environment {
            digest.add(name.as_bytes());
            digest.add(value.expose().as_bytes());
        }
        let words: Vec<String> = program.argv.iter().map(|word| quoted(&word.to_string_lossy())).collect();
        let argv = words.join(" ");
        let file = path.to_string_lossy().into_owned();
        let mut lines = vec![
            format!("the entry `{}` of `{}` starts", escape(entry), escape(&file)),
            format!("  {argv}"),
            format!("in `{}`", shown(&program.directory)),
        ];
        if !program.environment.is_empty() {
            let names: Vec<String> = program.environment.keys().map(|name| format!("`{}`", escape(name))).collect();
            lines.push(format!("with {}", names.join(", ")));
        }
        let name = program.argv.first().map(|name| name.to_string_lossy().into_owned());
        let grant = Grant { digest: digest.finish(), file, entry: Some(entry.to_owned()), program: name };
        Self { lines, argv, grant }
    }
}

/// BLAKE3 over parts with their lengths, so that no two lists of parts are the same bytes.
struct Digest(blake3::Hasher);

impl Digest {
    fn of(kind: &str) -> Self {
        let mut digest = Self(blake3::Hasher::new_derive_key("haft 2026-11 trust"));
        digest.add(kind.as_bytes());
        digest
    }

    fn add(&mut self, part: &[u8]) {
        self.count(part.len());
        self.0.update(part);
    }

    fn count(&mut self, count: usize) {
        self.0.update(&(count as u64).to_le_bytes());
    }

    fn finish(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

/// A word as a shell would take it, and as no terminal obeys it.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=@%+,".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", escape(&word.replace('\'', r"'\''")))
}

fn refuse_exposed(path: &Path) -> Result<(), TrustError> {
    let mode = fs::metadata(path).map_err(failed("read", path))?.mode();
    if mode & 0o022 == 0 { Ok(()) } else { Err(TrustError::Exposed { path: path.to_owned() }) }
}

fn failed(action: &'static str, path: &Path) -> impl Fn(io::Error) -> TrustError {
    let path = path.to_owned();
    move |source| TrustError::Io { action, path: path.clone(), source }
}

static WRITTEN: AtomicU64 = AtomicU64::new(0);
const LARGEST_GRANT: u64 = 64 << 10;
/// More than the reader of manifests takes: a larger one is not served anyway.
const LARGEST_MANIFEST: u64 = 8 << 20;
