//! A request that goes on after it was read: a call, or a subscription.

mod asking;
mod running;

use std::sync::Arc;
use std::task::{Context, Poll};

use haft_wire::Codec;

use crate::answer::Answer;
use crate::connection::Connection;
use crate::listen::Subscription;
pub(crate) use running::Running;

/// What an exchange gives to the transport.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a transport has to serve each of these")]
pub enum Event {
    /// The last: the answer.
    Answer(Answer),
    /// The last: no answer goes out, because the request was cancelled.
    End,
    /// A notification or a request that belongs to this exchange; more events follow.
    Message(Vec<u8>),
}

/// A request in progress. The transport polls it where it is and sends what comes out.
///
/// Dropping it means that the client went away: the request is cancelled, or runs to its end without it, as the
/// client's revision wants.
#[derive(Debug)]
pub struct Exchange(Kind);

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "an exchange lies in a box of its own, and nearly all are calls")]
enum Kind {
    Call(Option<Running>),
    Done,
    Subscription(Box<Subscription>),
}

impl Exchange {
    pub(crate) fn call(running: Running) -> Self {
        Self(Kind::Call(Some(running)))
    }

    pub(crate) fn subscription(subscription: Subscription) -> Self {
        Self(Kind::Subscription(Box::new(subscription)))
    }

    /// The next event. After a last one, [`Event::End`].
    pub fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Event> {
        let event = match &mut self.0 {
            Kind::Call(Some(running)) => running.poll_event(context),
            Kind::Call(None) | Kind::Done => return Poll::Ready(Event::End),
            Kind::Subscription(subscription) => subscription.poll_event(context),
        };
        if let Poll::Ready(Event::Answer(_) | Event::End) = &event {
            self.0 = Kind::Done;
        }
        event
    }

    /// The next event. After a last one, [`Event::End`].
    pub async fn next(&mut self) -> Event {
        std::future::poll_fn(|context| self.poll_event(context)).await
    }

    /// Whether this is a stream from its start, with notifications and an answer at the very end.
    pub const fn is_subscription(&self) -> bool {
        matches!(self.0, Kind::Subscription(_))
    }

    /// The session that the request belongs to.
    pub fn session(&self) -> Option<&Arc<Connection>> {
        match &self.0 {
            Kind::Call(Some(running)) => running.connection().filter(|connection| connection.id().is_some()),
            Kind::Call(None) | Kind::Done | Kind::Subscription(_) => None,
        }
    }

    /// The codec of the request.
    pub fn codec(&self) -> Codec {
        match &self.0 {
            Kind::Call(Some(running)) => running.codec(),
            Kind::Call(None) | Kind::Done | Kind::Subscription(_) => Codec::of_unknown_revision(),
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let Kind::Call(running) = &mut self.0 else { return };
        if let Some(running) = running.take().filter(Running::outlives_its_client) {
            // Outside of a runtime nothing can go on, and nobody is left to wait for it.
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                runtime.spawn(running.finish_alone());
            }
        }
    }
}
