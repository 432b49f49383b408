//! What holds of every policy, whatever its rules are.

use haft_policy::{
    Assurance, Basis, Belief, Caller, Facts, HintCondition, HintConditions, Hints, Mode, Policy, RuleSet, Tier, Verdict,
};
use haft_schema::Tree;

use crate::random::Random;
use crate::{BELIEFS, all_hints, facts, policy, rule};

const POLICIES: u64 = 150;

/// Hands a policy's three sets and some facts to a check, many times.
fn for_many(check: impl Fn(&[RuleSet; 3], &Facts<'_>)) {
    let ops = ["ops".to_owned()];
    let with_path = Tree::parse(r#"{"path":"/"}"#).unwrap();
    let without = Tree::parse("{}").unwrap();
    for seed in 0..POLICIES {
        let mut random = Random(seed);
        let sets = [random.set(), random.set(), random.set()];
        for _ in 0..60 {
            let mut facts = facts(random.hints(), random.pick(&BELIEFS));
            facts.claims = facts.claims.pinned(random.pins());
            facts.arguments = random.pick(&[None, Some(&with_path), Some(&without)]);
            facts.caller = random.pick(&[Caller::anonymous(), Caller::new("x", &ops, Assurance::Person)]);
            facts.is_interactive = random.below(2) == 0;
            check(&sets, &facts);
        }
    }
}

fn whole(sets: &[RuleSet; 3]) -> Policy {
    let [project, user, admin] = sets.clone();
    Policy::default().with(Tier::Project, project).with(Tier::User, user).with(Tier::Admin, admin)
}

#[test]
fn a_claim_that_is_not_believed_is_never_better_than_none() {
    for seed in 0..POLICIES {
        let mut random = Random(seed);
        let policy = whole(&[random.set(), random.set(), random.set()]);
        let pins = random.pins();
        let decide = |claims| {
            let mut facts = facts(claims, Belief::Untrusted);
            facts.claims = facts.claims.pinned(pins);
            (policy.decide(&facts).verdict, policy.sees(&facts))
        };
        let (none, is_seen) = decide(Hints::default());
        for claims in all_hints() {
            let (verdict, is_seen_with_claims) = decide(claims);
            assert!(verdict >= none && (is_seen || !is_seen_with_claims), "{seed}: {claims:?} {pins:?} {policy:?}");
        }
    }
}

#[test]
fn a_project_never_loosens() {
    for_many(|sets, facts| {
        let [_, user, admin] = sets.clone();
        let without = whole(&[RuleSet::default(), user, admin]);
        let with = whole(sets);
        assert!(with.decide(facts).verdict >= without.decide(facts).verdict, "{facts:?} {with:?}");
        assert!(without.sees(facts) || !with.sees(facts), "{facts:?} {with:?}");
    });
}

#[test]
fn a_user_never_beats_a_rule_of_the_administrator() {
    for_many(|sets, facts| {
        let [_, user, admin] = sets.clone();
        let alone = whole(&[RuleSet::default(), RuleSet::default(), admin.clone()]);
        let both = whole(&[RuleSet::default(), user, admin]);
        let decided = alone.decide(facts);
        if decided.basis.rule().is_some() {
            assert!(both.decide(facts).verdict >= decided.verdict, "{facts:?} {both:?}");
        }
        assert!(alone.sees(facts) || !both.sees(facts), "{facts:?} {both:?}");
    });
}

#[test]
fn a_deny_rule_that_matches_wins_over_everything() {
    for_many(|sets, facts| {
        for tier in Tier::ALL {
            let policy = whole(sets).with(tier, RuleSet::new([rule("*.write", Verdict::Deny)]));
            assert_eq!(policy.decide(facts).verdict, Verdict::Deny);
            assert!(!policy.sees(facts));
        }
    });
}

#[test]
fn the_order_of_rules_decides_nothing() {
    for_many(|sets, facts| {
        let mut reversed = sets.clone();
        for set in &mut reversed {
            set.rules.reverse();
            set.pins.reverse();
        }
        let (one, other) = (whole(sets), whole(&reversed));
        assert_eq!(one.decide(facts).verdict, other.decide(facts).verdict);
        assert_eq!(one.sees(facts), other.sees(facts));
    });
}

#[test]
fn what_is_hidden_is_denied_whatever_the_arguments_are() {
    let trees = ["{}", r#"{"path":"/"}"#].map(|text| Tree::parse(text).unwrap());
    for_many(|sets, facts| {
        let policy = whole(sets);
        if policy.sees(facts) {
            return;
        }
        for arguments in [None, Some(&trees[0]), Some(&trees[1])] {
            for is_interactive in [false, true] {
                let mut facts = *facts;
                (facts.arguments, facts.is_interactive) = (arguments, is_interactive);
                assert_eq!(policy.decide(&facts).verdict, Verdict::Deny);
            }
        }
    });
}

#[test]
fn unknown_arguments_are_never_better_than_known_ones() {
    let trees = ["{}", r#"{"path":"/"}"#].map(|text| Tree::parse(text).unwrap());
    for_many(|sets, facts| {
        let policy = whole(sets);
        let mut unknown = *facts;
        unknown.arguments = None;
        for tree in &trees {
            // An allow that depends on the arguments replaces the table, so this holds rule by rule only.
            let decided = policy.decide(&facts.with_arguments(tree));
            if decided.basis.rule().is_some_and(|placed| placed.rule.verdict != Verdict::Allow) {
                assert!(policy.decide(&unknown).verdict >= decided.verdict, "{facts:?} {policy:?}");
            }
        }
    });
}

#[test]
fn explanations_decide_as_decisions_do() {
    for_many(|sets, facts| {
        let policy = whole(sets);
        let (decision, explanation) = (policy.decide(facts), policy.explain(facts));
        assert_eq!(explanation.decision.verdict, decision.verdict);
        assert_eq!(explanation.is_visible, policy.sees(facts));
        if let Basis::Rule(rule) = &decision.basis
            && facts.arguments.is_some()
        {
            let named = |known: &haft_policy::PlacedRule| (known.tier, known.position) == (rule.tier, rule.position);
            assert!(explanation.matched.iter().any(|known| named(known)), "{explanation:?}");
        }
    });
}

#[test]
fn a_shadow_says_what_enforcing_would_do() {
    for seed in 0..POLICIES {
        let mut random = Random(seed);
        let sets = [random.set(), random.set(), random.set()];
        let enforced = whole(&sets);
        let mut tried = sets.clone();
        for set in &mut tried {
            set.mode = random.mode();
        }
        let tried = whole(&tried);
        for claims in all_hints() {
            let facts = facts(claims, random.pick(&BELIEFS));
            let (enforced, tried) = (enforced.decide(&facts), tried.decide(&facts));
            let would = tried.shadow.as_ref().map_or(tried.verdict, |shadow| shadow.verdict);
            assert_eq!(would, enforced.verdict);
        }
    }
}

#[test]
fn nothing_that_a_project_says_of_its_mode_switches_the_rest_off() {
    for_many(|sets, facts| {
        let mut tried = sets.clone();
        tried[0].mode = Some(Mode::Shadow);
        tried[0].pins.clear();
        let [_, user, admin] = sets.clone();
        let without = whole(&[RuleSet::default(), user, admin]);
        assert_eq!(whole(&tried).decide(facts).verdict, without.decide(facts).verdict);
        assert_eq!(whole(&tried).sees(facts), without.sees(facts));
    });
}

#[test]
fn an_absent_hint_is_one_that_nobody_said_who_counts() {
    let claimed = Hints { destructive: Some(false), ..Hints::default() };
    let absent = HintConditions { destructive: Some(HintCondition::Absent), ..HintConditions::default() };
    let matches = |verdict, hints, belief| {
        let policy = policy(Tier::Admin, [rule("*", verdict).when_hints(absent)]);
        policy.decide(&facts(hints, belief)).basis.rule().is_some()
    };
    for verdict in crate::random::VERDICTS {
        for belief in BELIEFS {
            assert!(matches(verdict, Hints::default(), belief));
        }
        assert!(!matches(verdict, claimed, Belief::Own) && !matches(verdict, claimed, Belief::Believed));
        assert_eq!(matches(verdict, claimed, Belief::Untrusted), verdict != Verdict::Allow);
    }
}
