//! What one tier may do to another, and what becomes of pins.

use haft_policy::{
    Approver, Belief, HintCondition, HintConditions, HintSource, Hints, Origin, Pin, Policy, RuleSet, Tier,
    ToolPattern, Verdict,
};

use crate::{facts, policy, read_only, rule};

const ALLOW: Verdict = Verdict::Allow;
const ASK: Verdict = Verdict::Ask(Approver::Client);
const ASK_PERSON: Verdict = Verdict::Ask(Approver::Person);
const DENY: Verdict = Verdict::Deny;

#[test]
fn the_strictest_of_all_tiers_counts_and_only_operators_lift_the_tables_question() {
    let cases: &[(&[(Tier, Verdict)], Verdict)] = &[
        (&[], ASK),
        (&[(Tier::Project, ALLOW)], ASK),
        (&[(Tier::User, ALLOW)], ALLOW),
        (&[(Tier::Admin, ALLOW)], ALLOW),
        (&[(Tier::User, ALLOW), (Tier::Admin, ASK)], ASK),
        (&[(Tier::User, ASK), (Tier::Admin, ALLOW)], ASK),
        (&[(Tier::User, ALLOW), (Tier::User, DENY)], DENY),
        (&[(Tier::User, DENY), (Tier::Admin, ALLOW)], DENY),
        (&[(Tier::Project, ASK), (Tier::Admin, ALLOW)], ASK),
        (&[(Tier::Project, DENY), (Tier::Admin, ALLOW)], DENY),
        (&[(Tier::Project, ASK_PERSON)], ASK_PERSON),
        (&[(Tier::Project, ASK), (Tier::User, ASK_PERSON)], ASK_PERSON),
        (&[(Tier::Project, ALLOW), (Tier::User, ASK_PERSON)], ASK_PERSON),
    ];
    for (rules, expected) in cases {
        let mut policy = Policy::default();
        for (tier, verdict) in *rules {
            policy = policy.with(*tier, RuleSet::new([rule("files.*", *verdict)]));
        }
        assert_eq!(policy.decide(&facts(Hints::default(), Belief::Untrusted)).verdict, *expected, "{rules:?}");
    }
}

#[test]
fn of_equally_strict_rules_the_first_of_the_highest_tier_is_named() {
    let policy = policy(Tier::Project, [rule("*", DENY).named("p")])
        .with(Tier::User, RuleSet::new([rule("*", DENY).named("u")]))
        .with(
            Tier::Admin,
            RuleSet::new([rule("*", ASK).named("weak"), rule("*", DENY), rule("*", DENY).named("late")]),
        );
    let decision = policy.decide(&read_only(Belief::Own));
    assert_eq!(decision.for_person().to_string(), "deny: rule 2 of the administrator's policy");
    assert_eq!(decision.basis.name(), "2");
}

#[test]
fn what_a_project_allows_is_told_to_be_idle() {
    let policy = policy(Tier::Project, [rule("*", ASK), rule("*", ALLOW).named("easy")])
        .with(Tier::User, RuleSet::new([rule("*", ALLOW)]));
    let idle: Vec<String> = policy.idle().map(ToString::to_string).collect();
    assert_eq!(idle, ["rule `easy` of the project's policy"]);
}

#[test]
fn rules_that_are_about_no_tool_are_found() {
    let mut both = rule("send", DENY);
    both.tools.push(ToolPattern::parse("files.*").unwrap());
    let policy = policy(Tier::Project, [both, rule("mial.*", DENY).named("typo")])
        .with(Tier::User, RuleSet::new([rule("*", ASK), rule("reed", ASK)]));
    let tools = [Origin::new("files", "read"), Origin::new("mail", "send")];
    let unused: Vec<String> = policy.unused(&tools).map(ToString::to_string).collect();
    assert_eq!(unused, ["rule 2 of the user's policy", "rule `typo` of the project's policy"]);
}

fn pinned(tier: Tier, hints: Hints) -> (Tier, RuleSet) {
    let pin = Pin::new([ToolPattern::parse("files.write").unwrap()], hints);
    (tier, RuleSet::default().with_pin(pin))
}

/// Pins, then claimed read-only, then the belief in it.
type Case<'a> = (&'a [(Tier, Hints)], Option<bool>, Belief, Verdict, HintSource);

#[test]
fn pins_of_operators_win_and_those_of_a_project_only_tighten() {
    let reads = |value| Hints { read_only: Some(value), ..Hints::default() };
    let destroys = Hints { destructive: Some(true), ..Hints::default() };
    let cases: &[Case<'_>] = &[
        (&[(Tier::User, reads(true))], None, Belief::Untrusted, ALLOW, HintSource::Pin),
        (&[(Tier::User, reads(true))], Some(false), Belief::Believed, ALLOW, HintSource::Pin),
        (&[(Tier::User, reads(false))], Some(true), Belief::Believed, ASK, HintSource::Pin),
        (&[(Tier::User, reads(true)), (Tier::Admin, reads(false))], None, Belief::Own, ASK, HintSource::Pin),
        (&[(Tier::User, reads(false)), (Tier::Admin, reads(true))], None, Belief::Own, ALLOW, HintSource::Pin),
        (&[(Tier::User, reads(true)), (Tier::User, reads(false))], None, Belief::Own, ASK, HintSource::Pin),
        (&[(Tier::Project, reads(true))], None, Belief::Untrusted, ASK, HintSource::SpecDefault),
        (&[(Tier::Project, reads(false))], Some(true), Belief::Own, ASK, HintSource::Tightened),
        (&[(Tier::Project, reads(false)), (Tier::Admin, reads(true))], None, Belief::Own, ASK, HintSource::Tightened),
        (&[(Tier::Project, destroys), (Tier::Admin, reads(true))], None, Belief::Own, ASK, HintSource::Contradicted),
        (&[(Tier::User, destroys)], Some(true), Belief::Believed, ASK, HintSource::Contradicted),
    ];
    for (pins, read_only, belief, verdict, source) in cases {
        let mut policy = Policy::default();
        for (tier, hints) in *pins {
            let (tier, set) = pinned(*tier, *hints);
            policy = policy.with(tier, set);
        }
        let decision = policy.decide(&facts(Hints { read_only: *read_only, ..Hints::default() }, *belief));
        assert_eq!((decision.verdict, decision.hints.read_only.source), (*verdict, *source), "{pins:?}");
    }
}

#[test]
fn a_users_pin_does_not_lead_round_a_rule_of_the_administrator() {
    let writes = HintConditions { read_only: Some(HintCondition::Is(false)), ..HintConditions::default() };
    let (tier, pin) = pinned(Tier::User, Hints { read_only: Some(true), ..Hints::default() });
    let policy = policy(Tier::Admin, [rule("*", DENY).when_hints(writes)]).with(tier, pin);
    let facts = facts(Hints::default(), Belief::Untrusted);
    assert_eq!(policy.decide(&facts).verdict, DENY);
    assert!(!policy.sees(&facts));
}
