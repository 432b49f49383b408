//! What became of each step, and the closing lines that say so.

use std::time::Duration;

use crate::counts::Counts;
use crate::steps::StepName;

/// What became of a step.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Outcome {
    Failed { why: String },
    LeftOut { why: String },
    Passed,
}

/// One line of the report.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) step: StepName,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
    pub(crate) counts: Counts,
}

impl Record {
    /// A step may fail without a failed test (it did not compile, say): the total then still says one.
    fn counted(&self) -> Counts {
        match self.outcome {
            Outcome::Failed { .. } => Counts { failed: self.counts.failed.max(1), ..self.counts },
            Outcome::LeftOut { .. } | Outcome::Passed => self.counts,
        }
    }
}

/// All that has run, in order.
#[derive(Debug, Default)]
pub(crate) struct Report {
    records: Vec<Record>,
}

impl Report {
    pub(crate) fn add(&mut self, record: Record) {
        self.records.push(record);
    }

    pub(crate) fn has_failures(&self) -> bool {
        self.records.iter().any(|record| matches!(record.outcome, Outcome::Failed { .. }))
    }

    /// The report as lines; the last is `N passed, N failed`, alone, for programs.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![String::new(), "==> summary".to_owned()];
        let mut total = Counts::default();
        let (mut passed, mut failed, mut left_out) = (0, 0, 0);
        for record in &self.records {
            let counted = record.counted();
            total += counted;
            let (word, note) = match &record.outcome {
                Outcome::Passed => {
                    passed += 1;
                    ("passed", String::new())
                }
                Outcome::Failed { why } => {
                    failed += 1;
                    ("FAILED", format!("{why}; again: cargo xtask test --only {}", record.step.as_str()))
                }
                Outcome::LeftOut { why } => {
                    left_out += 1;
                    ("left out", why.clone())
                }
            };
            let took = elapsed(record.took);
            let ran = counts_text(record.counts);
            let line = format!("    {:<9} {word:<9} {took:>12}  {ran}{note}", record.step.as_str());
            lines.push(line.trim_end().to_owned());
        }
        if left_out > 0 {
            lines.push(format!("left out, so not shown by this run: {}", self.left_out()));
        }
        lines.push(format!("steps: {passed} passed, {failed} failed, {left_out} left out"));
        lines.push(String::new());
        lines.push(format!("{} passed, {} failed", total.passed, total.failed));
        lines
    }

    fn left_out(&self) -> String {
        let left_out = self.records.iter().filter(|record| matches!(record.outcome, Outcome::LeftOut { .. }));
        let described = left_out.map(|record| format!("{} ({})", record.step.as_str(), record.step.about()));
        described.collect::<Vec<_>>().join(", ")
    }
}

/// A duration for people.
pub(crate) fn elapsed(took: Duration) -> String {
    let seconds = took.as_secs();
    if seconds < 60 {
        format!("{:.1} s", took.as_secs_f64())
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

fn counts_text(counts: Counts) -> String {
    if counts == Counts::default() {
        String::new()
    } else {
        format!("{} passed, {} failed  ", counts.passed, counts.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Duration, Outcome, Record, Report, StepName};

    fn record(step: StepName, outcome: Outcome, passed: u64, failed: u64) -> Record {
        Record { step, outcome, took: Duration::from_millis(61_200), counts: Counts { passed, failed } }
    }

    #[test]
    fn the_last_line_sums_the_tests_of_all_steps() {
        let mut report = Report::default();
        report.add(record(StepName::Tests, Outcome::Failed { why: "exit status 1".into() }, 10, 2));
        report.add(record(StepName::Doctests, Outcome::Passed, 5, 0));
        report.add(record(StepName::Budget, Outcome::LeftOut { why: "--fast".into() }, 0, 0));
        assert_eq!(
            report.lines(),
            [
                "",
                "==> summary",
                "    tests     FAILED      1 min 01 s  10 passed, 2 failed  exit status 1; again: cargo xtask test --only tests",
                "    doctests  passed      1 min 01 s  5 passed, 0 failed",
                "    budget    left out    1 min 01 s  --fast",
                "left out, so not shown by this run: budget (instructions and allocations of a call, under callgrind)",
                "steps: 1 passed, 1 failed, 1 left out",
                "",
                "15 passed, 2 failed",
            ]
        );
        assert!(report.has_failures());
    }

    #[test]
    fn a_step_that_fails_without_a_failed_test_counts_as_one() {
        let mut report = Report::default();
        report.add(record(StepName::Clippy, Outcome::Failed { why: String::new() }, 0, 0));
        report.add(record(StepName::Tests, Outcome::Passed, 3, 0));
        assert_eq!(report.lines().last().map(String::as_str), Some("3 passed, 1 failed"));
    }

    #[test]
    fn a_run_without_failures_says_zero_failed() {
        let mut report = Report::default();
        report.add(record(StepName::Tests, Outcome::Passed, 3, 0));
        assert_eq!(report.lines().last().map(String::as_str), Some("3 passed, 0 failed"));
        assert!(!report.has_failures());
    }
}
