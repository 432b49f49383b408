//! Brings what schemars generates into the form that hosts and models take best.

use serde_json::{Map, Value};

/// Closes objects, bounds integers, and drops what says nothing, at every depth.
pub(super) fn tidy(mut schema: Value) -> Value {
    walk(&mut schema, false);
    schema
}

/// Says `"type": "object"` at a root whose alternatives are all objects, as an input schema has to.
pub(super) fn say_object(schema: &mut Map<String, Value>) {
    let all_objects = ["oneOf", "anyOf"].into_iter().any(|keyword| {
        let branches = schema.get(keyword).and_then(Value::as_array);
        branches.is_some_and(|branches| !branches.is_empty() && branches.iter().all(is_object))
    });
    if all_objects && !schema.contains_key("type") {
        schema.insert("type".to_owned(), Value::from("object"));
    }
}

/// Puts the keywords of every schema in order: what it is first, definitions last.
pub(super) fn sort(schema: &mut Value) {
    let Value::Object(keywords) = schema else {
        return;
    };
    let old = std::mem::take(keywords);
    let rank = |keyword: &str| FIRST.iter().position(|first| *first == keyword).unwrap_or(FIRST.len());
    let mut entries: Vec<(String, Value)> = old.into_iter().collect();
    // The sort keeps what has the same rank in the order of its coming.
    entries.sort_by_key(|(keyword, _)| (keyword == "$defs", rank(keyword)));
    keywords.extend(entries);
    each_part(keywords, &mut |_, part| sort(part));
}

/// `in_place`: the schema is one of several for the same object, so it cannot close the object by itself.
fn walk(schema: &mut Value, in_place: bool) {
    let Value::Object(keywords) = schema else {
        return;
    };
    bound_integer(keywords);
    if keywords.get("default") == Some(&Value::Null) {
        // Leaving a nullable member out means the same.
        keywords.shift_remove("default");
    }
    let describes_object = keywords.contains_key("properties") || is_type(keywords, "object");
    if describes_object && !in_place {
        close(keywords);
    }
    each_part(keywords, &mut |keyword, part| {
        let combined = match keyword {
            "allOf" => true,
            "anyOf" | "oneOf" | "if" | "then" | "else" | "dependentSchemas" => describes_object || in_place,
            _ => false,
        };
        walk(part, combined);
    });
}

fn close(keywords: &mut Map<String, Value>) {
    const DECIDED: [&str; 4] = ["additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames"];
    const IN_PLACE: [&str; 5] = ["$ref", "allOf", "anyOf", "if", "oneOf"];
    if DECIDED.iter().any(|keyword| keywords.contains_key(*keyword)) {
        return;
    }
    let combined = IN_PLACE.iter().any(|keyword| keywords.contains_key(*keyword));
    let keyword = if combined { "unevaluatedProperties" } else { "additionalProperties" };
    keywords.insert(keyword.to_owned(), Value::Bool(false));
}

/// Replaces a format that only Rust knows by the bounds it stands for.
///
/// Integers of 64 bits and more keep no upper bound: beyond 2^53 hosts round numbers, and a limit they cannot
/// represent helps nobody.
fn bound_integer(keywords: &mut Map<String, Value>) {
    let Some(format) = keywords.get("format").and_then(Value::as_str) else {
        return;
    };
    let (least, most) = match format {
        "int8" => (Some(i64::from(i8::MIN)), Some(i64::from(i8::MAX))),
        "int16" => (Some(i64::from(i16::MIN)), Some(i64::from(i16::MAX))),
        "int32" => (Some(i64::from(i32::MIN)), Some(i64::from(i32::MAX))),
        "uint8" => (Some(0), Some(i64::from(u8::MAX))),
        "uint16" => (Some(0), Some(i64::from(u16::MAX))),
        "uint32" => (Some(0), Some(i64::from(u32::MAX))),
        "uint" | "uint64" | "uint128" => (Some(0), None),
        "int" | "int64" | "int128" | "float" | "double" => (None, None),
        _ => return,
    };
    keywords.shift_remove("format");
    for (keyword, bound) in [("minimum", least), ("maximum", most)] {
        if let Some(bound) = bound {
            keywords.entry(keyword).or_insert(Value::from(bound));
        }
    }
}

fn is_object(schema: &Value) -> bool {
    schema.as_object().is_some_and(|keywords| is_type(keywords, "object"))
}

fn is_type(keywords: &Map<String, Value>, name: &str) -> bool {
    match keywords.get("type") {
        Some(Value::String(kind)) => kind == name,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == name),
        _ => false,
    }
}

/// Calls `visit` with every subschema and the keyword it stands under.
pub(super) fn each_part(keywords: &mut Map<String, Value>, visit: &mut dyn FnMut(&str, &mut Value)) {
    for (keyword, value) in keywords {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "dependentSchemas" | "$defs", Value::Object(named)) => {
                for part in named.values_mut() {
                    visit(keyword, part);
                }
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(list)) => {
                for part in list {
                    visit(keyword, part);
                }
            }
            (
                "items"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "unevaluatedItems"
                | "contains"
                | "propertyNames"
                | "not"
                | "if"
                | "then"
                | "else",
                part,
            ) => visit(keyword, part),
            _ => {}
        }
    }
}

const FIRST: [&str; 4] = ["$ref", "type", "description", "default"];
