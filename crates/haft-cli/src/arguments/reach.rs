//! How a server is reached: flags that several commands share.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// How a server is reached.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reaching the server")]
pub(crate) struct Reach {
    /// A header for a server behind a URL; may be repeated. `'Authorization: Bearer ${TOKEN}'` takes a variable,
    /// `'Authorization: @file'` a file, so that the value stands in no list of processes.
    #[arg(long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,

    /// The answer to an input that a VS Code file asks for; may be repeated. The variable `HAFT_INPUT_ID` is one, too.
    #[arg(long, value_name = "ID=VALUE", value_parser = input)]
    pub(crate) input: Vec<(String, String)>,

    /// The one protocol version to speak, such as 2025-06-18. Without it, the newest that both sides speak.
    #[arg(long, value_name = "VERSION")]
    pub(crate) protocol: Option<String>,

    /// How long each answer may take, such as 30s or 2m. Progress begins the time anew; all of one answer takes at most
    /// 10 minutes, or this where it is more. One command may need several answers.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// The folder with grants of trust and tokens, instead of the user's state folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
}

pub(super) fn input(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((id, value)) if !id.is_empty() => Ok((id.to_owned(), value.to_owned())),
        _ => Err("an input is written `id=value`".to_owned()),
    }
}

/// A time with its unit.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let unusable = || "a time is a number with a unit, such as `500ms`, `30s`, `2m` or `1h`".to_owned();
    let split = text.find(|character: char| !character.is_ascii_digit()).ok_or_else(unusable)?;
    let (number, unit) = text.split_at(split);
    let number: u64 = number.parse().map_err(|_| unusable())?;
    let millis = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(unusable()),
    };
    match number.checked_mul(millis) {
        Some(0) => Err("no time at all is too short for an answer".to_owned()),
        Some(millis) if millis <= LONGEST => Ok(Duration::from_millis(millis)),
        _ => Err("nothing is waited for longer than a day".to_owned()),
    }
}

const LONGEST: u64 = 86_400_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_number_and_a_unit() {
        let cases = [("500ms", 500), ("30s", 30_000), ("2m", 120_000), ("24h", LONGEST)];
        for (text, millis) in cases {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "30", "s", "1.5s", "-1s", "0s", "25h", "99999999999999999999s", "18446744073709551615h", "1 s"]
        {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
