//! Manifests that are refused, with all that is printed about them.
#![expect(clippy::needless_pass_by_value, reason = "an expectation is written where it is handed over")]
#![expect(clippy::too_many_lines, reason = "cases are data")]

mod arguments;
mod commands;
mod policies;

use expect_test::{Expect, expect};
use haft_diag::Paint;

use super::{one_tool, parse};

fn check(text: &str, expected: Expect) {
    let errors = match parse(text) {
        Ok(manifest) => panic!("accepted: {manifest:?}"),
        Err(errors) => errors,
    };
    let rendered: Vec<String> = errors.diagnostics().iter().map(|diagnostic| diagnostic.render(Paint::Plain)).collect();
    expected.assert_eq(&rendered.join("\n"));
}

/// The errors of a manifest with one tool, each without its frame, after the text that it points at.
fn check_tool(rest: &str, expected: Expect) {
    let text = one_tool(rest);
    let errors = match parse(&text) {
        Ok(manifest) => panic!("accepted: {manifest:?}"),
        Err(errors) => errors,
    };
    let mut lines = Vec::new();
    for diagnostic in errors.diagnostics() {
        let span = diagnostic.span.clone().unwrap();
        lines.push(format!("{} <- {}\n", diagnostic.message, &text[span]));
        let more = diagnostic.label.iter().chain(&diagnostic.notes).chain(&diagnostic.causes).chain(&diagnostic.hint);
        lines.extend(more.map(|line| format!("    {line}\n")));
    }
    expected.assert_eq(&lines.concat().replace(env!("CARGO_MANIFEST_DIR"), "$CRATE"));
}

const TRUE: &str = "command = { argv = [\"true\"] }";

#[test]
fn wrong_syntax_is_shown_where_it_is() {
    check(
        "[server\nname = \"x\"\n[[tool]]\nname = x\n",
        expect![[r#"
        error: unclosed table, expected `]`
         --> haft.toml:1:8
          |
        1 | [server
          |        ^

        error: string values must be quoted, expected literal string
         --> haft.toml:4:8
          |
        4 | name = x
          |        ^
    "#]],
    );
}

#[test]
fn a_manifest_without_a_server_says_so() {
    check(
        "",
        expect![[r#"
        error: the manifest has no `[server]`
         --> haft.toml:1:1
          |
        1 |
          | ^
    "#]],
    );
    check(
        "server = 1\ntool = {}",
        expect![[r#"
        error: `server` has to be a table, not this integer
         --> haft.toml:1:10
          |
        1 | server = 1
          |          ^

        error: `tool` has to be an array of tables: `[[tool]]`, not a table
         --> haft.toml:2:8
          |
        2 | tool = {}
          |        ^^
    "#]],
    );
    check(
        "[server]\nname = \" \"\nversion = 1",
        expect![[r#"
        error: `name` is empty
         --> haft.toml:2:8
          |
        2 | name = " "
          |        ^^^

        error: `version` has to be a string, not this integer
         --> haft.toml:3:11
          |
        3 | version = 1
          |           ^
    "#]],
    );
}

#[test]
fn unknown_keys_everywhere_are_named_with_what_was_meant_all_at_once() {
    check(
        r#"[sever]
name = "x"
[server]
nmae = "x"
[[tool]]
naem = "t"
description = "Does it."
annotations = { readOnly = true }
args.a = { tpye = "string", requierd = false }
args.b = { type = "array", items = { typ = "string" } }
command = { argvs = ["true"], zzzzz = 1 }
rate = { call = 1 }
"#,
        expect![[r#"
            error: unknown key `sever`
             --> haft.toml:1:2
              |
            1 | [sever]
              |  ^^^^^ did you mean `server`?

            error: unknown key `nmae`
             --> haft.toml:4:1
              |
            4 | nmae = "x"
              | ^^^^ did you mean `name`?

            error: unknown key `naem`
             --> haft.toml:6:1
              |
            6 | naem = "t"
              | ^^^^ did you mean `name`?

            error: unknown key `readOnly`
             --> haft.toml:8:17
              |
            8 | annotations = { readOnly = true }
              |                 ^^^^^^^^ did you mean `read_only`?

            error: unknown key `tpye`
             --> haft.toml:9:12
              |
            9 | args.a = { tpye = "string", requierd = false }
              |            ^^^^ did you mean `type`?

            error: unknown key `requierd`
             --> haft.toml:9:29
              |
            9 | args.a = { tpye = "string", requierd = false }
              |                             ^^^^^^^^ did you mean `required`?

            error: unknown key `typ`
              --> haft.toml:10:38
               |
            10 | args.b = { type = "array", items = { typ = "string" } }
               |                                      ^^^ did you mean `type`?

            error: unknown key `argvs`
              --> haft.toml:11:13
               |
            11 | command = { argvs = ["true"], zzzzz = 1 }
               |             ^^^^^ did you mean `argv`?

            error: unknown key `zzzzz`
              --> haft.toml:11:31
               |
            11 | command = { argvs = ["true"], zzzzz = 1 }
               |                               ^^^^^
               |
               = note: `command` takes `argv`, `timeout`, `stdin`, `env`, `directory`, `max_output`, `ok_exit`, `empty`, `output`
        "#]],
    );
}

#[test]
fn what_a_later_version_serves_is_not_an_unknown_key() {
    check(
        r#"[server]
name = "x"
[[tool]]
name = "t"
description = "Does it."
http = { method = "GET", url = "https://tracker.example/" }
[upstream.files]
command = ["npx"]
"#,
        expect![[r#"
            error: `http` is not served by this version
             --> haft.toml:6:1
              |
            6 | http = { method = "GET", url = "https://tracker.example/" }
              | ^^^^

            error: `upstream` is not served by this version
             --> haft.toml:7:2
              |
            7 | [upstream.files]
              |  ^^^^^^^^
        "#]],
    );
}

#[test]
fn a_tool_needs_a_name_a_description_and_a_command() {
    check(
        "[server]\nname = \"x\"\n[[tool]]\n[[tool]]\nname = \"a b\"\ndescription = \"\"\ncommand = 1",
        expect![[r#"
        error: a tool has no `name`
         --> haft.toml:3:1
          |
        3 | [[tool]]
          | ^^^^^^^^

        error: a tool has no `description`
         --> haft.toml:3:1
          |
        3 | [[tool]]
          | ^^^^^^^^

        error: a tool has no `command`
         --> haft.toml:3:1
          |
        3 | [[tool]]
          | ^^^^^^^^

        error: tool name `a b` has a character outside of `A-Z a-z 0-9 _ - .`
         --> haft.toml:5:8
          |
        5 | name = "a b"
          |        ^^^^^

        error: `description` is empty
         --> haft.toml:6:15
          |
        6 | description = ""
          |               ^^

        error: `command` has to be a table, not this integer
         --> haft.toml:7:11
          |
        7 | command = 1
          |           ^
    "#]],
    );
    let twice = one_tool(TRUE) + "[[tool]]\nname = \"t\"\ndescription = \"Again.\"\n" + TRUE;
    check(
        &twice,
        expect![[r#"
        error: two tools are named `t`
         --> haft.toml:8:1
          |
        8 | [[tool]]
          | ^^^^^^^^
    "#]],
    );
}

#[test]
fn annotations_that_contradict_each_other_are_refused() {
    check_tool(
        &format!("annotations = {{ read_only = true, destructive = true }}\n{TRUE}"),
        expect![[r#"
        a tool that only reads cannot be destructive <- true
            contradicts `read_only = true`
    "#]],
    );
    check_tool(
        &format!("annotations = {{ title = \"\", read_only = \"yes\", open_world = 1 }}\n{TRUE}"),
        expect![[r#"
            `title` is empty <- ""
            `read_only` has to be true or false, not this string <- "yes"
            `open_world` has to be true or false, not this integer <- 1
        "#]],
    );
}

#[test]
fn bounds_of_a_tool_have_to_be_bounds() {
    check_tool(
        &format!("concurrency = 0\nrate = {{ calls = 0, per = \"soon\" }}\n{TRUE}"),
        expect![[r#"
        `concurrency` has to be an integer of at least 1, not this integer <- 0
        `calls` has to be an integer of at least 1, not this integer <- 0
        `per` has to be a duration from `1ms` to `24h`, such as `5s` <- "soon"
    "#]],
    );
    check_tool(
        &format!("concurrency = \"many\"\nrate = 5\n{TRUE}"),
        expect![[r#"
        `concurrency` has to be an integer of at least 1, not this string <- "many"
        `rate` has to be a table, not this integer <- 5
    "#]],
    );
    check_tool(
        &format!("rate = {{ }}\ntimeout = \"5s\"\n{TRUE}"),
        expect![[r#"
        `rate` has no `calls` <- { }
        `rate` has no `per` <- { }
        unknown key `timeout` <- timeout
            belongs into `command`
    "#]],
    );
}

#[test]
fn nothing_in_a_manifest_acts_on_the_terminal() {
    check(
        "[server]\nname = \"x\"\n\"a\\u001b[2J\" = 1\n",
        expect![[r#"
        error: unknown key `a\u{1b}[2J`
         --> haft.toml:3:1
          |
        3 | "a\u001b[2J" = 1
          | ^^^^^^^^^^^^
          |
          = note: `[server]` takes `name`, `version`, `title`, `instructions`
    "#]],
    );
}
