//! Durations and sizes as people write them: `500ms`, `5s`, `64KiB`, `1MB`.

use std::time::Duration;

use crate::report::Report;
use crate::table::{Fields, string};

/// A duration under this key.
pub(crate) fn duration(fields: &Fields<'_, '_>, key: &str, report: &mut Report) -> Option<Duration> {
    let value = fields.find(key)?;
    let text = string(key, value, report)?;
    let duration = parse_duration(text);
    if duration.is_none() {
        report.error(value.span(), format!("`{key}` has to be a duration from `1ms` to `24h`, such as `5s`"));
    }
    duration
}

/// A number of bytes under this key.
pub(crate) fn size(fields: &Fields<'_, '_>, key: &str, report: &mut Report) -> Option<usize> {
    let value = fields.find(key)?;
    let text = string(key, value, report)?;
    let size = parse_size(text);
    if size.is_none() {
        report.error(value.span(), format!("`{key}` has to be a size from `1B` to `64MiB`, such as `1MB`"));
    }
    size
}

/// A duration for people.
pub(crate) fn show_duration(duration: Duration) -> String {
    let milliseconds = duration.as_millis();
    for (unit, length) in [("h", 3_600_000), ("min", 60_000), ("s", 1000)] {
        if milliseconds >= length && milliseconds.is_multiple_of(length) {
            return format!("{} {unit}", milliseconds / length);
        }
    }
    format!("{milliseconds} ms")
}

/// A number of bytes for people.
pub(crate) fn show_size(bytes: u64) -> String {
    for (unit, length) in [("MiB", 1 << 20), ("MB", 1_000_000), ("KiB", 1 << 10), ("kB", 1000)] {
        if bytes >= length && bytes.is_multiple_of(length) {
            return format!("{} {unit}", bytes / length);
        }
    }
    format!("{bytes} bytes")
}

fn parse_duration(text: &str) -> Option<Duration> {
    let (number, unit) = split(text)?;
    let milliseconds = match unit {
        "ms" => number,
        "s" => number.checked_mul(1000)?,
        "m" | "min" => number.checked_mul(60_000)?,
        "h" => number.checked_mul(3_600_000)?,
        _ => return None,
    };
    (1..=LONGEST).contains(&milliseconds).then(|| Duration::from_millis(milliseconds))
}

fn parse_size(text: &str) -> Option<usize> {
    let (number, unit) = split(text)?;
    let bytes = number.checked_mul(match unit {
        "B" => 1,
        "KB" | "kB" => 1000,
        "KiB" => 1 << 10,
        "MB" => 1_000_000,
        "MiB" => 1 << 20,
        _ => return None,
    })?;
    if (1..=LARGEST).contains(&bytes) { usize::try_from(bytes).ok() } else { None }
}

/// The digits, and the unit behind them; a space may stand between.
fn split(text: &str) -> Option<(u64, &str)> {
    let digits = text.find(|character: char| !character.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    Some((number.parse().ok()?, unit.strip_prefix(' ').unwrap_or(unit)))
}

/// A day, in milliseconds.
const LONGEST: u64 = 24 * 3_600_000;
/// What one result may hold in memory.
const LARGEST: u64 = 64 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit_and_a_bound() {
        for (text, milliseconds) in
            [("1ms", 1), ("500ms", 500), ("5s", 5000), ("2m", 120_000), ("2 min", 120_000), ("24h", LONGEST)]
        {
            assert_eq!(parse_duration(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "5", "s", "0s", "-1s", "1.5s", "25h", "5 days", "5s ", "99999999999999999999s"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }

    #[test]
    fn sizes_have_a_unit_and_a_bound() {
        for (text, bytes) in [("1B", 1), ("64KB", 64_000), ("64KiB", 65_536), ("1MB", 1_000_000), ("64MiB", 64 << 20)] {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
        for text in ["", "1", "MB", "0B", "-1B", "65MiB", "1GB", "1mb"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn quantities_are_shown_in_their_largest_whole_unit() {
        assert_eq!(show_duration(Duration::from_secs(5)), "5 s");
        assert_eq!(show_duration(Duration::from_mins(2)), "2 min");
        assert_eq!(show_duration(Duration::from_millis(1500)), "1500 ms");
        assert_eq!(show_size(1_000_000), "1 MB");
        assert_eq!(show_size(64 << 10), "64 KiB");
        assert_eq!(show_size(1001), "1001 bytes");
    }
}
