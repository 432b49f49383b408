//! Whether a request that failed is made again: when nobody received it, or when twice is as good as once.

use std::time::Duration;

use haft_transport::client::{Fault, Sent};

use crate::error::ClientError;

/// How long to wait before the next attempt; `None` when there is none.
pub(crate) fn pause(error: &ClientError, attempt: u32, is_idempotent: bool) -> Option<Duration> {
    if attempt >= ATTEMPTS || !is_passing(error) {
        return None;
    }
    if error.sent() == Sent::Maybe && !is_idempotent {
        return None;
    }
    let asked = match error {
        ClientError::Transport { source, .. } => match &**source {
            Fault::Status(refusal) => refusal.retry_after,
            _ => None,
        },
        _ => None,
    };
    match asked {
        Some(asked) if asked > LONGEST => None,
        Some(asked) => Some(asked),
        None => Some(FIRST * 2_u32.pow(attempt)),
    }
}

/// Whether it can be otherwise next time.
fn is_passing(error: &ClientError) -> bool {
    match error {
        ClientError::Closed { .. } => true,
        ClientError::Link { source, .. } => matches!(source, haft_transport::client::LinkError::Closed { .. }),
        ClientError::Transport { source, .. } => match &**source {
            Fault::Broke { .. } | Fault::Connect { .. } | Fault::Unanswered | Fault::NotResumed { .. } => true,
            Fault::Status(refusal) => matches!(refusal.status, 404 | 429 | 502 | 503 | 504),
            _ => false,
        },
        _ => false,
    }
}

const ATTEMPTS: u32 = 2;
const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(10);
