//! Times and rates as a person writes them: `5s`, `10/1s`.

use std::time::Duration;

use syn::{Error, LitStr, Result};

/// A time such as `500ms`, `5s`, `2m` or `1h`.
pub(crate) fn time(literal: &LitStr) -> Result<Duration> {
    parse_time(&literal.value()).ok_or_else(|| {
        Error::new(literal.span(), "a time is a number and its unit, `ms`, `s`, `m` or `h`, and not zero: `\"5s\"`")
    })
}

/// A rate such as `10/1s` or `100/m`.
pub(crate) fn rate(literal: &LitStr) -> Result<(u32, Duration)> {
    parse_rate(&literal.value()).ok_or_else(|| {
        Error::new(literal.span(), "a rate is a number of calls, a slash and a time, none of them zero: `\"10/1s\"`")
    })
}

fn parse_time(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at(text.find(|character: char| !character.is_ascii_digit())?);
    let number: u64 = digits.parse().ok().filter(|number| *number > 0)?;
    unit_of(unit)?.checked_mul(number).map(Duration::from_millis)
}

fn parse_rate(text: &str) -> Option<(u32, Duration)> {
    let (calls, time) = text.split_once('/')?;
    let calls = calls.parse().ok().filter(|calls| *calls > 0)?;
    let within = unit_of(time).map(Duration::from_millis).or_else(|| parse_time(time))?;
    Some((calls, within))
}

/// How many milliseconds a unit has.
fn unit_of(unit: &str) -> Option<u64> {
    match unit {
        "ms" => Some(1),
        "s" => Some(1000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_number_and_a_unit() {
        let milliseconds = |text| parse_time(text).map(|time| time.as_millis());
        for (text, expected) in [("500ms", 500), ("5s", 5000), ("2m", 120_000), ("1h", 3_600_000)] {
            assert_eq!(milliseconds(text), Some(expected), "{text}");
        }
        for text in ["", "5", "s", "0s", "5 s", "-5s", "1.5s", "5d", "5S", "99999999999999999h", "５s"] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }

    #[test]
    fn a_rate_has_calls_and_a_time() {
        for (text, calls, seconds) in [("10/1s", 10, 1), ("10/s", 10, 1), ("3/5m", 3, 300)] {
            assert_eq!(parse_rate(text), Some((calls, Duration::from_secs(seconds))), "{text}");
        }
        for text in ["", "10", "/s", "0/s", "10/", "10/0s", "10/1", "-1/s"] {
            assert_eq!(parse_rate(text), None, "{text}");
        }
    }
}
