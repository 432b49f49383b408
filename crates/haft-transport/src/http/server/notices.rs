//! Notifications of a session that belong to no request, on the streams that the client opened for them by GET.
//!
//! A client may have several of these open, and each message goes out on exactly one (2025-11-25, transports: multiple
//! connections). It is the newest: an older one may be what is left of a connection that broke without a word.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use haft_core::{Connection, Notices};

use super::streaming::Next;
use crate::http::event;

/// The streams of one session that are open.
#[derive(Debug, Default)]
pub(super) struct NoticeBoard(Mutex<Board>);

#[derive(Default)]
struct Board {
    /// There while a stream is open: it keeps the session.
    notices: Option<Notices>,
    is_over: bool,
    next_number: u64,
    /// Oldest first.
    streams: Vec<Place>,
}

struct Place {
    number: u64,
    waker: Option<Waker>,
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board").field("streams", &self.streams.len()).finish_non_exhaustive()
    }
}

impl NoticeBoard {
    /// Opens a stream; the oldest one ends when there are too many.
    pub(super) fn open(self: Arc<Self>, session: &Arc<Connection>) -> NoticeStream {
        let mut board = self.lock();
        if board.streams.len() >= MOST_STREAMS {
            let mut oldest = board.streams.remove(0);
            wake(&mut oldest);
        }
        board.next_number += 1;
        let number = board.next_number;
        board.streams.push(Place { number, waker: None });
        if board.notices.is_none() && !board.is_over {
            board.notices = Some(session.notices());
        }
        drop(board);
        NoticeStream { board: self, number }
    }

    fn lock(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One stream of notifications.
#[derive(Debug)]
pub(super) struct NoticeStream {
    board: Arc<NoticeBoard>,
    number: u64,
}

impl NoticeStream {
    pub(super) fn poll_event(&self, context: &mut Context<'_>, out: &mut Vec<u8>) -> Poll<Next> {
        let mut board = self.board.lock();
        let Board { notices, is_over, streams, .. } = &mut *board;
        let is_newest = streams.last().is_some_and(|place| place.number == self.number);
        let Some(place) = streams.iter_mut().find(|place| place.number == self.number) else {
            return Poll::Ready(Next::Over);
        };
        if *is_over {
            return Poll::Ready(Next::Over);
        }
        place.waker = Some(context.waker().clone());
        let Some(notices) = notices.as_mut().filter(|_| is_newest) else { return Poll::Pending };
        match notices.poll_notice(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Some(notice)) => {
                event::message(&notice, out);
                Poll::Ready(Next::More)
            }
            Poll::Ready(None) => {
                *is_over = true;
                streams.iter_mut().for_each(wake);
                Poll::Ready(Next::Over)
            }
        }
    }
}

impl Drop for NoticeStream {
    fn drop(&mut self) {
        let mut board = self.board.lock();
        board.streams.retain(|place| place.number != self.number);
        // The next newest takes over.
        match board.streams.last_mut() {
            Some(place) => wake(place),
            None => board.notices = None,
        }
    }
}

fn wake(place: &mut Place) {
    if let Some(waker) = place.waker.take() {
        waker.wake();
    }
}

/// Streams of one session at the same time.
const MOST_STREAMS: usize = 4;
