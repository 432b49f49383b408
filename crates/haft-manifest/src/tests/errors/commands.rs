//! Commands that are refused.

use expect_test::expect;

use super::{TRUE, check_tool};
use crate::tests::{one_tool, parse};

#[test]
fn argv_is_checked_item_by_item() {
    let arguments = "args.a = { type = \"string\" }\nargs.o = { type = \"string\", required = false }\n\
         args.f = { type = \"boolean\", default = false }\nargs.x = { type = \"array\", items = { type = \"string\" } }\n\
         args.y = { type = \"array\", items = { type = \"string\" } }\n";
    let uses = "\"{a}{f}\", [\"{o}\"], \"{x}\", \"{y}\"";
    for (items, expected) in [
        (
            "1, true",
            expect![[r#"
            `argv` has to be strings, arrays of strings and `{ if = …, then = […] }`, not this integer <- 1
            `argv` has to be strings, arrays of strings and `{ if = …, then = […] }`, not a boolean <- true
        "#]],
        ),
        (
            "\"{b}\", \"{\", \"}\", \"${HOME}\"",
            expect![[r#"
            no argument named `b` <- {b}
                a brace is written `{{`
            `{` without `}`; a brace is written `{{` <- {
            `}` without `{`; a brace is written `}}` <- }
            no argument named `HOME` <- {HOME}
                a brace is written `{{`
        "#]],
        ),
        (
            "\"-n{o}\"",
            expect![[r#"
            a call may come without `o` <- "-n{o}"
                a nested array vanishes whole when its argument is absent: `["-n", "{n}"]`
        "#]],
        ),
        (
            "[\"-n\", \"{o}\"], [\"-n\"], []",
            expect![[r#"
            a nested array without a value never vanishes <- ["-n"]
                for a flag write `{ if = "flag", then = ["-i"] }`
            a nested array without a value never vanishes <- []
                for a flag write `{ if = "flag", then = ["-i"] }`
        "#]],
        ),
        (
            "[1]",
            expect![[r#"
            a nested array has strings only <- 1
        "#]],
        ),
        (
            "\"{x}{y}\", [\"{x}\", \"{y}\"]",
            expect![[r#"
            an item repeats with one array, not with two <- "{x}{y}"
            an item repeats with one array, not with two <- ["{x}", "{y}"]
        "#]],
        ),
        (
            "{ if = \"f\", then = [] }, { if = \"f\" }, { then = [\"-i\"] }, { if = \"a\", then = [\"-i\"] }",
            expect![[r#"
            `then` is empty <- { if = "f", then = [] }
            an item of `argv` has no `then` <- { if = "f" }
            an item of `argv` has no `if` <- { then = ["-i"] }
            `a` is no boolean <- "a"
        "#]],
        ),
        (
            "{ if = \"ff\", then = [\"-i\"] }, { if = 1, then = 1, else = [] }",
            expect![[r#"
            no argument named `ff` <- "ff"
            `then` has to be an array, not this integer <- 1
            unknown key `else` <- else
                an item of `argv` takes `if`, `then`
        "#]],
        ),
    ] {
        check_tool(&format!("{arguments}command = {{ argv = [\"echo\", {uses}, {items}] }}"), expected);
    }
}

#[test]
fn the_program_is_a_fixed_name_of_a_file_that_can_be_executed() {
    check_tool(
        "args.a = { type = \"string\" }\ncommand = { argv = [\"{a}\", \"{a}\"] }",
        expect![[r#"
        no value is placed into the name of the program <- "{a}"
    "#]],
    );
    check_tool(
        "command = { argv = [] }",
        expect![[r#"
        `argv` is empty <- []
    "#]],
    );
    check_tool(
        "command = { argv = [1] }",
        expect![[r#"
        the name of the program has to be a string <- 1
    "#]],
    );
    check_tool(
        "command = { argv = \"echo hello\" }",
        expect![[r#"
        `argv` has to be an array, not this string <- "echo hello"
    "#]],
    );
    check_tool(
        "command = { argv = [\"no-such-program\"] }",
        expect![[r#"
        program `no-such-program` is missing <- "no-such-program"
            no program `no-such-program` in `/usr/bin`, `/bin`
    "#]],
    );
    check_tool(
        "command = { argv = [\"./Cargo.toml\"] }",
        expect![[r#"
        program `./Cargo.toml` is missing <- "./Cargo.toml"
            `$CRATE/./Cargo.toml` is not an executable file
    "#]],
    );
}

#[test]
fn no_text_of_a_caller_becomes_a_part_of_a_script() {
    let arguments = "args.a = { type = \"string\" }\nargs.n = { type = \"integer\" }\n";
    for (argv, expected) in [
        (
            "[\"sh\", \"-c\", \"echo {a} {n}\"]",
            expect![[r#"
            `sh` would run the value of `a` as part of its script <- "echo {a} {n}"
                hand it on as an argument: `["sh", "-c", "wc -l -- \"$1\"", "sh", "{a}"]`
        "#]],
        ),
        (
            "[\"env\", \"nice\", \"python3.11\", \"-c\", \"print({a})\", \"{n}\"]",
            expect![[r#"
            `python` would run the value of `a` as part of its script <- "print({a})"
                hand it on as an argument: `["sh", "-c", "wc -l -- \"$1\"", "sh", "{a}"]`
        "#]],
        ),
        (
            "[\"/bin/bash\", \"-ec\", \"{a}{n}\"]",
            expect![[r#"
            `bash` would run the value of `a` as part of its script <- "{a}{n}"
                hand it on as an argument: `["sh", "-c", "wc -l -- \"$1\"", "sh", "{a}"]`
        "#]],
        ),
    ] {
        check_tool(&format!("{arguments}command = {{ argv = {argv} }}"), expected);
    }
    for argv in
        ["[\"sh\", \"-ce\", \"{a}{n}\"]", "[\"node\", \"--eval={a}\", \"{n}\"]", "[\"python3\", \"-c{a}\", \"{n}\"]"]
    {
        assert!(parse(&one_tool(&format!("{arguments}command = {{ argv = {argv} }}"))).is_err(), "{argv}");
    }
    for argv in ["[\"sh\", \"-c\", \"head -n {n} $1\", \"sh\", \"{a}\"]", "[\"echo\", \"-c\", \"{a}{n}\"]"] {
        assert!(parse(&one_tool(&format!("{arguments}command = {{ argv = {argv} }}"))).is_ok(), "{argv}");
    }
}

#[test]
fn the_rest_of_a_command_is_checked_key_by_key() {
    for (keys, expected) in [
        (
            "timeout = \"soon\", max_output = \"1GB\"",
            expect![[r#"
            `timeout` has to be a duration from `1ms` to `24h`, such as `5s` <- "soon"
            `max_output` has to be a size from `1B` to `64MiB`, such as `1MB` <- "1GB"
        "#]],
        ),
        (
            "timeout = 5, max_output = 5",
            expect![[r#"
            `timeout` has to be a string, not this integer <- 5
            `max_output` has to be a string, not this integer <- 5
        "#]],
        ),
        (
            "output = \"xml\", empty = \"\", ok_exit = [0, 256, \"1\"]",
            expect![[r#"
            `output` has to be `text` or `json` <- "xml"
            `empty` is empty <- ""
            `ok_exit` has to be exit statuses from 0 to 255, not this integer <- 256
            `ok_exit` has to be exit statuses from 0 to 255, not this string <- "1"
        "#]],
        ),
        (
            "ok_exit = []",
            expect![[r#"
            `ok_exit` is empty <- []
        "#]],
        ),
        (
            "ok_exit = 1, output = 1",
            expect![[r#"
            `ok_exit` has to be an array, not this integer <- 1
            `output` has to be a string, not this integer <- 1
        "#]],
        ),
        (
            "directory = \"nowhere\"",
            expect![[r#"
            `directory` is no directory <- "nowhere"
                No such file or directory (os error 2)
        "#]],
        ),
        (
            "directory = \"Cargo.toml\"",
            expect![[r#"
            `directory` is no directory <- "Cargo.toml"
        "#]],
        ),
        (
            "directory = \"${UNSET}\"",
            expect![[r#"
            `${UNSET}` is not set in the environment <- ${UNSET}
                set it before the server starts: `export UNSET=…`
        "#]],
        ),
        (
            "stdin = \"{x}\"",
            expect![[r#"
            no argument named `x` <- {x}
                a brace is written `{{`
        "#]],
        ),
        (
            "stdin = 1",
            expect![[r#"
            `stdin` has to be a string, not this integer <- 1
        "#]],
        ),
        (
            "env = 1",
            expect![[r#"
            `env` has to be a table, not this integer <- 1
        "#]],
        ),
        (
            "env = { A = \"${UNSET}\", B = \"a${\", C = 1, HAFT_CALL = \"1\", \"A=B\" = \"\" }",
            expect![[r#"
            `${UNSET}` is not set in the environment <- ${UNSET}
                set it before the server starts: `export UNSET=…`
            `${` without `}` <- ${
            `C` has to be a string, not this integer <- 1
            `HAFT_CALL` cannot be set for a program <- HAFT_CALL
            `A=B` cannot be set for a program <- "A=B"
        "#]],
        ),
    ] {
        check_tool(&format!("command = {{ argv = [\"true\"], {keys} }}"), expected);
    }
    let array = "args.x = { type = \"array\", items = { type = \"string\" } }";
    check_tool(
        &format!("{array}\ncommand = {{ argv = [\"cat\"], stdin = \"{{x}}\" }}"),
        expect![[r#"
        `stdin` takes no array <- "{x}"
    "#]],
    );
}

#[test]
fn an_output_schema_is_for_data_and_has_to_be_a_schema() {
    check_tool(
        &format!("output_schema = {{ type = \"objekt\" }}\n{TRUE}"),
        expect![[r#"
        the `output_schema` cannot be served <- { type = "objekt" }
            schema is not valid at `/type`: expected one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`; did you mean `object`?
    "#]],
    );
    check_tool(
        &format!("output_schema = 1\n{TRUE}"),
        expect![[r#"
        `output_schema` has to be a table, not this integer <- 1
    "#]],
    );
    check_tool(
        "output_schema = { type = \"object\" }\ncommand = { argv = [\"true\"], output = \"text\" }",
        expect![[r#"
            an `output_schema` is for `output = "json"` <- [[tool]]
        "#]],
    );
}
