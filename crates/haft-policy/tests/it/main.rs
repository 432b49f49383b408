//! The policy at its surface: facts in, decision and reason out.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
#![expect(clippy::needless_pass_by_value, reason = "an expectation is written where it is handed over")]

mod cases;
mod conditions;
mod explaining;
mod invariants;
mod random;
mod shadow;
mod table;
mod tiers;

use haft_policy::{
    ArgumentCondition, Belief, Caller, Claims, Decision, Facts, Hint, Hints, Origin, Policy, Rule, RuleSet, Tier,
    ToolPattern, Verdict,
};
use haft_schema::Tree;

/// What can be said about a hint.
const STATES: [Option<bool>; 3] = [None, Some(false), Some(true)];
const BELIEFS: [Belief; 3] = [Belief::Own, Belief::Believed, Belief::Untrusted];

/// All 81 things that can be said about four hints.
fn all_hints() -> Vec<Hints> {
    let mut all = Vec::new();
    for number in 0..81_usize {
        let mut hints = Hints::default();
        for (place, hint) in Hint::ALL.into_iter().enumerate() {
            hints.set(hint, STATES[number / 3_usize.pow(u32::try_from(place).unwrap()) % 3]);
        }
        all.push(hints);
    }
    all
}

/// A call of `files.write` by nobody in particular.
fn facts(hints: Hints, belief: Belief) -> Facts<'static> {
    Facts::new(Origin::new("files", "write"), Claims::new(hints, belief), Caller::anonymous())
}

fn read_only(belief: Belief) -> Facts<'static> {
    facts(Hints { read_only: Some(true), ..Hints::default() }, belief)
}

fn rule(tools: &str, verdict: Verdict) -> Rule {
    Rule::new([ToolPattern::parse(tools).unwrap()], verdict)
}

fn condition(schema: &str) -> ArgumentCondition {
    ArgumentCondition::compile(&raw(schema)).unwrap()
}

fn raw(json: &str) -> Box<serde_json::value::RawValue> {
    serde_json::from_str(json).unwrap()
}

fn policy(tier: Tier, rules: impl IntoIterator<Item = Rule>) -> Policy {
    Policy::default().with(tier, RuleSet::new(rules))
}

fn decide(policy: &Policy, facts: &Facts<'_>, arguments: &str) -> Decision {
    let tree = Tree::parse(arguments).unwrap();
    policy.decide(&facts.with_arguments(&tree))
}
