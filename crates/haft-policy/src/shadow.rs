//! What a policy that is only tried would have done, counted.

use std::collections::BTreeMap;
use std::fmt;

use crate::decision::{Basis, Decision, Row};
use crate::policy::Tier;
use crate::verdict::Verdict;

/// Counts what decisions would have been, by rule. It grows with the policy, not with the calls.
#[derive(Clone, Debug, Default)]
pub struct ShadowReport {
    counts: BTreeMap<Key, ShadowCount>,
    calls: u64,
}

/// What one rule, or one row of the default table, would have decided.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShadowCount {
    /// The rule or row, as [`Basis`] shows it without the reason.
    pub by: String,
    /// How many calls it would have let run that were refused or asked about.
    pub allowed: u64,
    /// How many calls it would have asked about.
    pub asked: u64,
    /// How many calls it would have denied.
    pub denied: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Row(Row),
    Rule(Tier, usize),
}

impl ShadowReport {
    /// Counts a decision.
    pub fn record(&mut self, decision: &Decision) {
        self.calls = self.calls.saturating_add(1);
        let Some(shadow) = &decision.shadow else { return };
        let (key, by) = match &shadow.basis {
            Basis::Default(row) => (Key::Row(*row), row.name().to_owned()),
            Basis::Rule(rule) | Basis::Unevaluable(rule) => (Key::Rule(rule.tier, rule.position), rule.to_string()),
        };
        let count = self.counts.entry(key).or_insert_with(|| ShadowCount { by, allowed: 0, asked: 0, denied: 0 });
        let counter = match shadow.verdict {
            Verdict::Allow => &mut count.allowed,
            Verdict::Ask(_) => &mut count.asked,
            Verdict::Deny => &mut count.denied,
        };
        *counter = counter.saturating_add(1);
    }

    /// How many decisions were counted.
    pub const fn calls(&self) -> u64 {
        self.calls
    }

    /// The counts: rows of the table, then the rules of project, user and administrator.
    pub fn counts(&self) -> impl Iterator<Item = &ShadowCount> {
        self.counts.values()
    }
}

impl fmt::Display for ShadowReport {
    /// One line in all, then one for each rule; the last ends with a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |of: fn(&ShadowCount) -> u64| self.counts().map(of).fold(0, u64::saturating_add);
        let (asked, denied) = (sum(|count| count.asked), sum(|count| count.denied));
        writeln!(f, "of {} calls, {asked} would have been asked about and {denied} denied", self.calls)?;
        for ShadowCount { by, allowed, asked, denied } in self.counts() {
            write!(f, "  {by}: {asked} asked about, {denied} denied")?;
            if *allowed > 0 {
                write!(f, ", {allowed} allowed")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
