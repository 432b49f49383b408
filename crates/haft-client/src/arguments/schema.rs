//! What a schema says about one value, as far as reading a text needs it.

use std::ptr;

use serde_json::Value;

/// A type of JSON Schema. The order is the one in which a text is tried.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    pub(super) const ORDER: [Self; 7] =
        [Self::Null, Self::Boolean, Self::Integer, Self::Number, Self::String, Self::Array, Self::Object];

    /// As a schema writes it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// As a person reads it.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Null => "`null`",
            Self::Boolean => "`true` or `false`",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }

    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_f64() => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }
}

/// All subschemas that one value has to do with: a schema, what it refers to, and its alternatives.
///
/// Whether they hold together (`allOf`) or one of them does (`anyOf`) makes no difference here: a text is read as the
/// first type that any of them has, and what then does not fit is for the check of the whole.
#[derive(Clone, Debug)]
pub(super) struct Schemas<'s> {
    root: &'s Value,
    parts: Vec<&'s Value>,
}

/// What a schema knows of a member.
pub(super) enum Member<'s> {
    /// It may not be there.
    Closed,
    /// Its name is none of those listed, but other names are allowed.
    Free(Schemas<'s>),
    /// It is described.
    Known(Schemas<'s>),
}

impl<'s> Schemas<'s> {
    /// What `schema` says; references in it begin at `root`.
    pub(super) fn of(root: &'s Value, schema: &'s Value) -> Self {
        Self::of_all(root, [schema])
    }

    fn of_all(root: &'s Value, schemas: impl IntoIterator<Item = &'s Value>) -> Self {
        let mut parts: Vec<&'s Value> = Vec::new();
        let mut waiting: Vec<&'s Value> = schemas.into_iter().collect();
        // The first one is looked at first.
        waiting.reverse();
        while let Some(schema) = waiting.pop() {
            // A reference can lead back, and a hostile schema can be all alternatives.
            if parts.len() >= MOST_PARTS || parts.iter().any(|part| ptr::eq(*part, schema)) {
                continue;
            }
            parts.push(schema);
            let reference = schema.get("$ref").and_then(Value::as_str).and_then(|reference| local(root, reference));
            let lists = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
            let single = ["then", "else"].into_iter().filter_map(|key| schema.get(key));
            let mut more: Vec<&'s Value> = reference.into_iter().chain(lists).chain(single).collect();
            more.reverse();
            waiting.extend(more);
        }
        Self { root, parts }
    }

    pub(super) fn parts(&self) -> &[&'s Value] {
        &self.parts
    }

    /// Whether some part allows this type.
    pub(super) fn allows(&self, kind: Kind) -> bool {
        self.parts.iter().any(|part| allows(part, kind))
    }

    /// Whether some part says nothing about the type, so that any value will do.
    pub(super) fn is_free(&self) -> bool {
        self.parts.iter().any(|part| says_nothing(part))
    }

    /// What is said about the element at `index`.
    pub(super) fn element(&self, index: usize) -> Self {
        let described = self.parts.iter().filter_map(|part| {
            let prefix = part.get("prefixItems").and_then(|prefix| prefix.get(index));
            prefix.or_else(|| part.get("items").filter(|items| !items.is_array()))
        });
        let mut described: Vec<&'s Value> = described.collect();
        if described.is_empty() {
            described.push(&ANYTHING);
        }
        Self::of_all(self.root, described)
    }

    /// What is said about the member called `name`.
    pub(super) fn member(&self, name: &str) -> Member<'s> {
        let described = self.parts.iter().filter_map(|part| part.get("properties")?.get(name));
        let described: Vec<&'s Value> = described.collect();
        if !described.is_empty() {
            return Member::Known(Self::of_all(self.root, described));
        }
        let more = |key: &'static str| self.parts.iter().filter_map(move |part| part.get(key));
        let is_open = |schema: &&&'s Value| schema.is_object() || **schema == &Value::Bool(true);
        let additional: Vec<&'s Value> = more("additionalProperties").filter(|schema| is_open(&schema)).collect();
        if !additional.is_empty() {
            return Member::Free(Self::of_all(self.root, additional));
        }
        let has_patterns = more("patternProperties").next().is_some();
        let is_closed = more("additionalProperties").next().is_some() || more("properties").next().is_some();
        if has_patterns || !is_closed { Member::Free(Self::of(self.root, &ANYTHING)) } else { Member::Closed }
    }

    /// The names of all members that are described.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> {
        let properties = self.parts.iter().filter_map(|part| part.get("properties")?.as_object());
        properties.flat_map(|properties| properties.keys().map(String::as_str))
    }
}

/// The values that a part lists, if it lists them.
pub(super) fn listed(part: &Value) -> Option<Vec<&Value>> {
    let constant = part.get("const").map(|value| vec![value]);
    constant.or_else(|| part.get("enum").and_then(Value::as_array).map(|values| values.iter().collect()))
}

/// Whether a part allows this type by naming it, or by what else it says.
pub(super) fn allows(part: &Value, kind: Kind) -> bool {
    match part.get("type") {
        Some(Value::String(word)) => return word == kind.word(),
        Some(Value::Array(words)) => return words.iter().any(|word| word == kind.word()),
        _ => {}
    }
    if let Some(values) = listed(part) {
        return values.iter().any(|value| Kind::of(value) == kind);
    }
    let says = |keys: &[&str]| keys.iter().any(|key| part.get(key).is_some());
    match kind {
        Kind::Array => says(&["items", "prefixItems"]),
        Kind::Object => says(&["properties", "additionalProperties", "patternProperties"]),
        _ => false,
    }
}

fn says_nothing(part: &Value) -> bool {
    match part {
        Value::Bool(is_anything) => *is_anything,
        Value::Object(_) => {
            let refers = ["$ref", "allOf", "anyOf", "oneOf", "type"].iter().any(|key| part.get(key).is_some());
            !refers && !Kind::ORDER.iter().any(|kind| allows(part, *kind))
        }
        _ => false,
    }
}

/// The subschema that a reference within the document names.
fn local<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let pointer = reference.strip_prefix('#')?;
    root.pointer(pointer)
}

static ANYTHING: Value = Value::Bool(true);
const MOST_PARTS: usize = 256;
