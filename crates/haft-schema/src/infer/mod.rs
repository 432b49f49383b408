//! Schemas inferred from Rust types.
//!
//! What comes out is 2020-12 without `$schema`, with everything inlined (only types that contain themselves keep
//! `$defs`), closed against unknown properties, with the bounds of Rust's integers in place of formats that no
//! standard knows, and in a stable order: `type`, `description`, and properties as the type declares them.

mod parameters;
mod tidy;

use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::Value;
use serde_json::value::RawValue;

pub use parameters::{Property, object};

/// The schema of what a type accepts when it is deserialized. Neither title nor description stand at the root: the
/// tool has its own.
pub fn input_schema<T: JsonSchema + ?Sized>() -> Box<RawValue> {
    root(infer::<T>(Contract::Deserialize))
}

/// The schema of what a type becomes when it is serialized, in the same form as [`input_schema`].
pub fn output_schema<T: JsonSchema + ?Sized>() -> Box<RawValue> {
    root(infer::<T>(Contract::Serialize))
}

/// The schema of one parameter of that type, to be put into [`Property::new`].
///
/// A type that contains itself brings its `$defs` along; [`object`] moves them to where references find them.
pub fn property<T: JsonSchema + ?Sized>() -> Value {
    infer::<T>(Contract::Deserialize)
}

fn infer<T: JsonSchema + ?Sized>(contract: Contract) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        settings.contract = contract;
    });
    let mut generator = settings.into_generator();
    let mut schema = generator.subschema_for::<T>().to_value();
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty()
        && let Value::Object(schema) = &mut schema
    {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    tidy::tidy(schema)
}

fn root(mut schema: Value) -> Box<RawValue> {
    if let Value::Object(schema) = &mut schema {
        schema.shift_remove("title");
        schema.shift_remove("description");
        tidy::say_object(schema);
    }
    raw(schema)
}

/// The text of a schema.
fn raw(mut schema: Value) -> Box<RawValue> {
    tidy::sort(&mut schema);
    // Writing a value as text has no way to fail; an empty schema would accept everything, `false` nothing.
    serde_json::value::to_raw_value(&schema).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

#[cfg(test)]
mod tests;
