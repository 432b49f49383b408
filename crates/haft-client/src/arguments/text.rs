//! One text as one JSON value, by what the schema allows.

use haft_diag::{escape, nearest};
use serde_json::Value;

use super::ArgumentProblem;
use super::exact::{compact, quote};
use super::schema::{Kind, Schemas, allows, listed};

/// The JSON of the value that `text` stands for.
pub(super) fn read(key: &str, text: &str, schemas: &Schemas<'_>) -> Result<String, ArgumentProblem> {
    read_within(key, text, schemas, false)
}

/// `is_element` when the text already stands for the element of an array: then it is not wrapped once more, so that
/// arrays of themselves have an end.
fn read_within(key: &str, text: &str, schemas: &Schemas<'_>, is_element: bool) -> Result<String, ArgumentProblem> {
    for kind in Kind::ORDER {
        for part in schemas.parts().iter().filter(|part| allows(part, kind)) {
            let json = match kind {
                Kind::Array if !is_element => array(key, text, schemas)?,
                _ => read_as(text, kind, part),
            };
            if let Some(json) = json {
                return Ok(json);
            }
        }
    }
    if schemas.is_free() { Ok(quote(text)) } else { Err(misfit(key, text, schemas)) }
}

fn read_as(text: &str, kind: Kind, part: &Value) -> Option<String> {
    let json = match kind {
        Kind::Null => (text == "null").then(|| text.to_owned()),
        Kind::Boolean => matches!(text, "true" | "false").then(|| text.to_owned()),
        Kind::Integer => is_integer(text).then(|| text.to_owned()),
        Kind::Number => is_number(text).then(|| text.to_owned()),
        Kind::String => Some(quote(text)),
        Kind::Array => begins(text, '[').then(|| compact(text).ok()).flatten(),
        Kind::Object => begins(text, '{').then(|| compact(text).ok()).flatten(),
    };
    // Where the values are listed, it has to be one of them.
    json.filter(|json| listed(part).is_none_or(|values| values.iter().any(|value| is_written(value, json))))
}

/// An array of the one element that the text is; or the array that the text is, when no element can look like that.
fn array(key: &str, text: &str, schemas: &Schemas<'_>) -> Result<Option<String>, ArgumentProblem> {
    let element = schemas.element(0);
    let whole = begins(text, '[').then(|| compact(text).ok()).flatten();
    if let Some(whole) = whole {
        let is_like_an_element = element.is_free() || element.allows(Kind::String) || element.allows(Kind::Array);
        if is_like_an_element {
            let key_shown = escape(key);
            let problem = ArgumentProblem::new(key, "this can be the whole array or one element of it");
            return Err(problem.hint(format!("`{key_shown}:=[…]` is the whole array")));
        }
        return Ok(Some(whole));
    }
    match read_within(key, text, &element, true) {
        Ok(element) => Ok(Some(format!("[{element}]"))),
        // It may still be the JSON of an object.
        Err(_) if schemas.allows(Kind::Object) => Ok(None),
        // What is wrong with an element is wrong with the argument.
        Err(problem) => Err(problem),
    }
}

fn is_written(value: &Value, json: &str) -> bool {
    match value {
        Value::Number(number) => number.to_string() == json,
        other => compact(&other.to_string()).is_ok_and(|other| other == json),
    }
}

fn misfit(key: &str, text: &str, schemas: &Schemas<'_>) -> ArgumentProblem {
    let values: Vec<&Value> = schemas.parts().iter().filter_map(|part| listed(part)).flatten().collect();
    let free = |kind: &Kind| schemas.parts().iter().any(|part| allows(part, *kind) && listed(part).is_none());
    let mut expected: Vec<String> = Kind::ORDER.into_iter().filter(free).map(|kind| kind.phrase().to_owned()).collect();
    if !values.is_empty() {
        let shown = |value: &&Value| match value {
            Value::String(text) => format!("`{}`", escape(text)),
            other => format!("`{}`", escape(&other.to_string())),
        };
        let mut list: Vec<String> = values.iter().take(MOST_LISTED).map(shown).collect();
        list.extend((values.len() > MOST_LISTED).then(|| "…".to_owned()));
        expected.insert(0, format!("one of {}", list.join(", ")));
    }
    if expected.is_empty() {
        return ArgumentProblem::new(key, "the schema allows no value here");
    }
    let found = found(text);
    let problem = ArgumentProblem::new(key, format!("expected {}, found {found}", expected.join(" or ")));
    let known: Vec<&str> = values.iter().filter_map(|value| value.as_str()).collect();
    if let Some(near) = nearest(text, known) {
        return problem.hint(format!("did you mean `{}`?", escape(near)));
    }
    let lower = text.trim().to_ascii_lowercase();
    if schemas.allows(Kind::Boolean) {
        let meant = match lower.as_str() {
            "1" | "on" | "true" | "t" | "y" | "yes" => Some("true"),
            "0" | "off" | "false" | "f" | "n" | "no" => Some("false"),
            _ => None,
        };
        if let Some(meant) = meant {
            return problem.hint(format!("did you mean `{meant}`?"));
        }
    }
    let shown = escape(key);
    if schemas.allows(Kind::Object) {
        return problem.hint(format!("`{shown}:={{…}}` gives it as JSON, `{shown}.name=…` one member"));
    }
    if (schemas.allows(Kind::Integer) || schemas.allows(Kind::Number)) && found == "a text" {
        return problem.hint("a number has digits only, with `.` for a fraction and `-` in front");
    }
    problem
}

/// What a text looks like.
fn found(text: &str) -> &'static str {
    match text {
        "" => "an empty text",
        "null" => "`null`",
        "true" | "false" => "a boolean",
        _ if is_integer(text) => "an integer",
        _ if is_number(text) => "a number",
        _ if begins(text, '[') && compact(text).is_ok() => "an array",
        _ if begins(text, '{') && compact(text).is_ok() => "an object",
        _ => "a text",
    }
}

fn begins(text: &str, bracket: char) -> bool {
    text.trim_start().starts_with(bracket)
}

/// Digits, as JSON has them: no sign but `-`, no zeros in front.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || digits.starts_with(|first| first != '0'))
}

fn is_number(text: &str) -> bool {
    let has_digit_at = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    let mantissa = text.strip_prefix('-').unwrap_or(text);
    // Without brackets and quotes, what JSON takes and begins with a digit is a number; space around it is not.
    has_digit_at(mantissa) && text.trim() == text && compact(text).is_ok()
}

const MOST_LISTED: usize = 20;
