//! Policies from files, as they decide.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use haft_policy::{Approver, Belief, Caller, Case, Claims, Facts, Hints, Mode, Origin, Policy, RuleSet, Tier, Verdict};
use haft_schema::Tree;

use super::{one_tool, parse};
use crate::{load_cases, load_policy, parse_cases, parse_policy};

fn policy(text: &str) -> RuleSet {
    parse_policy(text, Path::new("policy.toml")).unwrap()
}

#[test]
fn every_key_of_a_rule_means_what_it_says() {
    let rule =
        "[[policy.rule]]\ntools = [\"files.w*\", \"send\"]\nthen = \"deny\"\nname = \"n\"\nreason = \"because\"\n";
    let ops = ["ops".to_owned()];
    let call = |more: &str, change: &dyn Fn(&mut Facts<'_>)| {
        let policy = Policy::default().with(Tier::User, policy(&format!("{rule}{more}\n")));
        let arguments = Tree::parse(r#"{"path":"/etc/x"}"#).unwrap();
        let claims = Claims::new(Hints { read_only: Some(true), ..Hints::default() }, Belief::Believed);
        let mut facts =
            Facts::new(Origin::new("files", "write"), claims, Caller::anonymous()).with_arguments(&arguments);
        facts.caller.groups = &ops;
        change(&mut facts);
        policy.decide(&facts).verdict == Verdict::Deny
    };
    let unchanged = |_: &mut Facts<'_>| {};
    assert!(call("", &unchanged));
    assert!(call("", &|facts| facts.origin = Origin::new("mail", "send")));
    assert!(!call("", &|facts| facts.origin = Origin::new("mail", "write")));
    for (condition, expected) in [
        ("who = \"ops\"", true),
        ("who = [\"dev\", \"ops\"]", true),
        ("who = \"dev\"", false),
        ("who = { none_of = \"ops\" }", false),
        ("who = { any_of = [\"ops\"], none_of = [\"dev\"] }", true),
        ("when.interactive = false", true),
        ("when.interactive = true", false),
        ("when.hints = { read_only = true, destructive = false }", true),
        ("when.hints.read_only = false", false),
        ("when.hints = { open_world = \"absent\", idempotent = true }", true),
        ("when.hints = { read_only = \"absent\" }", false),
        ("when.args.properties.path.pattern = \"^/etc/\"", true),
        ("when = { args = { properties = { path = { pattern = \"^/data/\" } } } }", false),
    ] {
        assert_eq!(call(condition, &unchanged), expected, "{condition}");
    }
}

#[test]
fn a_rule_says_whom_to_ask() {
    for (ask, expected) in
        [("", Approver::Client), ("ask = \"client\"", Approver::Client), ("ask = \"person\"", Approver::Person)]
    {
        let set = policy(&format!("[[policy.rule]]\ntools = \"*\"\nthen = \"ask\"\n{ask}\n"));
        assert_eq!(set.rules[0].verdict, Verdict::Ask(expected));
    }
}

#[test]
fn modes_and_pins_are_read() {
    let set =
        policy("[policy]\nmode = \"shadow\"\n[[policy.pin]]\ntools = \"git.log\"\nhints = { read_only = true }\n");
    assert_eq!(set.mode, Some(Mode::Shadow));
    assert_eq!(set.pins[0].hints, Hints { read_only: Some(true), ..Hints::default() });
    assert_eq!(policy("[policy]\nmode = \"enforce\"").mode, Some(Mode::Enforce));
    assert_eq!(policy("").mode, None);
}

#[test]
fn the_policy_of_a_manifest_is_the_projects() {
    let text = one_tool("command = { argv = [\"true\"] }\nannotations = { read_only = true }");
    assert!(parse(&text).unwrap().policy().rules.is_empty());
    let rules =
        "[[policy.rule]]\ntools = \"t\"\nthen = \"ask\"\n[[policy.rule]]\ntools = \"local.*\"\nthen = \"allow\"\n";
    let manifest = parse(&format!("{text}{rules}")).unwrap();
    let policy = Policy::default().with(Tier::Project, manifest.policy().clone());
    let tool = manifest.definitions().next().unwrap();
    let claims = Claims::new(Hints::from(&tool.annotations), Belief::Own);
    let facts = Facts::new(Origin::local(tool.name.as_str()), claims, Caller::anonymous());
    assert_eq!(Policy::default().decide(&facts).verdict, Verdict::Allow);
    assert_eq!(policy.decide(&facts).for_model().to_string(), "approval is required by rule 1 of the project's policy");
    assert_eq!(policy.idle().count(), 1);
}

#[test]
fn a_policy_file_that_is_missing_says_nothing_and_one_that_cannot_be_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.toml");
    assert!(load_policy(&path).unwrap().rules.is_empty());
    assert!(load_policy(&folder.path().join("none/policy.toml")).unwrap().rules.is_empty());
    fs::write(&path, "[[policy.rule]]\ntools = \"*\"\nthen = \"deny\"\n").unwrap();
    assert_eq!(load_policy(&path).unwrap().rules.len(), 1);

    let refused = |path: &Path| load_policy(path).unwrap_err().diagnostics()[0].message.clone();
    assert_eq!(refused(folder.path()), "cannot read the policy");
    assert_eq!(refused(&path.join("policy.toml")), "cannot read the policy");
    symlink("nowhere", folder.path().join("link")).unwrap();
    assert_eq!(refused(&folder.path().join("link")), "cannot read the policy");
    fs::write(&path, b"\xff").unwrap();
    assert_eq!(refused(&path), "the policy is not UTF-8");
    fs::write(&path, "#".repeat((4 << 20) + 1)).unwrap();
    assert_eq!(refused(&path), "the policy is larger than 4 MiB");
}

#[test]
fn a_table_of_expected_decisions_tries_a_policy() {
    let set = policy(
        r#"
        [[policy.rule]]
        name = "stay-in-data"
        tools = "files.*"
        when.args = { properties = { path = { not = { pattern = "^/data/" } } }, required = ["path"] }
        then = "deny"
        [[policy.rule]]
        tools = "files.*"
        who = { none_of = ["ops"] }
        when.interactive = true
        then = "ask"
        ask = "person"
        "#,
    );
    let policy = Policy::default().with(Tier::Project, set);
    let table = r#"
        [[case]]
        tool = "files.read"
        hints = { read_only = true }
        belief = "believed"
        args = { path = "/data/x" }
        who = "ops"
        expect = "allow"
        rule = "default:read-only"
        visible = true
        [[case]]
        tool = "files.read"
        pins = { read_only = true }
        interactive = true
        expect = "ask"
        ask = "person"
        rule = "2"
        [[case]]
        name = "elsewhere"
        tool = "files.read"
        args = { path = "/etc/passwd" }
        expect = "allow"
        [[case]]
        tool = "add"
        hints = { destructive = false }
        expect = "allow"
        rule = "default:own-additive"
        [[case]]
        tool = "mail.send"
        hints = { read_only = true }
        expect = "ask"
    "#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cases.toml");
    fs::write(&path, table).unwrap();
    let cases = load_cases(&path).unwrap();
    assert_eq!(cases.len(), 5);
    let failures: Vec<String> = Case::check_all(&cases, &policy).iter().map(ToString::to_string).collect();
    assert_eq!(failures, ["elsewhere\n  expected `allow`, got `deny`: rule `stay-in-data` of the project's policy"]);
    assert_eq!(
        load_cases(&folder.path().join("none")).unwrap_err().diagnostics()[0].message,
        "cannot read the table of expected decisions"
    );
}

#[test]
fn the_policies_in_the_documentation_are_policies_and_every_key_is_documented() {
    let page = include_str!("../../../../docs/policy.md");
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let (tables, policies): (Vec<&str>, Vec<&str>) = blocks.into_iter().partition(|block| block.contains("[[case]]"));
    assert!(!tables.is_empty() && policies.len() > 1);
    let mut documented = Policy::default();
    for text in &policies {
        let set = policy(text);
        if set.mode.is_none() {
            documented = documented.with(Tier::User, set);
        }
    }
    for table in tables {
        let cases = parse_cases(table, Path::new("cases.toml")).unwrap();
        let failures: Vec<String> = Case::check_all(&cases, &documented).iter().map(ToString::to_string).collect();
        assert!(failures.is_empty(), "{failures:?}");
    }

    // An unknown key is answered with all that are known.
    let unknown = "zzzzzz = 1\n[policy]\nzzzzzz = 1\n[[policy.rule]]\nzzzzzz = 1\nwho = { zzzzzz = 1 }\n\
                   when = { zzzzzz = 1, hints = { zzzzzz = 1 } }\n[[policy.pin]]\nzzzzzz = 1\n";
    let mut notes = Vec::new();
    for errors in [
        parse_policy(unknown, Path::new("policy.toml")).unwrap_err(),
        parse_cases("[[case]]\nzzzzzz = 1\n", Path::new("cases.toml")).unwrap_err(),
    ] {
        notes.extend(errors.diagnostics().iter().flat_map(|diagnostic| diagnostic.notes.clone()));
    }
    assert_eq!(notes.len(), 8, "{notes:?}");
    for key in notes.iter().flat_map(|note| note.split_once(" takes ").unwrap().1.split(", ")) {
        let plain = key.trim_matches('`');
        assert!(page.contains(key) || page.contains(&format!("{plain} =")), "{key} is not documented");
    }
}
