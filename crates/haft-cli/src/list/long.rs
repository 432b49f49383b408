//! Everything about each tool, for a person.

use haft_client::{Tool, Tools};
use haft_diag::escape;
use haft_policy::{Effective, Hint};
use serde_json::Value;

use crate::policy::{Judge, effect, unheeded};
use crate::sheet::Sheet;

pub(super) fn text(tools: &Tools, judge: &Judge) -> String {
    tools.list.iter().map(|tool| one(tool, judge)).collect()
}

fn one(tool: &Tool, judge: &Judge) -> String {
    let definition = tool.definition();
    let hints = judge.hints(tool);
    let mut text = Sheet::new(format!("{}\n", escape(&definition.name)));
    if let Some(title) = &definition.title {
        text.add(&format!("  title: {}\n", escape(title)));
    }
    text.add(&format!("  may be: {}\n", effect(&hints)));
    for hint in Hint::ALL {
        let Effective { value, source, .. } = hints.get(hint);
        text.add(&format!("    {} {value}: {}\n", hint.name(), source.words()));
    }
    let unheeded = unheeded(tool, &hints);
    if !unheeded.is_empty() {
        text.add(&format!("    the server claims, and is not believed: {}\n", unheeded.join(", ")));
    }
    for line in definition.description.as_deref().unwrap_or_default().lines() {
        text.add(&format!("  | {}\n", escape(line)));
    }
    match serde_json::from_str(definition.input_schema.get()) {
        Ok(schema) => text.add(&arguments(&schema)),
        Err(_) => text.add("  arguments: a schema that cannot be read\n"),
    }
    if let Err(error) = tool.input() {
        text.add(&format!("  the input schema cannot be used: {}\n", escape(&error.to_string())));
    }
    let structured = if definition.output_schema.is_some() { "yes, with a schema" } else { "not declared" };
    text.add(&format!("  structured result: {structured}\n"));
    for note in &definition.notes {
        text.add(&format!("  note: {}\n", escape(note)));
    }
    text.add("\n");
    text.into()
}

fn arguments(schema: &Value) -> String {
    let Some(properties) = schema.get("properties").and_then(Value::as_object).filter(|known| !known.is_empty()) else {
        return "  arguments: none that are declared\n".to_owned();
    };
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let mut text = Sheet::new("  arguments:\n");
    for (name, property) in properties {
        let needed = if required.contains(&name.as_str()) { ", required" } else { "" };
        let default = property.get("default").map(|value| format!(", default {value}")).unwrap_or_default();
        text.add(&format!("    {} ({}{needed}{})", escape(name), escape(&kind(property)), escape(&default)));
        match property.get("description").and_then(Value::as_str) {
            Some(description) => text.add(&format!(": {}\n", escape(description))),
            None => text.add("\n"),
        }
    }
    text.into()
}

/// The type as a person says it.
fn kind(property: &Value) -> String {
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        let shown: Vec<String> = values.iter().take(MOST_VALUES).map(Value::to_string).collect();
        let more = if values.len() > MOST_VALUES { ", …" } else { "" };
        return format!("one of {}{more}", shown.join(", "));
    }
    match property.get("type") {
        Some(Value::String(kind)) => match property.get("items").and_then(|items| items.get("type")) {
            Some(Value::String(element)) => format!("{kind} of {element}"),
            _ => kind.clone(),
        },
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "any of several types".to_owned(),
    }
}

const MOST_VALUES: usize = 12;
