//! Whether the logs of a folder are as they were written.

use std::io;
use std::path::Path;

use super::folder::{Place, places, unusable};
use super::keys::Keys;
use super::scan::{Break, Fault, Segment, scan};
use super::seal::Position;
use super::{AuditError, head};
use crate::private;

/// What was found in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The logs, by writer.
    pub writers: Vec<WriterReport>,
}

/// What was found of one writer's log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriterReport {
    /// The writer.
    pub writer: String,
    /// Files that were read.
    pub segments: u64,
    /// Batches that are as they were written.
    pub batches: u64,
    /// Records in them.
    pub records: u64,
    /// Files with what crashes have left, set aside.
    pub torn: usize,
    /// Whether a writer has the log open now. Lines behind the last whole batch are being written then.
    pub is_open: bool,
    /// The first place that is not as it was written.
    pub broken: Option<Break>,
}

impl Report {
    /// Whether everything is as it was written.
    pub fn is_intact(&self) -> bool {
        self.first_break().is_none()
    }

    /// The first place that is not as it was written.
    pub fn first_break(&self) -> Option<&Break> {
        self.writers.iter().find_map(|writer| writer.broken.as_ref())
    }
}

/// Follows the chain of every writer in `folder` from its first file to its head. Nothing is changed; writers may go on.
///
/// # Errors
///
/// When the folder, its key or a file cannot be read.
pub fn verify(folder: &Path) -> Result<Report, AuditError> {
    let keys = Keys::kept(folder)?;
    let writers = places(folder)?.iter().map(|place| writer(place, &keys)).collect::<Result<_, _>>()?;
    Ok(Report { writers })
}

fn writer(place: &Place, keys: &Keys) -> Result<WriterReport, AuditError> {
    let mut report = WriterReport { writer: place.writer(), torn: place.torn_files()?, ..WriterReport::default() };
    report.is_open = place.is_held();
    // Before the files: what a writer adds meanwhile is then more than the head says, and never less.
    let head = match head::read(place, keys) {
        Ok(Some(head)) => head,
        Ok(None) => {
            // The head is the first file of a log, but for the moment in which it is opened for the first time.
            if !report.is_open || !place.segments()?.is_empty() {
                report.broken = Some(Break { file: place.head(), first: 1, last: 1, fault: Fault::Missing });
            }
            return Ok(report);
        }
        Err(AuditError::Broken(broken)) => {
            report.broken = Some(*broken);
            return Ok(report);
        }
        Err(error) => return Err(error),
    };
    report.broken = chain(place, keys, &head, &mut report)?;
    // It may have been opened or closed since.
    report.is_open |= place.is_held();
    if report.is_open && report.broken.as_ref().is_some_and(|broken| broken.fault == Fault::Unsealed) {
        report.broken = None;
    }
    Ok(report)
}

/// Follows the chain to the head, and returns where it breaks.
fn chain(place: &Place, keys: &Keys, head: &Position, report: &mut WriterReport) -> Result<Option<Break>, AuditError> {
    let writer = place.writer();
    let segments = place.segments()?;
    let last = segments.last().copied().unwrap_or(0);
    let mut position = Position::START;
    for number in 1..=last.max(head.segment) {
        let path = place.segment(number);
        let file = match private::existing(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Some(Break { file: path, first: 1, last: 1, fault: Fault::Missing }));
            }
            file => file.map_err(unusable(&path))?,
        };
        let segment = Segment { path: &path, writer: &writer, number, start: &position, head };
        let scanned = scan(&segment, file, keys).map_err(unusable(&path))?;
        report.segments += 1;
        report.batches += scanned.batches;
        report.records = scanned.position.seq;
        let behind = (scanned.lines + 1, Fault::Cut);
        let is_cut = number >= head.segment && scanned.position.batch < head.batch;
        position = scanned.position;
        if let Some(broken) = scanned.broken.or(scanned.behind) {
            return Ok(Some(broken));
        }
        if is_cut {
            let (line, fault) = behind;
            return Ok(Some(Break { file: path, first: line, last: line, fault }));
        }
    }
    Ok(None)
}
