//! Hearing of changes, the way the server tells them.

use std::sync::Arc;
use std::time::Duration;

use haft_transport::client::Opening;
use haft_wire::model::Ask;
use tokio::time::{Instant, sleep};

use crate::live::{Live, Waits};

/// Begins to listen, once for a connection; what comes back is the stream that is being opened for it, if one is.
pub(crate) fn begin(live: &Arc<Live>) -> Option<Opening> {
    if !live.begins_to_listen() {
        return None;
    }
    if live.codec().begins_with_handshake() {
        // A pipe brings them by itself; HTTP needs a stream for what belongs to no request.
        return Some(live.link.open_stream(live.headers("", None)));
    }
    live.own(subscribe(Arc::clone(live)));
    None
}

/// Keeps a subscription open (2026-07-28, subscriptions). Each attempt may end by itself; the next one waits longer.
async fn subscribe(live: Arc<Live>) {
    let mut pause = FIRST;
    let waits = Waits { idle: EVER, longest: EVER, progress: None };
    while !live.pending.is_closed() {
        let began = Instant::now();
        match live.request(&Ask::Listen, &[], &waits).await {
            Ok(answered) => {
                if let Err(error) = answered.outcome {
                    tracing::debug!(%error, "the server does not tell of changes");
                    return;
                }
            }
            Err(error) => tracing::debug!(%error, "the subscription ended"),
        }
        // What changed meanwhile was not told.
        live.tools_changed();
        pause = if began.elapsed() > LASTING { FIRST } else { (pause * 2).min(LONGEST) };
        sleep(pause).await; // bounded: an attempt a minute at the most, for as long as the connection is held
    }
}

const EVER: Duration = Duration::from_hours(24 * 365);
const FIRST: Duration = Duration::from_millis(500);
const LASTING: Duration = Duration::from_mins(1);
const LONGEST: Duration = Duration::from_mins(1);
