//! The audit log.

mod crash;
mod refuses;
mod tamper;
mod writes;

use std::fs;
use std::path::Path;
use std::time::Duration;

use haft_store::audit::{AuditLog, Entry, Event, Options, Outcome, Record, read};
use haft_store::{Digest, Moment};

pub(crate) const SOON: Duration = Duration::from_secs(5);

pub(crate) fn at(second: u64) -> Moment {
    Moment::from_millis(1_800_000_000_000 + second * 1000)
}

pub(crate) fn record(second: u64, event: Event<'_>) -> Record<'_> {
    Record {
        time: at(second),
        call: "c1",
        principal: "uid 1000",
        source: "files",
        tool: "write_file",
        definition: Some(Digest::from_bytes([7; 32])),
        arguments: Some(r#"{"path":"/data/s3cret"}"#),
        event,
    }
}

pub(crate) const ANSWERED: Event<'static> =
    Event::Outcome { outcome: Outcome::Answered, elapsed: Duration::from_micros(1500) };

pub(crate) fn open(folder: &Path) -> AuditLog {
    AuditLog::open(folder, Options::default(), at(0)).unwrap()
}

/// Each batch in a file of its own.
pub(crate) fn open_short(folder: &Path) -> AuditLog {
    let mut options = Options::default();
    options.segment_bytes = 1;
    AuditLog::open(folder, options, at(0)).unwrap()
}

/// Appends an intent and an outcome and makes a batch of them.
pub(crate) fn write_batch(log: &AuditLog, second: u64) {
    log.append(&record(second, Event::Intent)).unwrap();
    log.append(&record(second, ANSWERED)).unwrap();
    log.flush(SOON).unwrap();
}

pub(crate) fn entries(folder: &Path) -> Vec<Entry> {
    read(folder).unwrap().map(Result::unwrap).collect()
}

/// The notes in a log.
pub(crate) fn notes(folder: &Path) -> Vec<String> {
    entries(folder).into_iter().filter_map(|entry| entry.text).collect()
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}
