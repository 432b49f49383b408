//! Which `format`s are enforced, and which only describe.

use std::borrow::Cow;
use std::sync::LazyLock;

use jsonschema::{ValidationOptions, Validator};
use serde_json::json;

use crate::representation::Borrowed;
use crate::{Dialect, Tree};

/// The formats that a string has to have when a schema names them. Every other format is an annotation.
pub(crate) const ENFORCED: [&str; 9] =
    ["date", "time", "date-time", "duration", "email", "uri", "uuid", "ipv4", "ipv6"];

/// An example of an enforced format.
pub(crate) fn example(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => "2026-01-31",
        "time" => "12:30:00Z",
        "date-time" => "2026-01-31T12:30:00Z",
        "duration" => "PT1H30M",
        "email" => "name@example.com",
        "uri" => "https://example.com/",
        "uuid" => "123e4567-e89b-12d3-a456-426614174000",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        _ => return None,
    })
}

/// Makes the validator enforce exactly the formats of [`ENFORCED`], in both dialects.
pub(crate) fn enforce(options: Options, dialect: Dialect) -> Options {
    let mut options = options.should_validate_formats(true).should_ignore_unknown_formats(true);
    for format in ANNOTATIONS {
        options = options.with_format(format, |_: &str| true);
    }
    if dialect == Dialect::Draft07 {
        // Draft-07 has no words for these; schemas that use them mean what 2020-12 says.
        options = options.with_format("duration", |text: &str| DURATION.is_valid(&string(text)));
        options = options.with_format("uuid", |text: &str| UUID.is_valid(&string(text)));
    }
    options
}

pub(crate) type Options = ValidationOptions<'static, std::sync::Arc<dyn jsonschema::Retrieve>, Borrowed>;

fn string(text: &str) -> Tree<'_> {
    Tree::String(Cow::Borrowed(text))
}

#[expect(clippy::expect_used, reason = "a schema of two words compiles, as the tests of this file show")]
fn alone(format: &str) -> Validator<Borrowed> {
    jsonschema::options_for::<Borrowed>()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .build(&json!({ "format": format }))
        .expect("a schema with nothing but a format compiles")
}

static DURATION: LazyLock<Validator<Borrowed>> = LazyLock::new(|| alone("duration"));
static UUID: LazyLock<Validator<Borrowed>> = LazyLock::new(|| alone("uuid"));

/// What the validator would enforce, and we do not.
const ANNOTATIONS: [&str; 10] = [
    "hostname",
    "idn-email",
    "idn-hostname",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "uri-reference",
    "uri-template",
];
