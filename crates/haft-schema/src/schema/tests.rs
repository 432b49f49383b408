//! Which schemas are taken, which are refused and why, and that no value makes checking slow.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::value::RawValue;

use crate::{CompileOptions, Ownership, Schema, SchemaError, Tree};

fn compile(schema: &str, options: &CompileOptions) -> Result<Schema, SchemaError> {
    Schema::compile(&RawValue::from_string(schema.to_owned()).unwrap(), options)
}

fn own(schema: &str) -> Schema {
    compile(schema, &CompileOptions::default()).unwrap()
}

/// Each text is refused with this message, whoever wrote it.
fn refused(cases: &[(&str, &str)]) {
    for (schema, expected) in cases {
        for ownership in [Ownership::Own, Ownership::Foreign] {
            let error = compile(schema, &CompileOptions::of(ownership)).unwrap_err();
            assert_eq!(error.to_string(), *expected, "{schema}");
        }
    }
}

fn judged(schema: &Schema, cases: &[(&str, bool)]) {
    for (value, fits) in cases {
        let tree = Tree::parse(value).unwrap();
        let said = schema.check(&tree).map_err(|problems| problems.to_string());
        let value: String = value.chars().take(200).collect();
        assert_eq!(said.is_ok(), *fits, "{value}: {said:?} {}", schema.source().get());
        assert_eq!(schema.is_valid(&tree), *fits, "{value}");
    }
}

/// Generous for a loaded machine; what is tested for would take minutes.
fn quickly<T>(run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let value = run();
    let took = start.elapsed();
    assert!(took < Duration::from_secs(5), "took {took:?}");
    value
}

#[test]
fn a_schema_that_its_metaschema_refuses_is_refused_with_the_place() {
    refused(&[
        (
            r#"{"type":"objekt"}"#,
            "schema is not valid at `/type`: expected one of `array`, `boolean`, `integer`, `null`, `number`, \
             `object`, `string`; did you mean `object`?",
        ),
        (
            r#"{"properties":{"a":{"minLength":"2"}}}"#,
            "schema is not valid at `/properties/a/minLength`: expected integer",
        ),
        (r#"{"required":"a"}"#, "schema is not valid at `/required`: expected array"),
        (r#"{"properties":[]}"#, "schema is not valid at `/properties`: expected object"),
        ("3", "schema is not valid: expected boolean or object"),
        (r#"{"pattern":"("}"#, "the pattern at `/pattern` cannot be used: unclosed group"),
        (r#"{"type":"string","type":"integer"}"#, "schema cannot be read"),
        (
            r#"{"$schema":"https://json-schema.org/draft/2019-09/schema"}"#,
            "dialect `https://json-schema.org/draft/2019-09/schema` is not supported; use 2020-12 or draft-07",
        ),
    ]);
}

#[test]
fn nothing_outside_of_the_document_is_ever_looked_for() {
    refused(&[
        (
            r#"{"properties":{"a":{"$ref":"https://127.0.0.1:1/x.json"}}}"#,
            "`/properties/a` refers outside the document: `https://127.0.0.1:1/x.json`",
        ),
        (r#"{"$ref":"file:///etc/passwd"}"#, "`` refers outside the document: `file:///etc/passwd`"),
        (r#"{"$ref":"other.json#/a"}"#, "`` refers outside the document: `other.json#/a`"),
        (
            r#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#,
            "`` refers outside the document: `https://json-schema.org/draft/2020-12/schema`",
        ),
        (r##"{"items":{"$ref":"#/$defs/a"}}"##, "`/items` refers to `#/$defs/a`, which is not there"),
        (r##"{"items":{"$ref":"#a"}}"##, "`/items` refers to `#a`, which is not there"),
        (r#"{"items":{"$ref":""}}"#, "`/items` refers to ``, which is not there"),
        (r##"{"$dynamicRef":"#a"}"##, "`` refers to `#a`, which is not there"),
    ]);
}

#[test]
fn references_inside_of_the_document_are_followed() {
    let integers = [("1", true), (r#""x""#, false)];
    for schema in [
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"integer"}}}"##,
        r##"{"$ref":"#/$defs/a%20b","$defs":{"a b":{"type":"integer"}}}"##,
        r##"{"$ref":"#/$defs/a~1b~0c","$defs":{"a/b~c":{"type":"integer"}}}"##,
        r##"{"$ref":"#here","$defs":{"a":{"$anchor":"here","type":"integer"}}}"##,
        r##"{"$dynamicRef":"#here","$defs":{"a":{"$dynamicAnchor":"here","type":"integer"}}}"##,
        r##"{"$ref":"#/components/a","components":{"a":{"$ref":"#/components/b"},"b":{"type":"integer"}}}"##,
        r##"{"$id":"https://example.com/s","$ref":"https://example.com/s#/$defs/a","$defs":{"a":{"type":"integer"}}}"##,
        r##"{"$id":"https://example.com/s/root","$ref":"part","$defs":{"p":{"$id":"part","$ref":"#/$defs/a","$defs":{"a":{"type":"integer"}}}}}"##,
    ] {
        judged(&own(schema), &integers);
    }
    let tree = own(r##"{"type":"object","properties":{"children":{"items":{"$ref":"#"}}},"required":["name"]}"##);
    judged(
        &tree,
        &[
            (r#"{"name":1,"children":[{"name":2}]}"#, true),
            (r#"{"name":1,"children":[{"name":2,"children":[{}]}]}"#, false),
        ],
    );
}

#[test]
fn a_schema_that_goes_round_in_circles_is_refused() {
    refused(&[
        (r##"{"$ref":"#"}"##, "`` refers back to itself at the same place of the value"),
        (
            r##"{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##,
            "`/anyOf/0` refers back to itself at the same place of the value",
        ),
        (
            r##"{"items":{"$ref":"#/$defs/a"},"$defs":{"a":{"not":{"$ref":"#/$defs/b"}},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}"##,
            "`/$defs/b/allOf/0` refers back to itself at the same place of the value",
        ),
        (
            r##"{"$dynamicAnchor":"a","allOf":[{"$dynamicRef":"#a"}]}"##,
            "`/allOf/0` refers back to itself at the same place of the value",
        ),
    ]);
}

#[test]
fn each_dialect_has_its_own_keywords() {
    let new = own(r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"string"}],
            "dependentRequired":{"a":["b"]},"unevaluatedProperties":false,"properties":{"a":{},"b":{}}}"#);
    judged(
        &new,
        &[
            ("[1]", false),
            (r#"["x",1]"#, true),
            (r#"{"a":1}"#, false),
            (r#"{"a":1,"b":1}"#, true),
            (r#"{"c":1}"#, false),
        ],
    );
    let old = own(
        r##"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"dependencies":{"a":["b"]},
            "properties":{"c":{"$ref":"#/definitions/n","minimum":5}},"definitions":{"n":{"type":"integer"}},
            "prefixItems":[false],"dependentRequired":{"x":["y"]},"unevaluatedProperties":false}"##,
    );
    judged(
        &old,
        &[
            ("[1]", false),
            (r#"["x",1]"#, true),
            (r#"{"a":1}"#, false),
            (r#"{"a":1,"b":1}"#, true),
            (r#"{"c":1}"#, true),
            (r#"{"c":"x"}"#, false),
            (r#"{"x":1}"#, true),
        ],
    );
}

#[test]
fn forms_of_draft_07_have_to_be_declared_in_a_schema_of_our_own() {
    for (schema, expected) in [
        (
            r#"{"properties":{"a":{"items":[{}]}}}"#,
            "`/properties/a/items` is a form of draft-07, not of 2020-12; use `prefixItems`, or declare draft-07 with `$schema`",
        ),
        (
            r##"{"$ref":"#/definitions/a","definitions":{"a":{}}}"##,
            "`/$ref` is a form of draft-07, not of 2020-12; use `$defs`, or declare draft-07 with `$schema`",
        ),
        (
            r#"{"dependencies":{"a":["b"]}}"#,
            "`/dependencies` is a form of draft-07, not of 2020-12; use `dependentRequired` or `dependentSchemas`, \
             or declare draft-07 with `$schema`",
        ),
        (
            r#"{"additionalItems":false}"#,
            "`/additionalItems` is a form of draft-07, not of 2020-12; use `items` beside `prefixItems`, or declare draft-07 with `$schema`",
        ),
        (
            r#"{"minimum":0,"exclusiveMinimum":true}"#,
            "`/exclusiveMinimum` is a form of draft-07, not of 2020-12; even older than that: write the limit itself, \
             `\"exclusiveMinimum\": 0`",
        ),
    ] {
        assert_eq!(compile(schema, &CompileOptions::default()).unwrap_err().to_string(), expected);
    }
    // A property may have any name, and what somebody else wrote is taken as 2020-12 reads it.
    own(r#"{"properties":{"dependencies":{"type":"array"},"additionalItems":true}}"#);
    let foreign = CompileOptions::of(Ownership::Foreign);
    judged(&compile(r#"{"dependencies":{"a":["b"]}}"#, &foreign).unwrap(), &[(r#"{"a":1}"#, false)]);
}

#[test]
fn the_root_of_an_input_schema_has_to_be_an_object() {
    let options = CompileOptions::default().require_object_root();
    assert!(compile(r#"{"type":"object"}"#, &options).is_ok());
    for schema in ["{}", "true", r#"{"type":"array"}"#, r#"{"type":["object","null"]}"#, r#"{"properties":{}}"#] {
        assert_eq!(compile(schema, &options).unwrap_err(), SchemaError::RootNotObject, "{schema}");
    }
}

#[test]
fn nine_formats_are_enforced_and_the_others_describe() {
    for (format, good, bad) in [
        ("date", "2026-02-28", "2026-02-30"),
        ("time", "12:30:00Z", "25:00:00Z"),
        ("date-time", "2026-01-31T12:30:00+01:00", "2026-01-31 12:30"),
        ("duration", "P1DT2H", "1 day"),
        ("email", "a@example.com", "a.example.com"),
        ("uri", "https://example.com/x", "example.com/x y"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567"),
        ("ipv4", "192.0.2.1", "192.0.2.256"),
        ("ipv6", "2001:db8::1", "2001:db8::g"),
    ] {
        for dialect in ["", r#""$schema":"http://json-schema.org/draft-07/schema#","#] {
            let schema = own(&format!(r#"{{{dialect}"format":"{format}"}}"#));
            judged(&schema, &[(&format!("\"{good}\""), true), (&format!("\"{bad}\""), false), ("7", true)]);
        }
    }
    for format in ["hostname", "regex", "json-pointer", "uri-reference", "iri", "idn-email", "uint32", "sneeze"] {
        judged(&own(&format!(r#"{{"format":"{format}"}}"#)), &[(r#""( no such thing""#, true)]);
    }
}

#[test]
fn numbers_are_compared_by_value_and_never_overflow() {
    judged(
        &own(r#"{"type":"integer"}"#),
        &[("1.0", true), ("1e3", true), ("1.5", false), ("1e999999", true), ("1180591620717411303424", true)],
    );
    judged(
        &own(r#"{"type":"integer","minimum":0,"maximum":4294967295}"#),
        &[("5e10", false), ("-1e999999", false), ("1180591620717411303424", false), ("4294967295.0", true)],
    );
    judged(
        &own(r#"{"multipleOf":3}"#),
        &[
            ("9", true),
            ("9.0", true),
            ("10", false),
            ("1e999999", false),
            ("18446744073709551615", true),
            ("18446744073709551617", false),
        ],
    );
    judged(&own(r#"{"multipleOf":0.1}"#), &[("0.3", true), ("0.35", false), ("1e-999999", false)]);
    judged(&own(r#"{"const":1}"#), &[("1", true), ("1.0", true), ("10e-1", true), ("2", false)]);
    judged(&own(r#"{"enum":[1180591620717411303424]}"#), &[("1180591620717411303424", true), ("1", false)]);
    judged(&own(r#"{"uniqueItems":true}"#), &[("[1,1.0]", false), ("[1,2]", true)]);
}

/// A chain of `levels` definitions, each with two references to the next.
fn chain(levels: usize) -> String {
    let mut definitions = String::new();
    for level in 0..levels {
        let next = level + 1;
        let _written = write!(
            definitions,
            r##""d{level}":{{"anyOf":[{{"$ref":"#/$defs/d{next}"}},{{"$ref":"#/$defs/d{next}"}}]}},"##
        );
    }
    format!(r##"{{"items":{{"$ref":"#/$defs/d0"}},"$defs":{{{definitions}"d{levels}":{{"type":"boolean"}}}}}}"##)
}

#[test]
fn a_schema_with_too_many_paths_is_refused_at_once_with_their_number() {
    let start = Instant::now();
    let error = compile(&chain(22), &CompileOptions::default()).unwrap_err();
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
    assert_eq!(error.to_string(), "schema has 4194304 evaluation paths, at most 10000 are allowed");
    let error = compile(&chain(200), &CompileOptions::of(Ownership::Foreign)).unwrap_err();
    assert!(matches!(error, SchemaError::TooDeep { .. }), "{error}");
    let deep = CompileOptions { max_depth: 1000, ..CompileOptions::default() };
    let error = compile(&chain(200), &deep).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("schema has more than {} evaluation paths, at most 10000 are allowed", u64::MAX)
    );
}

#[test]
fn the_most_branching_schema_that_is_taken_checks_every_value_quickly() {
    let schema = own(&chain(13));
    assert_eq!(schema.cost().paths, 8192);
    let fitting = format!("[{}]", vec!["true"; 1000].join(","));
    let hostile = format!("[{}]", vec!["1"; 1000].join(","));
    let huge = format!("[{}]", vec!["1"; 1_000_000].join(","));
    quickly(|| {
        judged(&schema, &[(&fitting, true), (&hostile, false)]);
    });
    let problems = quickly(|| schema.check(&Tree::parse(&huge).unwrap())).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "- the whole value: expected a smaller value, for this schema has many alternatives or long patterns, \
         got one that would take too long to check"
    );
}

#[test]
fn a_schema_that_contains_itself_does_not_multiply_with_depth() {
    for schema in [
        r##"{"anyOf":[{"type":"array","items":{"$ref":"#"},"minItems":1},{"type":"array","items":{"$ref":"#"}},{"type":"boolean"}]}"##,
        r##"{"allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}],"not":{"const":1}}"##,
        r##"{"oneOf":[{"type":"array","contains":{"$ref":"#"},"items":{"$ref":"#"}},{"type":"boolean"}]}"##,
    ] {
        let schema = own(schema);
        for depth in [20, 100, 128] {
            let value = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
            quickly(|| {
                judged(&schema, &[(&value, false)]);
            });
        }
    }
}

#[test]
fn the_deepest_value_and_the_deepest_schema_fit_on_the_stack() {
    let parts = 20;
    let mut definitions = String::new();
    for part in 0..parts {
        let _written = write!(definitions, r##""d{part}":{{"allOf":[{{"$ref":"#/$defs/d{}"}}]}},"##, part + 1);
    }
    let schema = format!(
        r##"{{"$ref":"#/$defs/d0","$defs":{{{definitions}"d{parts}":{{"type":"array","items":{{"$ref":"#/$defs/d0"}}}}}}}}"##
    );
    let run = move || {
        let schema = own(&schema);
        for depth in [1, 20, 22, 128] {
            let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let tree = Tree::parse(&value).unwrap();
            let fits = schema.is_valid(&tree);
            assert_eq!(schema.check(&tree).is_ok(), fits);
            assert_eq!(fits, depth <= 22, "{depth}");
            let value = format!("{}1{}", "[".repeat(depth - 1), "]".repeat(depth - 1));
            assert!(schema.check(&Tree::parse(&value).unwrap()).is_err());
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap();
    thread.join().unwrap();
}

#[test]
fn too_deep_and_too_long_schemas_are_refused_with_the_number() {
    let nested = |levels: usize| format!("{}{{}}{}", r#"{"items":"#.repeat(levels), "}".repeat(levels));
    assert_eq!(own(&nested(63)).cost().depth, 64);
    let text = nested(64);
    let error = compile(&text, &CompileOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "schema is 65 levels deep, at most 64 are allowed");
    let long = format!(r#"{{"description":"{}"}}"#, "x".repeat(256 * 1024));
    let error = compile(&long, &CompileOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "schema has 262162 bytes, at most 262144 are allowed");
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let error = compile(&format!(r#"{{"default":{deep}}}"#), &CompileOptions::default()).unwrap_err();
    assert_eq!(error, SchemaError::Json(crate::TreeError::TooDeep { limit: 128 }));
}

#[test]
fn the_cost_counts_alternatives_and_not_properties() {
    for (schema, paths, depth) in [
        ("true", 1, 1),
        (r#"{"type":"object","properties":{"a":{},"b":{},"c":{"properties":{"d":{}}}}}"#, 1, 3),
        (r#"{"anyOf":[{},{},{}]}"#, 3, 2),
        (r#"{"properties":{"a":{"anyOf":[{},{},{}]},"b":{"anyOf":[{},{}]}}}"#, 3, 3),
        (r#"{"items":{"anyOf":[{},{}]},"contains":{"anyOf":[{},{}]}}"#, 4, 3),
        (r#"{"anyOf":[{"items":{"anyOf":[{},{}]}},{"items":{"anyOf":[{},{}]}}]}"#, 4, 4),
        (r##"{"items":{"$ref":"#"}}"##, 1, 2),
        (
            r##"{"properties":{"a":{"$ref":"#/$defs/a"},"b":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{},{}]}}}"##,
            2,
            4,
        ),
    ] {
        let cost = own(schema).cost();
        assert_eq!((cost.paths, cost.depth), (paths, depth), "{schema}");
    }
}

#[test]
fn patterns_cannot_run_away() {
    let hostile = format!("\"{}!\"", "a".repeat(100_000));
    let schema = own(r#"{"type":"string","pattern":"^(a+)+$"}"#);
    assert!(!schema.backtracks());
    quickly(|| {
        judged(&schema, &[(&hostile, false), (r#""aaa""#, true)]);
    });
    let schema = own(r#"{"type":"string","pattern":"^(?=.*[0-9])(a|aa)+$(?<!x)"}"#);
    assert!(schema.backtracks());
    quickly(|| {
        judged(&schema, &[(&hostile, false)]);
    });
    let schema = own(r#"{"items":{"pattern":"(a*)*\\1b"}}"#);
    let many = format!("[{}]", vec![hostile.as_str(); 20].join(","));
    quickly(|| {
        judged(&schema, &[(&many, false), (r#"["b"]"#, true)]);
    });
    let schema = own(r#"{"patternProperties":{"^(x+x+)+y$":{"type":"integer"}},"additionalProperties":false}"#);
    quickly(|| {
        judged(&schema, &[(&format!("{{\"{}\":1}}", "x".repeat(50_000)), false), (r#"{"xxy":1}"#, true)]);
    });
}

#[test]
fn a_text_that_a_heavy_pattern_would_take_minutes_for_is_refused_and_a_usual_one_is_not() {
    let text = "ab".repeat(1 << 19);
    let heavy = own(r#"{"type":"string","pattern":"^(a|b)*a(a|b){1000}$"}"#);
    let problems = quickly(|| heavy.check(&Tree::parse(&format!("\"{text}\"")).unwrap())).unwrap_err();
    assert!(problems.to_string().contains("would take too long to check"), "{problems}");
    judged(&heavy, &[(&format!("\"{}a\"", "ab".repeat(600)), true)]);
    let nested = own(r#"{"pattern":"^(?:(?=(?:(?=.*x)a)*x)a)*x$"}"#);
    assert!(quickly(|| nested.check(&Tree::parse(&format!("\"{}x\"", "a".repeat(3000))).unwrap())).is_err());
    judged(&nested, &[(r#""aaax""#, true), (r#""aaay""#, false)]);
    for pattern in [r"\\S", r"^[\\s\\S]{1,2000000}$", r"^[a-b]+$", "^a"] {
        let usual = own(&format!(r#"{{"pattern":"{pattern}"}}"#));
        quickly(|| judged(&usual, &[(&format!("\"{text}\""), true)]));
    }
}

#[test]
fn patterns_that_would_fill_the_memory_are_refused() {
    for pattern in ["(((a{100}){100}){100}){100}", r"\\p{L}{5000}{5000}"] {
        let schema = format!(r#"{{"pattern":"{pattern}"}}"#);
        let error = quickly(|| compile(&schema, &CompileOptions::of(Ownership::Foreign))).unwrap_err();
        assert!(matches!(error, SchemaError::Pattern { .. }), "{error}");
    }
}

#[test]
fn hostile_values_are_judged_quickly() {
    let closed =
        own(r#"{"type":"object","properties":{"a":{"type":"string","maxLength":10}},"additionalProperties":false}"#);
    let members: Vec<String> = (0..100_000).map(|index| format!("\"k{index}\":0")).collect();
    let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(1 << 20));
    quickly(|| {
        judged(&closed, &[(&format!("{{{}}}", members.join(",")), false), (&long, false), (r#"{"a":"\u0000"}"#, true)]);
    });
    let name = format!(r#"{{"{}":1}}"#, "n".repeat(1 << 20));
    let problems = quickly(|| closed.check(&Tree::parse(&name).unwrap())).unwrap_err();
    assert!(problems.to_string().len() < 500, "{}", problems.to_string().len());
    let unique = own(r#"{"uniqueItems":true}"#);
    let objects: Vec<String> = (0..100_000).map(|index| format!(r#"{{"a":{{"b":{index}}}}}"#)).collect();
    quickly(|| {
        judged(&unique, &[(&format!("[{}]", objects.join(",")), true)]);
    });
}

#[test]
fn a_schema_is_shared_between_threads_and_keeps_its_text() {
    fn is_shared<T: Send + Sync + Clone>(_: &T) {}
    let text = r#"{ "type" : "object" , "z":1, "a":2 }"#;
    let schema = own(text);
    is_shared(&schema);
    assert_eq!(schema.source().get(), text);
}
