//! Moves the events of one stream into the inbox, over all the responses that it takes.

use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::Incoming as Body;
use tokio::time::{Instant, timeout_at};

use super::request::Shared;
use super::sse::{Event, Events, TooLarge};
use crate::client::inbox::Unread;
use crate::client::shape::Shape;
use crate::client::{Excerpt, Fault, Head, Incoming};

/// Why an exchange goes no further.
#[derive(Debug)]
pub(super) enum Stop {
    Fault(Fault),
    /// Nobody reads the inbox.
    Unread,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Unread> for Stop {
    fn from(_: Unread) -> Self {
        Self::Unread
    }
}

/// A stream that is read.
pub(super) struct Reader<'a> {
    shared: &'a Shared,
    request: Option<u64>,
    head: Option<Head>,
    events: Events,
    /// When the answer came.
    answered: Option<Instant>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(shared: &'a Shared, request: Option<u64>) -> Self {
        let events = Events::new(shared.message_bytes);
        Self { shared, request, head: None, events, answered: None }
    }

    pub(super) fn is_answered(&self) -> bool {
        self.answered.is_some()
    }

    pub(super) fn last_id(&self) -> Option<&[u8]> {
        self.events.last_id()
    }

    pub(super) fn retry(&self) -> Option<Duration> {
        self.events.retry()
    }

    /// Whether anything came since this was asked last.
    pub(super) fn take_news(&mut self) -> bool {
        self.events.take_news()
    }

    /// Reads a response to its end, which is in good order when this is no error.
    pub(super) async fn read(&mut self, head: Head, mut body: Body) -> Result<(), Stop> {
        self.events.resume();
        self.head = Some(head);
        loop {
            let frame = match self.answered {
                None => body.frame().await,
                // Nothing has to follow; the end of the stream lets the connection be used again.
                Some(answered) => match timeout_at(answered + AFTERWARDS, body.frame()).await {
                    Ok(frame) => frame,
                    Err(_) => return Ok(()),
                },
            };
            let Some(frame) = frame else { return Ok(()) };
            let frame = frame.map_err(|error| Fault::Broke { source: error.into() })?;
            let mut chunk = frame.data_ref().map(AsRef::as_ref).unwrap_or_default();
            loop {
                match self.events.next(&mut chunk) {
                    Ok(Some(event)) => self.take(event).await?,
                    Ok(None) => break,
                    Err(TooLarge) => return Err(Fault::TooLarge { limit: self.shared.message_bytes }.into()),
                }
            }
        }
    }

    async fn take(&mut self, event: Event) -> Result<(), Stop> {
        match event.name.as_slice() {
            b"" | b"message" => {}
            b"endpoint" if self.request.is_none() => return Err(Fault::OldTransport.into()),
            // Not of the protocol; some servers keep a stream alive so.
            _ => return Ok(()),
        }
        if event.data.is_empty() {
            return Ok(());
        }
        let incoming = match Shape::of(&event.data) {
            Some(shape) => {
                if shape.is_answer && self.answered.is_none() {
                    self.answered = Some(Instant::now());
                }
                Incoming::Message { bytes: event.data, request: self.request, head: self.head.take() }
            }
            None => Incoming::Noise(Excerpt::of(&event.data)),
        };
        Ok(self.shared.slot.put(incoming).await?)
    }
}

/// How long a stream may go on after its answer.
const AFTERWARDS: Duration = Duration::from_secs(5);
