//! What time it is.

use std::time::{SystemTime, UNIX_EPOCH};

use haft_store::Moment;

/// Now, by the system's clock.
pub(crate) fn now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
