//! What a file is, by what it holds.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::path::Path;

use haft_diag::escape;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::TargetError;
use super::comments::blank;
use super::file::{LARGEST_LIST, read};
use super::servers;

/// A file that can be a target.
pub(super) enum Document {
    /// A `haft.toml`; whether it is in order, its own reader says.
    Manifest,
    /// A list of servers.
    Servers(Value),
    /// A saved list of tools.
    Tools,
}

impl Document {
    pub(super) fn read(path: &Path) -> Result<Self, TargetError> {
        let text = read(path, LARGEST_LIST)?;
        let is_named_as_manifest = path.file_name().is_some_and(|name| name == "haft.toml");
        let json = match parse_json(&text) {
            Ok(parsed) => return Self::from_json(path, parsed),
            Err(error) => error,
        };
        // Syntactically it is JSON, so it is not to be read once more.
        if json.is_data() {
            return Err(not_json(path, &json));
        }
        if text.len() as u64 > LARGEST_TOML {
            let is_toml = path.extension().is_some_and(|extension| extension == "toml");
            return Err(if is_toml || !begins_as_json(&text) {
                TargetError::TooLarge { path: path.to_owned(), most: LARGEST_TOML }
            } else {
                not_json(path, &json)
            });
        }
        match toml::from_str::<toml::Table>(&text) {
            Ok(table) => Self::from_toml(path, table, is_named_as_manifest),
            Err(_) if is_named_as_manifest => Ok(Self::Manifest),
            Err(error) => Err(neither(path, &text, &json, &error)),
        }
    }

    fn from_json(path: &Path, parsed: Parsed) -> Result<Self, TargetError> {
        let Parsed { value, duplicate } = parsed;
        if is_tools(&value) {
            return Ok(Self::Tools);
        }
        if servers::has_list(&value) {
            return match duplicate {
                Some(key) => Err(TargetError::DuplicateKey { file: path.to_owned(), key }),
                None => Ok(Self::Servers(value)),
            };
        }
        Err(unknown(path, &value, "JSON"))
    }

    fn from_toml(path: &Path, table: toml::Table, is_named_as_manifest: bool) -> Result<Self, TargetError> {
        let has_servers = table.get("mcp_servers").is_some_and(toml::Value::is_table);
        if is_named_as_manifest {
            return Ok(Self::Manifest);
        }
        if has_servers {
            return Ok(Self::Servers(from_toml(toml::Value::Table(table))));
        }
        if MANIFEST_KEYS.iter().any(|key| table.contains_key(*key)) {
            return Ok(Self::Manifest);
        }
        Err(unknown(path, &from_toml(toml::Value::Table(table)), "TOML"))
    }
}

/// JSON, and the first key that stands twice in one object.
struct Parsed {
    value: Value,
    duplicate: Option<String>,
}

fn parse_json(text: &str) -> Result<Parsed, serde_json::Error> {
    let (duplicate, left) = (RefCell::new(None), Cell::new(MOST_VALUES));
    let text = blank(text);
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    let value = Noting { duplicate: &duplicate, left: &left }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(Parsed { value, duplicate: duplicate.into_inner() })
}

/// An array of tools, an object with one, or the answer to `tools/list`.
fn is_tools(value: &Value) -> bool {
    let list = match value {
        Value::Array(_) => Some(value),
        Value::Object(_) => value.get("tools").or_else(|| value.get("result")?.get("tools")),
        _ => None,
    };
    let Some(elements) = list.and_then(Value::as_array) else { return false };
    // One bad tool is for the reader of the list to report; a list without any tool is another list.
    elements.is_empty() || elements.iter().any(|element| element.get("name").is_some_and(Value::is_string))
}

fn unknown(path: &Path, value: &Value, format: &str) -> TargetError {
    let found = match value {
        Value::Object(members) if members.is_empty() => format!("{format} without any member"),
        Value::Object(members) => {
            let mut names: Vec<&str> = members.keys().map(String::as_str).collect();
            names.sort_unstable();
            let shown: Vec<String> = names.iter().take(4).map(|name| format!("`{}`", escape(name))).collect();
            format!("{format} with {}{}", shown.join(", "), if names.len() > 4 { ", …" } else { "" })
        }
        Value::Array(_) => format!("a {format} array without tools"),
        _ => format!("a single {format} value"),
    };
    TargetError::UnknownContent { path: path.to_owned(), found }
}

fn neither(path: &Path, text: &str, json: &serde_json::Error, toml: &toml::de::Error) -> TargetError {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let begins_as_json = begins_as_json(text);
    if extension == "toml" || (begins_as_json && !matches!(extension, "json" | "jsonc") && text.contains("\n[")) {
        let before = toml.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let reason = escape(toml.message()).into_owned();
        return TargetError::Syntax { path: path.to_owned(), format: "TOML", line, reason };
    }
    if begins_as_json || matches!(extension, "json" | "jsonc") {
        return not_json(path, json);
    }
    TargetError::UnknownContent { path: path.to_owned(), found: "neither JSON nor TOML".to_owned() }
}

fn not_json(path: &Path, error: &serde_json::Error) -> TargetError {
    let message = error.to_string();
    let reason = escape(message.split(" at line ").next().unwrap_or_default()).into_owned();
    TargetError::Syntax { path: path.to_owned(), format: "JSON", line: error.line(), reason }
}

fn begins_as_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '/', '"'])
}

/// TOML has dates, which no key that is read here holds; they become text.
fn from_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::Array(elements) => Value::Array(elements.into_iter().map(from_toml).collect()),
        toml::Value::Boolean(boolean) => Value::Bool(boolean),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Float(float) => Number::from_f64(float).map_or(Value::Null, Value::Number),
        toml::Value::Integer(integer) => Value::Number(integer.into()),
        toml::Value::String(text) => Value::String(text),
        toml::Value::Table(table) => {
            Value::Object(table.into_iter().map(|(key, value)| (key, from_toml(value))).collect())
        }
    }
}

/// Reads any JSON value and notes the first key that stands twice, which `serde_json::Value` would pass over.
#[derive(Clone, Copy)]
struct Noting<'d> {
    duplicate: &'d RefCell<Option<String>>,
    /// How many values there may still be: each takes many times the room that it has in the text.
    left: &'d Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Noting<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.left.get().checked_sub(1);
        self.left.set(left.ok_or_else(|| D::Error::custom("there are more than a million values"))?);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Noting<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number beyond all bounds"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(element) = elements.next_element_seed(self)? {
            read.push(element);
        }
        Ok(Value::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if read.contains_key(&key) {
                self.duplicate.borrow_mut().get_or_insert_with(|| key.clone());
            }
            let value = members.next_value_seed(self)?;
            read.insert(key, value);
        }
        Ok(Value::Object(read))
    }
}

const MOST_VALUES: usize = 1_000_000;
/// As much as the reader of manifests takes.
const LARGEST_TOML: u64 = 4 << 20;
/// What a manifest can have at its top.
const MANIFEST_KEYS: [&str; 5] = ["policy", "profile", "server", "tool", "upstream"];
