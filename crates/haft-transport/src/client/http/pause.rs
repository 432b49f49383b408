//! How long to wait before a stream is taken up again.

use std::time::Duration;

use tokio::time::sleep;

/// Counts what went wrong in a row.
#[derive(Debug, Default)]
pub(super) struct Pause {
    failures: u32,
}

impl Pause {
    /// Something came, or did not.
    pub(super) fn note(&mut self, is_well: bool) {
        self.failures = if is_well { 0 } else { self.failures.saturating_add(1) };
    }

    /// Whether it has been tried often enough.
    pub(super) fn is_hopeless(&self) -> bool {
        self.failures >= ATTEMPTS
    }

    /// As long as the server wants, and longer after each failure.
    pub(super) async fn wait(&self, retry: Option<Duration>) {
        // bounded: by `LONGEST`
        sleep(self.duration(retry)).await;
    }

    fn duration(&self, retry: Option<Duration>) -> Duration {
        let wanted = retry.unwrap_or(USUAL).clamp(SHORTEST, LONGEST);
        wanted.saturating_mul(1 << self.failures.min(10)).min(LONGEST)
    }
}

const ATTEMPTS: u32 = 10;
const USUAL: Duration = Duration::from_secs(1);
/// Even for a server that wants to be asked at once.
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_says_how_long_within_bounds_and_failures_double_it() {
        let mut pause = Pause::default();
        let milliseconds =
            |pause: &Pause, retry: Option<u64>| pause.duration(retry.map(Duration::from_millis)).as_millis();
        for (retry, expected) in [(None, 1000), (Some(500), 500), (Some(0), 50), (Some(u64::MAX), 30_000)] {
            assert_eq!(milliseconds(&pause, retry), expected);
        }
        for expected in [2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000] {
            pause.note(false);
            assert_eq!(milliseconds(&pause, None), expected);
            assert!(!pause.is_hopeless());
        }
        pause.note(false);
        assert!(pause.is_hopeless());
        pause.note(true);
        assert_eq!(milliseconds(&pause, Some(100)), 100);
    }
}
