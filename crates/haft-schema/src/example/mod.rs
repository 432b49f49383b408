//! Makes up a small value that fits a schema, to show what is wanted.

mod pattern;

use serde_json::{Map, Number, Value};

use crate::document::{Document, Place};
use crate::explain::types;
use crate::{Tree, formats};

/// A small value that fits, as JSON text. Whether it fits is asked of `fits`; if it does not, there is none.
pub(crate) fn of(document: &Document<'_>, fits: impl Fn(&Tree<'_>) -> bool) -> Option<String> {
    let value = Maker { document }.make(Document::ROOT, MOST_DEPTH)?;
    // Nothing says more about what is wanted.
    let text = (!value.is_null()).then(|| value.to_string())?;
    if text.len() > LONGEST {
        return None;
    }
    let tree = Tree::parse(&text).ok()?;
    fits(&tree).then(|| text.clone())
}

struct Maker<'d, 's> {
    document: &'d Document<'s>,
}

impl<'s> Maker<'_, 's> {
    fn keyword(&self, place: Place, keyword: &str) -> Option<&'s Value> {
        self.document.keyword(place, keyword)
    }

    fn make(&self, place: Place, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        match self.document.value(place) {
            Value::Bool(false) => return None,
            Value::Bool(true) => return Some(Value::Null),
            _ => {}
        }
        if let Some(given) = self.given(place) {
            return Some(given.clone());
        }
        let mut value = self.of_type(place, depth);
        for keyword in ["$ref", "$dynamicRef", "allOf"] {
            for edge in self.document.under(place, keyword) {
                value = Some(merged(value, self.make(edge.target, depth)?));
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            let mut branches = self.document.under(place, keyword).peekable();
            if branches.peek().is_some() {
                let chosen = branches.find_map(|edge| self.make(edge.target, depth).filter(|made| !made.is_null()));
                value = Some(merged(value, chosen.unwrap_or(Value::Null)));
            }
        }
        Some(value.unwrap_or(Value::Null))
    }

    /// A value that the schema itself shows.
    fn given(&self, place: Place) -> Option<&'s Value> {
        let first = |keyword| self.keyword(place, keyword)?.as_array()?.first();
        self.keyword(place, "const")
            .or_else(|| self.keyword(place, "default").filter(|value| !value.is_null()))
            .or_else(|| first("examples"))
            .or_else(|| first("enum"))
    }

    fn of_type(&self, place: Place, depth: usize) -> Option<Value> {
        let types = types(self.keyword(place, "type"));
        let named = types.iter().find(|name| **name != "null").or(types.first()).copied();
        let kind = match named {
            Some(name) => name,
            None if self.keyword(place, "properties").is_some() || self.keyword(place, "required").is_some() => {
                "object"
            }
            None => return None,
        };
        match kind {
            "string" => Some(Value::String(self.string(place))),
            "integer" | "number" => self.number(place, kind == "integer").map(Value::Number),
            "boolean" => Some(Value::Bool(false)),
            "array" => self.array(place, depth),
            "object" => self.object(place, depth),
            _ => Some(Value::Null),
        }
    }

    fn string(&self, place: Place) -> String {
        if let Some(example) = self.keyword(place, "format").and_then(Value::as_str).and_then(formats::example) {
            return example.to_owned();
        }
        let limit = |keyword| self.keyword(place, keyword).and_then(Value::as_u64);
        let least = limit("minLength").unwrap_or(0);
        let most = limit("maxLength").unwrap_or(u64::MAX);
        if let Some(pattern) = self.keyword(place, "pattern").and_then(Value::as_str) {
            let least = usize::try_from(least).unwrap_or(usize::MAX);
            return pattern::matching(pattern, least).unwrap_or_default();
        }
        let length = PLACEHOLDER.clamp(least.min(LONGEST as u64), most.max(least));
        ".".repeat(usize::try_from(length).unwrap_or(0).min(LONGEST))
    }

    /// The number nearest to zero that the bounds allow, on the grid of `multipleOf` if there is one.
    fn number(&self, place: Place, integer: bool) -> Option<Number> {
        let limit = |keyword| self.keyword(place, keyword).and_then(Value::as_f64);
        let step = limit("multipleOf").filter(|step| *step > 0.0).unwrap_or(if integer { 1.0 } else { 0.5 });
        let above = limit("exclusiveMinimum").map(|limit| (limit / step).floor() * step + step);
        let least = limit("minimum").map(|limit| (limit / step).ceil() * step).into_iter().chain(above);
        let least = least.fold(f64::NEG_INFINITY, f64::max);
        let below = limit("exclusiveMaximum").map(|limit| (limit / step).ceil() * step - step);
        let most = limit("maximum").map(|limit| (limit / step).floor() * step).into_iter().chain(below);
        let most = most.fold(f64::INFINITY, f64::min);
        let value = 0.0_f64.max(least).min(most);
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
        if value.fract() == 0.0 && value.abs() < 1e15 {
            return Some(Number::from(value as i64));
        }
        Number::from_f64(value)
    }

    fn array(&self, place: Place, depth: usize) -> Option<Value> {
        let least = self.keyword(place, "minItems").and_then(Value::as_u64).unwrap_or(0);
        let least = usize::try_from(least).ok().filter(|least| *least <= MOST_ITEMS)?;
        let listed: Vec<Place> = self.document.under(place, "prefixItems").map(|edge| edge.target).collect();
        let rest = self.document.one(place, "items").or_else(|| self.document.one(place, "contains"));
        let items = (0..least).map(|index| match listed.get(index).copied().or(rest) {
            Some(item) => self.make(item, depth),
            None => Some(Value::Null),
        });
        items.collect::<Option<Vec<Value>>>().map(Value::Array)
    }

    fn object(&self, place: Place, depth: usize) -> Option<Value> {
        let required: Vec<&str> = match self.keyword(place, "required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut members = Map::new();
        for edge in self.document.under(place, "properties") {
            if let Some(name) = edge.key.name().filter(|name| required.contains(name)) {
                members.insert(name.to_owned(), self.make(edge.target, depth)?);
            }
        }
        let others = self.document.one(place, "additionalProperties");
        for name in required {
            if !members.contains_key(name) {
                let value = others.and_then(|other| self.make(other, depth)).unwrap_or_default();
                members.insert(name.to_owned(), value);
            }
        }
        Some(Value::Object(members))
    }
}

/// Both values together: objects are joined, otherwise what the schema itself said stays.
fn merged(first: Option<Value>, second: Value) -> Value {
    match (first, second) {
        (Some(Value::Object(mut members)), Value::Object(more)) => {
            for (name, value) in more {
                members.entry(name).or_insert(value);
            }
            Value::Object(members)
        }
        (Some(value), _) => value,
        (None, value) => value,
    }
}

/// How deep schemas are followed; schemas that contain themselves end here, if not before.
const MOST_DEPTH: usize = 24;
/// A longer example shows nothing any more.
const LONGEST: usize = 800;
const MOST_ITEMS: usize = 10;
/// The length of a string that stands for any text.
const PLACEHOLDER: u64 = 3;
