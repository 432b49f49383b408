//! What people and models are told.

use expect_test::{Expect, expect};
use haft_policy::{
    Approver, Assurance, Belief, Caller, Facts, HintCondition, HintConditions, Hints, Policy, RuleSet, Tier, Verdict,
    Who,
};
use haft_schema::Tree;

use crate::{condition, facts, policy, read_only, rule};

fn check(policy: &Policy, facts: &Facts<'_>, expected: Expect) {
    expected.assert_eq(&policy.explain(facts).to_string());
}

fn writes() -> HintConditions {
    HintConditions { read_only: Some(HintCondition::Is(false)), ..HintConditions::default() }
}

#[test]
fn an_explanation_shows_hints_the_deciding_rule_and_what_nearly_decided() {
    let outside = condition(r#"{"properties":{"path":{"not":{"pattern":"^/data/"}}}}"#);
    let policy = policy(
        Tier::Project,
        [
            rule("files.*", Verdict::Allow).named("trusting"),
            rule("files.*", Verdict::Deny).when_arguments(outside).named("stay-in-data"),
            rule("File.write", Verdict::Deny),
            rule("mail.*", Verdict::Deny).named("unrelated"),
        ],
    )
    .with(
        Tier::User,
        RuleSet::new([
            rule("files.*", Verdict::Ask(Approver::Person)).when_hints(writes()).because("writes are looked at"),
            rule("*", Verdict::Deny).for_callers(Who::any_of(["guests"])),
            rule("*", Verdict::Deny).for_callers(Who::any_of(["guests"])).when_interactive(true).named("two-away"),
        ]),
    );
    let groups = ["ops".to_owned()];
    let arguments = Tree::parse(r#"{"path":"/data/a"}"#).unwrap();
    let mut facts = facts(Hints { open_world: Some(false), ..Hints::default() }, Belief::Believed);
    facts.caller = Caller::new("alice", &groups, Assurance::Person);
    check(
        &policy,
        &facts.with_arguments(&arguments),
        expect![[r#"
            files.write
              read_only    false  the protocol's default
              destructive  true   the protocol's default
              idempotent   false  the protocol's default
              open_world   false  claimed by the server, which is believed
            ask the person: rule 1 of the user's policy: writes are looked at
            matches, too: rule `trusting` of the project's policy (allow; a project may only tighten)
            nearly matches: rule 2 of the user's policy (deny), but for `who`
            nearly matches: rule `stay-in-data` of the project's policy (deny), but for `when.args`
            nearly matches: rule 3 of the project's policy (deny), but for `tools`
        "#]],
    );
}

#[test]
fn an_explanation_by_the_default_table_says_which_row() {
    check(
        &Policy::default(),
        &read_only(Belief::Own),
        expect![[r#"
            files.write
              read_only    true   said by its own definition
              destructive  false  follows from read_only
              idempotent   true   follows from read_only
              open_world   true   the protocol's default
            allow: by default a tool that is known to read only is allowed
        "#]],
    );
    let additive = Hints { destructive: Some(false), ..Hints::default() };
    let person = |facts: &Facts<'_>| Policy::default().decide(facts).for_person().to_string();
    assert_eq!(person(&facts(additive, Belief::Own)), "allow: by default an own tool that does not destroy is allowed");
    assert_eq!(
        person(&facts(additive, Belief::Believed)),
        "ask the client: by default a tool that may change something is asked about"
    );
}

#[test]
fn a_hidden_tool_is_said_to_be_hidden_and_its_name_cannot_act_on_a_terminal() {
    let policy = policy(Tier::Admin, [rule("*", Verdict::Deny).named("a\u{1b}[2Jb").because("no\nmore")]);
    let mut facts = read_only(Belief::Untrusted);
    facts.origin = haft_policy::Origin::new("files", "x\u{1b}[31m\nallow: fine");
    check(
        &policy,
        &facts,
        expect![[r#"
            files.x\u{1b}[31m\nallow: fine
              read_only    false  the protocol's default
              destructive  true   the protocol's default
              idempotent   false  the protocol's default
              open_world   true   the protocol's default
            deny: rule `a\u{1b}[2Jb` of the administrator's policy: no\nmore
            the tool is hidden from this caller
        "#]],
    );
}

#[test]
fn a_model_is_told_the_rule_and_no_way_round_it() {
    let schema = condition(r#"{"properties":{"path":{"pattern":"^/etc/"}}}"#);
    let arguments = Tree::parse(r#"{"path":"/etc/passwd"}"#).unwrap();
    let told = |verdict, reason: Option<&str>| {
        let mut rule = rule("files.*", verdict).when_arguments(schema.clone()).when_hints(writes()).named("no-etc");
        rule.reason = reason.map(str::to_owned);
        let policy = policy(Tier::Project, [rule.for_callers(Who::none_of(["ops"]))]);
        let facts = facts(Hints::default(), Belief::Untrusted).with_arguments(&arguments);
        policy.decide(&facts).for_model().to_string()
    };
    assert_eq!(told(Verdict::Deny, None), "refused by rule `no-etc` of the project's policy");
    assert_eq!(
        told(Verdict::Ask(Approver::Person), Some("the system is not yours")),
        "approval is required by rule `no-etc` of the project's policy: the system is not yours"
    );
    let default = Policy::default().decide(&facts(Hints::default(), Belief::Untrusted));
    assert_eq!(default.for_model().to_string(), "approval is required by the default policy");
}
