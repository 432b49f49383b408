//! The records of all writers in the order of time.

use std::path::{Path, PathBuf};
use std::vec;

use super::entry::RECORD;
use super::folder::{Place, places, unusable};
use super::scan::{Break, Fault, Lines};
use super::{AuditError, Entry};
use crate::private;

/// The records of a folder, the earliest first; of one time, by writer and number. A line that cannot be read is an
/// error in its place, and the rest follows.
///
/// Whether they are as they were written is not asked here: [`verify`](super::verify) says that.
#[derive(Debug)]
pub struct Entries {
    streams: Vec<Stream>,
}

/// The records of one writer.
struct Stream {
    segments: vec::IntoIter<PathBuf>,
    open: Option<(PathBuf, Lines, u64)>,
    next: Option<Result<Entry, AuditError>>,
}

/// Reads the records of the folder.
///
/// # Errors
///
/// When the folder cannot be read.
pub fn read(folder: &Path) -> Result<Entries, AuditError> {
    let streams = places(folder)?.iter().map(Stream::of).collect::<Result<_, _>>()?;
    Ok(Entries { streams })
}

impl Iterator for Entries {
    type Item = Result<Entry, AuditError>;

    fn next(&mut self) -> Option<Self::Item> {
        let earliest = self.streams.iter_mut().filter(|stream| stream.next.is_some());
        let earliest = earliest.min_by(|left, right| left.order().cmp(&right.order()))?;
        let entry = earliest.next.take();
        earliest.advance();
        entry
    }
}

impl Stream {
    fn of(place: &Place) -> Result<Self, AuditError> {
        let segments: Vec<PathBuf> = place.segments()?.into_iter().map(|number| place.segment(number)).collect();
        let mut stream = Self { segments: segments.into_iter(), open: None, next: None };
        stream.advance();
        Ok(stream)
    }

    /// Errors come first; the time has one width, so its text sorts as it does.
    fn order(&self) -> Option<(&str, &str, u64)> {
        let entry = self.next.as_ref()?.as_ref().ok()?;
        Some((&entry.time, &entry.writer, entry.seq))
    }

    fn advance(&mut self) {
        self.next = self.read().transpose();
    }

    fn read(&mut self) -> Result<Option<Entry>, AuditError> {
        loop {
            let Some((path, lines, number)) = &mut self.open else {
                let Some(path) = self.segments.next() else { return Ok(None) };
                let file = private::existing(&path).map_err(unusable(&path))?;
                self.open = Some((path, Lines::of(file), 0));
                continue;
            };
            *number += 1;
            let line = match lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => {
                    self.open = None;
                    continue;
                }
                Err(error) => {
                    let error = unusable(path)(error);
                    self.open = None;
                    return Err(error);
                }
            };
            // A line without an end is being written, or a crash cut it.
            if !line.starts_with(RECORD.as_bytes()) || !line.ends_with(b"\n") {
                continue;
            }
            if let Some(entry) = std::str::from_utf8(line).ok().and_then(Entry::parse) {
                return Ok(Some(entry));
            }
            let broken = Break { file: path.clone(), first: *number, last: *number, fault: Fault::Changed };
            return Err(AuditError::Broken(Box::new(broken)));
        }
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}
