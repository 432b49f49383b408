//! The names of the files in a folder, and who holds which.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::AuditError;
use crate::private;

/// The place of one writer in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    folder: PathBuf,
    number: u32,
}

/// A place, as long as this lives for one writer alone.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) place: Place,
    /// Closing it lets go of the lock.
    _lock: File,
}

impl Place {
    /// `w01` and so on.
    pub(super) fn writer(&self) -> String {
        format!("w{:02}", self.number)
    }

    pub(super) fn segment(&self, number: u32) -> PathBuf {
        self.folder.join(format!("{}-{number:06}.jsonl", self.writer()))
    }

    /// Where the end of a segment that is no whole batch goes; `attempt` tells several apart.
    pub(super) fn torn(&self, segment: u32, attempt: u32) -> PathBuf {
        self.folder.join(format!("{}-{segment:06}.torn-{attempt}", self.writer()))
    }

    pub(super) fn head(&self) -> PathBuf {
        self.folder.join(format!("{}.head", self.writer()))
    }

    fn lock(&self) -> PathBuf {
        self.folder.join(format!("{}.lock", self.writer()))
    }

    /// The numbers of the segments that there are, sorted.
    pub(super) fn segments(&self) -> Result<Vec<u32>, AuditError> {
        let prefix = format!("{}-", self.writer());
        let numbers = names(&self.folder)?.into_iter().filter_map(|name| {
            let number = name.strip_prefix(&prefix)?.strip_suffix(".jsonl")?.parse().ok()?;
            (self.segment(number).file_name()?.to_str()? == name).then_some(number)
        });
        let mut numbers: Vec<u32> = numbers.collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// How many files were set aside.
    pub(super) fn torn_files(&self) -> Result<usize, AuditError> {
        let prefix = format!("{}-", self.writer());
        let is_torn = |name: &String| name.starts_with(&prefix) && name.contains(".torn-");
        Ok(names(&self.folder)?.iter().filter(|name| is_torn(name)).count())
    }

    /// Whether a writer has it open now.
    pub(super) fn is_held(&self) -> bool {
        let file = private::existing(&self.lock());
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// Takes the first place that nobody holds, so that a writer goes on where one that has ended left off.
pub(super) fn take(folder: &Path) -> Result<Held, AuditError> {
    private::folder(folder).map_err(unusable(folder))?;
    for number in 1..=MOST_WRITERS {
        let place = Place { folder: folder.to_owned(), number };
        let path = place.lock();
        let lock = private::file(&path).map_err(unusable(&path))?;
        match lock.try_lock() {
            Ok(()) => return Ok(Held { place, _lock: lock }),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(unusable(&path)(error)),
        }
    }
    Err(AuditError::TooMany { path: folder.to_owned(), limit: MOST_WRITERS })
}

/// The places up to the last of which there is any file.
pub(super) fn places(folder: &Path) -> Result<Vec<Place>, AuditError> {
    let numbers = names(folder)?.into_iter().filter_map(|name| {
        let (writer, _) = name.strip_prefix('w')?.split_once(['-', '.'])?;
        writer.parse().ok().filter(|number| (1..=MOST_WRITERS).contains(number))
    });
    let last = numbers.max().unwrap_or(0);
    Ok((1..=last).map(|number| Place { folder: folder.to_owned(), number }).collect())
}

/// An error of the operating system, told of `path`.
pub(super) fn unusable(path: &Path) -> impl FnOnce(io::Error) -> AuditError {
    let path = path.to_owned();
    |source| AuditError::Unusable { path, source }
}

fn names(folder: &Path) -> Result<Vec<String>, AuditError> {
    let entries = fs::read_dir(folder).map_err(unusable(folder))?;
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    names.collect::<Result<_, _>>().map_err(unusable(folder))
}

/// Writers that may have a folder open at once.
const MOST_WRITERS: u32 = 64;
