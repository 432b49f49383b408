//! One field of a form (2025-11-25 and 2026-07-28, elicitation: requested schema).

use haft_diag::escape;
use haft_schema::{CompileOptions, Ownership, Schema, Tree};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::sheet::Sheet;
use crate::{person, printer};

/// A field, and what it takes.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    schema: Value,
    is_required: bool,
}

/// What the person gave.
#[derive(Debug)]
pub(super) enum Given {
    /// The input is over.
    End,
    /// An empty line where that is enough.
    Nothing,
    /// A value that the field takes.
    Value(Value),
}

/// A value that can be chosen, and what a person reads for it.
struct Choice {
    value: String,
    title: String,
}

impl Field {
    /// The fields of a form, in its order.
    pub(super) fn all(schema: Option<&Value>) -> Vec<Self> {
        let Some(schema) = schema else { return Vec::new() };
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        properties
            .map(|(name, schema)| Self {
                name: name.clone(),
                schema: schema.clone(),
                is_required: required.contains(&name.as_str()),
            })
            .collect()
    }

    /// Asks until the answer fits, but not for ever.
    pub(super) fn ask(&self) -> Given {
        printer::tell(&self.introduction());
        for _ in 0..MOST_ATTEMPTS {
            let Some(text) = person::line("  > ") else { return Given::End };
            if text.is_empty() {
                match self.schema.get("default") {
                    Some(default) => return Given::Value(default.clone()),
                    None if !self.is_required => return Given::Nothing,
                    None => {
                        printer::tell("  it is required; Ctrl-D closes the question\n");
                        continue;
                    }
                }
            }
            match self.read(&text) {
                Ok(value) => return Given::Value(value),
                Err(why) => printer::tell(&format!("  {}\n", escape(&why))),
            }
        }
        printer::tell("  that was no answer too often; the question is closed\n");
        Given::End
    }

    fn introduction(&self) -> String {
        let text = |member: &str| self.schema.get(member).and_then(Value::as_str);
        let title = text("title").map(|title| format!(" “{}”", escape(title))).unwrap_or_default();
        let kind = text("format").or_else(|| text("type")).unwrap_or("text");
        let required = if self.is_required { ", required" } else { "" };
        let mut lines = Sheet::new(format!("{}{title} ({}{required})", escape(&self.name), escape(kind)));
        if let Some(description) = text("description") {
            lines.add(&format!(": {}", escape(description)));
        }
        lines.add("\n");
        let choices = self.choices();
        for (number, Choice { value, title }) in (1_usize..).zip(&choices).take(MOST_CHOICES) {
            let title = if title == value { String::new() } else { format!(" ({})", escape(title)) };
            lines.add(&format!("  {number}) {}{title}\n", escape(value)));
        }
        if self.is_several() {
            lines.add("  several are separated by commas\n");
        }
        if let Some(default) = self.schema.get("default") {
            lines.add(&format!("  an empty line is {}\n", escape(&default.to_string())));
        }
        lines.into()
    }

    fn is_several(&self) -> bool {
        self.schema.get("type").and_then(Value::as_str) == Some("array")
    }

    fn choices(&self) -> Vec<Choice> {
        let schema = if self.is_several() { self.schema.get("items").unwrap_or(&Value::Null) } else { &self.schema };
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            let titles = schema.get("enumNames").and_then(Value::as_array);
            let title = |index: usize| titles?.get(index)?.as_str().map(str::to_owned);
            let choice = |(index, value): (usize, &Value)| {
                let value = value.as_str()?.to_owned();
                Some(Choice { title: title(index).unwrap_or_else(|| value.clone()), value })
            };
            return values.iter().enumerate().filter_map(choice).collect();
        }
        let named = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array);
        let choice = |option: &Value| {
            let value = option.get("const")?.as_str()?.to_owned();
            let title = option.get("title").and_then(Value::as_str).unwrap_or(&value).to_owned();
            Some(Choice { value, title })
        };
        named.into_iter().flatten().filter_map(choice).collect()
    }

    /// The value that a line stands for, if the field takes it.
    fn read(&self, text: &str) -> Result<Value, String> {
        let choices = self.choices();
        let chosen = |text: &str| {
            let text = text.trim();
            let by_number = text.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
            let by_value = choices.iter().find(|choice| choice.value == text || choice.title == text);
            by_value.or(by_number).map_or_else(|| json!(text), |choice| json!(choice.value))
        };
        let value = match self.schema.get("type").and_then(Value::as_str) {
            Some("array") => text.split(',').map(chosen).collect(),
            Some("boolean") => match text.trim().to_ascii_lowercase().as_str() {
                "y" | "yes" | "true" => json!(true),
                "n" | "no" | "false" => json!(false),
                _ => return Err("`yes` or `no`".to_owned()),
            },
            Some("integer" | "number") => match serde_json::from_str(text.trim()) {
                Ok(value @ Value::Number(_)) => value,
                _ => return Err("a number has digits only, with `.` for a fraction and `-` in front".to_owned()),
            },
            _ if choices.is_empty() => json!(text),
            _ => chosen(text),
        };
        self.check(&value)?;
        Ok(value)
    }

    fn check(&self, value: &Value) -> Result<(), String> {
        let raw = RawValue::from_string(self.schema.to_string()).map_err(|error| error.to_string())?;
        // What cannot be checked here, the form as a whole may still refuse.
        let Ok(schema) = Schema::compile(&raw, &CompileOptions::of(Ownership::Foreign)) else { return Ok(()) };
        let text = value.to_string();
        let tree = Tree::parse(&text).map_err(|error| error.to_string())?;
        schema.check(&tree).map_err(|problems| {
            problems
                .to_string()
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("- ")
                .trim_start_matches("the whole value: ")
                .to_owned()
        })
    }
}

const MOST_ATTEMPTS: usize = 5;
const MOST_CHOICES: usize = 50;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_the_field_wants_it() {
        let cases = [
            (json!({"type": "string"}), "a, b", Some(json!("a, b"))),
            (json!({"type": "string", "minLength": 3}), "ab", None),
            (json!({"type": "integer"}), " 12 ", Some(json!(12))),
            (json!({"type": "integer"}), "1.5", None),
            (json!({"type": "number", "maximum": 2}), "1.5", Some(json!(1.5))),
            (json!({"type": "number"}), "\"1\"", None),
            (json!({"type": "boolean"}), "Yes", Some(json!(true))),
            (json!({"type": "boolean"}), "maybe", None),
            (json!({"type": "string", "enum": ["red", "2"]}), "1", Some(json!("red"))),
            (json!({"type": "string", "enum": ["red", "2"]}), "2", Some(json!("2"))),
            (json!({"type": "string", "enum": ["red"], "enumNames": ["Rot"]}), "Rot", Some(json!("red"))),
            (json!({"type": "string", "enum": ["red"]}), "blue", None),
            (json!({"type": "string", "oneOf": [{"const": "r", "title": "Red"}]}), "1", Some(json!("r"))),
            (
                json!({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}),
                "1, b",
                Some(json!(["a", "b"])),
            ),
        ];
        for (schema, text, expected) in cases {
            let field = Field { name: "f".to_owned(), schema: schema.clone(), is_required: true };
            assert_eq!(field.read(text).ok(), expected, "{schema} {text}");
        }
    }
}
