//! Why a call was decided as it was, for a person: the hints, the rules that match, and those that nearly do.

use std::fmt;
use std::sync::Arc;

use haft_diag::escape;

use crate::condition::Held;
use crate::decision::Decision;
use crate::effective::EffectiveHints;
use crate::facts::Facts;
use crate::policy::{PlacedRule, Policy, Tier, Views};
use crate::rule::Condition;
use crate::verdict::Verdict;

/// A decision with what led to it and what nearly led elsewhere.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The tool as patterns see it, `source.tool`.
    pub tool: String,
    /// What was decided.
    pub decision: Decision,
    /// Whether the caller gets to see the tool.
    pub is_visible: bool,
    /// All rules that match, the highest tier first.
    pub matched: Vec<Arc<PlacedRule>>,
    /// The rules of which all conditions hold but one.
    pub near_misses: Vec<NearMiss>,
}

/// A rule that nearly matched.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NearMiss {
    /// The rule.
    pub rule: Arc<PlacedRule>,
    /// The condition that does not hold.
    pub failed: Condition,
}

impl Policy {
    /// Decides like [`Policy::decide`] and says how that came about.
    ///
    /// A rule for other tools is a near miss only where its pattern looks as if it was meant for this one.
    pub fn explain(&self, facts: &Facts<'_>) -> Explanation {
        let views = Views::of(self, facts);
        let mut matched = Vec::new();
        let mut near_misses = Vec::new();
        for tier in Tier::ALL.into_iter().rev() {
            for placed in self.rules(tier) {
                let failed = views.of_tier(tier).map(|hints| failures(placed, facts, hints));
                let failed = failed.into_iter().min_by_key(Vec::len).unwrap_or_default();
                match *failed {
                    [] => matched.push(Arc::clone(placed)),
                    [failed] if failed != Condition::Tools || looks_meant(placed, facts) => {
                        near_misses.push(NearMiss { rule: Arc::clone(placed), failed });
                    }
                    _ => {}
                }
            }
        }
        Explanation {
            tool: format!("{}.{}", facts.origin.source, facts.origin.tool),
            decision: self.decide(facts),
            is_visible: self.sees(facts),
            matched,
            near_misses,
        }
    }
}

fn failures(placed: &PlacedRule, facts: &Facts<'_>, hints: &EffectiveHints) -> Vec<Condition> {
    let holds = |condition: &Condition| placed.rule.condition_held(*condition, facts, hints) != Held::No;
    Condition::ORDER.into_iter().filter(|condition| !holds(condition)).collect()
}

fn looks_meant(placed: &PlacedRule, facts: &Facts<'_>) -> bool {
    placed.rule.tools.iter().any(|pattern| pattern.almost_matches(facts.origin))
}

impl fmt::Display for Explanation {
    /// Some lines for a terminal; the last one ends with a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", escape(&self.tool))?;
        write!(f, "{}", self.decision.hints)?;
        writeln!(f, "{}", self.decision.for_person())?;
        if !self.is_visible {
            writeln!(f, "the tool is hidden from this caller")?;
        }
        let deciding = self.decision.basis.rule();
        let is_deciding = |placed: &PlacedRule| {
            deciding.is_some_and(|rule| (rule.tier, rule.position) == (placed.tier, placed.position))
        };
        for placed in self.matched.iter().filter(|placed| !is_deciding(placed)) {
            let verdict = placed.rule.verdict;
            let is_idle = placed.tier == Tier::Project && verdict == Verdict::Allow;
            let note = if is_idle { "; a project may only tighten" } else { "" };
            writeln!(f, "matches, too: {placed} ({verdict}{note})")?;
        }
        for NearMiss { rule, failed } in &self.near_misses {
            writeln!(f, "nearly matches: {rule} ({}), but for `{failed}`", rule.rule.verdict)?;
        }
        Ok(())
    }
}
