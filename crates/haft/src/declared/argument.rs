//! Types that arguments can have.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

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

/// A default that is an expression, as JSON.
pub fn json<T: Serialize>(value: &T) -> Value {
    // What cannot be JSON, such as a map whose keys are no texts, is refused with the schema: `null` fits no such type.
    serde_json::to_value(value).unwrap_or(Value::Null)
}
