//! Arguments that are refused.

use expect_test::expect;

use super::{TRUE, check_tool};

#[test]
fn arguments_are_checked_key_by_key() {
    let echo = "command = { argv = [\"echo\", \"--\", \"{a}\"] }";
    for (argument, expected) in [
        (
            "{ }",
            expect![[r#"
            an argument has no `type` <- a
        "#]],
        ),
        (
            "{ type = \"sting\" }",
            expect![[r#"
            no type named `sting` <- "sting"
                did you mean `string`?
                the types are `string`, `integer`, `number`, `boolean`, `path`, `array`
        "#]],
        ),
        (
            "{ type = \"object\" }",
            expect![[r#"
            no type named `object` <- "object"
                the types are `string`, `integer`, `number`, `boolean`, `path`, `array`
        "#]],
        ),
        (
            "{ type = 1, description = 2 }",
            expect![[r#"
            `type` has to be a string, not this integer <- 1
        "#]],
        ),
        (
            "{ type = \"string\", minimum = 1, items = { type = \"string\" }, within = \".\" }",
            expect![[r#"
            `minimum` means nothing to type `string` <- 1
                it is for `integer`, `number`
            `items` means nothing to type `string` <- { type = "string" }
                it is for `array`
            `within` means nothing to type `string` <- "."
                it is for `path`
        "#]],
        ),
        (
            "{ type = \"integer\", minimum = \"1\", maximum = true, pattern = \"x\", allow_dash = true }",
            expect![[r#"
            `minimum` has to be a number, not this string <- "1"
            `maximum` has to be a number, not a boolean <- true
            `pattern` means nothing to type `integer` <- "x"
                it is for `string`, `path`
            `allow_dash` means nothing to type `integer` <- true
                it is for `string`, `array`
        "#]],
        ),
        (
            "{ type = \"string\", required = true, default = \"x\" }",
            expect![[r#"
            what is required has no use for a `default` <- "x"
        "#]],
        ),
        (
            "{ type = \"string\", required = 1, description = \"\" }",
            expect![[r#"
            `required` has to be true or false, not this integer <- 1
            `description` is empty <- ""
        "#]],
        ),
        (
            "{ type = \"string\", pattern = \"(\" }",
            expect![[r#"
            this value of `pattern` cannot be served <- "("
                unclosed group
        "#]],
        ),
        (
            "{ type = \"string\", enum = [] , examples = 1, min_length = -1, max_length = 1.5 }",
            expect![[r#"
            `enum` is empty <- []
            `examples` has to be an array, not this integer <- 1
            `min_length` has to be an integer of at least 0, not this integer <- -1
            `max_length` has to be an integer of at least 0, not a float <- 1.5
        "#]],
        ),
        (
            "{ type = \"string\", enum = [\"a\", 1], default = \"b\", examples = [\"a\", true] }",
            expect![[r#"
            this value of `default` cannot be served <- "b"
                the whole value: expected one of `a`, `1`, got another string
        "#]],
        ),
        (
            "{ type = \"integer\", minimum = 1, default = 0 }",
            expect![[r#"
            this value of `default` cannot be served <- 0
                the whole value: expected an integer of at least 1, got a smaller integer
        "#]],
        ),
        (
            "{ type = \"number\", default = nan }",
            expect![[r#"
            this is a number that JSON does not have <- nan
        "#]],
        ),
        (
            "{ type = \"string\", default = 2026-07-28 }",
            expect![[r#"
            this is a date; write it as a string <- 2026-07-28
        "#]],
        ),
        (
            "{ type = \"array\" }",
            expect![[r#"
            an argument has no `items` <- a
        "#]],
        ),
        (
            "{ type = \"array\", items = { type = \"array\" } }",
            expect![[r#"
            no type named `array` <- "array"
                the types are `string`, `integer`, `number`, `boolean`, `path`
        "#]],
        ),
        (
            "{ type = \"array\", items = { type = \"string\", minimum = 1, default = 1 }, enum = [1] }",
            expect![[r#"
            `minimum` means nothing to type `string` <- 1
                it is for `integer`, `number`
            unknown key `default` <- default
                `items` takes `type`, `description`, `enum`, `pattern`, `min_length`, `max_length`, `minimum`, `maximum`, `within`, `except`
            `enum` means nothing to type `array` <- [1]
                it is for `string`, `integer`, `number`
        "#]],
        ),
        (
            "{ type = \"array\", items = { type = \"integer\" }, min_items = \"1\", default = [\"x\"] }",
            expect![[r#"
            `min_items` has to be an integer of at least 0, not this string <- "1"
            this value of `default` cannot be served <- ["x"]
                `/0`: expected an integer, got a string
        "#]],
        ),
        (
            "{ type = \"path\", within = \"nowhere\" }",
            expect![[r#"
            `within` is no directory <- "nowhere"
                No such file or directory (os error 2)
        "#]],
        ),
        (
            "{ type = \"path\", within = \"Cargo.toml\", except = [\"a/b\", \"\", 1] }",
            expect![[r#"
            `within` is no directory <- "Cargo.toml"
            `except` has names of files and directories, not paths <- "a/b"
            `except` has names of files and directories, not paths <- ""
            `except` has to be a string, not this integer <- 1
        "#]],
        ),
        (
            "{ type = \"path\", within = \"${UNSET}/x\" }",
            expect![[r#"
            `${UNSET}` is not set in the environment <- ${UNSET}
                set it before the server starts: `export UNSET=…`
        "#]],
        ),
    ] {
        check_tool(&format!("args.a = {argument}\n{echo}"), expected);
    }
    check_tool(
        &format!("args = 1\n{TRUE}"),
        expect![[r#"
        `args` has to be a table, not this integer <- 1
    "#]],
    );
    check_tool(
        &format!("args.\"a b\" = {{ type = \"string\" }}\nargs.b = 1\n{TRUE}"),
        expect![[r#"
        an argument cannot be named `a b` <- "a b"
            1 to 64 of `A-Z a-z 0-9 _ - .`
        no part of the command uses `b` <- b
        `b` has to be a table, not this integer <- 1
    "#]],
    );
}

#[test]
fn an_argument_that_goes_nowhere_is_refused() {
    check_tool(
        &format!("args.a = {{ type = \"string\" }}\n{TRUE}"),
        expect![[r#"
        no part of the command uses `a` <- a
    "#]],
    );
}
