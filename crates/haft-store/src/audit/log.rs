//! An open audit log.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::entry::Entry;
use super::folder::{take, unusable};
use super::keys::Keys;
use super::segment::Tail;
use super::writer::{Shared, run};
use super::{AuditError, Record};
use crate::Moment;

/// How a log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether arguments are written.
    pub values: Values,
    /// How long a record waits for others to be written with.
    pub flush_after: Duration,
    /// How many bytes of records wait for that.
    pub flush_bytes: usize,
    /// How many bytes of records wait at most when the disk is slow; above that they are refused.
    pub buffer_bytes: usize,
    /// How long a file becomes before the next begins.
    pub segment_bytes: u64,
}

/// Whether arguments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values {
    /// A keyed digest stands for them.
    Redacted,
    /// They stand beside their digest, up to 64 KiB of them. Secrets in arguments are in the log then.
    Written,
}

/// An open audit log.
///
/// It has a thread that writes, which ends when this is dropped; what was appended is written before that. Dropping waits
/// five seconds at most and tells of no failure: [`flush`](Self::flush) before, to know.
#[derive(Debug)]
pub struct AuditLog {
    folder: PathBuf,
    writer: String,
    keys: Keys,
    options: Options,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            values: Values::Redacted,
            flush_after: Duration::from_millis(100),
            flush_bytes: 256 * 1024,
            buffer_bytes: 8 * 1024 * 1024,
            segment_bytes: 32 * 1024 * 1024,
        }
    }
}

impl AuditLog {
    /// Opens a log in `folder`, which is made for this user alone where there is none, and writes down that it did.
    ///
    /// While another log is open in the folder, this one has files of its own. Otherwise it goes on with the first
    /// writer's; what a crash left behind the last whole batch there is set aside, and a note says so.
    ///
    /// # Errors
    ///
    /// When the end of the log is not as it was written ([`verify`](super::verify) says more), when the folder is open
    /// to other users, when too many logs are open in it, when nothing can be written.
    pub fn open(folder: &Path, options: Options, now: Moment) -> Result<Self, AuditError> {
        let held = take(folder)?;
        let keys = Keys::kept_or_new(folder)?;
        let (tail, notes) = Tail::find(held, keys, options.segment_bytes)?;
        let shared = Arc::new(Shared::new(tail.seq(), now));
        let (writer, keys) = (tail.writer().to_owned(), tail.keys().clone());
        let begin = ["opened".to_owned()].into_iter().chain(notes);
        for text in begin {
            shared.state().push(&Entry::note(now, &writer, &text).rest_of_line(), &options);
        }
        let thread = Builder::new().name("haft-audit".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || run(tail, &shared, &options)
        });
        let thread = Some(thread.map_err(unusable(folder))?);
        let log = Self { folder: folder.to_owned(), writer, keys, options, shared, thread };
        log.flush(PATIENCE)?;
        Ok(log)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name of this writer among those of the folder.
    pub fn writer(&self) -> &str {
        &self.writer
    }

    /// Takes a record and returns its number. It is on the disk once a [`flush`](Self::flush) that begins later has
    /// returned, or soon after by itself. This waits for no disk.
    ///
    /// # Errors
    ///
    /// When the last attempt to write failed or too much waits to be written. The record is not taken then, and a note
    /// in the log will say how many were not. A call that must be on record does not run then.
    pub fn append(&self, record: &Record<'_>) -> Result<u64, AuditError> {
        let rest = Entry::of(record, &self.writer, &self.keys, self.options.values).rest_of_line();
        let mut state = self.shared.state();
        if let Some(reason) = state.failing.clone() {
            state.refuse(record.time);
            return Err(AuditError::Unwritable { reason });
        }
        let bytes = state.buffer.len();
        if bytes + rest.len() > self.options.buffer_bytes {
            state.refuse(record.time);
            return Err(AuditError::Full { bytes });
        }
        let is_telling = state.add(&rest, record.time, &self.writer, &self.options);
        let seq = state.next - 1;
        drop(state);
        if is_telling {
            self.shared.notify();
        }
        Ok(seq)
    }

    /// Whether records are taken now; the error is what [`append`](Self::append) would say.
    ///
    /// # Errors
    ///
    /// When the last attempt to write failed or as much waits to be written as may.
    pub fn check(&self) -> Result<(), AuditError> {
        let state = self.shared.state();
        if let Some(reason) = state.failing.clone() {
            return Err(AuditError::Unwritable { reason });
        }
        let bytes = state.buffer.len();
        if bytes >= self.options.buffer_bytes { Err(AuditError::Full { bytes }) } else { Ok(()) }
    }

    /// Waits until everything that was appended before is on the disk, for `within` at most.
    ///
    /// # Errors
    ///
    /// When writing fails or takes longer. What was appended is kept and written as soon as that succeeds.
    pub fn flush(&self, within: Duration) -> Result<(), AuditError> {
        let deadline = Instant::now() + within;
        let mut state = self.shared.state();
        let (wanted, attempts) = (state.next - 1, state.attempts);
        if state.written >= wanted && state.failing.is_none() {
            return Ok(());
        }
        state.is_flush_wanted = true;
        self.shared.notify();
        loop {
            if state.written >= wanted {
                return Ok(());
            }
            if let Some(reason) = state.failing.clone()
                && (state.attempts > attempts || state.has_ended)
            {
                return Err(AuditError::Unwritable { reason });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(AuditError::Late { within });
            }
            state = self.shared.wait(state, left);
        }
    }
}

impl Drop for AuditLog {
    fn drop(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.shared.state();
        state.is_closing = true;
        self.shared.notify();
        while !state.has_ended {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                // A disk that does not answer keeps the thread, and the thread keeps the place in the folder.
                return;
            }
            state = self.shared.wait(state, left);
        }
        drop(state);
        // It has ended, so this does not wait; a panic in it was told to everybody who appended.
        let _ended = self.thread.take().map(JoinHandle::join);
    }
}

/// How long a disk may take to write a little.
const PATIENCE: Duration = Duration::from_secs(5);
