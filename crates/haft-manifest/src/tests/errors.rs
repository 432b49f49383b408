//! Manifests that are refused, with all that is printed about them.

use expect_test::{Expect, expect};
use haft_diag::Paint;

use super::{one_tool, parse};

fn check(text: &str, expected: Expect) {
    let errors = match parse(text) {
        Ok(manifest) => panic!("accepted: {manifest:?}"),
        Err(errors) => errors,
    };
    let rendered: Vec<String> =
        errors.diagnostics().iter().map(|diagnostic| diagnostic.render(Paint::Plain)).collect();
    expected.assert_eq(&rendered.join("\n"));
}

/// The errors of a manifest with one tool, each without its frame, after the text that it points at.
fn check_tool(rest: &str, expected: Expect) {
    let text = one_tool(rest);
    let errors = match parse(&text) {
        Ok(manifest) => panic!("accepted: {manifest:?}"),
        Err(errors) => errors,
    };
    let mut lines = String::new();
    for diagnostic in errors.diagnostics() {
        let span = diagnostic.span.clone().unwrap();
        lines.push_str(&format!("{} <- {}\n", diagnostic.message, &text[span]));
        let label = diagnostic.label.iter();
        for more in label.chain(&diagnostic.notes).chain(&diagnostic.causes).chain(&diagnostic.hint) {
            lines.push_str(&format!("    {more}\n"));
        }
    }
    expected.assert_eq(&lines);
}

const TRUE: &str = "command = { argv = [\"true\"] }";

#[test]
fn wrong_syntax_is_shown_where_it_is() {
    check("[server\nname = \"x\"\n[[tool]]\nname = x\n", expect![[""]]);
}

#[test]
fn a_manifest_without_a_server_says_so() {
    check("", expect![[""]]);
    check("server = 1\ntool = {}", expect![[""]]);
    check("[server]\nname = \" \"\nversion = 1", expect![[""]]);
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
        expect![[""]],
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
[[policy.rule]]
tools = "files.*"
"#,
        expect![[""]],
    );
}

#[test]
fn a_tool_needs_a_name_a_description_and_a_command() {
    check("[server]\nname = \"x\"\n[[tool]]\n[[tool]]\nname = \"a b\"\ndescription = \"\"\ncommand = 1", expect![[""]]);
    let twice = one_tool(TRUE) + "[[tool]]\nname = \"t\"\ndescription = \"Again.\"\n" + TRUE;
    check(&twice, expect![[""]]);
}

#[test]
fn annotations_that_contradict_each_other_are_refused() {
    check_tool(&format!("annotations = {{ read_only = true, destructive = true }}\n{TRUE}"), expect![[""]]);
    check_tool(
        &format!("annotations = {{ title = \"\", read_only = \"yes\", open_world = 1 }}\n{TRUE}"),
        expect![[""]],
    );
}

#[test]
fn bounds_of_a_tool_have_to_be_bounds() {
    check_tool(&format!("concurrency = 0\nrate = {{ calls = 0, per = \"soon\" }}\n{TRUE}"), expect![[""]]);
    check_tool(&format!("concurrency = \"many\"\nrate = 5\n{TRUE}"), expect![[""]]);
    check_tool(&format!("rate = {{ }}\ntimeout = \"5s\"\n{TRUE}"), expect![[""]]);
}

#[test]
fn arguments_are_checked_key_by_key() {
    let echo = "command = { argv = [\"echo\", \"--\", \"{a}\"] }";
    for (argument, expected) in [
        ("{ }", expect![[""]]),
        ("{ type = \"sting\" }", expect![[""]]),
        ("{ type = \"object\" }", expect![[""]]),
        ("{ type = 1, description = 2 }", expect![[""]]),
        ("{ type = \"string\", minimum = 1, items = { type = \"string\" }, within = \".\" }", expect![[""]]),
        ("{ type = \"integer\", minimum = \"1\", maximum = true, pattern = \"x\", allow_dash = true }", expect![[""]]),
        ("{ type = \"string\", required = true, default = \"x\" }", expect![[""]]),
        ("{ type = \"string\", required = 1, description = \"\" }", expect![[""]]),
        ("{ type = \"string\", pattern = \"(\" }", expect![[""]]),
        ("{ type = \"string\", enum = [] , examples = 1, min_length = -1, max_length = 1.5 }", expect![[""]]),
        ("{ type = \"string\", enum = [\"a\", 1], default = \"b\", examples = [\"a\", true] }", expect![[""]]),
        ("{ type = \"integer\", minimum = 1, default = 0 }", expect![[""]]),
        ("{ type = \"number\", default = nan }", expect![[""]]),
        ("{ type = \"string\", default = 2026-07-28 }", expect![[""]]),
        ("{ type = \"array\" }", expect![[""]]),
        ("{ type = \"array\", items = { type = \"array\" } }", expect![[""]]),
        ("{ type = \"array\", items = { type = \"string\", minimum = 1, default = 1 }, enum = [1] }", expect![[""]]),
        ("{ type = \"array\", items = { type = \"integer\" }, min_items = \"1\", default = [\"x\"] }", expect![[""]]),
        ("{ type = \"path\", within = \"nowhere\" }", expect![[""]]),
        ("{ type = \"path\", within = \"Cargo.toml\", except = [\"a/b\", \"\", 1] }", expect![[""]]),
        ("{ type = \"path\", within = \"${UNSET}/x\" }", expect![[""]]),
    ] {
        check_tool(&format!("args.a = {argument}\n{echo}"), expected);
    }
    check_tool(&format!("args = 1\n{TRUE}"), expect![[""]]);
    check_tool(&format!("args.\"a b\" = {{ type = \"string\" }}\nargs.b = 1\n{TRUE}"), expect![[""]]);
}

#[test]
fn an_argument_that_goes_nowhere_is_refused() {
    check_tool(&format!("args.a = {{ type = \"string\" }}\n{TRUE}"), expect![[""]]);
}

#[test]
fn argv_is_checked_item_by_item() {
    let arguments = "args.a = { type = \"string\" }\nargs.o = { type = \"string\", required = false }\n\
         args.f = { type = \"boolean\", default = false }\nargs.x = { type = \"array\", items = { type = \"string\" } }\n\
         args.y = { type = \"array\", items = { type = \"string\" } }\n";
    let uses = "\"{a}{f}\", [\"{o}\"], \"{x}\", \"{y}\"";
    for (items, expected) in [
        ("1, true", expect![[""]]),
        ("\"{b}\", \"{\", \"}\", \"${HOME}\"", expect![[""]]),
        ("\"-n{o}\"", expect![[""]]),
        ("[\"-n\", \"{o}\"], [\"-n\"], []", expect![[""]]),
        ("[1]", expect![[""]]),
        ("\"{x}{y}\", [\"{x}\", \"{y}\"]", expect![[""]]),
        ("{ if = \"f\" }, { then = [\"-i\"] }, { if = \"a\", then = [\"-i\"] }", expect![[""]]),
        ("{ if = \"ff\", then = [\"-i\"] }, { if = 1, then = 1, else = [] }", expect![[""]]),
    ] {
        check_tool(&format!("{arguments}command = {{ argv = [\"echo\", {uses}, {items}] }}"), expected);
    }
}

#[test]
fn the_program_is_a_fixed_name_of_a_file_that_can_be_executed() {
    check_tool("args.a = { type = \"string\" }\ncommand = { argv = [\"{a}\", \"{a}\"] }", expect![[""]]);
    check_tool("command = { argv = [] }", expect![[""]]);
    check_tool("command = { argv = [1] }", expect![[""]]);
    check_tool("command = { argv = \"echo hello\" }", expect![[""]]);
    check_tool("command = { argv = [\"no-such-program\"] }", expect![[""]]);
    check_tool("command = { argv = [\"./Cargo.toml\"] }", expect![[""]]);
}

#[test]
fn no_text_of_a_caller_becomes_a_part_of_a_script() {
    let arguments = "args.a = { type = \"string\" }\nargs.n = { type = \"integer\" }\n";
    for (argv, expected) in [
        ("[\"sh\", \"-c\", \"echo {a} {n}\"]", expect![[""]]),
        ("[\"/bin/bash\", \"-ec\", \"{a}{n}\"]", expect![[""]]),
    ] {
        check_tool(&format!("{arguments}command = {{ argv = {argv} }}"), expected);
    }
    for argv in ["[\"sh\", \"-c\", \"head -n {n} $1\", \"sh\", \"{a}\"]", "[\"echo\", \"-c\", \"{a}{n}\"]"] {
        assert!(parse(&one_tool(&format!("{arguments}command = {{ argv = {argv} }}"))).is_ok(), "{argv}");
    }
}

#[test]
fn the_rest_of_a_command_is_checked_key_by_key() {
    for (keys, expected) in [
        ("timeout = \"soon\", max_output = \"1GB\"", expect![[""]]),
        ("timeout = 5, max_output = 5", expect![[""]]),
        ("output = \"xml\", empty = \"\", ok_exit = [0, 256, \"1\"]", expect![[""]]),
        ("ok_exit = []", expect![[""]]),
        ("ok_exit = 1, output = 1", expect![[""]]),
        ("directory = \"nowhere\"", expect![[""]]),
        ("directory = \"Cargo.toml\"", expect![[""]]),
        ("directory = \"${UNSET}\"", expect![[""]]),
        ("stdin = \"{x}\"", expect![[""]]),
        ("stdin = 1", expect![[""]]),
        ("env = 1", expect![[""]]),
        ("env = { A = \"${UNSET}\", B = \"a${\", C = 1, HAFT_CALL = \"1\", \"A=B\" = \"\" }", expect![[""]]),
    ] {
        check_tool(&format!("command = {{ argv = [\"true\"], {keys} }}"), expected);
    }
    let array = "args.x = { type = \"array\", items = { type = \"string\" } }";
    check_tool(&format!("{array}\ncommand = {{ argv = [\"cat\"], stdin = \"{{x}}\" }}"), expect![[""]]);
}

#[test]
fn an_output_schema_is_for_data_and_has_to_be_a_schema() {
    check_tool(&format!("output_schema = {{ type = \"objekt\" }}\n{TRUE}"), expect![[""]]);
    check_tool(&format!("output_schema = 1\n{TRUE}"), expect![[""]]);
    check_tool(
        "output_schema = { type = \"object\" }\ncommand = { argv = [\"true\"], output = \"text\" }",
        expect![[""]],
    );
}

#[test]
fn nothing_in_a_manifest_acts_on_the_terminal() {
    check("[server]\nname = \"x\"\n\"a\\u001b[2J\" = 1\n", expect![[""]]);
}
