//! What clients see of the tools of a manifest.
#![expect(clippy::too_many_lines, reason = "an expectation is as long as what it shows")]

use std::path::Path;

use expect_test::{Expect, expect};

use super::conversation::Served;
use super::{one_tool, parse};

async fn check(rest: &str, expected: Expect) {
    let tools = Served::new(&one_tool(rest), Path::new("/")).list().await;
    expected.assert_eq(&serde_json::to_string_pretty(&tools[0]).unwrap());
}

#[tokio::test]
async fn a_tool_without_arguments_takes_none() {
    check(
        "command = { argv = [\"true\"] }",
        expect![[r#"
        {
          "name": "t",
          "description": "Does it.",
          "inputSchema": {
            "type": "object",
            "additionalProperties": false
          }
        }"#]],
    )
    .await;
}

#[tokio::test]
async fn arguments_become_a_closed_schema_in_the_order_of_the_file() {
    check(
        r#"
title = "Everything"
annotations = { title = "All", read_only = true, destructive = false, idempotent = true, open_world = false }
args.zeta = { type = "string", description = "Last in the alphabet.", min_length = 1, max_length = 9, pattern = "^[a-z]+$", enum = ["a", "b"], examples = ["a"] }
args.alpha = { type = "integer", minimum = 0, maximum = 0x10, default = 1_0 }
args.half = { type = "number", minimum = 0.5, maximum = 1e3, required = false }
args.flag = { type = "boolean", required = false }
args.file = { type = "path", within = "usr", except = ["lib"], description = "A file." }
args.many = { type = "array", items = { type = "string", description = "One.", enum = ["x", "y"] }, min_items = 1, max_items = 3, default = ["x"] }
output_schema = { type = "object", properties = { b = { type = "integer" }, a = { type = "string" } }, required = ["b"] }
command = { argv = ["echo", "{zeta}", "{alpha}", ["{half}"], { if = "flag", then = ["f"] }, "{file}", "{many}"] }
"#,
        expect![[r#"
            {
              "name": "t",
              "title": "Everything",
              "description": "Does it.",
              "inputSchema": {
                "type": "object",
                "properties": {
                  "zeta": {
                    "type": "string",
                    "description": "Last in the alphabet.",
                    "enum": [
                      "a",
                      "b"
                    ],
                    "pattern": "^[a-z]+$",
                    "minLength": 1,
                    "maxLength": 9,
                    "examples": [
                      "a"
                    ]
                  },
                  "alpha": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 16,
                    "default": 10
                  },
                  "half": {
                    "type": "number",
                    "minimum": 0.5,
                    "maximum": 1000.0
                  },
                  "flag": {
                    "type": "boolean"
                  },
                  "file": {
                    "type": "string",
                    "description": "A file."
                  },
                  "many": {
                    "type": "array",
                    "items": {
                      "type": "string",
                      "description": "One.",
                      "enum": [
                        "x",
                        "y"
                      ]
                    },
                    "minItems": 1,
                    "maxItems": 3,
                    "default": [
                      "x"
                    ]
                  }
                },
                "required": [
                  "zeta",
                  "file"
                ],
                "additionalProperties": false
              },
              "outputSchema": {
                "type": "object",
                "properties": {
                  "b": {
                    "type": "integer"
                  },
                  "a": {
                    "type": "string"
                  }
                },
                "required": [
                  "b"
                ]
              },
              "annotations": {
                "title": "All",
                "readOnlyHint": true,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": false
              }
            }"#]],
    )
    .await;
}

#[test]
fn a_server_says_what_the_manifest_says_of_it() {
    let manifest =
        parse("[server]\nname = \"s\"\ntitle = \"S\"\nversion = \"1.2.3\"\ninstructions = \"Be kind.\"").unwrap();
    let server = manifest.server();
    assert_eq!((server.name.as_str(), server.version.as_str()), ("s", "1.2.3"));
    assert_eq!((server.title.as_deref(), server.instructions.as_deref()), (Some("S"), Some("Be kind.")));
    assert_eq!(manifest.definitions().count(), 0);
    assert_eq!(parse("[server]\nname = \"s\"").unwrap().server().version, "0.0.0");
}

#[test]
fn a_secret_is_not_in_what_ends_up_in_logs() {
    let manifest = parse(&one_tool("command = { argv = [\"true\"], env = { TOKEN = \"${API_TOKEN}\" } }")).unwrap();
    let shown = format!("{manifest:?}");
    assert!(shown.contains("true") && !shown.contains("a-long-secret"), "{shown}");
}

#[test]
fn bounds_of_a_tool_are_kept() {
    use std::time::Duration;

    let limits = |rest: &str| {
        let manifest = parse(&one_tool(rest)).unwrap();
        manifest.into_tools().pop().unwrap().limits()
    };
    let bounded = limits(
        "concurrency = 2\nrate = { calls = 5, per = \"1m\" }\ncommand = { argv = [\"true\"], timeout = \"5s\" }",
    );
    assert_eq!(bounded.concurrency, Some(2));
    assert_eq!(bounded.rate, Some((5, Duration::from_mins(1))));
    // The program's time, and the time to wait for its turn.
    assert_eq!(bounded.timeout, Some(Duration::from_secs(35)));
    let default = limits("command = { argv = [\"true\"] }");
    assert_eq!((default.concurrency, default.rate, default.timeout), (Some(16), None, Some(Duration::from_mins(1))));
}
