//! What a connection does, so that one that does nothing can be closed.
//!
//! Nothing here reads a clock: the connection looks at the counters from time to time.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::options::HttpOptions;

/// Counters of one connection.
#[derive(Debug, Default)]
pub(super) struct Activity {
    reads: AtomicU64,
    writes: AtomicU64,
    is_write_blocked: AtomicBool,
    /// Requests that are not answered yet.
    open: AtomicU64,
    begun: AtomicU64,
    /// How much was read when the last request was done.
    reads_when_done: AtomicU64,
}

/// A request that is not answered yet.
#[derive(Debug)]
pub(super) struct InFlight(Arc<Activity>);

impl Activity {
    pub(super) fn begin(self: &Arc<Self>) -> InFlight {
        self.open.fetch_add(1, Ordering::Relaxed);
        self.begun.fetch_add(1, Ordering::Relaxed);
        InFlight(Arc::clone(self))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
        self.0.reads_when_done.store(self.0.reads.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// Looks at a connection again and again, and says when it is over.
#[derive(Debug)]
pub(super) struct Watch {
    activity: Arc<Activity>,
    header_looks: u32,
    idle_looks: u32,
    stall_looks: u32,
    every: Duration,
    waited: u32,
    stalled: u32,
    begun: u64,
    writes: u64,
}

/// Why a connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// Headers that do not end.
    Headers,
    /// No further request.
    Idle,
    /// Nobody reads what was sent.
    Stalled,
}

impl Watch {
    pub(super) fn new(activity: Arc<Activity>, options: &HttpOptions) -> Self {
        let shortest = options.header_timeout.min(options.idle_timeout).min(options.stall_timeout);
        let every = (shortest / 4).clamp(Duration::from_millis(10), Duration::from_secs(5));
        let looks =
            |timeout: Duration| u32::try_from(timeout.as_nanos().div_ceil(every.as_nanos())).unwrap_or(u32::MAX);
        Self {
            activity,
            header_looks: looks(options.header_timeout),
            idle_looks: looks(options.idle_timeout),
            stall_looks: looks(options.stall_timeout),
            every,
            waited: 0,
            stalled: 0,
            begun: 0,
            writes: 0,
        }
    }

    /// How long to wait before the next look.
    pub(super) const fn every(&self) -> Duration {
        self.every
    }

    pub(super) fn look(&mut self) -> Option<Silence> {
        let activity = &self.activity;
        let writes = activity.writes.load(Ordering::Relaxed);
        let is_blocked = activity.is_write_blocked.load(Ordering::Relaxed);
        self.stalled = if is_blocked && writes == self.writes { self.stalled + 1 } else { 0 };
        self.writes = writes;

        let begun = activity.begun.load(Ordering::Relaxed);
        let is_waiting = activity.open.load(Ordering::Relaxed) == 0 && begun == self.begun && !is_blocked;
        self.waited = if is_waiting { self.waited + 1 } else { 0 };
        self.begun = begun;

        let has_begun_headers =
            activity.reads.load(Ordering::Relaxed) != activity.reads_when_done.load(Ordering::Relaxed);
        if self.stalled >= self.stall_looks {
            Some(Silence::Stalled)
        } else if has_begun_headers && self.waited >= self.header_looks {
            Some(Silence::Headers)
        } else if self.waited >= self.idle_looks {
            Some(Silence::Idle)
        } else {
            None
        }
    }
}

/// A stream that counts what is read from it and written to it.
#[derive(Debug)]
pub(super) struct Counted<S> {
    stream: S,
    activity: Arc<Activity>,
}

impl<S> Counted<S> {
    pub(super) const fn new(stream: S, activity: Arc<Activity>) -> Self {
        Self { stream, activity }
    }

    pub(super) fn into_inner(self) -> S {
        self.stream
    }

    fn count_write(&self, written: &Poll<io::Result<usize>>) {
        self.activity.is_write_blocked.store(written.is_pending(), Ordering::Relaxed);
        if written.is_ready() {
            self.activity.writes.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.activity.reads.fetch_add(1, Ordering::Relaxed);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Counted<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.count_write(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.count_write(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch() -> (Arc<Activity>, Watch) {
        let activity = Arc::new(Activity::default());
        let options = HttpOptions {
            header_timeout: Duration::from_secs(4),
            stall_timeout: Duration::from_secs(8),
            idle_timeout: Duration::from_secs(20),
            ..HttpOptions::default()
        };
        let watch = Watch::new(Arc::clone(&activity), &options);
        assert_eq!(watch.every(), Duration::from_secs(1));
        (activity, watch)
    }

    /// After how many looks the connection is closed, and why.
    fn looks(watch: &mut Watch) -> (u32, Silence) {
        let mut looks = 0;
        loop {
            looks += 1;
            assert!(looks < 1000);
            if let Some(silence) = watch.look() {
                return (looks, silence);
            }
        }
    }

    #[test]
    fn silence_is_told_by_what_it_interrupts() {
        let (_, mut watch_of_nothing) = watch();
        assert_eq!(looks(&mut watch_of_nothing), (20, Silence::Idle));

        let (activity, mut watch_of_headers) = watch();
        activity.reads.store(3, Ordering::Relaxed);
        assert_eq!(looks(&mut watch_of_headers), (4, Silence::Headers));

        let (activity, mut watch_of_stream) = watch();
        let in_flight = activity.begin();
        activity.is_write_blocked.store(true, Ordering::Relaxed);
        assert_eq!(looks(&mut watch_of_stream), (8, Silence::Stalled));
        drop(in_flight);
    }

    #[test]
    fn a_request_may_take_its_time_and_so_may_the_next_one() {
        let (activity, mut watch) = watch();
        activity.reads.store(1, Ordering::Relaxed);
        let in_flight = activity.begin();
        assert!((0..100).all(|_| watch.look().is_none()));
        activity.reads.store(2, Ordering::Relaxed);
        drop(in_flight);
        assert_eq!(looks(&mut watch), (20, Silence::Idle));
        drop(activity.begin());
        assert_eq!(watch.look(), None);
        // One byte of headers now and then is no progress.
        activity.reads.store(3, Ordering::Relaxed);
        assert_eq!(looks(&mut watch), (4, Silence::Headers));
    }
}
