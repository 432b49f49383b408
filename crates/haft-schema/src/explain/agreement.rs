//! The explanation and the validator agree on what fits: schemas and values put together at random.

use serde_json::value::to_raw_value;
use serde_json::{Map, Value, json};

use crate::document::Document;
use crate::explain::explain_at;
use crate::{CompileOptions, Dialect, Ownership, Schema, Tree};

/// A small generator of its own, so that every run makes the same cases.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn pick<'v>(&mut self, values: &[&'v str]) -> &'v str {
        values[self.below(values.len())]
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 9 } else { 13 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 | 3 => json!(self.below(6)),
            4 => json!([0.5, 1.0, 2.0, 1e30, -3.5][self.below(5)]),
            5 | 6 => json!(self.pick(&["a", "b", "ab", "x-1", "", "2026-01-31"])),
            7 => json!([]),
            8 => json!({}),
            9 | 10 => Value::Array((0..self.below(4)).map(|_| self.value(depth - 1)).collect()),
            _ => {
                let mut members = Map::new();
                for _ in 0..self.below(4) {
                    members.insert(self.pick(NAMES).to_owned(), self.value(depth - 1));
                }
                Value::Object(members)
            }
        }
    }

    fn schema(&mut self, depth: usize, dialect: Dialect) -> Value {
        if self.below(12) == 0 {
            return json!(self.below(3) > 0);
        }
        let mut schema = Map::new();
        for _ in 0..=self.below(3) {
            let (keyword, value) =
                if depth == 0 || self.below(3) == 0 { self.leaf(dialect) } else { self.applicator(depth - 1, dialect) };
            schema.insert(keyword.to_owned(), value);
        }
        Value::Object(schema)
    }

    fn leaf(&mut self, dialect: Dialect) -> (&'static str, Value) {
        let types = ["null", "boolean", "integer", "number", "string", "array", "object"];
        let size = json!(self.below(4));
        match self.below(20) {
            0 | 1 => ("type", json!(self.pick(&types))),
            2 => ("type", json!([self.pick(&types[..3]), self.pick(&types[3..])])),
            3 => ("const", self.value(1)),
            4 => ("enum", json!([self.value(1), self.value(0)])),
            5 => ("minimum", size),
            6 => ("maximum", size),
            7 => ("exclusiveMinimum", size),
            8 => ("exclusiveMaximum", size),
            9 => ("multipleOf", json!(1 + self.below(3))),
            10 => ("minLength", size),
            11 => ("maxLength", size),
            12 => ("pattern", json!(self.pick(&["^a", "b$", "^x-", "^(a|b)+$"]))),
            13 => ("format", json!(self.pick(&["date", "uuid", "hostname"]))),
            14 => (self.pick(&["minItems", "maxItems"]), size),
            15 => ("uniqueItems", json!(true)),
            16 => (self.pick(&["minProperties", "maxProperties"]), size),
            17 | 18 => ("required", json!([self.pick(NAMES)])),
            _ if dialect == Dialect::Draft07 => ("dependencies", json!({self.pick(NAMES): [self.pick(NAMES)]})),
            _ => ("dependentRequired", json!({self.pick(NAMES): [self.pick(NAMES)]})),
        }
    }

    fn applicator(&mut self, depth: usize, dialect: Dialect) -> (&'static str, Value) {
        let new = dialect == Dialect::Draft202012;
        let list = |random: &mut Self| -> Value {
            Value::Array((0..=random.below(3)).map(|_| random.schema(depth, dialect)).collect())
        };
        match self.below(20) {
            0..=2 => {
                let mut properties = Map::new();
                for _ in 0..=self.below(3) {
                    properties.insert(self.pick(NAMES).to_owned(), self.schema(depth, dialect));
                }
                ("properties", Value::Object(properties))
            }
            3 => ("additionalProperties", self.schema(depth, dialect)),
            4 => ("patternProperties", json!({self.pick(&["^a", "b", "^x-"]): self.schema(depth, dialect)})),
            5 => ("propertyNames", self.schema(depth, dialect)),
            6 => ("items", self.schema(depth, dialect)),
            7 if new => ("prefixItems", list(self)),
            7 => ("items", list(self)),
            8 => ("contains", self.schema(depth, dialect)),
            9 => ("allOf", list(self)),
            10 | 11 => ("anyOf", list(self)),
            12 => ("oneOf", list(self)),
            13 => ("not", self.schema(depth, dialect)),
            14 => ("if", self.schema(depth, dialect)),
            15 => (self.pick(&["then", "else"]), self.schema(depth, dialect)),
            16 if new => ("dependentSchemas", json!({self.pick(NAMES): self.schema(depth, dialect)})),
            16 => ("dependencies", json!({self.pick(NAMES): self.schema(depth, dialect)})),
            17 if new => ("unevaluatedProperties", self.schema(depth, dialect)),
            17 => ("additionalItems", self.schema(depth, dialect)),
            18 if new => ("unevaluatedItems", self.schema(depth, dialect)),
            _ => ("$ref", json!("#/$defs/shared")),
        }
    }
}

#[test]
fn the_explanation_agrees_with_the_validator_on_what_fits() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut schemas, mut fitting, mut failing) = (0, 0, 0);
    for round in 0..ROUNDS {
        let dialect = if round % 4 == 0 { Dialect::Draft07 } else { Dialect::Draft202012 };
        let mut value = random.schema(3, dialect);
        if let Value::Object(schema) = &mut value {
            let shared = random.schema(1, dialect);
            schema.insert("$defs".to_owned(), json!({ "shared": shared }));
            if dialect == Dialect::Draft07 {
                schema.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
            }
        }
        // Some refer to themselves, and are rightly refused.
        let source = to_raw_value(&value).unwrap();
        let Ok(schema) = Schema::compile(&source, &CompileOptions::of(Ownership::Foreign)) else {
            continue;
        };
        schemas += 1;
        let document = Document::read(&value, dialect).unwrap();
        for _ in 0..8 {
            let instance = random.value(3).to_string();
            let tree = Tree::parse(&instance).unwrap();
            let explained = explain_at(&document, Document::ROOT, &tree);
            let fits = schema.is_valid(&tree);
            assert_eq!(explained.list.is_empty(), fits, "{value}\n{instance}\n{explained}");
            *(if fits { &mut fitting } else { &mut failing }) += 1;
        }
    }
    assert!(schemas > ROUNDS / 2 && fitting > ROUNDS && failing > ROUNDS, "{schemas} {fitting} {failing}");
}

const NAMES: &[&str] = &["a", "b", "ab", "x-1", "c"];
const ROUNDS: usize = 2_000;
