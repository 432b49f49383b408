//! How many calls one caller may make in a time.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::principal::Principal;

/// Calls of one tool, counted by caller: a bucket that fills again evenly.
#[derive(Debug)]
pub(crate) struct Rates {
    calls: f64,
    within: Duration,
    buckets: Mutex<HashMap<String, Bucket>>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

/// Callers that are remembered before full buckets are forgotten.
const MOST_CALLERS: usize = 10_000;

impl Rates {
    pub(crate) fn new(calls: u32, within: Duration) -> Self {
        Self { calls: f64::from(calls.max(1)), within: within.max(Duration::from_millis(1)), buckets: Mutex::default() }
    }

    /// Takes one call, or says after how many seconds there is one.
    pub(super) fn take(&self, caller: &Principal) -> Result<(), u32> {
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if buckets.len() >= MOST_CALLERS {
            buckets.retain(|_, bucket| now.duration_since(bucket.at) < self.within);
        }
        let bucket = buckets.entry(caller.binding()).or_insert(Bucket { left: self.calls, at: now });
        let per_second = self.calls / self.within.as_secs_f64();
        bucket.left = (now.duration_since(bucket.at).as_secs_f64().mul_add(per_second, bucket.left)).min(self.calls);
        bucket.at = now;
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            return Ok(());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive number of seconds")]
        let wait = ((1.0 - bucket.left) / per_second).ceil() as u32;
        Err(wait.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_a_bucket_of_its_own() {
        let rates = Rates::new(2, Duration::from_hours(1));
        let one = Principal::client("token", "one");
        assert_eq!(rates.take(&one), Ok(()));
        assert_eq!(rates.take(&one), Ok(()));
        assert_eq!(rates.take(&one), Err(1800));
        assert_eq!(rates.take(&Principal::anonymous()), Ok(()));
    }
}
