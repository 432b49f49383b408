//! The stream for what belongs to no request (2025-11-25, transports: listening for messages from the server).

use std::time::Duration;

use http::{HeaderName, HeaderValue, StatusCode};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::pause::Pause;
use super::reader::{Reader, Stop};
use super::request::{Kind, Shared, head};
use crate::client::{Excerpt, Fault, Incoming};

/// Told when the stream is open; dropped when it is not.
pub(super) type Told = oneshot::Sender<()>;

/// Reads it, opens it again when it ends, and says when that is of no use.
///
/// Whether it was opened is told once, after the first attempt.
pub(super) async fn listen(shared: &Shared, headers: &[(HeaderName, HeaderValue)], first: Told) {
    if let Err(Stop::Fault(fault)) = listen_on(shared, headers, first).await {
        drop(shared.slot.put(Incoming::StreamEnded { fault }).await);
    }
}

async fn listen_on(shared: &Shared, headers: &[(HeaderName, HeaderValue)], first: Told) -> Result<(), Stop> {
    let mut first = Some(first);
    let mut reader = Reader::new(shared, None);
    let mut pause = Pause::default();
    loop {
        let begun = Instant::now();
        let fault = match open(shared, headers, &mut reader, &mut first).await {
            Ok(Opened::None) => return Ok(()),
            Ok(Opened::Over) => None,
            Err(Stop::Fault(fault)) if is_passing(&fault) => Some(fault),
            Err(stop) => return Err(stop),
        };
        // Without an answer it is told that it was not opened.
        first = None;
        // One that is cut while it is silent is well, as long as that takes some time.
        pause.note(reader.take_news() || (fault.is_none() && begun.elapsed() >= LASTING));
        if let Some(fault) = fault.filter(|_| pause.is_hopeless()) {
            return Err(fault.into());
        }
        pause.wait(reader.retry()).await;
    }
}

enum Opened {
    /// The server has none.
    None,
    /// It was read to its end.
    Over,
}

async fn open(
    shared: &Shared,
    headers: &[(HeaderName, HeaderValue)],
    reader: &mut Reader<'_>,
    first: &mut Option<Told>,
) -> Result<Opened, Stop> {
    let response = shared.get(headers, reader.last_id()).await?;
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        return Ok(Opened::None);
    }
    if !response.status().is_success() {
        return Err(shared.refuse(response, None).await.into());
    }
    let (parts, body) = response.into_parts();
    match Kind::of(&parts.headers) {
        Kind::Events => {
            if let Some(first) = first.take()
                && first.send(()).is_err()
            {
                tracing::trace!("nobody waited for the stream to open");
            }
            reader.read(head(&parts, true), body).await.map(|()| Opened::Over)
        }
        kind => Err(Fault::Media { content_type: kind.excerpt(), body: Excerpt::default() }.into()),
    }
}

/// Whether it may be better next time.
fn is_passing(fault: &Fault) -> bool {
    match fault {
        Fault::Broke { .. } | Fault::Connect { .. } | Fault::Timeout { .. } => true,
        Fault::Status(refusal) => refusal.status >= 500 || refusal.status == 429,
        _ => false,
    }
}

const LASTING: Duration = Duration::from_secs(10);
