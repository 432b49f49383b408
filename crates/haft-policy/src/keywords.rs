//! Conditions are schemas that say what their author meant: a keyword that nobody knows would hold for everything.

use haft_diag::nearest;
use serde_json::Value;

/// What of a schema would silently be ignored: its JSON Pointer and what is wrong with it.
pub(crate) fn ignored(schema: &Value) -> Option<(String, String)> {
    // The nesting is bounded: the schema was compiled before.
    visit(schema, &mut String::new())
}

fn visit(schema: &Value, pointer: &mut String) -> Option<(String, String)> {
    let schema = schema.as_object()?;
    for (keyword, value) in schema {
        let found = at(pointer, keyword, |pointer| match (kind(keyword), value) {
            (Some(Kind::Schema), _) if ["then", "else"].contains(&keyword.as_str()) && !schema.contains_key("if") => {
                Some((pointer.clone(), format!("`{keyword}` without `if` says nothing")))
            }
            (Some(Kind::Map), Value::Object(members)) => {
                members.iter().find_map(|(name, schema)| at(pointer, name, |pointer| visit(schema, pointer)))
            }
            (Some(Kind::Schema), Value::Array(schemas)) => schemas
                .iter()
                .enumerate()
                .find_map(|(index, schema)| at(pointer, &index.to_string(), |pointer| visit(schema, pointer))),
            (Some(Kind::Schema), value) => visit(value, pointer),
            (Some(Kind::Format), Value::String(format)) if !FORMATS.contains(&format.as_str()) => {
                let known = FORMATS.join("`, `");
                Some((pointer.clone(), format!("the format `{format}` is not checked; there are `{known}`")))
            }
            (Some(_), _) => None,
            (None, _) => {
                let meant = nearest(keyword, KEYWORDS.iter().map(|(known, _)| *known));
                let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
                Some((pointer.clone(), format!("unknown keyword `{keyword}`{meant}")))
            }
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

fn at<T>(pointer: &mut String, name: &str, inside: impl FnOnce(&mut String) -> T) -> T {
    let length = pointer.len();
    pointer.push('/');
    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
    let result = inside(pointer);
    pointer.truncate(length);
    result
}

fn kind(keyword: &str) -> Option<Kind> {
    KEYWORDS.iter().find(|(known, _)| *known == keyword).map(|(_, kind)| *kind)
}

/// What stands behind a keyword.
#[derive(Clone, Copy)]
enum Kind {
    Format,
    /// Schemas by name.
    Map,
    /// A schema, or an array of them.
    Schema,
    /// Anything else.
    Value,
}

/// The keywords that are checked, and those that say what a schema is. Annotations such as `title` have no place in a
/// condition, but do no harm there.
const KEYWORDS: [(&str, Kind); 53] = [
    ("$anchor", Kind::Value),
    ("$comment", Kind::Value),
    ("$defs", Kind::Map),
    ("$id", Kind::Value),
    ("$ref", Kind::Value),
    ("$schema", Kind::Value),
    ("additionalProperties", Kind::Schema),
    ("allOf", Kind::Schema),
    ("anyOf", Kind::Schema),
    ("const", Kind::Value),
    ("contains", Kind::Schema),
    ("default", Kind::Value),
    ("definitions", Kind::Map),
    ("dependentRequired", Kind::Value),
    ("dependentSchemas", Kind::Map),
    ("description", Kind::Value),
    ("else", Kind::Schema),
    ("enum", Kind::Value),
    ("examples", Kind::Value),
    ("exclusiveMaximum", Kind::Value),
    ("exclusiveMinimum", Kind::Value),
    ("format", Kind::Format),
    ("if", Kind::Schema),
    ("items", Kind::Schema),
    ("maxContains", Kind::Value),
    ("maxItems", Kind::Value),
    ("maxLength", Kind::Value),
    ("maxProperties", Kind::Value),
    ("maximum", Kind::Value),
    ("minContains", Kind::Value),
    ("minItems", Kind::Value),
    ("minLength", Kind::Value),
    ("minProperties", Kind::Value),
    ("minimum", Kind::Value),
    ("multipleOf", Kind::Value),
    ("not", Kind::Schema),
    ("oneOf", Kind::Schema),
    ("pattern", Kind::Value),
    ("patternProperties", Kind::Map),
    ("prefixItems", Kind::Schema),
    ("properties", Kind::Map),
    ("propertyNames", Kind::Schema),
    ("required", Kind::Value),
    ("then", Kind::Schema),
    ("title", Kind::Value),
    ("type", Kind::Value),
    ("unevaluatedItems", Kind::Schema),
    ("unevaluatedProperties", Kind::Schema),
    ("uniqueItems", Kind::Value),
    ("$dynamicAnchor", Kind::Value),
    ("$dynamicRef", Kind::Value),
    ("$vocabulary", Kind::Value),
    ("deprecated", Kind::Value),
];

/// The formats that schemas are checked for.
const FORMATS: [&str; 9] = ["date", "time", "date-time", "duration", "email", "uri", "uuid", "ipv4", "ipv6"];
