//! What a session keeps of its streams.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use haft_core::{Connection, Exchange};
use tokio::task::JoinSet;

use super::notices::NoticeBoard;
use super::replay::{self, Budget, Kept, Reader};

/// The streams of one session; gone with it.
#[derive(Debug)]
pub(super) struct SessionStreams {
    notices: Arc<NoticeBoard>,
    streams: Mutex<Streams>,
}

#[derive(Debug, Default)]
struct Streams {
    last_number: u64,
    /// Oldest first.
    kept: VecDeque<Arc<Kept>>,
    /// Those that drive the exchanges of these; they end with the session.
    drivers: JoinSet<()>,
}

impl SessionStreams {
    pub(super) fn of(session: &Connection) -> Arc<Self> {
        session.extension(|| Self { notices: Arc::default(), streams: Mutex::default() })
    }

    pub(super) fn notices(&self) -> Arc<NoticeBoard> {
        Arc::clone(&self.notices)
    }

    /// Lets an exchange go on by itself, perhaps after a message that came already, and reads it from the start.
    pub(super) fn begin(&self, first: Option<&[u8]>, exchange: Box<Exchange>, bounds: &ReplayBounds) -> Reader {
        let mut streams = self.lock();
        streams.last_number += 1;
        let kept = Arc::new(Kept::new(streams.last_number, bounds.stream_bytes, Arc::clone(&bounds.budget)));
        if exchange.codec().primes_streams() {
            kept.prime();
        }
        let reader = kept.read(0);
        if let Some(first) = first {
            kept.push_first(first);
        }
        while streams.drivers.try_join_next().is_some() {}
        streams.drivers.spawn(replay::drive(exchange, Arc::clone(&kept), bounds.patience));
        streams.kept.push_back(kept);
        streams.forget_old();
        reader
    }

    /// Reads a stream on, after the event of this number.
    pub(super) fn resume(&self, number: u64, after: u64) -> Option<Reader> {
        let streams = self.lock();
        let kept = streams.kept.iter().find(|kept| kept.number() == number)?;
        Some(kept.read(after.checked_add(1)?))
    }

    fn lock(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Streams {
    /// Keeps the running ones, and the last few of the others.
    fn forget_old(&mut self) {
        let mut ended = self.kept.iter().filter(|kept| kept.is_over()).count();
        self.kept.retain(|kept| {
            let is_forgotten = ended > MOST_ENDED && kept.is_over();
            if is_forgotten {
                ended -= 1;
            }
            !is_forgotten
        });
    }
}

/// How much of the streams is kept.
#[derive(Debug)]
pub(super) struct ReplayBounds {
    pub(super) stream_bytes: usize,
    pub(super) budget: Arc<Budget>,
    /// How long a client may be behind before it loses its place.
    pub(super) patience: Duration,
}

/// Streams of one session that have ended and can be asked for again.
const MOST_ENDED: usize = 4;
