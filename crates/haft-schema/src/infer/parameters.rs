//! An object schema put together from the parameters of a function.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{raw, tidy};

/// A property of an object schema: a parameter of a function, or an argument that a builder declares.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Property {
    /// The name.
    pub name: String,
    /// The schema, as of [`property`](super::property).
    pub schema: Value,
    /// What it is for. It takes the place of a description that the type may have.
    pub description: Option<String>,
    /// Whether it has to be given.
    pub required: bool,
    /// The value it has when it is not given.
    pub default: Option<Value>,
    /// Further keywords, such as `minimum`; see [`Property::constrain`].
    pub constraints: Vec<(String, Value)>,
}

impl Property {
    /// A property that has to be given, with this schema.
    pub fn new(name: impl Into<String>, schema: Value) -> Self {
        Self { name: name.into(), schema, description: None, required: true, default: None, constraints: Vec::new() }
    }

    /// Says what it is for.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Lets it be left out.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// Lets it be left out, and says which value it then has.
    #[must_use]
    pub fn default(mut self, default: impl Into<Value>) -> Self {
        self.default = Some(default.into());
        self.optional()
    }

    /// Adds a keyword: `minimum`, `maximum`, `minLength`, `maxLength`, `minItems`, `maxItems`, `pattern`, `enum`,
    /// `examples` or any other.
    ///
    /// Of two lower or upper bounds the narrower stays, so that a constraint never allows what the type cannot hold;
    /// every other keyword replaces the one that was there.
    #[must_use]
    pub fn constrain(mut self, keyword: impl Into<String>, value: impl Into<Value>) -> Self {
        self.constraints.push((keyword.into(), value.into()));
        self
    }

    fn into_schema(self) -> Value {
        let mut keywords = match self.schema {
            Value::Object(keywords) => keywords,
            Value::Bool(false) => Map::from_iter([("not".to_owned(), Value::Object(Map::new()))]),
            _ => Map::new(),
        };
        if let Some(description) = self.description {
            keywords.insert("description".to_owned(), Value::String(description));
        }
        for (keyword, value) in self.constraints {
            let kept = keywords.get(&keyword).filter(|known| is_narrower(&keyword, known, &value));
            if kept.is_none() {
                keywords.insert(keyword, value);
            }
        }
        if let Some(default) = self.default {
            keywords.insert("default".to_owned(), default);
        }
        Value::Object(keywords)
    }
}

/// A closed object schema with these properties, in this order.
///
/// Without properties it is `{"type":"object","additionalProperties":false}`, the form that every host takes for a
/// tool without arguments. Of two properties with the same name the last counts.
pub fn object(properties: Vec<Property>) -> Box<RawValue> {
    let mut definitions = Map::new();
    let mut members = Map::new();
    let mut required = Vec::new();
    for property in properties {
        let name = property.name.clone();
        if property.required {
            required.push(Value::String(name.clone()));
        }
        let mut schema = property.into_schema();
        move_definitions(&mut schema, &mut definitions);
        members.insert(name, schema);
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), Value::from("object"));
    if !members.is_empty() {
        schema.insert("properties".to_owned(), Value::Object(members));
    }
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    raw(Value::Object(schema))
}

/// Moves the `$defs` of a property to those of the root. A name that is taken by another definition gets a number.
fn move_definitions(schema: &mut Value, definitions: &mut Map<String, Value>) {
    let own = schema.as_object_mut().and_then(|keywords| keywords.shift_remove("$defs"));
    let Some(Value::Object(own)) = own else {
        return;
    };
    let mut renamed = Vec::new();
    for (name, definition) in &own {
        let mut free = name.clone();
        let mut number = 2;
        while definitions.get(&free).is_some_and(|taken| taken != definition) {
            free = format!("{name}{number}");
            number += 1;
        }
        if free != *name {
            renamed.push((reference(name), reference(&free)));
        }
        definitions.insert(free, definition.clone());
    }
    if renamed.is_empty() {
        return;
    }
    rename(schema, &renamed);
    for (name, _) in own {
        let new = renamed.iter().find(|(old, _)| *old == reference(&name));
        if let Some((_, new)) = new
            && let Some(definition) = definitions.get_mut(new.trim_start_matches(DEFINITIONS))
        {
            rename(definition, &renamed);
        }
    }
}

fn rename(schema: &mut Value, renamed: &[(String, String)]) {
    let Value::Object(keywords) = schema else {
        return;
    };
    if let Some(Value::String(target)) = keywords.get_mut("$ref")
        && let Some((_, new)) = renamed.iter().find(|(old, _)| old == target)
    {
        target.clone_from(new);
    }
    tidy::each_part(keywords, &mut |_, part| rename(part, renamed));
}

fn reference(name: &str) -> String {
    format!("{DEFINITIONS}{name}")
}

/// Whether a bound that is there allows less than another.
fn is_narrower(keyword: &str, known: &Value, new: &Value) -> bool {
    let (Some(known), Some(new)) = (known.as_f64(), new.as_f64()) else {
        return false;
    };
    match keyword {
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => known > new,
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => known < new,
        _ => false,
    }
}

const DEFINITIONS: &str = "#/$defs/";
