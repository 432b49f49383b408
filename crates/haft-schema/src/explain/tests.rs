//! Whole explanations, as a model reads them.

use serde_json::value::RawValue;

use crate::{CompileOptions, Ownership, Problem, Schema, Tree};

pub(super) fn compile(schema: &str) -> Schema {
    let source = RawValue::from_string(schema.to_owned()).unwrap();
    Schema::compile(&source, &CompileOptions::of(Ownership::Foreign)).unwrap()
}

fn check(schema: &str, cases: &[(&str, &str)]) {
    let schema = compile(schema);
    for (value, expected) in cases {
        let tree = Tree::parse(value).unwrap();
        let said = schema.check(&tree).map_err(|problems| problems.to_string());
        assert_eq!(said.err().unwrap_or_default(), *expected, "{value}");
        assert_eq!(schema.is_valid(&tree), expected.is_empty(), "{value}");
    }
}

#[test]
fn a_misspelt_argument_is_named_with_what_was_meant() {
    check(
        r#"{"type":"object","additionalProperties":false,"required":["query"],"properties":{
            "query":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":100}}}"#,
        &[
            (r#"{"query":"x","limit":5}"#, ""),
            (r#"{"query":"x","limit":5.0}"#, ""),
            (
                r#"{"query":"x","limt":5}"#,
                "- `/limt`: unknown property; did you mean `limit`?\nSmallest valid example: {\"query\":\"...\"}",
            ),
            (
                r#"{"Query":1,"limit":"s3cret","zzz":{}}"#,
                "- `/Query`: unknown property; did you mean `query`?\n\
                 - `/limit`: expected an integer from 1 to 100, got a string\n\
                 - `/zzz`: unknown property, expected only `query`, `limit`\n\
                 - `/query`: required, missing (a string)\n\
                 Smallest valid example: {\"query\":\"...\"}",
            ),
            (
                r#"{"query":"x","limit":1000}"#,
                "- `/limit`: expected an integer from 1 to 100, got a larger integer\n\
                 Smallest valid example: {\"query\":\"...\"}",
            ),
            (
                r#"{"query":"x","limit":1.5,"limt":2}"#,
                "- `/limit`: expected an integer from 1 to 100, got a number\n\
                 - `/limt`: unknown property, expected only `query`, `limit`\n\
                 Smallest valid example: {\"query\":\"...\"}",
            ),
            (
                "[1,2]",
                "- the whole value: expected an object, got an array\nSmallest valid example: {\"query\":\"...\"}",
            ),
        ],
    );
}

#[test]
fn the_sum_tool_names_every_fault_of_the_known_wrong_calls() {
    check(
        r#"{"type":"object","required":["a","b"],"additionalProperties":false,
            "properties":{"a":{"type":"integer","minimum":0,"maximum":100},"b":{"type":"integer"}}}"#,
        &[
            (r#"{"a":1.0,"b":2}"#, ""),
            (r#"{"a":1}"#, "- `/b`: required, missing (an integer)\nSmallest valid example: {\"a\":0,\"b\":0}"),
            (
                r#"{"a":"x"}"#,
                "- `/a`: expected an integer from 0 to 100, got a string\n- `/b`: required, missing (an integer)\n\
                 Smallest valid example: {\"a\":0,\"b\":0}",
            ),
            (
                r#"{"a":1000,"b":2,"zzz":3}"#,
                "- `/a`: expected an integer from 0 to 100, got a larger integer\n\
                 - `/zzz`: unknown property, expected only `a`, `b`\n\
                 Smallest valid example: {\"a\":0,\"b\":0}",
            ),
            (
                "{}",
                "- `/a`: required, missing (an integer from 0 to 100)\n- `/b`: required, missing (an integer)\n\
                 Smallest valid example: {\"a\":0,\"b\":0}",
            ),
        ],
    );
}

#[test]
fn single_values_are_explained_with_all_their_bounds() {
    for (schema, value, expected) in SINGLE_VALUES {
        let problems = compile(schema).check(&Tree::parse(value).unwrap()).unwrap_err();
        let lines: Vec<String> = problems.list.iter().map(ToString::to_string).collect();
        assert_eq!(lines, [format!("the whole value: {expected}")], "{schema} {value}");
    }
}

const SINGLE_VALUES: &[(&str, &str, &str)] = &[
    (
        r#"{"enum":["celsius","fahrenheit"]}"#,
        r#""Celcius""#,
        "expected one of `celsius`, `fahrenheit`, got another string; did you mean `celsius`?",
    ),
    (r#"{"enum":["celsius","fahrenheit"]}"#, "7", "expected one of `celsius`, `fahrenheit`, got an integer"),
    (r#"{"enum":[1,2,null]}"#, "3", "expected one of `1`, `2`, `null`, got another integer"),
    (r#"{"const":"x"}"#, r#""y""#, "expected exactly `x`, got another string"),
    (
        r#"{"type":"string","minLength":2,"maxLength":3}"#,
        r#""ü""#,
        "expected a string of 2 to 3 characters, got a shorter string",
    ),
    (
        r#"{"type":"string","maxLength":3}"#,
        r#""abcd""#,
        "expected a string of at most 3 characters, got a longer string",
    ),
    (
        r#"{"type":"string","pattern":"^[a-z]+$"}"#,
        r#""A""#,
        "expected a string that matches `^[a-z]+$`, got another string",
    ),
    (
        r#"{"type":"string","format":"date"}"#,
        r#""31.1.2026""#,
        "expected a string in the format `date` (such as `2026-01-31`), got another string",
    ),
    (
        r#"{"type":["string","null"],"format":"date"}"#,
        "1",
        "expected a string in the format `date` (such as `2026-01-31`) or null, got an integer",
    ),
    (r#"{"minimum":1}"#, "0.5", "expected a number of at least 1, got a smaller number"),
    (r#"{"minimum":1}"#, "0", "expected an integer of at least 1, got a smaller integer"),
    (
        r#"{"exclusiveMinimum":0,"exclusiveMaximum":1}"#,
        "1.0",
        "expected an integer greater than 0 and less than 1, got a larger integer",
    ),
    (r#"{"type":"number","multipleOf":0.5}"#, "0.7", "expected a number that is a multiple of 0.5, got another number"),
    (r#"{"type":"integer","maximum":10}"#, "1e999999", "expected an integer of at most 10, got a larger integer"),
    (r#"{"type":"integer","minimum":10}"#, "-1e999999", "expected an integer of at least 10, got a smaller integer"),
    (
        r#"{"type":"integer","maximum":18446744073709551615}"#,
        "18446744073709551616",
        "expected an integer of at most 18446744073709551615, got a larger integer",
    ),
    (
        r#"{"type":"array","items":{"type":"string"},"minItems":1}"#,
        "[]",
        "expected an array of at least 1 item, got a shorter array",
    ),
    (r#"{"type":"array","items":{"type":"string"}}"#, r#""a""#, "expected an array of strings, got a string"),
    (r#"{"maxProperties":1}"#, r#"{"a":1,"b":2}"#, "expected an object of at most 1 property, got a larger object"),
    (r#"{"uniqueItems":true}"#, "[1,2,1.0]", "expected different items, got equal ones at 0 and 2"),
    (r#"{"contains":{"type":"null"}}"#, "[1,2]", "expected at least 1 item that is null, got 0"),
    (r#"{"contains":{"type":"null"},"maxContains":1}"#, "[null,null]", "expected at most 1 item that is null, got 2"),
    (r#"{"not":{"type":"string"}}"#, r#""a""#, "expected anything but a string, got such a string"),
    (r#"{"not":{"required":["a","b"]}}"#, r#"{"a":1,"b":2}"#, "expected not all of `a`, `b`, got such an object"),
    (
        r#"{"oneOf":[{"type":"string","const":"open","description":"x"},{"type":"string","const":"closed"}]}"#,
        r#""clsoed""#,
        "expected one of `open`, `closed`, got another string; did you mean `closed`?",
    ),
    (
        r#"{"oneOf":[{"type":"string","const":"open"},{"type":"string","const":"closed"}]}"#,
        "1",
        "expected one of `open`, `closed`, got an integer",
    ),
    (
        r#"{"anyOf":[{"enum":["a","b"]},{"const":"c"},{"type":"null"}]}"#,
        r#""d""#,
        "expected one of `a`, `b`, `c`, got another string",
    ),
    ("false", "1", "expected nothing here, got another integer"),
    (
        r#"{"oneOf":[{"minimum":1},{"minimum":2}]}"#,
        "3",
        "expected a value that fits exactly one of 2 alternatives, got one that fits 2",
    ),
    (
        r#"{"anyOf":[{"type":"string"},{"type":"null"},{"type":"array"}]}"#,
        "1",
        "expected a string or null or an array, got an integer",
    ),
];

#[test]
fn of_alternatives_the_closest_is_explained() {
    let filter = r##"{"$defs":{"filter":{"oneOf":[
            {"type":"object","required":["op","value"],"properties":{"op":{"const":"eq"},"value":{"type":"string"}},"additionalProperties":false},
            {"type":"object","required":["op","items"],"properties":{"op":{"enum":["and","or"]},"items":{"type":"array","items":{"$ref":"#/$defs/filter"}}},"additionalProperties":false}]}},
        "type":"object","properties":{"filter":{"anyOf":[{"$ref":"#/$defs/filter"},{"type":"null"}]}}}"##;
    let example = "\nSmallest valid example: {}";
    check(
        filter,
        &[
            (r#"{"filter":null}"#, ""),
            (r#"{"filter":{"op":"and","items":[{"op":"eq","value":"x"}]}}"#, ""),
            (
                r#"{"filter":{"op":"eq","value":1}}"#,
                &format!("- `/filter/value`: expected a string, got an integer (closest of 2 alternatives){example}"),
            ),
            (
                r#"{"filter":{"op":"or","items":[{"op":"eq"}]}}"#,
                &format!(
                    "- `/filter/items/0/value`: required, missing (a string) (closest of 2 alternatives){example}"
                ),
            ),
            (
                r#"{"filter":{"op":"annd","items":[]}}"#,
                &format!(
                    "- `/filter/op`: expected one of `eq`, `and`, `or`, got another string; did you mean `and`?{example}"
                ),
            ),
            (r#"{"filter":{}}"#, &format!("- `/filter/op`: required, missing (one of `eq`, `and`, `or`){example}")),
            (r#"{"filter":3}"#, &format!("- `/filter`: expected an object or null, got an integer{example}")),
        ],
    );
}

#[test]
fn conditions_dependencies_and_names_are_explained() {
    check(
        r#"{"type":"object","properties":{"kind":{"enum":["file","url"]},"path":{"type":"string"},"user":{},"password":{"type":"string"}},
            "if":{"properties":{"kind":{"const":"file"}},"required":["kind"]},"then":{"required":["path"]},
            "else":{"not":{"required":["path"]}},"dependentRequired":{"user":["password"]},
            "propertyNames":{"maxLength":8}}"#,
        &[
            (r#"{"kind":"file"}"#, "- `/path`: required, missing\nSmallest valid example: {}"),
            (
                r#"{"kind":"url","path":"x"}"#,
                "- the whole value: expected `path` to be absent, got such an object\nSmallest valid example: {}",
            ),
            (
                r#"{"user":1}"#,
                "- `/password`: required, missing (a string, because `user` is there)\nSmallest valid example: {}",
            ),
            (
                r#"{"far_too_long":1}"#,
                "- `/far_too_long`: expected a name that is a string of at most 8 characters, got another name\nSmallest valid example: {}",
            ),
        ],
    );
}

#[test]
fn what_is_left_unevaluated_is_explained() {
    check(
        r#"{"allOf":[{"properties":{"a":{"type":"integer"}}}],"anyOf":[{"properties":{"b":{"const":1}},"required":["b"]},{}],
            "patternProperties":{"^x-":{}},"unevaluatedProperties":false}"#,
        &[
            (r#"{"a":1,"b":1,"x-y":2}"#, ""),
            (r#"{"A":1}"#, "- `/A`: unknown property; did you mean `a`?\nSmallest valid example: {\"b\":1}"),
            (
                r#"{"b":2,"zzzz":1}"#,
                "- `/b`: unknown property, expected only `a`, `b` or names that match `^x-`\n\
                 - `/zzzz`: unknown property, expected only `a`, `b` or names that match `^x-`\n\
                 Smallest valid example: {\"b\":1}",
            ),
        ],
    );
    check(
        r#"{"prefixItems":[{"type":"integer"}],"contains":{"type":"string"},"unevaluatedItems":false}"#,
        &[(r#"[1,"a"]"#, ""), (r#"[1,"a",null]"#, "- `/2`: expected no further items, got another item")],
    );
}

#[test]
fn lists_with_positions_are_explained_in_both_dialects() {
    let new = r#"{"prefixItems":[{"type":"integer"},{"type":"string"}],"items":false}"#;
    let old = r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"integer"},{"type":"string"}],"additionalItems":false}"#;
    for schema in [new, old] {
        check(
            schema,
            &[
                (r#"[1,"a"]"#, ""),
                (
                    r#"["a",1,2]"#,
                    "- `/0`: expected an integer, got a string\n- `/1`: expected a string, got an integer\n\
                     - `/2`: expected no more than 2 items, got another item",
                ),
            ],
        );
    }
    check(
        r#"{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"],"c":{"required":["d"]}}}"#,
        &[(r#"{"a":1,"c":1}"#, "- `/b`: required, missing (because `a` is there)\n- `/d`: required, missing")],
    );
}

#[test]
fn at_most_twenty_problems_are_listed() {
    let schema = compile(r#"{"items":{"type":"string"}}"#);
    let value = format!("[{}]", vec!["1"; 30].join(","));
    let problems = schema.check(&Tree::parse(&value).unwrap()).unwrap_err();
    assert_eq!((problems.list.len(), problems.more), (Problem::MOST, true));
    assert!(problems.to_string().contains("there may be more problems"), "{problems}");
    let exact = format!("[{}]", vec!["1"; 20].join(","));
    let problems = schema.check(&Tree::parse(&exact).unwrap()).unwrap_err();
    assert_eq!((problems.list.len(), problems.more), (20, false));
}

#[test]
fn no_explanation_contains_a_value() {
    let schema = compile(
        r##"{"type":"object","additionalProperties":false,"properties":{
            "a":{"type":"integer"},"b":{"enum":["x","y"]},"c":{"const":1},"d":{"pattern":"^z"},"e":{"format":"email"},
            "f":{"anyOf":[{"type":"integer"},{"minLength":100}]},"g":{"not":{"type":"string"}},"h":{"maxLength":2},
            "i":{"items":{"$ref":"#/properties/a"}},"j":{"propertyNames":{"maxLength":3}},"k":{"oneOf":[{},{}]}}}"##,
    );
    let value: Vec<String> = "abcdefghk".chars().map(|name| format!("\"{name}\":\"s3cret\"")).collect();
    let value = format!(r#"{{{},"i":["s3cret"],"j":{{"k":"s3cret"}}}}"#, value.join(","));
    let problems = schema.check(&Tree::parse(&value).unwrap()).unwrap_err();
    assert!(problems.list.len() >= 10, "{problems}");
    assert!(!format!("{problems} {problems:?}").contains("s3cret"), "{problems}");
}
