//! Schemas in words: what a value has to be.

use haft_diag::escape;
use serde_json::Value;

use crate::document::{Document, Place};
use crate::formats;
use crate::problem::article;
use crate::tree::Tree;

/// What a schema wants, as a phrase: "an integer from 1 to 100", "one of `a`, `b`", "a string or null".
pub(super) fn phrase(document: &Document<'_>, place: Place) -> String {
    of(document, place, MOST_DEPTH).unwrap_or_else(|| "another value".to_owned())
}

/// What a schema wants of a value that already has the kind.
pub(super) fn phrase_of_kind(document: &Document<'_>, place: Place, kind: &'static str) -> String {
    let named = types(document.keyword(place, "type"));
    if named.is_empty() { constrained(document, place, kind) } else { phrase(document, place) }
}

/// The type names of a `type` keyword.
pub(crate) fn types(keyword: Option<&Value>) -> Vec<&str> {
    match keyword {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether a value has one of the types of a `type` keyword.
pub(crate) fn is_of_type(tree: &Tree<'_>, keyword: &Value) -> bool {
    let kind = tree.kind();
    types(Some(keyword)).into_iter().any(|name| name == kind || (name == "number" && kind == "integer"))
}

/// Values in backticks, with "and 7 more" where there are many.
pub(super) fn list<'v>(values: impl IntoIterator<Item = &'v Value>) -> String {
    names(values.into_iter().map(plain))
}

/// "exactly `a`" or "one of `a`, `b`".
pub(super) fn one_of(values: &[String]) -> String {
    match values {
        [value] => format!("exactly `{}`", shortened(value)),
        values => format!("one of {}", names(values.iter().cloned())),
    }
}

/// Names in backticks, with "and 7 more" where there are many.
pub(super) fn names(names: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    let mut more = 0;
    for (index, name) in names.into_iter().enumerate() {
        if index >= MOST_NAMES || text.len() > MOST_TEXT {
            more += 1;
            continue;
        }
        if index > 0 {
            text.push_str(", ");
        }
        text.push('`');
        text.push_str(&shortened(&name));
        text.push('`');
    }
    if more > 0 {
        text.push_str(" and ");
        text.push_str(&more.to_string());
        text.push_str(" more");
    }
    text
}

/// A value of a schema as a person writes it: strings without quotes.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A text of a schema, on one line and not too long.
pub(super) fn shortened(text: &str) -> String {
    let mut kept: String = text.chars().take(MOST_NAME).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    escape(&kept).into_owned()
}

/// "from 1 to 5", "of at least 1", "of at most 5", or nothing.
fn range(least: Option<&Value>, most: Option<&Value>) -> Option<String> {
    match (least, most) {
        (Some(least), Some(most)) if least == most => Some(format!("of exactly {least}")),
        (Some(least), Some(most)) => Some(format!("from {least} to {most}")),
        (Some(least), None) => Some(format!("of at least {least}")),
        (None, Some(most)) => Some(format!("of at most {most}")),
        (None, None) => None,
    }
}

/// "of 1 to 5 characters", "of at least 1 item", or nothing.
fn size(least: Option<&Value>, most: Option<&Value>, one: &str, many: &str) -> Option<String> {
    let text = match (least, most) {
        (Some(least), Some(most)) if least != most => format!("of {least} to {most}"),
        _ => range(least, most)?,
    };
    let unit = if text.ends_with(" 1") { one } else { many };
    Some(format!("{text} {unit}"))
}

fn of(document: &Document<'_>, place: Place, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let keyword = |name| document.keyword(place, name);
    match document.value(place) {
        Value::Bool(true) => return Some("any value".to_owned()),
        Value::Bool(false) => return Some("nothing".to_owned()),
        _ => {}
    }
    if let Some(value) = keyword("const") {
        return Some(format!("exactly `{}`", shortened(&plain(value))));
    }
    if let Some(Value::Array(values)) = keyword("enum") {
        return Some(one_of(&values.iter().map(plain).collect::<Vec<_>>()));
    }
    let types = types(keyword("type"));
    if !types.is_empty() {
        let types = types.into_iter().map(|name| constrained(document, place, known(name)));
        return Some(either(types));
    }
    for keyword in ["anyOf", "oneOf"] {
        let branches: Vec<Place> = document.under(place, keyword).map(|edge| edge.target).collect();
        if !branches.is_empty() {
            // A list of values may be written as alternatives, to describe each of them.
            let (single, other): (Vec<Place>, Vec<Place>) =
                branches.into_iter().partition(|branch| document.keyword(*branch, "const").is_some());
            let values: Vec<String> =
                single.iter().filter_map(|branch| document.keyword(*branch, "const")).map(plain).collect();
            let values = (!values.is_empty()).then(|| one_of(&values));
            let phrases: Option<Vec<String>> = other.into_iter().map(|branch| of(document, branch, depth)).collect();
            return Some(either(values.into_iter().chain(phrases?)));
        }
    }
    let onward = document.one(place, "$ref").or_else(|| document.one(place, "allOf"));
    if let Some(target) = onward {
        return of(document, target, depth);
    }
    if keyword("properties").is_some() || keyword("required").is_some() {
        return Some("an object".to_owned());
    }
    None
}

/// Different phrases, joined by "or".
fn either(phrases: impl IntoIterator<Item = String>) -> String {
    let mut different: Vec<String> = Vec::new();
    for phrase in phrases {
        if !different.contains(&phrase) {
            different.push(phrase);
        }
    }
    if different.len() > MOST_CHOICES {
        different.truncate(MOST_CHOICES);
        different.push("something else".to_owned());
    }
    different.join(" or ")
}

/// A kind with what the schema says about values of that kind.
fn constrained(document: &Document<'_>, place: Place, kind: &'static str) -> String {
    let keyword = |name| document.keyword(place, name);
    let mut parts = Vec::new();
    match kind {
        "integer" | "number" => {
            parts.extend(range(keyword("minimum"), keyword("maximum")));
            let above = keyword("exclusiveMinimum").map(|limit| format!("greater than {limit}"));
            let below = keyword("exclusiveMaximum").map(|limit| format!("less than {limit}"));
            let between: Vec<String> = above.into_iter().chain(below).collect();
            parts.extend((!between.is_empty()).then(|| between.join(" and ")));
            parts.extend(keyword("multipleOf").map(|factor| format!("that is a multiple of {factor}")));
        }
        "string" => {
            parts.extend(size(keyword("minLength"), keyword("maxLength"), "character", "characters"));
            let format = keyword("format").and_then(Value::as_str);
            if let Some(format) = format.filter(|format| formats::ENFORCED.contains(format)) {
                parts.push(match formats::example(format) {
                    Some(example) => format!("in the format `{format}` (such as `{example}`)"),
                    None => format!("in the format `{format}`"),
                });
            }
            let pattern = keyword("pattern").and_then(Value::as_str);
            parts.extend(pattern.map(|pattern| format!("that matches `{}`", shortened(pattern))));
        }
        "array" => {
            parts.extend(size(keyword("minItems"), keyword("maxItems"), "item", "items"));
            if parts.is_empty()
                && let Some(items) = document.one(place, "items")
                && let [name] = types(document.keyword(items, "type")).as_slice()
            {
                parts.push(format!("of {}", plural(name)));
            }
        }
        "object" => {
            parts.extend(size(keyword("minProperties"), keyword("maxProperties"), "property", "properties"));
        }
        _ => {}
    }
    let mut text = article(kind).into_owned();
    for part in parts {
        text.push(' ');
        text.push_str(&part);
    }
    text
}

fn plural(kind: &str) -> &'static str {
    match kind {
        "null" => "nulls",
        "boolean" => "booleans",
        "integer" => "integers",
        "number" => "numbers",
        "string" => "strings",
        "array" => "arrays",
        _ => "objects",
    }
}

fn known(name: &str) -> &'static str {
    const KINDS: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
    KINDS.into_iter().find(|kind| *kind == name).unwrap_or("value")
}

/// References are followed this far for a phrase.
const MOST_DEPTH: usize = 8;
const MOST_CHOICES: usize = 5;
const MOST_NAMES: usize = 25;
const MOST_TEXT: usize = 400;
const MOST_NAME: usize = 80;
