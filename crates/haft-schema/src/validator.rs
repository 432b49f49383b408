//! Builds the validator: offline, with the fixed formats, and with regular expressions that cannot run away.

use std::panic::{AssertUnwindSafe, catch_unwind};

use haft_diag::nearest;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, JsonType, PatternOptions, ValidationError, Validator};
use serde_json::{Map, Value};

use crate::document::Document;
use crate::formats;
use crate::representation::Borrowed;
use crate::{Dialect, SchemaError};

/// A validator, and whether some pattern of it can backtrack.
pub(crate) struct Built {
    pub(crate) validator: Validator<Borrowed>,
    pub(crate) backtracks: bool,
}

/// Builds the validator of a document that has been read and measured.
///
/// # Errors
///
/// When the schema is not valid under its metaschema, or a pattern cannot be used.
pub(crate) fn build(document: &Document<'_>) -> Result<Built, SchemaError> {
    let schema = document.value(Document::ROOT);
    let limit = pattern_size(document);
    let linear = PatternOptions::regex().size_limit(limit).dfa_size_limit(DFA_BYTES);
    match attempt(document.dialect, schema, linear)? {
        Ok(validator) => Ok(Built { validator, backtracks: false }),
        Err(error) if is_of_pattern(&error) => {
            // The linear engine has no look-around and no back-references; the other one has, and may give up.
            let bounded =
                PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS).size_limit(limit).dfa_size_limit(DFA_BYTES);
            match attempt(document.dialect, schema, bounded)? {
                Ok(validator) => Ok(Built { validator, backtracks: true }),
                Err(error) => Err(refusal(schema, &error)),
            }
        }
        Err(error) => Err(refusal(schema, &error)),
    }
}

/// A validator for one keyword by itself; `None` when the keyword needs its schema around it.
pub(crate) fn of_keyword(dialect: Dialect, keyword: &str, value: &Value) -> Option<Validator<Borrowed>> {
    let schema = Value::Object(Map::from_iter([(keyword.to_owned(), value.clone())]));
    let bounded =
        PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS).size_limit(LARGEST_PATTERN).dfa_size_limit(DFA_BYTES);
    attempt(dialect, &schema, bounded).ok()?.ok()
}

/// The outer error is a bug in the validator, which must not end the program.
fn attempt<E>(
    dialect: Dialect,
    schema: &Value,
    patterns: PatternOptions<E>,
) -> Result<Result<Validator<Borrowed>, ValidationError<'static>>, SchemaError> {
    let draft = match dialect {
        Dialect::Draft07 => Draft::Draft7,
        Dialect::Draft202012 => Draft::Draft202012,
    };
    let options = jsonschema::options_for::<Borrowed>().with_draft(draft).offline();
    // What a string contains is described, in both dialects, and not enforced.
    let options =
        options.without_content_media_type_support("application/json").without_content_encoding_support("base64");
    let options = formats::enforce(options, dialect).with_pattern_options(patterns);
    catch_unwind(AssertUnwindSafe(|| options.build(schema)))
        .map_err(|_panic| SchemaError::invalid("", "the validator cannot handle this schema"))
}

/// How large each compiled pattern may be, so that all of them together stay bounded.
fn pattern_size(document: &Document<'_>) -> usize {
    let mut patterns = 0;
    for node in document.nodes() {
        let Some(schema) = node.value.as_object() else {
            continue;
        };
        patterns += usize::from(schema.contains_key("pattern"));
        patterns += schema.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
    }
    (ALL_PATTERNS / patterns.max(1)).clamp(SMALLEST_PATTERN, LARGEST_PATTERN)
}

fn is_of_pattern(error: &ValidationError<'_>) -> bool {
    let at = error.instance_path().as_str();
    matches!(error.kind(), ValidationErrorKind::Format { format } if format == "regex")
        && (at.ends_with("/pattern") || at.contains("/patternProperties"))
}

fn refusal(schema: &Value, error: &ValidationError<'_>) -> SchemaError {
    let pointer = error.instance_path().as_str();
    if is_of_pattern(error) {
        return SchemaError::Pattern { pointer: pointer.to_owned(), reason: pattern_fault(error.instance()) };
    }
    SchemaError::invalid(pointer, reason(error, schema.pointer(pointer)))
}

fn pattern_fault(pattern: &Value) -> String {
    let parsed = pattern.as_str().map(regex::Regex::new);
    match parsed {
        Some(Err(regex::Error::Syntax(text))) => {
            // The text shows the pattern with a caret; its last line is the reason.
            let reason = text.lines().last().unwrap_or_default();
            reason.trim_start_matches("error: ").to_owned()
        }
        _ => "it is no regular expression of ECMA-262, or too large".to_owned(),
    }
}

/// What the metaschema finds wrong, in words where its own would not help.
fn reason(error: &ValidationError<'_>, found: Option<&Value>) -> String {
    let keyword = error.instance_path().as_str().rsplit('/').next().unwrap_or_default();
    if keyword == "type" {
        let expected = format!("expected one of `{}`", TYPES.join("`, `"));
        let meant = found.and_then(Value::as_str).and_then(|name| nearest(name, TYPES));
        return match meant {
            Some(meant) => format!("{expected}; did you mean `{meant}`?"),
            None => expected,
        };
    }
    match error.kind() {
        ValidationErrorKind::Type { kind } => {
            let types: Vec<&str> = match kind {
                TypeKind::Single(one) => vec![one.as_str()],
                TypeKind::Multiple(several) => several.iter().map(JsonType::as_str).collect(),
            };
            format!("expected {}", types.join(" or "))
        }
        _ => error.to_string(),
    }
}

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Steps of the backtracking engine before it gives up; a millisecond or so.
const BACKTRACKS: usize = 5_000;
/// All compiled patterns of a schema together.
const ALL_PATTERNS: usize = 16 << 20;
const LARGEST_PATTERN: usize = 4 << 20;
const SMALLEST_PATTERN: usize = 16 << 10;
const DFA_BYTES: usize = 1 << 20;
