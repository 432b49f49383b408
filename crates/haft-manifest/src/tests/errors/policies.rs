//! Policies and tables of expected decisions that are refused.

use std::path::Path;

use expect_test::{Expect, expect};
use haft_diag::Paint;

use crate::{ManifestErrors, parse_cases, parse_policy};

fn rendered(errors: &ManifestErrors) -> String {
    let rendered: Vec<String> = errors.diagnostics().iter().map(|diagnostic| diagnostic.render(Paint::Plain)).collect();
    rendered.join("\n")
}

fn check(text: &str, expected: Expect) {
    match parse_policy(text, Path::new("policy.toml")) {
        Ok(set) => panic!("accepted: {set:?}"),
        Err(errors) => expected.assert_eq(&rendered(&errors)),
    }
}

/// The errors of a policy with one rule, each without its frame, after the text that it points at.
fn check_rule(rest: &str, expected: Expect) {
    let text = format!("[[policy.rule]]\n{rest}\n");
    let errors = match parse_policy(&text, Path::new("policy.toml")) {
        Ok(set) => panic!("accepted: {set:?}"),
        Err(errors) => errors,
    };
    let mut lines = Vec::new();
    for diagnostic in errors.diagnostics() {
        lines.push(format!("{} <- {}\n", diagnostic.message, &text[diagnostic.span.clone().unwrap()]));
        let more = diagnostic.label.iter().chain(&diagnostic.notes).chain(&diagnostic.causes).chain(&diagnostic.hint);
        lines.extend(more.map(|line| format!("    {line}\n")));
    }
    expected.assert_eq(&lines.concat());
}

#[test]
fn unknown_keys_of_a_policy_are_named_with_what_was_meant_all_at_once() {
    check(
        r#"polici = 1
[policy]
mod = "shadow"
[[policy.rule]]
tool = "*"
then = "deny"
args = { required = ["x"] }
when.hint = { read_only = true }
when.hints = { readOnly = true }
when.args = { propertes = {} }
who = { anyof = ["x"] }
[[policy.pin]]
tools = "*"
hint = { read_only = true }
"#,
        expect![[r#"
            error: unknown key `polici`
             --> policy.toml:1:1
              |
            1 | polici = 1
              | ^^^^^^ did you mean `policy`?

            error: unknown key `mod`
             --> policy.toml:3:1
              |
            3 | mod = "shadow"
              | ^^^ did you mean `mode`?

            error: unknown key `tool`
             --> policy.toml:5:1
              |
            5 | tool = "*"
              | ^^^^ did you mean `tools`?

            error: unknown key `args`
             --> policy.toml:7:1
              |
            7 | args = { required = ["x"] }
              | ^^^^ belongs into `when`

            error: unknown key `hint`
             --> policy.toml:8:6
              |
            8 | when.hint = { read_only = true }
              |      ^^^^ did you mean `hints`?

            error: unknown key `readOnly`
             --> policy.toml:9:16
              |
            9 | when.hints = { readOnly = true }
              |                ^^^^^^^^ did you mean `read_only`?

            error: unknown keyword `propertes`
              --> policy.toml:10:15
               |
            10 | when.args = { propertes = {} }
               |               ^^^^^^^^^ did you mean `properties`?

            error: unknown key `anyof`
              --> policy.toml:11:9
               |
            11 | who = { anyof = ["x"] }
               |         ^^^^^ did you mean `any_of`?

            error: unknown key `hint`
              --> policy.toml:14:1
               |
            14 | hint = { read_only = true }
               | ^^^^ did you mean `hints`?
        "#]],
    );
}

#[test]
fn rules_have_tools_and_a_verdict() {
    check_rule(
        "",
        expect![[r#"
        a rule has no `tools` <- [[policy.rule]]
        a rule has no `then` <- [[policy.rule]]
    "#]],
    );
    check_rule(
        "tools = []\nthen = \"alow\"",
        expect![[r#"
        `tools` is empty <- []
        `then` has to be one of `allow`, `ask`, `deny` <- "alow"
            did you mean `allow`?
    "#]],
    );
    check_rule(
        "tools = [\"a\", 1]\nthen = 1",
        expect![[r#"
        `tools` has to be a string, not this integer <- 1
        `then` has to be a string, not this integer <- 1
    "#]],
    );
    check_rule(
        "tools = {}\nthen = \"deny\"\nask = \"person\"",
        expect![[r#"
        `tools` has to be a string or an array of strings, not a table <- {}
        `ask` says whom to ask, which is for `then = "ask"` <- "person"
    "#]],
    );
    check_rule(
        "tools = [\"ok\", \"files.{a,b}\", \"x.\"]\nthen = \"ask\"\nask = \"peson\"",
        expect![[r#"
        the pattern `files.{a,b}` has a character that means nothing in it: there are `*` and `?`, and arrays of patterns <- "files.{a,b}"
        the pattern `x.` has nothing on one side of its dot <- "x."
        `ask` has to be one of `client`, `person` <- "peson"
            did you mean `person`?
    "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"deny\"\nname = \"\"\nreason = 1",
        expect![[r#"
        `name` is empty <- ""
        `reason` has to be a string, not this integer <- 1
    "#]],
    );
}

#[test]
fn a_name_is_no_number_and_no_row_of_the_default_table() {
    for name in ["2", "default:read-only"] {
        let errors = parse_policy(
            &format!("[[policy.rule]]\ntools = \"*\"\nthen = \"deny\"\nname = \"{name}\""),
            Path::new("policy.toml"),
        );
        let message = errors.unwrap_err().diagnostics()[0].message.clone();
        assert!(message.starts_with("a number, and what begins with `default:`, is no name"), "{message}");
    }
}

#[test]
fn nesting_without_end_ends_in_an_error() {
    for text in [
        format!("[[policy.rule]]\ntools = \"*\"\nthen = \"deny\"\nwhen.args.{}const = 1\n", "not.".repeat(100_000)),
        format!("[[policy.rule]]\ntools = \"*\"\nthen = \"deny\"\nwhen.args = {}\n", "{ not = ".repeat(100_000)),
        format!("[policy{}]\n", ".a".repeat(100_000)),
        format!("policy = {}", "[".repeat(100_000)),
    ] {
        assert!(!parse_policy(&text, Path::new("policy.toml")).unwrap_err().diagnostics().is_empty());
    }
}

#[test]
fn whom_a_rule_is_for_is_never_nobody_by_accident() {
    check_rule(
        "tools = \"*\"\nthen = \"deny\"\nwho = []",
        expect![[r#"
        `who` is empty <- []
    "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"deny\"\nwho = [\"ops\", \" \"]",
        expect![[r#"
        a group in `who` is empty <- " "
    "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"deny\"\nwho = {}",
        expect![[r#"
        `who` names no group <- {}
    "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"deny\"\nwho = true",
        expect![[r#"
        `who` has to be a group, an array of groups or a table, not a boolean <- true
    "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"deny\"\nwho = { any_of = [1] }",
        expect![[r#"
        `any_of` has to be a string, not this integer <- 1
    "#]],
    );
}

#[test]
fn conditions_that_would_not_mean_what_they_say_are_refused_where_they_stand() {
    check_rule(
        "tools = \"*\"\nthen = \"deny\"\nwhen = { hints = { read_only = \"no\", destructive = 1 }, interactive = \"yes\" }",
        expect![[r#"
            `read_only` has to be true, false or "absent", not this string <- "no"
            `destructive` has to be true, false or "absent", not this integer <- 1
            `interactive` has to be true or false, not this string <- "yes"
        "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"allow\"\nwhen.args = { properties = { path = { patern = \"^/data/\" } } }",
        expect![[r#"
            unknown keyword `patern` <- patern
                did you mean `pattern`?
        "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"allow\"\nwhen.args.properties.path.pattern = \"(\"",
        expect![[r#"
        the condition on the arguments cannot be used <- pattern
            the pattern at `/properties/path/pattern` cannot be used: unclosed group
    "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"allow\"\nwhen.args.properties.path.pattern = '^(?!/etc)'",
        expect![[r#"
        the condition on the arguments cannot be used <- args
            a pattern with look-around or back-references may give up; a condition has to hold or not
    "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"allow\"\nwhen.args.anyOf = [{}, { properties.a.format = \"path\" }]",
        expect![[r#"
            the format `path` is not checked <- format
                there are `date`, `time`, `date-time`, `duration`, `email`, `uri`, `uuid`, `ipv4`, `ipv6`
        "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"allow\"\nwhen.args.properties.a.type = \"strin\"",
        expect![[r#"
        the condition on the arguments cannot be used <- type
            schema is not valid at `/properties/a/type`: expected one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`; did you mean `string`?
    "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"allow\"\nwhen.args = [1979-05-27]",
        expect![[r#"
        `args` has to be a table, not an array <- [1979-05-27]
    "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"allow\"\nwhen.args.const = 1979-05-27",
        expect![[r#"
        this is a date; write it as a string <- 1979-05-27
    "#]],
    );
    check_rule(
        "tools = \"*\"\nthen = \"allow\"\nwhen.args.\"$ref\" = \"https://example.com\"",
        expect![[r#"
        the condition on the arguments cannot be used <- args
            `` refers outside the document: `https://example.com`
    "#]],
    );
}

#[test]
fn a_name_stands_for_one_rule_and_a_pin_says_something() {
    check(
        r#"[policy]
mode = "shadwo"
rule = [{ tools = "*", then = "deny", name = "a" }, { tools = "*", then = "deny", name = "a" }]
[[policy.pin]]
tools = "*"
hints = {}
[[policy.pin]]
hints = { read_only = true, destructive = true }
[[policy.pin]]
tools = "*"
hints = { read_only = "absent" }
"#,
        expect![[r#"
            error: `mode` has to be one of `enforce`, `shadow`
             --> policy.toml:2:8
              |
            2 | mode = "shadwo"
              |        ^^^^^^^^ did you mean `shadow`?

            error: two rules are named `a`
             --> policy.toml:3:53
              |
            3 | rule = [{ tools = "*", then = "deny", name = "a" }, { tools = "*", then = "deny", name = "a" }]
              |                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            error: `hints` says nothing
             --> policy.toml:6:9
              |
            6 | hints = {}
              |         ^^

            error: a pin has no `tools`
             --> policy.toml:7:1
              |
            7 | [[policy.pin]]
              | ^^^^^^^^^^^^^^

            error: a tool that only reads cannot be destructive
             --> policy.toml:8:9
              |
            8 | hints = { read_only = true, destructive = true }
              |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            error: `read_only` has to be true or false, not this string
              --> policy.toml:11:23
               |
            11 | hints = { read_only = "absent" }
               |                       ^^^^^^^^
        "#]],
    );
    check(
        "policy = 1",
        expect![[r#"
        error: `policy` has to be a table, not this integer
         --> policy.toml:1:10
          |
        1 | policy = 1
          |          ^
    "#]],
    );
    check(
        "[policy]\nrule = {}\npin = 1",
        expect![[r#"
        error: `rule` has to be an array of tables: `[[policy.rule]]`, not a table
         --> policy.toml:2:8
          |
        2 | rule = {}
          |        ^^

        error: `pin` has to be an array of tables: `[[policy.pin]]`, not this integer
         --> policy.toml:3:7
          |
        3 | pin = 1
          |       ^
    "#]],
    );
    check(
        "[policy\n",
        expect![[r#"
        error: unclosed table, expected `]`
         --> policy.toml:1:8
          |
        1 | [policy
          |        ^
    "#]],
    );
}

#[test]
fn a_manifest_is_refused_for_its_policy_too() {
    super::check(
        "[server]\nname = \"x\"\n[[policy.rule]]\ntools = \"*\"\nthen = \"denny\"\n",
        expect![[r#"
        error: `then` has to be one of `allow`, `ask`, `deny`
         --> haft.toml:5:8
          |
        5 | then = "denny"
          |        ^^^^^^^ did you mean `deny`?
    "#]],
    );
}

#[test]
fn tables_of_expected_decisions_are_as_strict() {
    let check = |text: &str, expected: Expect| match parse_cases(text, Path::new("cases.toml")) {
        Ok(cases) => panic!("accepted: {cases:?}"),
        Err(errors) => expected.assert_eq(&rendered(&errors)),
    };
    check(
        "",
        expect![[r#"
        error: there is no `[[case]]`
         --> cases.toml:1:1
          |
        1 |
          | ^
    "#]],
    );
    check(
        r#"[[cases]]
[[case]]
[[case]]
tool = "files.read"
expected = "allow"
belief = "belived"
hints = { read_only = "absent" }
args = [1]
who = []
[[case]]
tool = "files.read"
expect = "allow"
ask = "person"
visible = "yes"
"#,
        expect![[r#"
            error: unknown key `cases`
             --> cases.toml:1:3
              |
            1 | [[cases]]
              |   ^^^^^ did you mean `case`?

            error: a case has no `tool`
             --> cases.toml:2:1
              |
            2 | [[case]]
              | ^^^^^^^^

            error: a case has no `expect`
             --> cases.toml:2:1
              |
            2 | [[case]]
              | ^^^^^^^^

            error: unknown key `expected`
             --> cases.toml:5:1
              |
            5 | expected = "allow"
              | ^^^^^^^^ did you mean `expect`?

            error: `belief` has to be one of `own`, `believed`, `untrusted`
             --> cases.toml:6:10
              |
            6 | belief = "belived"
              |          ^^^^^^^^^ did you mean `believed`?

            error: `read_only` has to be true or false, not this string
             --> cases.toml:7:23
              |
            7 | hints = { read_only = "absent" }
              |                       ^^^^^^^^

            error: `args` has to be a table, not an array
             --> cases.toml:8:8
              |
            8 | args = [1]
              |        ^^^

            error: `who` is empty
             --> cases.toml:9:7
              |
            9 | who = []
              |       ^^

            error: `ask` says whom to ask, which is for `expect = "ask"`
              --> cases.toml:13:7
               |
            13 | ask = "person"
               |       ^^^^^^^^

            error: `visible` has to be true or false, not this string
              --> cases.toml:14:11
               |
            14 | visible = "yes"
               |           ^^^^^
        "#]],
    );
}
