//! A point in time in milliseconds, and its text.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since the beginning of 1970 in UTC; written as in RFC 3339, such as `2026-07-28T09:00:00.000Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment(u64);

impl Moment {
    /// Takes milliseconds since the beginning of 1970; what lies after the year 9999 becomes its end.
    pub const fn from_millis(millis: u64) -> Self {
        Self(if millis > LAST { LAST } else { millis })
    }

    /// Milliseconds since the beginning of 1970.
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// The moment that is `duration` later.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        Self::from_millis(self.0.saturating_add(millis))
    }

    /// How long it is until `later`; nothing when that is not later.
    pub const fn until(self, later: Self) -> Duration {
        Duration::from_millis(later.0.saturating_sub(self.0))
    }
}

impl From<SystemTime> for Moment {
    /// What lies before 1970 becomes its beginning.
    fn from(time: SystemTime) -> Self {
        Self(0).plus(time.duration_since(UNIX_EPOCH).unwrap_or_default())
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, millis) = (self.0 / 1000, self.0 % 1000);
        let (days, second) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    }
}

/// Year, month and day of the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is the last one; 400 years always have the same number of days.
const fn date(days_since_1970: u64) -> (u64, u64, u64) {
    // From 1 March of the year 0 on.
    let days = days_since_1970 + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let year = cycle * 400 + year;
    if month < 10 { (year, month + 3, day_of_month) } else { (year + 1, month - 9, day_of_month) }
}

/// The last millisecond of the year 9999.
const LAST: u64 = 253_402_300_799_999;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_utc() {
        for (millis, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_735_689_599_000, "2024-12-31T23:59:59.000Z"),
            (4_107_542_400_001, "2100-03-01T00:00:00.001Z"),
            (u64::MAX, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Moment::from_millis(millis).to_string(), expected);
        }
    }

    #[test]
    fn sums_stay_in_range() {
        let now = Moment::from(SystemTime::now());
        assert_eq!(now.until(now.plus(Duration::from_secs(2))), Duration::from_secs(2));
        assert_eq!(now.plus(Duration::from_secs(2)).until(now), Duration::ZERO);
        assert_eq!(now.plus(Duration::MAX), Moment::from_millis(u64::MAX));
        assert_eq!(Moment::from(UNIX_EPOCH - Duration::from_secs(1)), Moment::from_millis(0));
    }
}
