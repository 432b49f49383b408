//! Reads how many tests passed and failed from what the test runners print.

use std::ops::AddAssign;

/// Tests that passed and that failed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// What a runner's closing line says; nothing for every other line.
pub(crate) fn counts_in(line: &str) -> Option<Counts> {
    let line = without_colour(line);
    if let Some(result) = line.strip_prefix("test result: ") {
        // cargo test: `test result: ok. 5 passed; 0 failed; 0 ignored; …`
        let (_, numbers) = result.split_once(". ")?;
        return Some(sum(numbers.split(';')));
    }
    // nextest: `     Summary [   0.123s] 12 tests run: 11 passed (1 slow), 1 failed, 0 skipped`
    let summary = line.trim_start().strip_prefix("Summary [")?;
    let (_, numbers) = summary.split_once("run: ")?;
    Some(sum(numbers.split(',')))
}

fn sum<'a>(parts: impl Iterator<Item = &'a str>) -> Counts {
    let mut counts = Counts::default();
    for part in parts {
        let mut words = part.split_whitespace();
        let Some(number) = words.next().and_then(|word| word.parse::<u64>().ok()) else {
            continue;
        };
        match words.next() {
            Some("passed") => counts.passed += number,
            // nextest counts `timed out` and `exec failed` beside `failed`.
            Some("failed" | "timed" | "exec") => counts.failed += number,
            _ => {}
        }
    }
    counts
}

fn without_colour(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(character);
        }
    }
    plain.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Counts, counts_in};

    fn check(line: &str, expected: Option<(u64, u64)>) {
        let expected = expected.map(|(passed, failed)| Counts { passed, failed });
        assert_eq!(counts_in(line), expected, "{line}");
    }

    #[test]
    fn the_closing_lines_of_both_runners_are_counted() {
        check("test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out", Some((5, 0)));
        check("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n", Some((3, 2)));
        check("test result: \u{1b}[32mok\u{1b}[0m. 7 passed; 0 failed; 0 ignored", Some((7, 0)));
        check("     Summary [   0.123s] 12 tests run: 11 passed (1 slow), 1 failed, 4 skipped", Some((11, 1)));
        check("     Summary [   0.1s] 1 test run: 1 passed, 0 skipped", Some((1, 0)));
        check("  Summary [ 9s] 6/9 tests run: 3 passed, 1 failed, 1 exec failed, 1 timed out, 0 skipped", Some((3, 3)));
        check(
            "\u{1b}[32;1m     Summary\u{1b}[0m [   0.1s] \u{1b}[1m2\u{1b}[0m tests run: \u{1b}[1m2\u{1b}[0m passed",
            Some((2, 0)),
        );
    }

    #[test]
    fn other_lines_are_not_counted() {
        check("test wire::ids::null_is_refused ... ok", None);
        check("    test result: ok. 5 passed; 0 failed", None);
        check("5 passed, 0 failed", None);
        check("Summary", None);
        check("", None);
    }
}
