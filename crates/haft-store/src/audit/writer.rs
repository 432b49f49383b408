//! The thread that writes: it takes what has come together, makes a batch of it, and tells who waits.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Options;
use super::entry::{Entry, line};
use super::segment::Tail;
use crate::Moment;

/// What the thread and those who append share.
#[derive(Debug)]
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
pub(super) struct State {
    /// Whole lines that wait.
    pub(super) buffer: Vec<u8>,
    /// When the first of them came.
    since: Option<Instant>,
    /// The number of the next record.
    pub(super) next: u64,
    /// The time of the last record.
    pub(super) time: Moment,
    /// The number of the last record that is on the disk, under its head.
    pub(super) written: u64,
    /// Records that were refused since the last batch.
    pub(super) lost: u64,
    /// Why the last attempt to write failed.
    pub(super) failing: Option<String>,
    /// How many attempts have ended.
    pub(super) attempts: u64,
    pub(super) is_flush_wanted: bool,
    pub(super) is_closing: bool,
    pub(super) has_ended: bool,
}

/// Lines that are written as a whole.
struct Batch {
    lines: Vec<u8>,
    seq: u64,
}

impl Shared {
    pub(super) fn new(written: u64, time: Moment) -> Self {
        let state = State {
            buffer: Vec::new(),
            since: None,
            next: written + 1,
            time,
            written,
            lost: 0,
            failing: None,
            attempts: 0,
            is_flush_wanted: false,
            is_closing: false,
            has_ended: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // Each change leaves a whole state behind it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn notify(&self) {
        self.changed.notify_all();
    }

    /// Waits for a change, for `within` at most.
    pub(super) fn wait<'a>(&self, state: MutexGuard<'a, State>, within: Duration) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, within).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl State {
    /// Notes that a record was refused.
    pub(super) fn refuse(&mut self, time: Moment) {
        self.lost += 1;
        self.time = time;
    }

    /// Adds a record, and before it a note of those that were refused; whoever waits need not be told unless this says so.
    pub(super) fn add(&mut self, rest: &str, time: Moment, writer: &str, options: &Options) -> bool {
        self.tell_lost(writer, options);
        self.time = time;
        self.push(rest, options)
    }

    /// Adds a line; whoever waits need not be told unless this says so.
    pub(super) fn push(&mut self, rest: &str, options: &Options) -> bool {
        let was_empty = self.buffer.is_empty();
        self.buffer.extend_from_slice(line(self.next, rest).as_bytes());
        self.next += 1;
        self.since.get_or_insert_with(Instant::now);
        was_empty || self.buffer.len() >= options.flush_bytes
    }

    /// How long it is until there is something to write; `None` for as long as nothing comes.
    fn due_in(&self, options: &Options, retry: Option<Instant>) -> Option<Duration> {
        if self.is_closing || self.is_flush_wanted {
            return Some(Duration::ZERO);
        }
        if let Some(retry) = retry {
            return Some(retry.saturating_duration_since(Instant::now()));
        }
        if self.lost > 0 || self.buffer.len() >= options.flush_bytes {
            return Some(Duration::ZERO);
        }
        self.since.map(|since| options.flush_after.saturating_sub(since.elapsed()))
    }

    fn tell_lost(&mut self, writer: &str, options: &Options) {
        if self.lost > 0 {
            let text = format!("{} records before this one were refused and are lost", self.lost);
            self.lost = 0;
            self.push(&Entry::note(self.time, writer, &text).rest_of_line(), options);
        }
    }

    fn take(&mut self, writer: &str, options: &Options) -> Option<Batch> {
        self.tell_lost(writer, options);
        self.since = None;
        let lines = std::mem::take(&mut self.buffer);
        (!lines.is_empty()).then(|| Batch { lines, seq: self.next - 1 })
    }
}

/// Writes until the owner closes.
pub(super) fn run(mut tail: Tail, shared: &Shared, options: &Options) {
    let ending = Ending(shared);
    let mut pending = None;
    let mut retry = None;
    loop {
        let is_closing = wait_until_due(shared, options, retry);
        {
            let mut state = shared.state();
            state.is_flush_wanted = false;
            if pending.is_none() {
                pending = state.take(tail.writer(), options);
            }
        }
        let written = write(&mut tail, &mut pending);
        let mut state = shared.state();
        state.attempts += 1;
        match written {
            Ok(()) => {
                state.written = tail.seq();
                state.failing = None;
                retry = None;
            }
            Err(error) => {
                state.failing = Some(error.to_string());
                retry = Some(Instant::now() + RETRY);
            }
        }
        let is_done = is_closing && (retry.is_some() || (state.buffer.is_empty() && state.lost == 0));
        drop(state);
        shared.notify();
        if is_done {
            break;
        }
    }
    drop(ending);
}

/// True when the owner closes.
fn wait_until_due(shared: &Shared, options: &Options, retry: Option<Instant>) -> bool {
    let mut state = shared.state();
    loop {
        match state.due_in(options, retry) {
            Some(Duration::ZERO) => return state.is_closing,
            Some(within) => state = shared.wait(state, within),
            // The owner closes when it is dropped, and so this ends.
            None => state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

fn write(tail: &mut Tail, pending: &mut Option<Batch>) -> std::io::Result<()> {
    if let Some(batch) = pending {
        tail.write(&batch.lines, batch.seq)?;
        *pending = None;
    }
    if tail.is_head_behind() { tail.write_head() } else { Ok(()) }
}

/// However the thread ends, nobody waits for it after that.
struct Ending<'a>(&'a Shared);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.has_ended = true;
        state.failing.get_or_insert_with(|| "the writer has ended".to_owned());
        state.attempts += 1;
        drop(state);
        self.0.notify();
    }
}

/// How long after a failure the next attempt is.
const RETRY: Duration = Duration::from_secs(1);
