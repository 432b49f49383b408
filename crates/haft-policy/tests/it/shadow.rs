//! Policies that are only tried.

use expect_test::expect;
use haft_policy::{Approver, Belief, Hints, Mode, Policy, Row, RuleSet, ShadowReport, Tier, Verdict};

use crate::{facts, policy, read_only, rule};

fn tried(tier: Tier, verdict: Verdict) -> Policy {
    Policy::default().with(tier, RuleSet::new([rule("*", verdict).named("r")]).in_mode(Mode::Shadow))
}

#[test]
fn rules_that_are_only_tried_act_on_nothing() {
    for tier in Tier::ALL {
        let policy = tried(tier, Verdict::Deny);
        let facts = read_only(Belief::Own);
        let decision = policy.decide(&facts);
        assert_eq!(decision.verdict, Verdict::Allow);
        assert_eq!(decision.shadow.unwrap().verdict, Verdict::Deny);
        assert!(policy.sees(&facts));
    }
}

#[test]
fn the_table_is_only_tried_where_an_operator_says_so_and_none_says_otherwise() {
    let writes = facts(Hints::default(), Belief::Untrusted);
    let modes = [None, Some(Mode::Enforce), Some(Mode::Shadow)];
    for project in modes {
        for user in modes {
            for admin in modes {
                let mut policy = Policy::default();
                for (tier, mode) in [(Tier::Project, project), (Tier::User, user), (Tier::Admin, admin)] {
                    let mut set = RuleSet::default();
                    set.mode = mode;
                    policy = policy.with(tier, set);
                }
                let operators = [user, admin];
                let is_tried = operators.contains(&modes[2]) && !operators.contains(&modes[1]);
                let decision = policy.decide(&writes);
                let expected = if is_tried { Verdict::Allow } else { Verdict::Ask(Approver::Client) };
                assert_eq!(decision.verdict, expected, "{project:?} {user:?} {admin:?}");
                assert_eq!(decision.shadow.is_some(), is_tried);
                assert_eq!(decision.basis.name() == Row::NotEnforced.name(), is_tried);
            }
        }
    }
}

#[test]
fn a_tier_that_is_tried_leaves_the_others_enforced() {
    let policy = tried(Tier::User, Verdict::Allow).with(Tier::Admin, RuleSet::new([rule("*", Verdict::Deny)]));
    assert_eq!(policy.decide(&read_only(Belief::Own)).verdict, Verdict::Deny);
    let more = policy.with(Tier::User, RuleSet::default().in_mode(Mode::Enforce));
    assert!(!more.has_shadow(), "of two modes for a tier the stricter holds");
}

#[test]
fn a_report_counts_what_would_have_happened_by_rule() {
    let policy = tried(Tier::User, Verdict::Ask(Approver::Person)).with(
        Tier::Project,
        RuleSet::new([rule("files.*", Verdict::Deny), rule("*", Verdict::Allow)]).in_mode(Mode::Shadow),
    );
    let mut report = ShadowReport::default();
    for _ in 0..3 {
        report.record(&policy.decide(&read_only(Belief::Own)));
    }
    let mut other = read_only(Belief::Own);
    other.origin = haft_policy::Origin::local("x");
    report.record(&policy.decide(&other));
    report.record(&Policy::default().decide(&other));
    report.record(
        &Policy::default()
            .with(Tier::Admin, RuleSet::default().in_mode(Mode::Shadow))
            .decide(&facts(Hints::default(), Belief::Untrusted)),
    );
    expect![[r#"
        of 6 calls, 2 would have been asked about and 3 denied
          default:otherwise: 1 asked about, 0 denied
          rule 1 of the project's policy: 0 asked about, 3 denied
          rule `r` of the user's policy: 1 asked about, 0 denied
    "#]]
    .assert_eq(&report.to_string());
    assert_eq!((report.calls(), report.counts().count()), (6, 3));
}

#[test]
fn a_decision_in_shadow_says_both() {
    let decision = tried(Tier::Project, Verdict::Deny).decide(&read_only(Belief::Own));
    assert_eq!(
        decision.for_person().to_string(),
        "allow: by default a tool that is known to read only is allowed (enforced it would be deny: rule `r` of the \
         project's policy)"
    );
    assert_eq!(decision.for_model().to_string(), "allowed by the default policy");
    let plain = policy(Tier::Project, [rule("*", Verdict::Deny)]);
    assert!(plain.decide(&read_only(Belief::Own)).shadow.is_none());
}
