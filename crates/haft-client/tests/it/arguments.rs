//! Words of a command line as the arguments of a tool.

use std::io;

use haft_client::arguments::read_arguments;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

fn read(schema: &Value, words: &[&str]) -> Result<String, String> {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let file = |path: &str| match path {
        "note.txt" => Ok(b"line\n".to_vec()),
        "five" => Ok(b"5\r\n".to_vec()),
        "list.json" => Ok(b"[ 1,\n 2 ]\n".to_vec()),
        "large" => Ok(vec![b'x'; (16 << 20) + 1]),
        "bytes" => Ok(vec![0xff]),
        _ => Err(io::Error::from(io::ErrorKind::NotFound)),
    };
    read_arguments(schema, &words, &file).map_err(|error| error.to_string())
}

/// A member of each type.
fn every_type() -> Value {
    json!({"type": "object", "properties": {
        "text": {"type": "string"}, "count": {"type": "integer"}, "ratio": {"type": "number"},
        "dry": {"type": "boolean"}, "none": {"type": "null"}, "any": {}, "never": false,
        "mode": {"enum": ["fast", "slow", 3, null]}, "fixed": {"const": "x"},
        "tags": {"type": "array", "items": {"type": "string"}}, "ids": {"type": "array", "items": {"type": "integer"}},
        "anything": {"type": "array"}, "pair": {"prefixItems": [{"type": "integer"}, {"type": "string"}]},
        "place": {"type": "object", "properties": {"x": {"type": "integer"}, "deep": {"properties": {"y": {"type": "string"}}}}},
    }})
}

/// Words, and the object or the error that they make.
fn check(schema: &Value, cases: &[(&[&str], Result<&str, &str>)]) {
    for (words, expected) in cases {
        let found = read(schema, words);
        assert_eq!(found.as_deref().map_err(String::as_str), *expected, "{words:?}");
        if let Ok(text) = found {
            serde_json::from_str::<IgnoredAny>(&text).unwrap();
        }
    }
}

#[test]
fn a_text_is_read_by_the_type_of_its_schema_and_never_bent() {
    let schema = every_type();
    check(
        &schema,
        &[
            (&[], Ok("{}")),
            (&["text=5"], Ok(r#"{"text":"5"}"#)),
            (&["text="], Ok(r#"{"text":""}"#)),
            (&["text=null"], Ok(r#"{"text":"null"}"#)),
            (&["text=a\"b\n\u{1b}"], Ok(r#"{"text":"a\"b\n\u001b"}"#)),
            (&["count=5"], Ok(r#"{"count":5}"#)),
            (&["count=-0"], Ok(r#"{"count":-0}"#)),
            (&["count=123456789012345678901234567890"], Ok(r#"{"count":123456789012345678901234567890}"#)),
            (&["count=5.0"], Err("`count`: expected an integer, found a number")),
            (
                &["count=05"],
                Err(
                    "`count`: expected an integer, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (
                &["count=+5"],
                Err(
                    "`count`: expected an integer, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (
                &["count= 5"],
                Err(
                    "`count`: expected an integer, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (&["count="], Err("`count`: expected an integer, found an empty text")),
            (&["count=null"], Err("`count`: expected an integer, found `null`")),
            (
                &["count=-"],
                Err(
                    "`count`: expected an integer, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (&["ratio=1.10"], Ok(r#"{"ratio":1.10}"#)),
            (&["ratio=1e400"], Ok(r#"{"ratio":1e400}"#)),
            (&["ratio=-5"], Ok(r#"{"ratio":-5}"#)),
            (
                &["ratio=.5"],
                Err(
                    "`ratio`: expected a number, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (
                &["ratio=NaN"],
                Err(
                    "`ratio`: expected a number, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (&["dry=true"], Ok(r#"{"dry":true}"#)),
            (&["dry=Yes"], Err("`dry`: expected `true` or `false`, found a text (did you mean `true`?)")),
            (&["dry=0"], Err("`dry`: expected `true` or `false`, found an integer (did you mean `false`?)")),
            (&["none=null"], Ok(r#"{"none":null}"#)),
            (&["none=x"], Err("`none`: expected `null`, found a text")),
            (&["any=5"], Ok(r#"{"any":"5"}"#)),
            (&["any:=5"], Ok(r#"{"any":5}"#)),
            (&["never=x"], Err("`never`: the schema allows no value here")),
            (&["mode=slow"], Ok(r#"{"mode":"slow"}"#)),
            (&["mode=3"], Ok(r#"{"mode":3}"#)),
            (&["mode=null"], Ok(r#"{"mode":null}"#)),
            (
                &["mode=slwo"],
                Err("`mode`: expected one of `fast`, `slow`, `3`, `null`, found a text (did you mean `slow`?)"),
            ),
            (&["fixed=x"], Ok(r#"{"fixed":"x"}"#)),
            (&["fixed=y"], Err("`fixed`: expected one of `x`, found a text")),
        ],
    );
}

#[test]
fn arrays_are_repeated_and_objects_have_members() {
    let schema = every_type();
    check(
        &schema,
        &[
            (&["tags=a"], Ok(r#"{"tags":["a"]}"#)),
            (&["tags=a", "tags=a,b"], Ok(r#"{"tags":["a","a,b"]}"#)),
            (&["tags:=[]"], Ok(r#"{"tags":[]}"#)),
            (
                &["tags=[\"a\"]"],
                Err("`tags`: this can be the whole array or one element of it (`tags:=[…]` is the whole array)"),
            ),
            (&["tags=[a"], Ok(r#"{"tags":["[a"]}"#)),
            (
                &["tags:=[1]", "tags=a"],
                Err("`tags`: given more than once, and `:=` gives the whole value (one `tags:=[…]` gives an array)"),
            ),
            (&["ids=1", "count=2", "ids=3"], Ok(r#"{"ids":[1,3],"count":2}"#)),
            (&["ids=[1, 2]"], Ok(r#"{"ids":[1,2]}"#)),
            (
                &["ids=x"],
                Err(
                    "`ids`: expected an integer, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (&["anything=1"], Ok(r#"{"anything":["1"]}"#)),
            (&["pair=1", "pair=2"], Ok(r#"{"pair":[1,"2"]}"#)),
            (&["place.x=1", "text=a", "place.deep.y=2"], Ok(r#"{"place":{"x":1,"deep":{"y":"2"}},"text":"a"}"#)),
            (&["place={\"x\": 1}"], Ok(r#"{"place":{"x":1}}"#)),
            (
                &["place=x"],
                Err(
                    "`place`: expected an object, found a text (`place:={…}` gives it as JSON, `place.name=…` one member)",
                ),
            ),
            (
                &["place:={}", "place.x=1"],
                Err(
                    "`place.x`: given as a whole and by its members (leave out one of them, or give `place` with `:=`)",
                ),
            ),
            (
                &["place.x=1", "place:={}"],
                Err("`place`: given as a whole and by its members (leave out one of them, or give `place` with `:=`)"),
            ),
            (&["text=a", "text=b"], Err("`text`: given 2 times, but it takes one value")),
        ],
    );
}

#[test]
fn a_file_gives_a_text_or_json() {
    let schema = json!({"properties": {"text": {"type": "string"}, "count": {"type": "integer"}, "ids": {"items": {"type": "integer"}}}});
    check(
        &schema,
        &[
            (&["text=@note.txt"], Ok(r#"{"text":"line\n"}"#)),
            (&["text=@@note.txt"], Ok(r#"{"text":"@note.txt"}"#)),
            (&["count=@five"], Ok(r#"{"count":5}"#)),
            (&["ids:=@list.json"], Ok(r#"{"ids":[1,2]}"#)),
            (&["ids=@five", "ids=6"], Ok(r#"{"ids":[5,6]}"#)),
            (
                &["count=@note.txt"],
                Err(
                    "`count`: expected an integer, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (&["ids:=@note.txt"], Err("`ids`: this is not JSON")),
            (&["text=@bytes"], Err("`text`: the file is not UTF-8 text")),
            (&["text=@large"], Err("`text`: the file is larger than 16 MiB")),
            (
                &["text=@anna"],
                Err(
                    "`text`: cannot read the file `anna`: entity not found (a text that begins with `@` has two of them)",
                ),
            ),
        ],
    );
}

#[test]
fn a_union_is_tried_in_a_fixed_order() {
    let schema = json!({"type": "object", "$defs": {"id": {"type": "integer"}, "self": {"$ref": "#/$defs/self"}}, "properties": {
        "id": {"type": ["string", "integer", "null", "boolean"]},
        "pydantic": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": null, "title": "x"},
        "words": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "ref": {"allOf": [{"$ref": "#/$defs/id"}]},
        "mode": {"anyOf": [{"enum": ["a", "b"]}, {"type": "integer"}]},
        "loop": {"$ref": "#/$defs/self"},
        "both": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "object"}]},
        "missing": {"$ref": "#/$defs/nowhere"},
    }});
    check(
        &schema,
        &[
            (&["id=5"], Ok(r#"{"id":5}"#)),
            (&["id=007"], Ok(r#"{"id":"007"}"#)),
            (&["id=null"], Ok(r#"{"id":null}"#)),
            (&["id=true"], Ok(r#"{"id":true}"#)),
            (&["id:=\"5\""], Ok(r#"{"id":"5"}"#)),
            (&["pydantic=null"], Ok(r#"{"pydantic":null}"#)),
            (
                &["pydantic=x"],
                Err(
                    "`pydantic`: expected `null` or a number, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (&["words=a"], Ok(r#"{"words":"a"}"#)),
            (&["words=a", "words=b"], Ok(r#"{"words":["a","b"]}"#)),
            (&["ref=5"], Ok(r#"{"ref":5}"#)),
            (
                &["ref=x"],
                Err(
                    "`ref`: expected an integer, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (&["mode=b"], Ok(r#"{"mode":"b"}"#)),
            (&["mode=7"], Ok(r#"{"mode":7}"#)),
            (
                &["mode=c"],
                Err(
                    "`mode`: expected one of `a`, `b` or an integer, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (&["loop=x"], Err("`loop`: the schema allows no value here")),
            (&["both=1"], Ok(r#"{"both":[1]}"#)),
            (&["both={\"a\":1}"], Ok(r#"{"both":{"a":1}}"#)),
            (&["missing=x"], Err("`missing`: the schema allows no value here")),
        ],
    );
}

#[test]
fn a_key_that_the_schema_does_not_know_is_an_error_with_the_one_that_was_meant() {
    let closed = json!({"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"},
        "at": {"type": "object", "properties": {"city": {"type": "string"}}, "additionalProperties": false},
        "labels": {"type": "object", "additionalProperties": {"type": "integer"}}}});
    check(
        &closed,
        &[
            (&["limt=5"], Err("`limt`: the tool has no such argument (did you mean `limit`?)")),
            (
                &["colour=5"],
                Err("`colour`: the tool has no such argument (there are `at`, `labels`, `limit`, `query`)"),
            ),
            (&["at.ctiy=x"], Err("`at.ctiy`: the tool has no such argument (did you mean `at.city`?)")),
            (&["at.x=x"], Err("`at.x`: the tool has no such argument (there are `at.city`)")),
            (&["labels.app.name=5"], Ok(r#"{"labels":{"app.name":5}}"#)),
            (
                &["labels.x=y"],
                Err(
                    "`labels.x`: expected an integer, found a text (a number has digits only, with `.` for a fraction and `-` in front)",
                ),
            ),
            (&["query.x=y"], Err("`query.x`: the tool has no such argument (did you mean `query`?)")),
            (
                &["limt=5", "query", "limit=x"],
                Err(
                    "`limt`: the tool has no such argument (did you mean `limit`?); an argument is written `key=value`, \
             `key:=JSON` or `key=@file`; `limit`: expected an integer, found a text (a number has digits only, with \
             `.` for a fraction and `-` in front)",
                ),
            ),
        ],
    );
    check(
        &json!({"type": "object"}),
        &[
            (&["a=1", "b:=1", "c.d=2"], Ok(r#"{"a":"1","b":1,"c.d":"2"}"#)),
            (&["a=1", "a=2"], Err("`a`: given 2 times, but it takes one value")),
        ],
    );
    check(
        &json!({"additionalProperties": {"type": "integer"}, "properties": {"a": {}}}),
        &[(&["b=1"], Ok(r#"{"b":1}"#))],
    );
    check(&json!({"properties": {}}), &[(&["a=1"], Err("`a`: the tool has no such argument (it takes none)"))]);
    check(
        &json!({"properties": {"a.b": {"type": "integer"}, "c": {"properties": {"d": {}}}, "c.d": {}}}),
        &[
            (&["a.b=1"], Ok(r#"{"a.b":1}"#)),
            (&["c.d=1"], Err("`c.d`: this key means more than one member (`--args` takes the whole object)")),
        ],
    );
    check(
        &json!({"properties": {"__proto__": {"type": "string"}, "a:b": {"type": "string"}}}),
        &[(&["__proto__=x", "a:b=y"], Ok(r#"{"__proto__":"x","a:b":"y"}"#))],
    );
}

#[test]
fn hostile_schemas_and_words_end_soon() {
    let mut recursive = json!({"type": "array", "items": {"$ref": "#/$defs/a"}});
    recursive = json!({"$defs": {"a": recursive}, "properties": {"a": {"$ref": "#/$defs/a"}}});
    check(&recursive, &[(&["a=x"], Err("`a`: expected an array, found a text"))]);
    let tree = json!({"$defs": {"t": {"type": "object", "properties": {
        "a": {"$ref": "#/$defs/t"}, "a.a": {"$ref": "#/$defs/t"}, "a.a.a": {"$ref": "#/$defs/t"}}}}, "$ref": "#/$defs/t"});
    for dots in [9, 10_000] {
        let key = format!("a{}.b=1", ".a".repeat(dots));
        assert!(read(&tree, &[&key]).is_err());
    }
    let wide = json!({"properties": {"a": {"anyOf": vec![json!({"type": "integer"}); 10_000]}}});
    assert!(read(&wide, &["a=x"]).is_err());
    for schema in [
        json!(null),
        json!(5),
        json!({"properties": 5, "required": {}}),
        json!({"properties": {"a": 7, "b": {"type": 5}}}),
    ] {
        read(&schema, &["b=1", "a:=2"]).unwrap_or_default();
    }
    let hostile = read(
        &json!({"properties": {"a": {"enum": ["\u{1b}[2J"]}, "\u{202e}b": {}}}),
        &["a=x", "\u{202e}c=1", "z=@\u{7}"],
    );
    assert!(!hostile.unwrap_err().chars().any(haft_diag::is_deceptive));
}
