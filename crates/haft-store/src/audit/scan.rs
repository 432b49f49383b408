//! Follows the chain through one file.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use super::entry::RECORD;
use super::keys::Keys;
use super::seal::{Chain, END, Position};

/// Where a log is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Break {
    /// The file.
    pub file: PathBuf,
    /// The first line that may have been changed, counted from 1.
    pub first: u64,
    /// The last line that may have been changed: the one where it shows.
    pub last: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Lines between two ends of batches are not those that were written.
    #[error("lines were changed, added, removed or moved")]
    Changed,
    /// The head names a batch that is not there any more.
    #[error("the end was cut off: the head names a later one")]
    Cut,
    /// The code of a line does not fit: whoever wrote it does not have the key.
    #[error("not written with the key of this folder")]
    Forged,
    /// A file is gone.
    #[error("the file is missing")]
    Missing,
    /// Lines were written behind the last whole batch, and their writer is gone.
    #[error("lines behind the last whole batch; the next writer sets them aside")]
    Unsealed,
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, first, last, fault } = self;
        write!(f, "`{}`, ", file.display())?;
        if first == last { write!(f, "line {first}: {fault}") } else { write!(f, "lines {first} to {last}: {fault}") }
    }
}

/// What is known of a file when it was read to its end or to the first break.
#[derive(Debug)]
pub(super) struct Scanned {
    /// The end of the last whole batch.
    pub(super) position: Position,
    /// Whole batches.
    pub(super) batches: u64,
    /// Bytes up to the end of the last whole batch.
    pub(super) sealed: u64,
    /// Lines, up to the first break.
    pub(super) lines: u64,
    /// What stands behind the last whole batch and behind the head: a crash may have left it.
    pub(super) behind: Option<Break>,
    /// What no crash leaves.
    pub(super) broken: Option<Break>,
}

/// Which file is read, and between which points it lies.
#[derive(Debug)]
pub(super) struct Segment<'a> {
    pub(super) path: &'a Path,
    pub(super) writer: &'a str,
    pub(super) number: u32,
    /// Where it begins.
    pub(super) start: &'a Position,
    /// Up to where the writer has made sure that it is on the disk.
    pub(super) head: &'a Position,
}

/// Follows the chain through a file.
pub(super) fn scan(segment: &Segment<'_>, file: File, keys: &Keys) -> io::Result<Scanned> {
    let Segment { path, writer, number, start, head } = *segment;
    let mut file = Lines::of(file);
    let mut scanned = Scanned { position: start.clone(), batches: 0, sealed: 0, lines: 0, behind: None, broken: None };
    let mut chain = Chain::from(start);
    let (mut first, mut seq) = (1, start.seq);
    let mut fault = None;
    while let Some(line) = file.next()? {
        scanned.lines += 1;
        let is_whole = line.ends_with(b"\n");
        if scanned.lines == 1 {
            fault = (line != start.first_line(writer, number).as_bytes()).then_some(Fault::Changed);
        } else if is_whole && line.starts_with(END) {
            let position = scanned.position.behind(number, seq, &chain);
            fault = match said(line, writer, keys) {
                None => Some(Fault::Forged),
                Some(said) if said != position => Some(Fault::Changed),
                Some(_) if position.batch == head.batch && position != *head => Some(Fault::Changed),
                Some(_) => None,
            };
            if fault.is_none() {
                scanned.batches += 1;
                scanned.sealed = file.read;
                chain = Chain::from(&position);
                scanned.position = position;
                first = scanned.lines + 1;
                continue;
            }
        } else if line.starts_with(RECORD.as_bytes()) {
            seq = seq.saturating_add(1);
        }
        if fault.is_some() {
            break;
        }
        chain.update(line);
    }
    if scanned.lines >= first {
        let at = |fault| Some(Break { file: path.to_owned(), first, last: scanned.lines, fault });
        if scanned.position.batch >= head.batch {
            scanned.behind = at(Fault::Unsealed);
        } else {
            // What is missing behind the last lines of all was cut off.
            let is_last = number >= head.segment;
            scanned.broken = at(fault.unwrap_or(if is_last { Fault::Cut } else { Fault::Changed }));
        }
    }
    Ok(scanned)
}

/// What a line that ends a batch says, if it was written with the key.
fn said(line: &[u8], writer: &str, keys: &Keys) -> Option<Position> {
    let text = std::str::from_utf8(line).ok()?;
    let position = Position::parse(text)?;
    (position.last_line(writer, keys) == text).then_some(position)
}

/// The lines of a file with their ends; the last may have none.
pub(super) struct Lines {
    file: BufReader<File>,
    line: Vec<u8>,
    read: u64,
}

impl Lines {
    pub(super) fn of(file: File) -> Self {
        Self { file: BufReader::with_capacity(BUFFER, file), line: Vec::new(), read: 0 }
    }

    /// A line that is longer than any is cut; what follows is the next one.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        let read = self.file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line)?;
        self.read += read as u64;
        Ok((read > 0).then_some(&self.line))
    }
}

const BUFFER: usize = 64 * 1024;
/// More than the longest record takes when every character of its texts is escaped.
const LONGEST_LINE: u64 = 1024 * 1024;
