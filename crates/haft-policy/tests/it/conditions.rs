//! Conditions on callers, interactivity, hints and arguments, hostile ones too.

use std::time::{Duration, Instant};

use haft_policy::{
    ArgumentCondition, Assurance, Basis, Belief, Caller, Claims, Condition, Facts, Hint, HintCondition, HintConditions,
    Hints, Origin, Tier, Verdict, Who,
};
use haft_schema::Tree;

use crate::{condition, decide, facts, policy, raw, read_only, rule};

#[test]
fn rules_are_for_members_of_groups_or_for_all_others() {
    let groups = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let mut both = Who::any_of(["ops", "dev"]);
    both.none_of = groups(&["guests"]);
    let cases = [
        (Who::default(), groups(&[]), true),
        (Who::any_of(["ops", "dev"]), groups(&["dev"]), true),
        (Who::any_of(["ops", "dev"]), groups(&["OPS"]), false),
        (Who::any_of(["ops"]), groups(&[]), false),
        (Who::none_of(["ops"]), groups(&[]), true),
        (Who::none_of(["ops"]), groups(&["dev", "ops"]), false),
        (both.clone(), groups(&["ops"]), true),
        (both, groups(&["ops", "guests"]), false),
    ];
    for (who, groups, expected) in cases {
        let policy = policy(Tier::User, [rule("*", Verdict::Deny).for_callers(who.clone())]);
        let mut facts = read_only(Belief::Own);
        facts.caller = Caller::new("somebody", &groups, Assurance::Client);
        assert_eq!(policy.decide(&facts).verdict == Verdict::Deny, expected, "{who:?} {groups:?}");
        assert_eq!(policy.sees(&facts), !expected);
    }
}

#[test]
fn rules_can_depend_on_whether_somebody_can_be_asked() {
    let policy = policy(Tier::User, [rule("*", Verdict::Deny).when_interactive(false)]);
    let facts = read_only(Belief::Own);
    assert_eq!(policy.decide(&facts).verdict, Verdict::Deny);
    assert_eq!(policy.decide(&facts.interactive()).verdict, Verdict::Allow);
    assert!(policy.sees(&facts), "what a caller sees does not depend on the connection");
}

#[test]
fn rules_on_hints_look_at_what_holds() {
    let when = |hint, condition| {
        let mut conditions = HintConditions::default();
        conditions.set(hint, Some(HintCondition::Is(condition)));
        policy(Tier::User, [rule("*", Verdict::Deny).when_hints(conditions)])
    };
    let nothing = facts(Hints::default(), Belief::Untrusted);
    for hint in Hint::ALL {
        assert_eq!(when(hint, hint.strictest()).decide(&nothing).verdict, Verdict::Deny);
        assert_ne!(when(hint, !hint.strictest()).decide(&nothing).verdict, Verdict::Deny);
    }
    // A tool that only reads destroys nothing, although nobody said so.
    assert_eq!(when(Hint::Destructive, true).decide(&read_only(Belief::Believed)).verdict, Verdict::Allow);
    assert_eq!(when(Hint::Idempotent, true).decide(&read_only(Belief::Believed)).verdict, Verdict::Deny);
    assert_eq!(when(Hint::Destructive, true).decide(&read_only(Belief::Untrusted)).verdict, Verdict::Deny);
}

#[test]
fn rules_on_arguments_look_at_the_final_ones() {
    let schema = r#"{"required":["path"],"properties":{"path":{"type":"string","pattern":"^/data/"}}}"#;
    let policy = policy(Tier::User, [rule("*", Verdict::Allow).when_arguments(condition(schema))]);
    let facts = facts(Hints::default(), Belief::Untrusted);
    for (arguments, expected) in [
        (r#"{"path":"/data/x"}"#, "allow"),
        (r#"{"path":"/data/x","more":1}"#, "allow"),
        (r#"{"path":"/etc/x"}"#, "ask"),
        (r#"{"path":["/data/x"]}"#, "ask"),
        ("{}", "ask"),
    ] {
        assert_eq!(decide(&policy, &facts, arguments).verdict.word(), expected, "{arguments}");
    }
    assert_eq!(policy.decide(&facts).verdict.word(), "ask", "arguments that are not known fit no allow");
}

#[test]
fn a_deny_with_a_condition_on_arguments_hides_nothing() {
    let schema = r#"{"required":["force"]}"#;
    let policy = policy(Tier::Admin, [rule("*", Verdict::Deny).when_arguments(condition(schema))]);
    let facts = read_only(Belief::Own);
    assert!(policy.sees(&facts));
    assert_eq!(decide(&policy, &facts, "{}").verdict, Verdict::Allow);
    assert_eq!(decide(&policy, &facts, r#"{"force":false}"#).verdict, Verdict::Deny);
    assert_eq!(policy.decide(&facts).verdict, Verdict::Deny, "arguments that are not known may be any");
}

#[test]
fn schemas_that_would_not_mean_what_they_say_are_refused() {
    for (schema, expected) in [
        (r#"{"propertes":{}}"#, "unknown keyword `propertes`; did you mean `properties`? at `/propertes`"),
        (
            r#"{"properties":{"a":{"anyOf":[{},{"patern":"x"}]}}}"#,
            "unknown keyword `patern`; did you mean `pattern`? at `/properties/a/anyOf/1/patern`",
        ),
        (
            r#"{"properties":{"a/b":{"format":"ip"}}}"#,
            "the format `ip` is not checked; there are `date`, `time`, `date-time`, `duration`, `email`, `uri`, \
             `uuid`, `ipv4`, `ipv6` at `/properties/a~1b/format`",
        ),
        (
            r#"{"properties":{"a":{"pattern":"^(?!x)"}}}"#,
            "a pattern with look-around or back-references may give up; a condition has to hold or not",
        ),
        (
            r#"{"properties":{"a":{"pattern":"("}}}"#,
            "the pattern at `/properties/a/pattern` cannot be used: unclosed group",
        ),
        (r#"{"not":{"then":{"required":["a"]}}}"#, "`then` without `if` says nothing at `/not/then`"),
        (
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","required":["a"]}"#,
            "a condition is written in JSON Schema 2020-12, which needs no `$schema`",
        ),
        (r#"{"$ref":"https://example.com/"}"#, "`` refers outside the document: `https://example.com/`"),
        (r##"{"$ref":"#"}"##, "`` refers back to itself at the same place of the value"),
    ] {
        let error = ArgumentCondition::compile(&raw(schema)).unwrap_err();
        assert_eq!(error.to_string(), expected, "{schema}");
    }
    let properties = r#"{"enum":[1],"const":{"anything":1},"default":1,"examples":[{"foo":1}],"type":"string"}"#;
    let fine = format!(r#"{{"properties":{{"anything":{properties}}},"required":["x"],"not":{{"required":["y"]}}}}"#);
    assert!(ArgumentCondition::compile(&raw(&fine)).is_err(), "the default does not fit");
    let fine = fine.replace(r#""default":1,"#, "");
    ArgumentCondition::compile(&raw(&fine)).unwrap();
}

#[test]
fn what_cannot_be_evaluated_is_denied_whatever_the_rule_says() {
    let branches: Vec<String> =
        (0..200).map(|index| format!(r#"{{"properties":{{"k{index}":{{"const":1}}}}}}"#)).collect();
    let schema = format!(r#"{{"anyOf":[{}],"properties":{{"text":{{"pattern":"(a|b|ab)*c"}}}}}}"#, branches.join(","));
    let huge = format!(r#"{{"list":[{}]}}"#, vec!["\"aaaaaaaaaaaaaaaaaaaaaaaa\""; 200_000].join(","));
    let arguments = Tree::parse(&huge).unwrap();
    for verdict in crate::random::VERDICTS {
        for tier in Tier::ALL {
            let policy = policy(tier, [rule("files.*", verdict).when_arguments(condition(&schema))]);
            let facts = read_only(Belief::Own).with_arguments(&arguments);
            let start = Instant::now();
            let decision = policy.decide(&facts);
            assert!(start.elapsed() < Duration::from_secs(5));
            assert_eq!(decision.verdict, Verdict::Deny, "{verdict:?} {tier:?}");
            assert!(matches!(decision.basis, Basis::Unevaluable(_)));
            assert!(decision.for_model().to_string().starts_with("refused by rule 1 of"));
            let mut other = facts;
            other.origin = Origin::local("write");
            assert_eq!(policy.decide(&other).verdict, Verdict::Allow, "a rule for other tools is not evaluated");
        }
    }
}

#[test]
fn a_name_that_a_peer_chose_makes_its_tool_no_other_servers() {
    let policy = policy(Tier::User, [rule("files.*", Verdict::Allow)]);
    let claims = Claims::new(Hints::default(), Belief::Untrusted);
    for (source, tool, expected) in
        [("files", "write", "allow"), ("evil", "files.write", "ask"), ("evil", "files.*", "ask")]
    {
        let facts = Facts::new(Origin::new(source, tool), claims, Caller::anonymous());
        assert_eq!(policy.decide(&facts).verdict.word(), expected);
    }
}

#[test]
fn conditions_are_called_by_their_keys() {
    let names = [Condition::Arguments, Condition::Hint(Hint::OpenWorld), Condition::Tools].map(|one| one.to_string());
    assert_eq!(names, ["when.args", "when.hints.open_world", "tools"]);
}
