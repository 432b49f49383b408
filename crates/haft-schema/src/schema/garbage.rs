//! No schema, however formed, ends the program: keywords with values that do not belong to them.

use serde_json::value::to_raw_value;
use serde_json::{Map, Value, json};

use crate::{CompileOptions, Ownership, Schema, Tree};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    fn garbage(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 => json!(self.pick(STRINGS)),
            1 => json!(self.pick(&[0.0, 1.0, -1.0, 0.5, 1e300, 4_294_967_296.0, 1.8e19])),
            2 => json!(self.below(2) == 0),
            3 => json!(self.below(5)),
            4 => Value::Array((0..self.below(3)).map(|_| self.garbage(depth - 1)).collect()),
            _ => self.schema(depth - 1),
        }
    }

    fn schema(&mut self, depth: usize) -> Value {
        let mut schema = Map::new();
        for _ in 0..self.below(4) {
            let keyword = self.pick(KEYWORDS);
            let value = if self.below(3) == 0 { self.garbage(depth) } else { self.likely(keyword, depth) };
            schema.insert(keyword.to_owned(), value);
        }
        Value::Object(schema)
    }

    /// A value of the right shape, so that more than the metaschema is reached.
    fn likely(&mut self, keyword: &str, depth: usize) -> Value {
        let deeper = depth.saturating_sub(1);
        match keyword {
            "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas" => {
                let name = self.pick(STRINGS);
                json!({ name: self.schema(deeper), "a": self.schema(deeper) })
            }
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => json!([self.schema(deeper), self.schema(deeper)]),
            "$ref" | "$dynamicRef" | "$id" | "$anchor" | "$dynamicAnchor" | "$schema" | "pattern" | "format" => {
                json!(self.pick(STRINGS))
            }
            "type" => json!(self.pick(&["object", "array", "string", "integer", "null"])),
            "required" => json!([self.pick(STRINGS)]),
            "minimum" | "maximum" | "multipleOf" | "minLength" | "maxItems" | "minContains" => json!(self.below(3)),
            _ if depth > 0 => self.schema(deeper),
            _ => json!(true),
        }
    }
}

#[test]
fn no_schema_however_formed_ends_the_program() {
    let mut random = Random(0x1357_9bdf_2468_ace1);
    let values: Vec<Tree<'_>> = [r#"{"a":{"a":[1,"x"]},"":null}"#, r#"[[],{"a":1}]"#, r#""x""#, "1e400"]
        .map(|text| Tree::parse(text).unwrap())
        .into();
    let (mut taken, mut refused) = (0, 0);
    for round in 0..ROUNDS {
        let schema = to_raw_value(&random.schema(4)).unwrap();
        let ownership = if round % 2 == 0 { Ownership::Own } else { Ownership::Foreign };
        match Schema::compile(&schema, &CompileOptions::of(ownership)) {
            Ok(schema) => {
                taken += 1;
                for value in &values {
                    assert_eq!(schema.check(value).is_ok(), schema.is_valid(value), "{schema:?}");
                    let text = value.to_json();
                    let filled = schema.fill_defaults(&text, value);
                    assert!(filled.is_none_or(|filled| Tree::parse(&filled).is_ok()), "{schema:?}");
                }
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().contains("cannot handle"), "{error}: {schema}");
            }
        }
    }
    assert!(taken > ROUNDS / 10 && refused > ROUNDS / 10, "{taken} taken, {refused} refused");
}

const KEYWORDS: &[&str] = &[
    "$schema",
    "$id",
    "$anchor",
    "$dynamicAnchor",
    "$ref",
    "$dynamicRef",
    "$defs",
    "definitions",
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "multipleOf",
    "minLength",
    "pattern",
    "format",
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "minContains",
    "maxItems",
    "uniqueItems",
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "required",
    "dependentSchemas",
    "dependencies",
    "dependentRequired",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
    "unevaluatedItems",
    "default",
    "examples",
    "contentSchema",
    "description",
    "$vocabulary",
    "$comment",
    "$recursiveRef",
    "id",
];
const STRINGS: &[&str] = &[
    "",
    "#",
    "a",
    "#a",
    "#/",
    "#/a",
    "#/$defs/a",
    "#/definitions/a",
    "#/properties/a",
    "#/items/0",
    "#/%",
    "#/%ff",
    "#/$defs/~2",
    "x:y",
    "urn:a:b",
    "https://example.com/",
    "https://example.com/a#a",
    "//host",
    "/a",
    "../a",
    "?q",
    "a b",
    "%",
    "\u{0}",
    "http://[::1",
    "^(a",
    "(?=a)b",
    "[",
    "^a{3,1}$",
    "\\",
    "\\p{Greek}",
    "date",
    "regex",
    "uuid",
    "https://json-schema.org/draft/2020-12/schema",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2020-12/meta/core",
    "json-schema:///",
    "json-schema:///#/$defs/a",
];
const ROUNDS: usize = 6_000;
