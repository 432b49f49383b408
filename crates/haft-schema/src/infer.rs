//! TEMPORARY stand-in so that haft-core compiles: the owner of haft-schema overwrites this file.

use schemars::JsonSchema;
use serde_json::value::RawValue;

/// Stand-in.
pub fn input_schema<T: JsonSchema>() -> Box<RawValue> {
    let schema = schemars::generate::SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    serde_json::value::to_raw_value(&schema).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Stand-in.
pub fn output_schema<T: JsonSchema>() -> Box<RawValue> {
    input_schema::<T>()
}
