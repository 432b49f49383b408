//! What types get from trees, and what they say when it does not fit.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::Tree;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    limit: Option<u32>,
    #[serde(default)]
    filters: Vec<Filter>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Filter {
    Open,
    Author(String),
    Between(i8, i8),
    Label { name: String },
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Tagged {
    Count { n: u8 },
}

#[expect(clippy::needless_pass_by_value, reason = "so that a case is the value itself")]
fn accepted<T: DeserializeOwned + PartialEq + std::fmt::Debug>(text: &str, expected: T) {
    let value: T = Tree::parse(text).unwrap().deserialize().unwrap();
    assert!(value == expected, "{text}: {value:?}");
}

fn refused<T: DeserializeOwned + std::fmt::Debug>(text: &str, expected: &str) {
    let problem = Tree::parse(text).unwrap().deserialize::<T>().unwrap_err();
    assert_eq!(problem.to_string(), expected, "{text}");
}

#[test]
fn a_number_without_fractional_part_fills_every_integer() {
    accepted::<u32>("5.0", 5);
    accepted::<u8>("2.55e2", 255);
    accepted::<i64>("-1e3", -1000);
    accepted::<u64>("18446744073709551615.0", u64::MAX);
    accepted::<u128>("340282366920938463463374607431768211455", u128::MAX);
    accepted::<i128>("-170141183460469231731687303715884105728", i128::MIN);
    accepted::<Value>("1.0", json!(1));
    accepted::<Value>("1.5", json!(1.5));
    accepted::<f64>("1", 1.0);
    accepted::<f32>("0.5", 0.5);
    accepted::<Option<u32>>("1e0", Some(1));
    accepted::<BTreeMap<u16, bool>>(r#"{"7":true}"#, BTreeMap::from([(7, true)]));
}

#[test]
fn a_number_out_of_range_is_a_problem() {
    refused::<u32>("5e10", "the whole value: expected an integer that fits `u32`, got another integer");
    refused::<u64>("-1", "the whole value: expected an integer that fits `u64`, got another integer");
    refused::<u64>("1e999999", "the whole value: expected an integer that fits `u64`, got another integer");
    refused::<u32>("1.5", "the whole value: expected an integer that fits `u32`, got a number");
    refused::<f64>("1e999999", "the whole value: expected a number that fits `f64`, got another integer");
    refused::<Value>("-1e999999", "the whole value: expected a number that fits `f64`, got another integer");
    let problem = Tree::parse("1180591620717411303424").unwrap().deserialize::<u32>().unwrap_err();
    assert!(problem.to_string().contains("`u32`"), "{problem}");
}

#[test]
fn structs_and_enums_are_filled() {
    accepted(
        r#"{"query":"a\nb","limit":3.0,"filters":["open",{"author":"x"},{"between":[1,2.0]},{"label":{"name":"n"}}]}"#,
        Search {
            query: "a\nb".to_owned(),
            limit: Some(3),
            filters: vec![
                Filter::Open,
                Filter::Author("x".to_owned()),
                Filter::Between(1, 2),
                Filter::Label { name: "n".to_owned() },
            ],
        },
    );
    accepted(r#"{"query":"","limit":null}"#, Search { query: String::new(), limit: None, filters: Vec::new() });
    accepted(r#"{"n":7.0,"kind":"count"}"#, Tagged::Count { n: 7 });
}

#[test]
fn problems_name_the_place_and_never_the_value() {
    refused::<Search>("{}", "`/query`: required, missing");
    refused::<Search>(r#"{"query":5}"#, "`/query`: expected a string, got an integer");
    refused::<Search>(r#"{"query":"","limt":1}"#, "`/limt`: unknown property; did you mean `limit`?");
    refused::<Search>(
        r#"{"query":"","filters":["open","clsoed"]}"#,
        "`/filters/1`: expected one of `open`, `author`, `between`, `label`, got another string",
    );
    refused::<Search>(
        r#"{"query":"","filters":[{"autor":"s3cret"}]}"#,
        "`/filters/0`: expected one of `open`, `author`, `between`, `label`, got another string; \
         did you mean `author`?",
    );
    refused::<Search>(
        r#"{"query":"","filters":[{"label":{"name":null}}]}"#,
        "`/filters/0/label/name`: expected a string, got null",
    );
    refused::<Search>(
        r#"{"query":"","filters":[{"between":[1,300]}]}"#,
        "`/filters/0/between/1`: expected an integer that fits `i8`, got another integer",
    );
    refused::<Search>("[]", "the whole value: expected an object, got an array");
    refused::<BTreeMap<u16, bool>>(r#"{"x":true}"#, "`/x`: expected an integer that fits `u16`, got a string");
    refused::<Vec<char>>(r#"["s3cret"]"#, "`/0`: expected a character, got another string");
}

#[test]
fn a_foreign_text_that_quotes_the_value_is_dropped() {
    #[derive(Debug)]
    struct Picky;
    impl<'de> Deserialize<'de> for Picky {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Reader;
            impl serde::de::Visitor<'_> for Reader {
                type Value = Picky;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("a working day")
                }
                fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Picky, E> {
                    Err(E::custom(format!("`{text}` is no working day")))
                }
            }
            deserializer.deserialize_str(Reader)
        }
    }
    refused::<Vec<Picky>>(r#"["s3cret"]"#, "`/0`: expected a value that can be read, got another value");
}

#[test]
fn raw_text_can_be_taken_out() {
    let tree = Tree::parse(r#"{"a":[1.0, 1e999999, "\u0041"]}"#).unwrap();
    let raw: BTreeMap<String, Box<RawValue>> = tree.deserialize().unwrap();
    assert_eq!(raw["a"].get(), r#"[1.0,1e999999,"A"]"#);
}
