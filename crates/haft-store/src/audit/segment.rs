//! The end of a writer's log: where the next batch goes.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::folder::{Held, Place, unusable};
use super::keys::Keys;
use super::scan::{Break, Fault, Lines, Scanned, Segment, scan};
use super::seal::{Chain, Position};
use super::{AuditError, head};
use crate::private;

/// The end of a log that this process alone writes.
#[derive(Debug)]
pub(super) struct Tail {
    held: Held,
    writer: String,
    keys: Keys,
    segment_bytes: u64,
    position: Position,
    /// Where the head on the disk points.
    head: Position,
    /// The segment of `position`, and how long it is; none before the first batch.
    open: Option<(File, u64)>,
}

impl Tail {
    /// Finds the end of the log that was left at a place. What a crash left behind it is set aside; the texts say so.
    pub(super) fn find(held: Held, keys: Keys, segment_bytes: u64) -> Result<(Self, Vec<String>), AuditError> {
        let place = &held.place.clone();
        let writer = place.writer();
        let mut segments = place.segments()?;
        let head = match head::read(place, &keys)? {
            Some(head) => head,
            None if segments.is_empty() => {
                // It is there before the first line is, so that no log is without one.
                head::write(place, &keys, &Position::START).map_err(unusable(&place.head()))?;
                Position::START
            }
            None => return Err(head::broken(place, Fault::Missing)),
        };
        let mut notes = Vec::new();
        let mut open = None;
        let mut position = Position::START;
        while let Some(number) = segments.pop() {
            let found = end_of(place, number, &head, &keys)?;
            let path = place.segment(number);
            if let Some(scanned) = found.filter(|scanned| scanned.batches > 0) {
                let mut file = private::file(&path).map_err(unusable(&path))?;
                if scanned.behind.is_some() {
                    notes.push(set_aside(place, number, &mut file, scanned.sealed)?);
                }
                position = scanned.position;
                open = Some((file, scanned.sealed));
                break;
            }
            if head.segment >= number {
                return Err(AuditError::Broken(Box::new(Break {
                    file: path,
                    first: 1,
                    last: 1,
                    fault: Fault::Changed,
                })));
            }
            // Nothing in it was ever whole: the crash came while it was begun.
            let mut file = private::file(&path).map_err(unusable(&path))?;
            if file.metadata().map_err(unusable(&path))?.len() > 0 {
                notes.push(set_aside(place, number, &mut file, 0)?);
            }
            fs::remove_file(&path).map_err(unusable(&path))?;
        }
        if position.batch < head.batch {
            let file = place.segment(head.segment);
            return Err(AuditError::Broken(Box::new(Break { file, first: 1, last: 1, fault: Fault::Missing })));
        }
        Ok((Self { held, writer, keys, segment_bytes, position, head, open }, notes))
    }

    pub(super) fn writer(&self) -> &str {
        &self.writer
    }

    pub(super) const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The number of the last record that is on the disk.
    pub(super) const fn seq(&self) -> u64 {
        self.position.seq
    }

    pub(super) fn is_head_behind(&self) -> bool {
        self.head != self.position
    }

    /// Writes lines of records up to `seq` as a batch, durably. After an error nothing of it is there, as far as the
    /// system lets that be done, and it may be tried again.
    pub(super) fn write(&mut self, lines: &[u8], seq: u64) -> io::Result<()> {
        let is_full = self.open.as_ref().is_none_or(|(_, length)| *length >= self.segment_bytes);
        let number = self.position.segment + u32::from(is_full);
        let mut bytes = Vec::with_capacity(lines.len() + 1024);
        if is_full {
            bytes.extend(self.position.first_line(&self.writer, number).as_bytes());
        }
        bytes.extend(lines);
        let mut chain = Chain::from(&self.position);
        chain.update(&bytes);
        let next = self.position.behind(number, seq, &chain);
        bytes.extend(next.last_line(&self.writer, &self.keys).as_bytes());

        if is_full {
            let path = self.held.place.segment(number);
            let mut file = private::file(&path)?;
            append(&mut file, 0, &bytes)?;
            private::sync_folder_of(&path)?;
            self.open = Some((file, bytes.len() as u64));
        } else if let Some((file, length)) = &mut self.open {
            append(file, *length, &bytes)?;
            *length += bytes.len() as u64;
        }
        self.position = next;
        Ok(())
    }

    /// Points the head to the last batch.
    pub(super) fn write_head(&mut self) -> io::Result<()> {
        head::write(&self.held.place, &self.keys, &self.position)?;
        self.head = self.position.clone();
        Ok(())
    }
}

/// Puts `bytes` at `length`, where the file ends or should end: an attempt that failed may have left something there.
fn append(file: &mut File, length: u64, bytes: &[u8]) -> io::Result<()> {
    if file.metadata()?.len() != length {
        file.set_len(length)?;
    }
    let written = file.write_all(bytes).and_then(|()| file.sync_data());
    if written.is_err() {
        // The error of before is the one to tell; the next attempt cuts again.
        let _cut = file.set_len(length);
    }
    written
}

/// Reads a segment to its end; `None` when it does not even begin.
fn end_of(place: &Place, number: u32, head: &Position, keys: &Keys) -> Result<Option<Scanned>, AuditError> {
    let path = place.segment(number);
    let begun = private::existing(&path).and_then(|file| Ok(Lines::of(file).next()?.unwrap_or_default().to_vec()));
    let begun = String::from_utf8(begun.map_err(unusable(&path))?).unwrap_or_default();
    // Where it begins is what it says itself: the end of its first batch vouches for that, and `verify` for the rest.
    let Some(start) = Position::parse(&begun) else { return Ok(None) };
    let segment = Segment { path: &path, writer: &place.writer(), number, start: &start, head };
    let scanned = private::existing(&path).and_then(|file| scan(&segment, file, keys)).map_err(unusable(&path))?;
    match scanned.broken {
        Some(broken) => Err(AuditError::Broken(Box::new(broken))),
        None if scanned.position.batch < head.batch && scanned.batches > 0 => {
            let (first, last) = (scanned.lines + 1, scanned.lines + 1);
            Err(AuditError::Broken(Box::new(Break { file: path, first, last, fault: Fault::Cut })))
        }
        None => Ok(Some(scanned)),
    }
}

/// Moves what stands from `sealed` on into a file of its own, and says so in words.
fn set_aside(place: &Place, number: u32, file: &mut File, sealed: u64) -> Result<String, AuditError> {
    let path = place.segment(number);
    let (aside, bytes, hash) = copy(place, number, file, sealed).map_err(unusable(&path))?;
    file.set_len(sealed).and_then(|()| file.sync_all()).map_err(unusable(&path))?;
    let name = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(format!("set aside {bytes} bytes behind the last whole batch: `{name}`, BLAKE3 {hash}"))
}

fn copy(place: &Place, number: u32, file: &mut File, from: u64) -> io::Result<(std::path::PathBuf, u64, blake3::Hash)> {
    file.seek(SeekFrom::Start(from))?;
    let mut attempt = 1;
    while place.torn(number, attempt).try_exists()? {
        attempt += 1;
    }
    let aside = place.torn(number, attempt);
    let mut copy = private::file(&aside)?;
    let mut hasher = blake3::Hasher::new();
    let mut chunk = vec![0; CHUNK];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut chunk)?;
        let Some(part) = chunk.get(..read).filter(|part| !part.is_empty()) else { break };
        copy.write_all(part)?;
        hasher.update(part);
        bytes += read as u64;
    }
    copy.sync_all()?;
    private::sync_folder_of(Path::new(&aside))?;
    Ok((aside, bytes, hasher.finalize()))
}

const CHUNK: usize = 64 * 1024;
