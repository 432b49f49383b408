//! TOML values as JSON text, members in the order of the file.

use toml::de::DeValue;

use crate::report::Report;
use crate::table::{Value, entries, integer};

/// The value as compact JSON text; `None`, with a report, for what JSON has no form of.
pub(crate) fn from_toml(value: &Value<'_>, report: &mut Report) -> Option<String> {
    let mut text = String::new();
    write(value, &mut text, report).then_some(text)
}

/// A string as JSON text.
pub(crate) fn quote(text: &str) -> String {
    // A string always encodes.
    serde_json::to_string(text).unwrap_or_default()
}

fn write(value: &Value<'_>, text: &mut String, report: &mut Report) -> bool {
    match value.get_ref() {
        DeValue::String(string) => text.push_str(&quote(string)),
        DeValue::Boolean(boolean) => text.push_str(if *boolean { "true" } else { "false" }),
        DeValue::Integer(_) => match integer(value.get_ref()) {
            Some(integer) => text.push_str(&integer.to_string()),
            None => return refuse(value, "an integer beyond 64 bits", report),
        },
        DeValue::Float(float) => {
            let number = float.as_str().parse().ok().and_then(serde_json::Number::from_f64);
            match number {
                Some(number) => text.push_str(&number.to_string()),
                None => return refuse(value, "a number that JSON does not have", report),
            }
        }
        DeValue::Datetime(_) => return refuse(value, "a date; write it as a string", report),
        DeValue::Array(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                if !write(element, text, report) {
                    return false;
                }
            }
            text.push(']');
        }
        DeValue::Table(table) => {
            text.push('{');
            for (index, (key, _, member)) in entries(table).into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(&quote(key));
                text.push(':');
                if !write(member, text, report) {
                    return false;
                }
            }
            text.push('}');
        }
    }
    true
}

fn refuse(value: &Value<'_>, what: &str, report: &mut Report) -> bool {
    report.error(value.span(), format!("this is {what}"));
    false
}
