//! The members of an entry: what is asked for is taken, the rest is told.

use haft_diag::escape;
use serde_json::{Map, Value};

use super::TargetError;

/// One entry's members.
pub(super) struct Fields<'a> {
    /// The file and the entry.
    pub(super) place: String,
    members: &'a Map<String, Value>,
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(place: String, members: &'a Map<String, Value>) -> Self {
        Self { place, members, asked: Vec::new() }
    }

    /// Where the member stands.
    pub(super) fn at(&self, key: &str) -> String {
        format!("{}: `{}`", self.place, escape(key))
    }

    /// The member; `null` counts as absent.
    pub(super) fn take(&mut self, key: &'static str) -> Option<&'a Value> {
        self.asked.push(key);
        self.members.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn text(&mut self, key: &'static str) -> Result<Option<&'a str>, TargetError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| self.wrong(key, "a string", value))
    }

    pub(super) fn boolean(&mut self, key: &'static str) -> Result<Option<bool>, TargetError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| self.wrong(key, "`true` or `false`", value))
    }

    pub(super) fn texts(&mut self, key: &'static str) -> Result<Vec<&'a str>, TargetError> {
        let Some(value) = self.take(key) else { return Ok(Vec::new()) };
        let Some(elements) = value.as_array() else { return Err(self.wrong(key, "an array of strings", value)) };
        let text = |(index, element): (usize, &'a Value)| {
            element.as_str().ok_or_else(|| self.wrong(&format!("{key}[{index}]"), "a string", element))
        };
        elements.iter().enumerate().map(text).collect()
    }

    pub(super) fn object(&mut self, key: &'static str) -> Result<Option<&'a Map<String, Value>>, TargetError> {
        let Some(value) = self.take(key) else { return Ok(None) };
        value.as_object().map(Some).ok_or_else(|| self.wrong(key, "an object", value))
    }

    /// The members of an object of texts.
    pub(super) fn named_texts(&mut self, key: &'static str) -> Result<Vec<(&'a str, &'a str)>, TargetError> {
        let members = self.object(key)?.into_iter().flatten();
        let text = |(name, value): (&'a String, &'a Value)| {
            let text = value.as_str().ok_or_else(|| self.wrong(&format!("{key}.{name}"), "a string", value));
            text.map(|text| (name.as_str(), text))
        };
        members.map(text).collect()
    }

    /// The keys that nobody asked for, by the alphabet: the order of a file is lost unless a feature of another crate
    /// keeps it.
    pub(super) fn rest(&self) -> Vec<&'a str> {
        let mut rest: Vec<&'a str> =
            self.members.keys().map(String::as_str).filter(|key| !self.asked.contains(key)).collect();
        rest.sort_unstable();
        rest
    }

    pub(super) fn wrong(&self, key: &str, expected: &str, value: &Value) -> TargetError {
        TargetError::Value { place: self.at(key), expected: expected.to_owned(), found: kind(value).to_owned() }
    }
}

/// What kind of value it is.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
