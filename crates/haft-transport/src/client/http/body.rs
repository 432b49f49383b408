//! Bodies that are no streams: whole and within bounds, or as much as came.

use std::time::Duration;

use http_body::Body;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout_at};

use crate::client::Fault;

/// All of a body.
pub(super) async fn whole(mut body: Incoming, most: usize, limit: Duration) -> Result<Vec<u8>, Fault> {
    if body.size_hint().lower() > most as u64 {
        return Err(Fault::TooLarge { limit: most });
    }
    let until = Instant::now() + limit;
    let mut all = Vec::new();
    while let Some(frame) = timeout_at(until, body.frame()).await.map_err(|_| Fault::Timeout { limit })? {
        let frame = frame.map_err(|error| Fault::Broke { source: error.into() })?;
        let Some(data) = frame.data_ref() else { continue };
        if all.len() + data.len() > most {
            return Err(Fault::TooLarge { limit: most });
        }
        all.extend_from_slice(data);
    }
    Ok(all)
}

/// What came of a body, to its bound in bytes and time, and whether that is all. For what only explains an error.
pub(super) async fn beginning(mut body: Incoming, most: usize, limit: Duration) -> (Vec<u8>, bool) {
    let until = Instant::now() + limit;
    let mut all = Vec::new();
    loop {
        match timeout_at(until, body.frame()).await {
            Ok(None) => return (all, true),
            Ok(Some(Ok(frame))) => {
                let data = frame.data_ref().map(AsRef::as_ref).unwrap_or_default();
                let room = most.saturating_sub(all.len());
                all.extend_from_slice(data.get(..room).unwrap_or(data));
                if data.len() > room {
                    return (all, false);
                }
            }
            Ok(Some(Err(_))) | Err(_) => return (all, false),
        }
    }
}
