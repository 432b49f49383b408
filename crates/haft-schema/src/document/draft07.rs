//! Forms of draft-07 that 2020-12 reads as something else, or as nothing.

use serde_json::Value;

use super::Document;
use crate::pointer::Pointer;
use crate::{Dialect, SchemaError};

/// Refuses forms that only draft-07 knows in a 2020-12 document.
///
/// 2020-12 ignores most of them, so what its author wanted enforced would not be.
pub(crate) fn refuse_draft07_forms(document: &Document<'_>) -> Result<(), SchemaError> {
    if document.dialect == Dialect::Draft07 {
        return Ok(());
    }
    for (place, node) in document.nodes().iter().enumerate() {
        let Some(schema) = node.value.as_object() else {
            continue;
        };
        for (keyword, value) in schema {
            if let Some(advice) = advice(keyword, value) {
                let mut pointer = Pointer::at(&document.pointer(place));
                pointer.push(keyword);
                return Err(SchemaError::Draft07Form { pointer: pointer.into_string(), advice });
            }
        }
    }
    Ok(())
}

fn advice(keyword: &str, value: &Value) -> Option<&'static str> {
    match (keyword, value) {
        ("items", Value::Array(_)) => Some("use `prefixItems`, or declare draft-07 with `$schema`"),
        ("additionalItems", _) => Some("use `items` beside `prefixItems`, or declare draft-07 with `$schema`"),
        ("dependencies", Value::Object(_)) => {
            Some("use `dependentRequired` or `dependentSchemas`, or declare draft-07 with `$schema`")
        }
        ("$ref", Value::String(reference)) if reference.starts_with("#/definitions/") => {
            Some("use `$defs`, or declare draft-07 with `$schema`")
        }
        ("$id", Value::String(id)) if id.starts_with('#') => Some("use `$anchor`, or declare draft-07 with `$schema`"),
        ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => {
            Some("even older than that: write the limit itself, `\"exclusiveMinimum\": 0`")
        }
        _ => None,
    }
}
