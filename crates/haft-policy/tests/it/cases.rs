//! Tables of expected decisions.

use haft_policy::{Belief, Case, Expectation, Hints, Origin, Tier, Verdict};

use crate::{condition, policy, rule};

#[test]
fn a_case_that_comes_out_otherwise_says_how() {
    let outside = condition(r#"{"required":["force"]}"#);
    let policy = policy(
        Tier::Project,
        [rule("files.*", Verdict::Deny).when_arguments(outside).named("no-force"), rule("mail.*", Verdict::Deny)],
    );
    let expecting = |verdict, rule: Option<&str>, is_visible| {
        let mut expectation = Expectation::new(verdict);
        (expectation.rule, expectation.is_visible) = (rule.map(str::to_owned), is_visible);
        expectation
    };
    let mut passing =
        Case::new("a", Origin::new("files", "rm"), expecting(Verdict::Deny, Some("no-force"), Some(true)));
    passing.arguments = Some(r#"{"force":true}"#.to_owned());
    let mut reading = Case::new("b", Origin::local("rm"), expecting(Verdict::Allow, Some("default:read-only"), None));
    reading.hints = Hints { read_only: Some(true), ..Hints::default() };
    assert_eq!(reading.belief, Belief::Own);
    let hidden = Case::new("c", Origin::new("mail", "send"), expecting(Verdict::Deny, Some("2"), Some(false)));
    let wrong = Case::new("d", Origin::new("files", "rm"), expecting(Verdict::Deny, Some("no-force"), Some(false)));
    let mut broken = Case::new("e\n", Origin::local("rm"), Expectation::new(Verdict::Allow));
    broken.arguments = Some("{".to_owned());

    let failures = Case::check_all(&[passing, reading, hidden, wrong, broken], &policy);
    let texts: Vec<String> = failures.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts[0],
        "d\n  expected `deny`, got `ask the client`: by default a tool that may change something is asked about\n  \
         expected a decision by `no-force`, it was by `default:otherwise`\n  expected a tool that is hidden, it is seen"
    );
    assert!(texts[1].starts_with("e\\n\n  the arguments cannot be read: "), "{}", texts[1]);
    assert_eq!(texts.len(), 2);
}
