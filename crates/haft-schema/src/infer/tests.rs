//! Types and the schemas that come out, as text: the order counts.
#![expect(dead_code, reason = "the types are only looked at")]

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Property, input_schema, object, output_schema, property};
use crate::{CompileOptions, Schema, Tree};

fn check<T: JsonSchema>(expected: &str) {
    let schema = input_schema::<T>();
    assert_eq!(schema.get(), expected);
    Schema::compile(&schema, &CompileOptions::default()).unwrap();
}

/// A description of the whole that does not belong into the schema.
#[derive(Deserialize, Serialize, JsonSchema)]
struct Search {
    /// Words to look for.
    query: String,
    /// How many at most.
    #[serde(default = "ten")]
    limit: u32,
    after: Option<i64>,
    #[serde(default)]
    filters: Vec<Filter>,
    extra: Value,
}

fn ten() -> u32 {
    10
}

/// What to keep.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
struct Filter {
    state: State,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<Box<Zone>>,
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum State {
    Open,
    InProgress,
}

#[derive(Clone, Deserialize, Serialize, JsonSchema)]
struct Zone {
    offset: i8,
}

#[test]
fn a_struct_becomes_a_closed_object_in_the_order_of_its_fields() {
    check::<Search>(concat!(
        r#"{"type":"object","properties":{"#,
        r#""query":{"type":"string","description":"Words to look for."},"#,
        r#""limit":{"type":"integer","description":"How many at most.","default":10,"minimum":0,"maximum":4294967295},"#,
        r#""after":{"type":["integer","null"]},"#,
        r#""filters":{"type":"array","default":[],"items":{"type":"object","description":"What to keep.","properties":{"#,
        r#""state":{"type":"string","enum":["open","in_progress"]},"#,
        r#""zone":{"type":["object","null"],"properties":{"offset":{"type":"integer","minimum":-128,"maximum":127}},"#,
        r#""required":["offset"],"additionalProperties":false}},"#,
        r#""required":["state"],"additionalProperties":false}},"#,
        r#""extra":true},"required":["query","extra"],"additionalProperties":false}"#,
    ));
}

#[test]
fn what_is_written_differs_from_what_is_read() {
    assert_eq!(
        output_schema::<Filter>().get(),
        concat!(
            r#"{"type":"object","properties":{"state":{"type":"string","enum":["open","in_progress"]},"#,
            r#""zone":{"type":["object","null"],"properties":{"offset":{"type":"integer","minimum":-128,"maximum":127}},"#,
            r#""required":["offset"],"additionalProperties":false}},"required":["state"],"additionalProperties":false}"#,
        )
    );
    let output: Value = serde_json::from_str(output_schema::<Search>().get()).unwrap();
    assert_eq!(output["required"], json!(["query", "limit", "after", "filters", "extra"]));
}

#[derive(Deserialize, JsonSchema)]
struct Node {
    label: String,
    children: Vec<Self>,
}

#[test]
fn a_type_that_contains_itself_keeps_definitions() {
    check::<Node>(concat!(
        r##"{"type":"object","properties":{"label":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}}},"##,
        r##""required":["label","children"],"additionalProperties":false,"$defs":{"Node":{"type":"object","properties":{"label":"##,
        r##"{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}}},"required":["label","children"],"##,
        r##""additionalProperties":false}}}"##,
    ));
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square(Size),
}

#[derive(Deserialize, JsonSchema)]
struct Size {
    side: u8,
}

#[derive(Deserialize, JsonSchema)]
struct Placed {
    x: i32,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(Deserialize, JsonSchema)]
struct Open {
    id: u64,
    #[serde(flatten)]
    rest: HashMap<String, String>,
}

#[derive(Deserialize, JsonSchema)]
struct Empty {}

#[test]
fn alternatives_maps_and_empty_structs_are_closed_as_far_as_they_are() {
    check::<Shape>(concat!(
        r#"{"type":"object","oneOf":[{"type":"object","properties":{"kind":{"type":"string","const":"circle"},"radius":{"type":"number"}},"#,
        r#""required":["kind","radius"],"additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","const":"square"},"side":{"type":"integer","#,
        r#""minimum":0,"maximum":255}},"required":["kind","side"],"additionalProperties":false}]}"#,
    ));
    check::<HashMap<String, u16>>(
        r#"{"type":"object","additionalProperties":{"type":"integer","minimum":0,"maximum":65535}}"#,
    );
    check::<serde_json::Map<String, Value>>(r#"{"type":"object","additionalProperties":true}"#);
    check::<Open>(concat!(
        r#"{"type":"object","properties":{"id":{"type":"integer","minimum":0}},"required":["id"],"#,
        r#""additionalProperties":{"type":"string"}}"#,
    ));
    check::<Empty>(r#"{"type":"object","additionalProperties":false}"#);
}

#[test]
fn a_flattened_alternative_is_closed_around_all_its_parts() {
    let schema = Schema::compile(&input_schema::<Placed>(), &CompileOptions::default().require_object_root()).unwrap();
    for (value, fits) in [
        (r#"{"x":1,"kind":"circle","radius":2.5}"#, true),
        (r#"{"x":1.0,"kind":"square","side":2}"#, true),
        (r#"{"x":1,"kind":"circle","radius":2,"z":1}"#, false),
        (r#"{"x":1,"kind":"square","radius":2}"#, false),
        (r#"{"kind":"circle","radius":2}"#, false),
    ] {
        let tree = Tree::parse(value).unwrap();
        assert_eq!(schema.is_valid(&tree), fits, "{value}");
        assert_eq!(tree.deserialize::<Placed>().is_ok(), fits || value.contains("\"z\""), "{value}");
    }
}

#[test]
fn parameters_make_an_object() {
    let schema = object(vec![
        Property::new("query", property::<String>()).description("Words.").constrain("minLength", 1),
        Property::new("limit", property::<u32>())
            .default(10)
            .constrain("minimum", 1)
            .constrain("maximum", 1_000_000_000_000_u64)
            .constrain("examples", json!([5])),
        Property::new("zone", property::<Option<Zone>>()).optional(),
        Property::new("raw", property::<Value>()).description("Anything."),
    ]);
    assert_eq!(
        schema.get(),
        concat!(
            r#"{"type":"object","properties":{"query":{"type":"string","description":"Words.","minLength":1},"#,
            r#""limit":{"type":"integer","default":10,"minimum":1,"maximum":4294967295,"examples":[5]},"#,
            r#""zone":{"type":["object","null"],"properties":{"offset":{"type":"integer","minimum":-128,"maximum":127}},"#,
            r#""required":["offset"],"additionalProperties":false},"#,
            r#""raw":{"description":"Anything."}},"required":["query","raw"],"additionalProperties":false}"#,
        )
    );
    let compiled = Schema::compile(&schema, &CompileOptions::default().require_object_root()).unwrap();
    assert_eq!(compiled.example(), Some(r#"{"query":"...","raw":null}"#));
    assert_eq!(object(Vec::new()).get(), r#"{"type":"object","additionalProperties":false}"#);
}

mod other {
    use schemars::JsonSchema;

    /// Has the name of another type that contains itself as well.
    #[derive(serde::Deserialize, JsonSchema)]
    pub(super) struct Node {
        next: Option<Box<Self>>,
    }
}

#[test]
fn definitions_of_parameters_are_put_where_references_find_them() {
    let schema = object(vec![
        Property::new("a", property::<Node>()),
        Property::new("b", property::<other::Node>()),
        Property::new("c", property::<Vec<Node>>()),
    ]);
    let value: Value = serde_json::from_str(schema.get()).unwrap();
    assert_eq!(value["$defs"].as_object().unwrap().keys().collect::<Vec<_>>(), ["Node", "Node2"]);
    assert_eq!(value["$defs"]["Node2"]["properties"]["next"]["anyOf"][0]["$ref"], "#/$defs/Node2");
    let compiled = Schema::compile(&schema, &CompileOptions::default()).unwrap();
    for (value, fits) in [
        (r#"{"a":{"label":"","children":[]},"b":{"next":{"next":null}},"c":[{"label":"","children":[]}]}"#, true),
        (r#"{"a":{"label":"","children":[]},"b":{"next":{"label":""}},"c":[]}"#, false),
        (r#"{"a":{"label":"","children":[{"next":null}]},"b":{},"c":[]}"#, false),
    ] {
        assert_eq!(compiled.is_valid(&Tree::parse(value).unwrap()), fits, "{value}");
    }
}
