//! Definitions of tools as each revision lists them: hints, schemas, titles, icons, and the order of it all.

use std::sync::Arc;

use haft_core::{Principal, RawTool, Server, SourceId, Tool, ToolBuilder, ToolSet, Transform, Visibility};
use haft_wire::model::ToolResult;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::peer::{Client, events, modern, tool};
use crate::protocol::{REVISIONS, STATELESS, Speaker};

/// A tool that answers with an object, whatever its schemas say.
fn raw_tool(definition: &str) -> Arc<dyn Tool> {
    let data = || ToolResult::structured(RawValue::from_string("{}".to_owned()).unwrap());
    Arc::new(RawTool::new(definition, move |_, _| async move { data() }).unwrap())
}

/// The list as bytes, with its id taken away.
async fn list(speaker: &Speaker) -> String {
    let request = speaker.request(1, "tools/list", json!({}));
    String::from_utf8(events(speaker.client.handle(&request)).await.1.unwrap().body).unwrap()
}

#[tokio::test]
async fn hints_go_out_as_they_were_given_and_none_is_invented() {
    for (given, written) in [
        ("", None),
        (r#","annotations":{}"#, None),
        (r#","annotations":{"readOnlyHint":false}"#, Some(json!({ "readOnlyHint": false }))),
        (r#","annotations":{"destructiveHint":true}"#, Some(json!({ "destructiveHint": true }))),
        (
            r#","annotations":{"title":"T","readOnlyHint":true,"idempotentHint":false,"openWorldHint":true,"future":[1]}"#,
            Some(
                json!({ "title": "T", "readOnlyHint": true, "idempotentHint": false, "openWorldHint": true, "future": [1] }),
            ),
        ),
    ] {
        let definition = format!(r#"{{"name":"a","inputSchema":{{"type":"object"}}{given}}}"#);
        for version in REVISIONS {
            let speaker = Speaker::new(Client::new(vec![raw_tool(&definition)]), version, json!({}));
            let listed = speaker.ask("tools/list", json!({})).await["result"]["tools"][0].take();
            let expected = if version == "2024-11-05" { None } else { written.as_ref() };
            assert_eq!(listed.get("annotations"), expected, "{version} {given}");
        }
    }
}

#[tokio::test]
async fn a_schema_goes_out_byte_for_byte_in_every_revision() {
    let input = r##"{ "$schema":"https://json-schema.org/draft/2020-12/schema","title":"T","type":"object",
        "$defs": {"z":{"$anchor":"deep","type":"string", "minLength":1},"a":{"enum":[1.50,"x",null]}},
        "properties":{"z":{"$ref":"#/$defs/z"},"a":{"$ref":"#deep"},"list":{"prefixItems":[{"type":"number"}],"items":false}},
        "allOf":[{"anyOf":[{"required":["z"]},{"required":["a"]}]}],"not":{"required":["never"]},
        "if":{"required":["a"]},"then":{"maxProperties":9},"else":{},"dependentRequired":{"z":["a"]},
        "x-own":{"b":1,"a":2},"unevaluatedProperties":false }"##;
    let definition = format!(r#"{{"name":"a","inputSchema":{input},"outputSchema":{{ "type" : "object" }}}}"#);
    for version in REVISIONS {
        let speaker = Speaker::new(Client::new(vec![raw_tool(&definition)]), version, json!({}));
        let listed = list(&speaker).await;
        assert!(listed.contains(input), "{version}: {listed}");
        let has_output = !["2024-11-05", "2025-03-26"].contains(&version);
        assert_eq!(listed.contains(r#""outputSchema":{ "type" : "object" }"#), has_output, "{version}: {listed}");
    }
    // And it is what calls are held to.
    let client = Client::new(vec![raw_tool(&definition)]);
    for (arguments, is_error) in [
        (json!({ "z": "x", "a": "y", "list": [1] }), false),
        (json!({ "z": "x" }), true),
        (json!({}), true),
        (json!({ "a": "" }), true),
        (json!({ "a": "y", "list": [1, 2] }), true),
        (json!({ "a": "y", "other": 1 }), true),
    ] {
        assert_eq!(client.call("a", arguments.clone()).await["isError"], is_error, "{arguments}");
    }
}

#[tokio::test]
async fn an_output_schema_that_is_no_object_is_kept_from_revisions_that_do_not_know_it() {
    for (schema, until_2025) in [
        (r#"{"type":"object"}"#, true),
        (r#"{"type":"array","items":{"type":"integer"}}"#, false),
        (r#"{"type":["object","null"]}"#, false),
        (r#"{"type":"null"}"#, false),
        (r#"{"anyOf":[{"type":"object"}]}"#, false),
        ("{}", false),
    ] {
        let definition = format!(r#"{{"name":"a","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}"#);
        for (version, expected) in
            [("2025-03-26", false), ("2025-06-18", until_2025), ("2025-11-25", until_2025), (STATELESS, true)]
        {
            let speaker = Speaker::new(Client::new(vec![raw_tool(&definition)]), version, json!({}));
            let listed = list(&speaker).await;
            assert_eq!(listed.contains(&format!(r#""outputSchema":{schema}"#)), expected, "{version}: {listed}");
        }
    }
}

#[tokio::test]
async fn titles_icons_and_meta_come_where_the_revision_has_a_place_for_them() {
    let icons = r#"[{"src":"https://e.example/i.png","mimeType":"image/png","sizes":["48x48","any"],"theme":"dark"}]"#;
    let definition = format!(
        r#"{{"name":"a","title":"A tool","description":"d","inputSchema":{{"type":"object"}},"icons":{icons},
            "_meta":{{"com.example/k":{{"b":1,"a":2}}}},"com.example/own":1.50}}"#
    );
    for (position, version) in REVISIONS.into_iter().enumerate() {
        let speaker = Speaker::new(Client::new(vec![raw_tool(&definition)]), version, json!({}));
        let listed = list(&speaker).await;
        for (part, since) in [
            (r#""title":"A tool""#, 2),
            (r#""_meta":{"com.example/k":{"b":1,"a":2}}"#, 2),
            (&format!(r#""icons":{icons}"#), 3),
            // What nobody knows is passed on as it came.
            (r#""com.example/own":1.50"#, 0),
        ] {
            assert_eq!(listed.contains(part), position >= since, "{version} {part}: {listed}");
        }
    }
}

#[tokio::test]
async fn a_tool_without_arguments_says_so_in_its_schema() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Nothing {}
    let nothing = ToolBuilder::new("nothing").description("d").handler(|_: Nothing, _| async { "fine" }).unwrap();
    let client = Client::new(vec![Arc::new(nothing)]);
    let listed = client.ask(&modern(1, "tools/list", json!({}))).await["result"]["tools"][0].take();
    assert_eq!(listed["inputSchema"]["type"], "object");
    assert_eq!(listed["inputSchema"]["additionalProperties"], false);
    assert_eq!(client.call("nothing", json!({})).await["isError"], false);
    assert_eq!(client.call("nothing", json!({ "a": 1 })).await["isError"], true);
}

#[tokio::test]
async fn of_tools_that_look_alike_everybody_sees_their_own() {
    let read = || tool("read", |_| async { "fine" });
    let mut builder = Server::builder(ToolSet::new("test", "1", vec![]));
    for group in ["a", "b"] {
        let source = SourceId::new(group);
        let name = format!("{group}.read");
        builder = builder
            .source(source.clone(), vec![read()])
            .transform(Transform::Namespace { source, prefix: format!("{group}.") })
            .transform(Transform::Restrict { tool: name, visibility: Visibility::Groups(vec![group.to_owned()]) });
    }
    let server = builder.build().unwrap();
    for version in REVISIONS {
        for _ in 0..2 {
            for group in ["a", "b"] {
                let member = Principal::client("token", group).with_groups([group]);
                let speaker = Speaker::new(Client::of(server.clone(), member), version, json!({}));
                let listed = speaker.ask("tools/list", json!({})).await["result"]["tools"].take();
                let names: Vec<_> = listed.as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
                assert_eq!(names, [&json!(format!("{group}.read"))], "{version}");
                let other = if group == "a" { "b.read" } else { "a.read" };
                assert_eq!(speaker.call(other, json!({})).await["code"], -32602, "{version}");
            }
        }
    }
}

#[tokio::test]
async fn the_list_stays_the_same_whoever_asks_on_which_connection_and_whatever_was_called() {
    let names = ["zeta", "alpha", "Beta", "a.b", "a-b", "a_b", "m10", "m9"];
    let client = Client::new(names.iter().map(|name| tool(name, |_| async { "fine" })).collect());
    let request = modern(1, "tools/list", json!({}));
    let bytes = async |client: &Client| events(client.handle(&request)).await.1.unwrap().body;
    let first = bytes(&client).await;
    for name in names {
        client.call(name, json!({})).await;
    }
    client.initialize("2025-11-25", json!({}));
    let other = Client::of(client.server.clone(), Principal::client("token", "somebody"));
    assert_eq!(bytes(&client).await, first);
    assert_eq!(bytes(&other).await, first);
    let answer: Value = serde_json::from_slice(&first).unwrap();
    let listed: Vec<_> = answer["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    let mut sorted = names;
    sorted.sort_unstable();
    assert_eq!(listed, sorted);
}

#[tokio::test]
async fn every_page_of_a_list_may_be_kept_by_the_same_callers() {
    for is_restricted in [false, true] {
        let tools = (0..5).map(|number| tool(&format!("tool_{number}"), |_| async { "fine" })).collect();
        let client = Client::with(tools, |builder| {
            let mut limits = haft_core::Limits::default();
            limits.page_size = Some(2);
            let builder = builder.limits(limits);
            if !is_restricted {
                return builder;
            }
            let visibility = Visibility::Groups(vec!["admins".to_owned()]);
            builder.transform(Transform::Restrict { tool: "tool_4".to_owned(), visibility })
        });
        let mut cursor = Value::Null;
        let mut pages = 0;
        loop {
            let page = client.ask(&modern(1, "tools/list", json!({ "cursor": cursor }))).await["result"].take();
            assert_eq!(page["cacheScope"], if is_restricted { "private" } else { "public" });
            assert!(page["ttlMs"].is_u64());
            pages += 1;
            assert!(pages < 10, "the list has an end");
            match page.get("nextCursor") {
                Some(next) => cursor = next.clone(),
                None => break,
            }
        }
        assert_eq!(pages, if is_restricted { 2 } else { 3 });
    }
}
