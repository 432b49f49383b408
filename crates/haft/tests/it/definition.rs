//! What clients see of a function under `#[tool]`.

use std::time::Duration;

use haft::schemars::{self, JsonSchema};
use haft::{Context, Server, State, ToolName, ToolSet, tool, tools};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::conversation::Conversation;

/// Finds tickets that match a query.
/// Use it for bugs.
///
/// Not for source code.
#[tool(read_only, destructive = false, open_world, title = "Search")]
async fn search_tickets(
    /// Words to look for.
    /// Example: `login`.
    #[arg(min_length = 1, max_length = 200, example = "login", example = "login timeout")]
    query: String,
    #[arg(default = 10, range = 1..=100)] limit: u32,
    #[arg(one_of = ["open", "closed"], default = "open")] status: String,
    #[arg(range = -0.5..MOST)] weight: Option<f64>,
    #[arg(name = "label-names", min_items = 1, max_items = 5)] labels: Option<Vec<String>>,
    #[arg(pattern = "^[A-Z]+$")] project: String,
    #[arg(default = Sort::Newest)] sort: Sort,
    _cx: &Context,
    _state: State<u32>,
) -> String {
    format!("{query}{limit}{status}{weight:?}{labels:?}{project}{sort:?}")
}

const MOST: f64 = 0.5;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sort {
    Newest,
    Oldest,
}

/// For readers of the code.
#[tool(name = "files.read-all", description = concat!("Reads ", "files."))]
async fn read_files() {}

/// Is bounded.
#[tool(timeout = "500ms", concurrency = 4, rate = "10/1m")]
async fn bounded() {}

/// Has the longest name there is.
#[tool]
async fn a23456789_b23456789_c23456789_d23456789_e23456789_f23456789_g234() {}

fn schema_of(set: ToolSet) -> Value {
    Conversation::definition(Server::new(set))["inputSchema"].clone()
}

#[tokio::test]
async fn the_definition_is_what_the_function_says() {
    let definition = Conversation::definition(Server::new(tools![search_tickets]));
    assert_eq!(definition["name"], "search_tickets");
    assert_eq!(definition["title"], "Search");
    assert_eq!(definition["description"], "Finds tickets that match a query. Use it for bugs.\n\nNot for source code.");
    assert_eq!(
        definition["annotations"],
        json!({ "readOnlyHint": true, "destructiveHint": false, "openWorldHint": true })
    );
    assert_eq!(definition.get("outputSchema"), None);
    let schema = &definition["inputSchema"];
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["required"], json!(["query", "project"]));
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names.len(), 7, "{names:?}");
}

#[tokio::test]
async fn what_is_said_of_an_argument_stands_in_its_schema() {
    let schema = schema_of(tools![search_tickets]);
    let check = |name: &str, expected: Value| {
        for (keyword, value) in expected.as_object().unwrap() {
            assert_eq!(&schema["properties"][name][keyword], value, "{name} {keyword}: {schema:#}");
        }
    };
    check(
        "query",
        json!({
            "type": "string",
            "description": "Words to look for. Example: `login`.",
            "minLength": 1,
            "maxLength": 200,
            "examples": ["login", "login timeout"],
        }),
    );
    check("limit", json!({ "type": "integer", "default": 10, "minimum": 1, "maximum": 100 }));
    check("status", json!({ "enum": ["open", "closed"], "default": "open" }));
    check("weight", json!({ "minimum": -0.5, "exclusiveMaximum": 0.5 }));
    check("label-names", json!({ "minItems": 1, "maxItems": 5 }));
    check("project", json!({ "pattern": "^[A-Z]+$" }));
    check("sort", json!({ "default": "newest" }));
}

#[tokio::test]
async fn name_and_description_can_be_others_than_the_functions() {
    let definition = Conversation::definition(Server::new(tools![read_files]));
    assert_eq!(definition["name"], "files.read-all");
    assert_eq!(definition["description"], "Reads files.");
    assert_eq!(definition["inputSchema"], json!({ "type": "object", "additionalProperties": false }));
}

#[test]
fn bounds_are_the_tools() {
    let set = tools![bounded];
    let limits = set.tools[0].limits();
    assert_eq!(limits.timeout, Some(Duration::from_millis(500)));
    assert_eq!(limits.concurrency, Some(4));
    assert_eq!(limits.rate, Some((10, Duration::from_mins(1))));
}

#[test]
fn the_macro_and_the_protocol_agree_on_the_longest_name() {
    let set = tools![a23456789_b23456789_c23456789_d23456789_e23456789_f23456789_g234];
    assert_eq!(set.tools[0].definition().name.as_str().len(), ToolName::MAX_LENGTH);
}

#[test]
fn a_default_that_the_type_does_not_accept_is_refused_when_the_server_is_built() {
    /// Greets.
    #[tool]
    async fn greet(#[arg(default = "a", pattern = "^b+$")] name: String) -> String {
        name
    }
    let error = Server::new(tools![greet]).build().unwrap_err();
    assert!(format!("{error:?}").starts_with("the input schema of tool `greet` cannot be served: "), "{error:?}");
}
