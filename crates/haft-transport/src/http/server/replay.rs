//! Streams that a client can come back to: an exchange goes on without a connection, and its events are kept.
//!
//! 2025-03-26 to 2025-11-25, transports: resumability. Events have numbers within their stream, and streams within their
//! session, so nothing of another stream or session can be asked for.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use haft_core::{Event, Exchange};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::streaming::Next;
use crate::http::event;

/// Bytes that all streams of a server keep together.
#[derive(Debug)]
pub(super) struct Budget {
    used: AtomicUsize,
    most: usize,
}

impl Budget {
    pub(super) const fn new(most: usize) -> Self {
        Self { used: AtomicUsize::new(0), most }
    }

    fn is_spent(&self) -> bool {
        self.used.load(Ordering::Relaxed) > self.most
    }
}

/// The events of one stream.
#[derive(Debug)]
pub(super) struct Kept {
    number: u64,
    most: usize,
    budget: Arc<Budget>,
    state: Mutex<State>,
    /// Whoever adds events waits here while the client is behind.
    room: Notify,
}

#[derive(Debug, Default)]
struct State {
    events: VecDeque<Bytes>,
    /// The number of the first of these.
    first: u64,
    bytes: usize,
    is_over: bool,
    readers: u64,
    seat: Option<Seat>,
}

/// Who reads the stream now; there is one at a time, the last that came.
#[derive(Debug)]
struct Seat {
    reader: u64,
    next: u64,
    waker: Option<Waker>,
}

impl State {
    fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    fn push_message(&mut self, stream: u64, message: &[u8], budget: &Budget) {
        let mut text = Vec::with_capacity(message.len() + 32);
        event::numbered(stream, self.end(), message, &mut text);
        self.push(text.into(), budget);
    }

    fn push(&mut self, event: Bytes, budget: &Budget) {
        budget.used.fetch_add(event.len(), Ordering::Relaxed);
        self.bytes += event.len();
        self.events.push_back(event);
        if let Some(waker) = self.seat.as_mut().and_then(|seat| seat.waker.take()) {
            waker.wake();
        }
    }

    /// Forgets events until there is room for another; `false` when the client has to read some first.
    fn make_room(&mut self, most: usize, budget: &Budget) -> bool {
        while self.bytes > most || (budget.is_spent() && !self.events.is_empty()) {
            if self.seat.as_ref().is_some_and(|seat| seat.next <= self.first) {
                return self.bytes <= most;
            }
            self.forget_first(budget);
        }
        true
    }

    fn forget_first(&mut self, budget: &Budget) {
        if let Some(event) = self.events.pop_front() {
            self.first += 1;
            self.bytes -= event.len();
            budget.used.fetch_sub(event.len(), Ordering::Relaxed);
        }
    }
}

impl Kept {
    pub(super) fn new(number: u64, most: usize, budget: Arc<Budget>) -> Self {
        Self { number, most, budget, state: Mutex::default(), room: Notify::new() }
    }

    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn is_over(&self) -> bool {
        self.lock().is_over
    }

    /// The first event: without data, only to be named by a client that loses its connection early.
    pub(super) fn prime(&self) {
        let mut text = Vec::new();
        event::priming(self.number, 0, &mut text);
        self.lock().push(text.into(), &self.budget);
    }

    /// Adds the message that made it a stream.
    pub(super) fn push_first(&self, message: &[u8]) {
        self.lock().push_message(self.number, message, &self.budget);
    }

    /// Adds a message, once there is room for it. A client that does not read makes room by losing its place.
    pub(super) async fn push(&self, message: &[u8], patience: Duration) {
        loop {
            let mut room = pin!(self.room.notified());
            room.as_mut().enable();
            if self.try_push(message) {
                return;
            }
            if timeout(patience, room).await.is_err() {
                self.lock().seat = None;
            }
        }
    }

    fn try_push(&self, message: &[u8]) -> bool {
        let mut state = self.lock();
        if !state.make_room(self.most, &self.budget) {
            return false;
        }
        state.push_message(self.number, message, &self.budget);
        true
    }

    /// Nothing more is added.
    pub(super) fn finish(&self) {
        let mut state = self.lock();
        state.is_over = true;
        if let Some(waker) = state.seat.as_mut().and_then(|seat| seat.waker.take()) {
            waker.wake();
        }
    }

    /// Reads from the event of this number on; whoever read before has read its last.
    pub(super) fn read(self: &Arc<Self>, next: u64) -> Reader {
        let mut state = self.lock();
        state.readers += 1;
        let reader = state.readers;
        let before = state.seat.replace(Seat { reader, next, waker: None });
        drop(state);
        if let Some(waker) = before.and_then(|seat| seat.waker) {
            waker.wake();
        }
        Reader { kept: Arc::clone(self), reader }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let bytes = self.lock().bytes;
        self.budget.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Drives an exchange to its end, whether anybody reads or not.
pub(super) async fn drive(mut exchange: Box<Exchange>, kept: Arc<Kept>, patience: Duration) {
    loop {
        let (message, is_last) = match exchange.next().await {
            Event::Message(message) => (message, false),
            Event::Answer(answer) => (answer.body, true),
            Event::End => break,
        };
        kept.push(&message, patience).await;
        if is_last {
            break;
        }
    }
    kept.finish();
}

/// A client that reads a stream.
#[derive(Debug)]
pub(super) struct Reader {
    kept: Arc<Kept>,
    reader: u64,
}

impl Reader {
    pub(super) fn poll_event(&self, context: &Context<'_>, out: &mut Vec<u8>) -> Poll<Next> {
        let mut state = self.kept.lock();
        let State { events, first, is_over, seat, .. } = &mut *state;
        let Some(seat) = seat.as_mut().filter(|seat| seat.reader == self.reader) else {
            return Poll::Ready(Next::Over);
        };
        // What was forgotten cannot be had any more; the answer is the last that is.
        seat.next = seat.next.max(*first);
        let index = usize::try_from(seat.next - *first).unwrap_or(usize::MAX);
        if let Some(event) = events.get(index) {
            out.extend_from_slice(event);
            seat.next += 1;
            let is_last = *is_over && index + 1 == events.len();
            drop(state);
            self.kept.room.notify_waiters();
            return Poll::Ready(if is_last { Next::Over } else { Next::More });
        }
        if *is_over {
            return Poll::Ready(Next::Over);
        }
        seat.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut state = self.kept.lock();
        if state.seat.as_ref().is_some_and(|seat| seat.reader == self.reader) {
            state.seat = None;
        }
        drop(state);
        self.kept.room.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    fn kept(most: usize, budget: usize) -> Arc<Kept> {
        Arc::new(Kept::new(3, most, Arc::new(Budget::new(budget))))
    }

    /// The numbers of the events that are there to read, and whether the stream is over.
    fn numbers(reader: &Reader) -> (Vec<u64>, bool) {
        let mut numbers = Vec::new();
        loop {
            let mut event = Vec::new();
            let polled = reader.poll_event(&Context::from_waker(Waker::noop()), &mut event);
            let id = event.strip_prefix(b"id: ").and_then(|rest| rest.split(|byte| *byte == b'\n').next());
            if let Some((stream, number)) = id.and_then(event::parse_id) {
                assert_eq!(stream, 3);
                numbers.push(number);
            }
            match polled {
                Poll::Ready(Next::More) => {}
                Poll::Ready(Next::Over) => return (numbers, true),
                Poll::Pending => return (numbers, false),
            }
        }
    }

    #[tokio::test]
    async fn a_client_reads_on_from_where_it_was() {
        let kept = kept(1000, 1000);
        kept.prime();
        let first = kept.read(0);
        kept.push(b"{}", PATIENCE).await;
        kept.push(b"{}", PATIENCE).await;
        assert_eq!(numbers(&first), (vec![0, 1, 2], false));
        let second = kept.read(2);
        assert_eq!(numbers(&first), (vec![], true));
        kept.push(b"{}", PATIENCE).await;
        kept.finish();
        assert_eq!(numbers(&second), (vec![2, 3], true));
        // From the future, there is nothing.
        assert_eq!(numbers(&kept.read(99)), (vec![], true));
    }

    #[tokio::test]
    async fn without_a_client_the_oldest_events_go() {
        let kept = kept(60, 1000);
        for _ in 0..100 {
            kept.push(b"{\"a\":1}", PATIENCE).await;
        }
        let bytes = kept.lock().bytes;
        assert!(bytes <= 60 + 30, "{bytes}");
        let (numbers, _) = numbers(&kept.read(0));
        assert_eq!(numbers.last(), Some(&99));
        assert!((2..5).contains(&numbers.len()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_is_behind_holds_the_stream_back_for_a_while() {
        let kept = kept(60, 1000);
        let reader = kept.read(0);
        let adding = Arc::clone(&kept);
        let added = tokio::spawn(async move {
            for _ in 0..100 {
                adding.push(b"{\"a\":1}", PATIENCE).await;
            }
        });
        let mut seen = Vec::new();
        while seen.len() < 90 {
            tokio::task::yield_now().await;
            seen.extend(numbers(&reader).0);
        }
        assert!(seen.iter().copied().eq(0..seen.len() as u64));
        // From here on it reads no more, and loses its place.
        let before = tokio::time::Instant::now();
        added.await.unwrap();
        assert_eq!(before.elapsed(), PATIENCE);
        assert_eq!(numbers(&reader), (vec![], true));
    }

    #[tokio::test]
    async fn beyond_the_common_bound_what_was_read_is_forgotten_at_once() {
        let kept = kept(1000, 30);
        let reader = kept.read(0);
        for number in 0..50 {
            kept.push(b"{\"a\":1}", PATIENCE).await;
            assert_eq!(numbers(&reader), (vec![number], false));
        }
        assert!(kept.lock().bytes < 90);
        let budget = Arc::clone(&kept.budget);
        drop((reader, kept));
        assert_eq!(budget.used.load(Ordering::Relaxed), 0);
    }
}
