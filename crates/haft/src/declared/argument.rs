//! Parameters as properties of the input schema.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// A type that an argument can have: whatever can be read from JSON and has a schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "no schema, or nothing that reads it",
    note = "an argument needs `serde::Deserialize` and `schemars::JsonSchema` of the `schemars` that haft re-exports: \
            `#[derive(serde::Deserialize, haft::schemars::JsonSchema)] #[schemars(crate = \"haft::schemars\")]`",
    note = "only parameters whose type is written `Context`, `&Context` or `State<_>` are no arguments"
)]
pub trait Argument: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> Argument for T {}

/// An argument: its name, its schema and whether it has to be there.
#[derive(Debug)]
pub struct Parameter {
    pub(super) name: &'static str,
    pub(super) schema: Map<String, Value>,
    pub(super) is_required: bool,
    /// The schema that the type has when it is all of the arguments.
    pub(super) whole: fn() -> Box<RawValue>,
}

impl Parameter {
    /// A parameter of a type.
    pub fn new<T: Argument>(name: &'static str) -> Self {
        Self {
            name,
            schema: super::infer_meanwhile::property::<T>(),
            is_required: true,
            whole: super::infer_meanwhile::input_schema::<T>,
        }
    }

    /// Says something with a keyword of JSON Schema. It takes the place of what the type says with the same keyword.
    #[must_use]
    pub fn keyword(mut self, name: &str, value: Value) -> Self {
        self.schema.insert(name.to_owned(), value);
        self
    }

    /// Lets the argument be left out.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.is_required = false;
        self
    }

    /// Whether the type is a struct to JSON Schema.
    pub(super) fn is_struct(&self) -> bool {
        self.schema.get("type").and_then(Value::as_str) == Some("object") && self.schema.contains_key("properties")
    }
}

/// A default that is an expression, as JSON.
pub fn json<T: Serialize>(value: &T) -> Value {
    // What cannot be JSON, such as a map whose keys are no texts, is refused with the schema: `null` fits no such type.
    serde_json::to_value(value).unwrap_or(Value::Null)
}
