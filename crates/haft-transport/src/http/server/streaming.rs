//! A response as a stream of events, pulled by whoever sends it: a client that reads slowly slows its source down.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use haft_core::Event;
use tokio::time::{Instant, Sleep, sleep};

use super::activity::InFlight;
use super::notices::NoticeStream;
use super::replay::Reader;
use crate::course::Course;
use crate::http::event;

/// A stream of events.
#[derive(Debug)]
pub(super) struct Streaming {
    source: Source,
    is_over: bool,
    keep_alive: Duration,
    silence: Pin<Box<Sleep>>,
    in_flight: Option<InFlight>,
}

/// Where events come from.
#[derive(Debug)]
pub(super) enum Source {
    /// An exchange that lives and dies with the stream, after a message that came already.
    Course(Option<Vec<u8>>, Course),
    /// Notifications of a session.
    Notices(NoticeStream),
    /// An exchange that goes on without the stream, too.
    Reader(Reader),
}

/// What comes after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Perhaps more.
    More,
    /// Nothing; that was the last, if it was anything.
    Over,
}

impl Streaming {
    pub(super) fn new(source: Source, keep_alive: Duration) -> Self {
        Self { source, is_over: false, keep_alive, silence: Box::pin(sleep(keep_alive)), in_flight: None }
    }

    pub(super) fn hold(&mut self, in_flight: InFlight) {
        self.in_flight = Some(in_flight);
    }

    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// The next bytes: all events that are ready, up to a bound.
    pub(super) fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut chunk = Vec::new();
        while !self.is_over && chunk.len() < ENOUGH {
            match self.source.poll_event(context, &mut chunk) {
                Poll::Ready(Next::More) => {}
                Poll::Ready(Next::Over) => {
                    self.is_over = true;
                    self.in_flight = None;
                }
                Poll::Pending => break,
            }
        }
        if !chunk.is_empty() {
            self.silence.as_mut().reset(Instant::now() + self.keep_alive);
            return Poll::Ready(Some(Bytes::from(chunk)));
        }
        if self.is_over {
            return Poll::Ready(None);
        }
        if self.silence.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        self.silence.as_mut().reset(Instant::now() + self.keep_alive);
        Poll::Ready(Some(Bytes::from_static(event::KEEP_ALIVE)))
    }
}

impl Source {
    fn poll_event(&mut self, context: &mut Context<'_>, out: &mut Vec<u8>) -> Poll<Next> {
        match self {
            Self::Course(first, course) => {
                if let Some(first) = first.take() {
                    event::message(&first, out);
                    return Poll::Ready(Next::More);
                }
                course.poll_event(context).map(|event| match event {
                    Event::Message(message) => {
                        event::message(&message, out);
                        Next::More
                    }
                    Event::Answer(answer) => {
                        event::message(&answer.body, out);
                        Next::Over
                    }
                    Event::End => Next::Over,
                })
            }
            Self::Notices(notices) => notices.poll_event(context, out),
            Self::Reader(reader) => reader.poll_event(context, out),
        }
    }
}

/// Bytes that are worth sending without waiting for more.
const ENOUGH: usize = 16 * 1024;
