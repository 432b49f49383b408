//! What reaches the function, and what does not.

use std::collections::BTreeMap;

use haft::schemars::{self, JsonSchema};
use haft::{Server, ToolBuilder, ToolSet, tool, tools};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::conversation::Conversation;

/// Shows its arguments.
#[tool(read_only)]
async fn show(
    query: String,
    #[arg(default = 10, range = 1..=100)] limit: u32,
    #[arg(default = vec!["bug".to_owned()])] labels: Vec<String>,
    since: Option<i64>,
) -> String {
    format!("{query} {limit} {labels:?} {since:?}")
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Search {
    /// Words to look for.
    query: String,
    #[serde(default)]
    limit: Option<u32>,
}

/// A struct as the only argument.
#[tool(read_only)]
async fn whole(search: Search) -> String {
    format!("{} {:?}", search.query, search.limit)
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// A struct without fields: no arguments.
#[tool(read_only)]
async fn nothing(
    /// There is nothing to say.
    nothing: Nothing,
) {
    let Nothing {} = nothing;
}

/// The same struct, as one argument with a name.
#[tool(read_only)]
async fn nested(#[arg(nested)] search: Search) -> String {
    format!("{} {:?}", search.query, search.limit)
}

/// Two of them: each has its name.
#[tool(read_only)]
async fn both(first: Search, second: Option<Search>) -> String {
    format!("{} {:?}", first.query, second.map(|search| search.query))
}

/// A map has no fields to be arguments.
#[tool(read_only)]
async fn map(counts: BTreeMap<String, u32>) -> u32 {
    counts.values().sum()
}

/// May be left out, so it is no whole.
#[tool(read_only)]
async fn maybe(search: Option<Search>) -> bool {
    search.is_some()
}

#[derive(Debug)]
struct Even(u32);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = u32::deserialize(deserializer)?;
        if value % 2 == 0 { Ok(Self(value)) } else { Err(serde::de::Error::custom("an even number")) }
    }
}

impl JsonSchema for Even {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        u32::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        u32::json_schema(generator)
    }
}

/// Its types know more than its schema says.
#[tool(read_only)]
async fn evens(#[arg(name = "a/b")] first: Even, second: Even) -> u32 {
    first.0 + second.0
}

fn with(set: ToolSet) -> Conversation {
    Conversation::with(Server::new(set))
}

fn properties(definition: &Value) -> Vec<&str> {
    definition["inputSchema"]["properties"].as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn defaults_are_there_when_arguments_are_not() {
    let client = with(tools![show]);
    assert_eq!(client.text("show", json!({ "query": "a" })).await, r#"a 10 ["bug"] None"#);
    let all = json!({ "query": "a", "limit": 3, "labels": [], "since": -1 });
    assert_eq!(client.text("show", all).await, "a 3 [] Some(-1)");
    assert_eq!(client.text("show", json!({ "query": "a", "since": null })).await, r#"a 10 ["bug"] None"#);
}

#[tokio::test]
async fn a_number_without_a_fraction_is_an_integer_however_it_is_written() {
    let client = with(tools![show]);
    assert_eq!(client.text("show", json!({ "query": "a", "limit": 3.0 })).await, r#"a 3 ["bug"] None"#);
    assert!(client.error("show", json!({ "query": "a", "limit": 3.5 })).await.contains("/limit"));
}

#[tokio::test]
async fn what_does_not_fit_is_told_all_at_once_and_does_not_reach_the_function() {
    let client = with(tools![show]);
    let told = client.error("show", json!({ "limt": 5, "labels": "bug", "since": 1.5 })).await;
    for part in ["`/query`", "`/limt`", "did you mean `limit`?", "`/labels`", "an array", "`/since`"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let told = client.error("show", json!({ "query": "a", "limit": 1000 })).await;
    assert!(told.contains("`/limit`: expected an integer from 1 to 100") && !told.contains("1000"), "{told}");
}

#[tokio::test]
async fn a_lone_struct_is_the_arguments() {
    let client = with(tools![whole]);
    assert_eq!(client.text("whole", json!({ "query": "a", "limit": 2.0 })).await, "a Some(2)");
    assert!(client.error("whole", json!({ "query": "a", "limt": 2 })).await.contains("did you mean `limit`?"));
    let definition = Conversation::definition(Server::new(tools![whole]));
    assert_eq!(properties(&definition), ["query", "limit"]);
    assert_eq!(definition["inputSchema"]["required"], json!(["query"]));
    assert_eq!(definition["inputSchema"]["additionalProperties"], false);
    assert_eq!(definition["inputSchema"]["properties"]["query"]["description"], "Words to look for.");
}

#[tokio::test]
async fn a_struct_without_fields_is_no_arguments_and_its_comment_is_the_schemas() {
    let definition = Conversation::definition(Server::new(tools![nothing]));
    let schema = json!({ "type": "object", "additionalProperties": false, "description": "There is nothing to say." });
    assert_eq!(definition["inputSchema"], schema);
    assert_eq!(with(tools![nothing]).text("nothing", json!({})).await, "done");
}

#[tokio::test]
async fn a_struct_among_others_or_with_options_is_one_argument() {
    let client = with(tools![nested, both]);
    assert_eq!(client.text("nested", json!({ "search": { "query": "a" } })).await, "a None");
    assert!(client.error("nested", json!({ "query": "a" })).await.contains("`/search`"));
    let two = json!({ "first": { "query": "a" }, "second": { "query": "b" } });
    assert_eq!(client.text("both", two).await, r#"a Some("b")"#);
    assert_eq!(client.text("both", json!({ "first": { "query": "a" } })).await, "a None");
}

#[tokio::test]
async fn what_is_no_struct_to_the_schema_has_a_name_even_alone() {
    let client = with(tools![map, maybe]);
    assert_eq!(client.text("map", json!({ "counts": { "a": 1, "b": 2 } })).await, "3");
    assert_eq!(client.text("maybe", json!({})).await, "false");
    assert_eq!(client.text("maybe", json!({ "search": { "query": "a" } })).await, "true");
}

#[tokio::test]
async fn what_only_the_types_know_is_told_all_at_once_too() {
    let client = with(tools![evens]);
    assert_eq!(client.text("evens", json!({ "a/b": 2, "second": 4 })).await, "6");
    let told = client.error("evens", json!({ "a/b": 3, "second": 5 })).await;
    assert!(told.starts_with("The arguments do not fit the parameters of `evens`.\n- `/a~1b`: "), "{told}");
    assert!(told.contains("\n- `/second`: expected an even number"), "{told}");
}

#[tokio::test]
async fn the_builder_and_the_macro_make_the_same_of_a_struct() {
    /// A struct as the only argument.
    #[tool(read_only)]
    async fn searched(search: Search) -> String {
        search.query
    }
    let built = ToolBuilder::new("searched")
        .description("A struct as the only argument.")
        .read_only(true)
        .handler(|search: Search, _| async move { search.query })
        .unwrap();
    let built = Conversation::definition(Server::new(tools![]).tool(built));
    assert_eq!(built, Conversation::definition(Server::new(tools![searched])));
}
