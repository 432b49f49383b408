//! What a program is given for the arguments of a call.

use std::path::Path;

use serde_json::{Value, json};

use super::conversation::Served;
use super::one_tool;

/// The items that a program is given, each in brackets, or the error.
async fn check(definition: &str, argv: &str, arguments: Value, expected: &str) {
    let manifest = one_tool(&format!("{definition}\ncommand = {{ argv = [\"printf\", \"[%s]\", {argv}] }}"));
    let called = Served::new(&manifest, Path::new("/")).call("t", arguments.clone()).await;
    assert_eq!(called.text(), expected, "{argv} with {arguments}");
}

const TEXT: &str = "args.s = { type = \"string\" }";
const OPTIONAL: &str = "args.s = { type = \"string\", required = false }";
const DASHED: &str = "args.s = { type = \"string\", allow_dash = true }";
const INTEGER: &str = "args.n = { type = \"integer\" }";
const NUMBER: &str = "args.n = { type = \"number\" }";
const FLAG: &str = "args.f = { type = \"boolean\", default = false }";
const TEXTS: &str = "args.l = { type = \"array\", items = { type = \"string\" }, required = false }";
const PATH: &str = "args.p = { type = \"path\", within = \"usr\" }";

#[tokio::test]
async fn a_value_is_one_item_whatever_is_in_it() {
    for value in ["", " ", "a b", "$(id)", "`id`", "; rm", "a\nb", "'\"", "*", "{s}", "${HOME}", "ü", "%s", "\\n", "~"]
    {
        check(TEXT, "\"{s}\"", json!({ "s": value }), &format!("[{value}]")).await;
        check(TEXT, "\"--s={s}!\"", json!({ "s": value }), &format!("[--s={value}!]")).await;
    }
}

#[tokio::test]
async fn numbers_are_placed_in_digits() {
    check(INTEGER, "\"{n}\"", json!({ "n": 2.0 }), "[2]").await;
    check(INTEGER, "\"{n}\"", json!({ "n": -5 }), "[-5]").await;
    check(INTEGER, "\"{n},{n}p\"", json!({ "n": 7 }), "[7,7p]").await;
    check(NUMBER, "\"{n}\"", json!({ "n": 2.5 }), "[2.5]").await;
    check(NUMBER, "\"{n}\"", json!({ "n": 2.0 }), "[2.0]").await;
}

#[tokio::test]
async fn a_nested_array_vanishes_whole_without_its_argument() {
    check(OPTIONAL, "\"x\", [\"-s\", \"{s}\"]", json!({}), "[x]").await;
    check(OPTIONAL, "\"x\", [\"-s\", \"{s}\"]", json!({ "s": "" }), "[x][-s][]").await;
    check(OPTIONAL, "\"x\", [\"-s={s}\"]", json!({ "s": "v" }), "[x][-s=v]").await;
}

#[tokio::test]
async fn a_default_is_placed_like_a_value() {
    let definition = "args.s = { type = \"string\", default = \"d\" }";
    check(definition, "\"{s}\"", json!({}), "[d]").await;
    check(definition, "\"{s}\"", json!({ "s": "v" }), "[v]").await;
}

#[tokio::test]
async fn a_flag_brings_its_items() {
    check(FLAG, "\"x\", { if = \"f\", then = [\"-i\", \"-j\"] }", json!({}), "[x]").await;
    check(FLAG, "\"x\", { if = \"f\", then = [\"-i\", \"-j\"] }", json!({ "f": true }), "[x][-i][-j]").await;
    check(FLAG, "\"{f}\"", json!({}), "[false]").await;
}

#[tokio::test]
async fn an_array_repeats_its_item() {
    check(TEXTS, "\"x\", \"{l}\"", json!({ "l": ["a", "", "b c"] }), "[x][a][][b c]").await;
    check(TEXTS, "\"x\", \"--l={l}\"", json!({ "l": ["a", "b"] }), "[x][--l=a][--l=b]").await;
    check(TEXTS, "\"x\", [\"-e\", \"{l}\"]", json!({ "l": ["a", "b"] }), "[x][-e][a][-e][b]").await;
    check(TEXTS, "\"x\", \"{l}\", [\"-e\", \"{l}\"]", json!({ "l": [] }), "[x]").await;
    check(TEXTS, "\"x\", \"{l}\", [\"-e\", \"{l}\"]", json!({}), "[x]").await;
}

#[tokio::test]
async fn a_text_that_could_be_an_option_is_refused_unless_it_cannot_be_one() {
    let refused = "error: The arguments cannot be handed to `t`.\n\
         - `/s`: expected a text that does not begin with `-`, got one that does";
    check(TEXT, "\"{s}\"", json!({ "s": "-rf" }), refused).await;
    check(TEXT, "\"{s}x\", \"{s}\"", json!({ "s": "-" }), refused).await;
    check(OPTIONAL, "\"x\", [\"-s\", \"{s}\"]", json!({ "s": "--help" }), refused).await;
    check(TEXT, "\"x{s}\"", json!({ "s": "-rf" }), "[x-rf]").await;
    check(TEXT, "\"--\", \"{s}\"", json!({ "s": "-rf" }), "[--][-rf]").await;
    check(OPTIONAL, "\"x\", [\"--\", \"{s}\"]", json!({ "s": "-rf" }), "[x][--][-rf]").await;
    check(OPTIONAL, "[\"--\", \"x{s}\"], [\"{s}\"]", json!({ "s": "-rf" }), refused).await;
    check(DASHED, "\"{s}\"", json!({ "s": "-rf" }), "[-rf]").await;
    check(
        TEXTS,
        "\"x\", \"{l}\"",
        json!({ "l": ["a", "-b", "c", "-d"] }),
        "error: The arguments cannot be handed to `t`.\n\
         - `/l/1`: expected a text that does not begin with `-`, got one that does\n\
         - `/l/3`: expected a text that does not begin with `-`, got one that does",
    )
    .await;
}

#[tokio::test]
async fn a_zero_byte_is_refused_before_anything_starts() {
    check(
        TEXT,
        "\"--s={s}\"",
        json!({ "s": "a\0b" }),
        "error: The arguments cannot be handed to `t`.\n\
         - `/s`: expected a text without the character U+0000, got one with it",
    )
    .await;
}

#[tokio::test]
async fn a_path_is_placed_as_the_program_sees_it_and_stays_beneath() {
    check(PATH, "\"{p}\"", json!({ "p": "bin" }), "[usr/bin]").await;
    check(PATH, "\"{p}\"", json!({ "p": "/usr/bin/" }), "[usr/bin]").await;
    check(PATH, "\"--p={p}\"", json!({ "p": "." }), "[--p=usr]").await;
    for (path, reason) in [
        ("../etc", "expected a path without `..`, got one with it"),
        ("/etc", "expected a path beneath the directory that this tool serves, got one that leads out of it"),
    ] {
        let expected = format!("error: The arguments cannot be handed to `t`.\n- `/p`: {reason}");
        check(PATH, "\"{p}\"", json!({ "p": path }), &expected).await;
    }
}

#[tokio::test]
async fn arguments_that_no_system_takes_are_refused_with_what_to_do() {
    let long = "x".repeat(3_000_000);
    check(TEXT, "\"{s}\"", json!({ "s": long }), "error: The arguments are too long for a command; send less.").await;
}
