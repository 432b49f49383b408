//! Temporary.
use schemars::JsonSchema;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

pub(super) fn property<T: JsonSchema>() -> Map<String, Value> {
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut map = schema.as_object().cloned().unwrap_or_default();
    map.remove("title");
    map.remove("description");
    map
}

pub(super) fn input_schema<T: JsonSchema>() -> Box<RawValue> {
    let mut map = property::<T>();
    map.insert("additionalProperties".to_owned(), Value::Bool(false));
    serde_json::value::to_raw_value(&map).unwrap()
}

pub(super) fn object(properties: &[super::Parameter]) -> Box<RawValue> {
    let required: Vec<Value> = properties.iter().filter(|p| p.is_required).map(|p| Value::from(p.name)).collect();
    let props: Map<String, Value> =
        properties.iter().map(|p| (p.name.to_owned(), Value::Object(p.schema.clone()))).collect();
    let v = serde_json::json!({"type":"object","properties":props,"required":required,"additionalProperties":false});
    serde_json::value::to_raw_value(&v).unwrap()
}
