//! One message and all that comes for it.

use std::time::Duration;

use http::{HeaderName, HeaderValue};
use hyper::body::Incoming as Body;
use tokio::sync::oneshot;

use super::body::{beginning, whole};
use super::pause::Pause;
use super::reader::{Reader, Stop};
use super::request::{Kind, Shared, head};
use crate::client::{Excerpt, Fault, Head, Incoming, Outgoing, excerpt::MOST, shape::Shape};

/// What is told to who waits for a message that has no answer.
pub(super) type Accepted = oneshot::Sender<Result<(), Fault>>;

/// Sends a message and moves what comes for it into the inbox, to the end.
pub(super) async fn run(shared: &Shared, outgoing: Outgoing, accepted: Option<Accepted>) {
    let Outgoing { body, request, headers, resumable } = outgoing;
    let mut exchange = Exchange { shared, request, headers, is_resumable: resumable, accepted };
    let fault = match exchange.run(body).await {
        Ok(()) => None,
        Err(Stop::Fault(fault)) => Some(fault),
        Err(Stop::Unread) => return,
    };
    match (request, exchange.accepted.take(), fault) {
        (Some(request), _, fault) => drop(shared.slot.put(Incoming::Ended { request, fault }).await),
        // Who waited may be gone.
        (None, Some(accepted), fault) => drop(accepted.send(fault.map_or(Ok(()), Err))),
        (None, None, Some(fault)) => tracing::debug!(%fault, "the answer to a message without an answer broke off"),
        (None, None, None) => {}
    }
}

struct Exchange<'a> {
    shared: &'a Shared,
    request: Option<u64>,
    headers: Vec<(HeaderName, HeaderValue)>,
    is_resumable: bool,
    accepted: Option<Accepted>,
}

impl Exchange<'_> {
    async fn run(&mut self, body: Vec<u8>) -> Result<(), Stop> {
        let limit = self.shared.header_timeout;
        // What has no answer is only taken, which needs no time.
        let limit = if self.request.is_some() { limit } else { limit.min(ACCEPT_TIMEOUT) };
        let response = self.shared.post(&self.headers, body, limit).await?;
        if !response.status().is_success() {
            return Err(self.shared.refuse(response, self.request).await.into());
        }
        if let Some(accepted) = self.accepted.take() {
            drop(accepted.send(Ok(())));
        }
        let (parts, body) = response.into_parts();
        match Kind::of(&parts.headers) {
            Kind::Events => self.stream(head(&parts, true), body).await,
            kind => self.single(&kind, head(&parts, false), body).await,
        }
    }

    /// An answer that is not a stream.
    async fn single(&self, kind: &Kind, head: Head, body: Body) -> Result<(), Stop> {
        let shared = self.shared;
        if let Kind::Other(content_type) = kind {
            let (bytes, is_all) = beginning(body, MOST, shared.body_timeout).await;
            return match (self.request, bytes.is_empty()) {
                // Whatever a server says to a notification that it took.
                (None, _) => Ok(()),
                (Some(_), true) => Err(Fault::Unanswered.into()),
                (Some(_), false) => {
                    let body = Excerpt::of(&bytes).cut(!is_all);
                    Err(Fault::Media { content_type: content_type.clone(), body }.into())
                }
            };
        }
        let bytes = whole(body, shared.message_bytes, shared.body_timeout).await?;
        if bytes.trim_ascii().is_empty() {
            return if self.request.is_some() { Err(Fault::Unanswered.into()) } else { Ok(()) };
        }
        if Shape::of(&bytes).is_none() {
            let body = Excerpt::of(&bytes);
            return Err(match kind {
                Kind::Json => Fault::NotJson { body }.into(),
                _ => Fault::Media { content_type: Excerpt::default(), body }.into(),
            });
        }
        Ok(shared.slot.put(Incoming::Message { bytes, request: self.request, head: Some(head) }).await?)
    }

    /// A stream, which may break off and be taken up again.
    async fn stream(&self, head: Head, body: Body) -> Result<(), Stop> {
        let mut reader = Reader::new(self.shared, self.request);
        let mut over = reader.read(head, body).await;
        let mut pause = Pause::default();
        loop {
            let fault = match over {
                // Nothing was to come any more.
                Err(Stop::Fault(Fault::Broke { .. })) if reader.is_answered() => return Ok(()),
                _ if reader.is_answered() || self.request.is_none() => return over,
                Ok(()) => Fault::Unanswered,
                Err(Stop::Fault(fault @ (Fault::Broke { .. } | Fault::Connect { .. } | Fault::Timeout { .. }))) => {
                    fault
                }
                Err(stop) => return Err(stop),
            };
            pause.note(reader.take_news());
            if !self.is_resumable || pause.is_hopeless() || reader.last_id().is_none() {
                return Err(lost(fault).into());
            }
            pause.wait(reader.retry()).await;
            over = self.resume(&mut reader).await;
        }
    }

    async fn resume(&self, reader: &mut Reader<'_>) -> Result<(), Stop> {
        let response = self.shared.get(&self.headers, reader.last_id()).await?;
        let (parts, body) = response.into_parts();
        let status = parts.status.as_u16();
        if parts.status.is_success() && Kind::of(&parts.headers) == Kind::Events {
            return reader.read(head(&parts, true), body).await;
        }
        if parts.status.is_server_error() || status == TOO_MANY {
            return Ok(());
        }
        Err(Fault::NotResumed { status }.into())
    }
}

/// A connection that cannot be made again does not mean that nothing was sent before.
fn lost(fault: Fault) -> Fault {
    match fault {
        Fault::Connect { .. } => Fault::Broke { source: fault.into() },
        fault => fault,
    }
}

const ACCEPT_TIMEOUT: Duration = Duration::from_secs(30);
const TOO_MANY: u16 = 429;
