//! Results of calls in every revision: content, data, errors, order.

use std::sync::Arc;

use haft_core::{Event, Question, RawTool, Tool, ToolError};
use haft_wire::model::{Content, ToolResult};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::peer::{Client, body, call, exchange, meta_with, modern, nothing_yet, raw, soon, tool};
use crate::protocol::{REVISIONS, STATELESS, Speaker};

#[tokio::test]
async fn absent_arguments_are_the_empty_object() {
    let echo =
        || raw("echo", json!({ "type": "object" }), |arguments, _| async move { arguments.to_string() }).unwrap();
    for version in REVISIONS {
        let speaker = Speaker::new(Client::new(vec![echo()]), version, json!({}));
        for params in [
            json!({ "name": "echo" }),
            json!({ "name": "echo", "arguments": {} }),
            json!({ "name": "echo", "arguments": null }),
        ] {
            let result = speaker.ask("tools/call", params).await["result"].take();
            assert_eq!(result["content"], json!([{ "type": "text", "text": "{}" }]), "{version}");
            assert_eq!(result["isError"], false);
        }
    }
}

#[tokio::test]
async fn a_result_always_has_content_even_if_there_is_none() {
    let tools: Vec<Arc<dyn Tool>> = vec![
        tool("nothing", |_| async { Vec::<Content>::new() }),
        tool("empty", |_| async { String::new() }),
        tool("unit", |_| async {}),
        tool("default", |_| async { ToolResult::default() }),
        tool("failed", |_| async { Err::<(), _>(ToolError::with_result(ToolResult::default())) }),
    ];
    for version in REVISIONS {
        let speaker = Speaker::new(Client::new(tools.clone()), version, json!({}));
        for (name, blocks) in [("nothing", 0), ("empty", 1), ("unit", 1), ("default", 0), ("failed", 0)] {
            let result = speaker.call(name, json!({})).await;
            assert_eq!(result["content"].as_array().map(Vec::len), Some(blocks), "{version} {name}: {result}");
            assert_eq!(result["isError"], name == "failed");
        }
    }
}

/// A tool with data of this kind and a schema that allows it.
fn gives(schema: &str, data: &'static str) -> Arc<dyn Tool> {
    let definition = format!(r#"{{"name":"gives","inputSchema":{{"type":"object"}},"outputSchema":{schema}}}"#);
    let handler = move |_, _| async move { ToolResult::structured(RawValue::from_string(data.to_owned()).unwrap()) };
    Arc::new(RawTool::new(&definition, handler).unwrap())
}

#[tokio::test]
async fn data_is_an_object_until_2025_and_anything_after_and_is_always_said_as_text() {
    for (schema, data) in [
        (r#"{"type":"object"}"#, r#"{"b":1.50,"a":[null]}"#),
        (r#"{"type":"array"}"#, "[1,2]"),
        (r#"{"type":"string"}"#, r#""x""#),
        (r#"{"type":["null","integer"]}"#, "null"),
        (r#"{"type":"boolean"}"#, "false"),
        ("{}", "123456789012345678901234567890"),
    ] {
        for version in REVISIONS {
            let speaker = Speaker::new(Client::new(vec![gives(schema, data)]), version, json!({}));
            let result = speaker.call("gives", json!({})).await;
            assert_eq!(result["isError"], false, "{version} {data}: {result}");
            assert_eq!(result["content"], json!([{ "type": "text", "text": data }]), "{version}");
            let knows = match version {
                STATELESS => true,
                "2025-06-18" | "2025-11-25" => data.starts_with('{'),
                _ => false,
            };
            // `null` that is there is not absent.
            assert_eq!(result.get("structuredContent").is_some(), knows, "{version} {data}: {result}");
        }
    }
}

#[tokio::test]
async fn data_that_does_not_fit_never_goes_out_but_an_error_needs_no_data() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;
    let definition = format!(
        r#"{{"name":"gives","inputSchema":{{"type":"object","properties":{{"what":{{"type":"string"}}}}}},"outputSchema":{schema}}}"#
    );
    let tool = RawTool::new(&definition, |arguments, context| async move {
        let what: Value = serde_json::from_str(arguments.get())?;
        let data = |text: &str| ToolResult::structured(RawValue::from_string(text.to_owned()).unwrap());
        match what["what"].as_str().unwrap_or_default() {
            "fits" => Ok(data(r#"{"n":1.0}"#)),
            "wrong" => Ok(data(r#"{"n":"secret"}"#)),
            "null" => Ok(data("null")),
            "none" => Ok(ToolResult::text("no data")),
            "failed" => Err(ToolError::tell("no such thing")),
            "asks" => context.ask("sure", Question::confirm("Sure?")).map(|_| ToolResult::text("unreachable")),
            _ => Ok(ToolResult::error("an error as a result")),
        }
    });
    let client = Client::new(vec![Arc::new(tool.unwrap())]);
    for version in REVISIONS {
        let speaker =
            Speaker::new(Client::of(client.server.clone(), haft_core::Principal::anonymous()), version, json!({}));
        for what in ["wrong", "null", "none"] {
            let error = speaker.call("gives", json!({ "what": what })).await;
            assert_eq!(error["code"], -32603, "{version} {what}: {error}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
        assert_eq!(speaker.call("gives", json!({ "what": "fits" })).await["isError"], false, "{version}");
        for what in ["failed", "error"] {
            assert_eq!(speaker.call("gives", json!({ "what": what })).await["isError"], true, "{version} {what}");
        }
    }
    // Nor does a question.
    let params =
        json!({ "name": "gives", "arguments": { "what": "asks" }, "_meta": meta_with(json!({ "elicitation": {} })) });
    let asked = client.ask(&modern(1, "tools/call", params)).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
}

#[tokio::test]
async fn wrong_arguments_are_told_to_the_model_in_every_revision_and_an_unknown_tool_to_the_client() {
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    let client = Client::new(vec![raw("adds", schema, |_, _| async { "fine" }).unwrap()]);
    for version in REVISIONS {
        let speaker =
            Speaker::new(Client::of(client.server.clone(), haft_core::Principal::anonymous()), version, json!({}));
        let told = speaker.call("adds", json!({ "n": "x" })).await;
        assert_eq!(told["isError"], true, "{version}");
        assert!(told["content"][0]["text"].as_str().unwrap().contains("`/n`"), "{told}");
        let unknown = speaker.call("add", json!({ "n": 1 })).await;
        assert_eq!((&unknown["code"], unknown.get("isError")), (&json!(-32602), None), "{version}: {unknown}");
    }
}

#[tokio::test]
async fn answers_come_in_the_order_in_which_calls_end() {
    let gates: Vec<_> = (0..3).map(|_| Arc::new(Notify::new())).collect();
    let inner = gates.clone();
    let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } } });
    let waits = raw("waits", schema, move |arguments, _| {
        let number = usize::try_from(arguments["n"].as_u64().unwrap()).unwrap();
        let gate = Arc::clone(&inner[number]);
        async move {
            gate.notified().await;
            format!("call {number}")
        }
    });
    let client = Client::new(vec![waits.unwrap()]);
    let mut running: Vec<_> =
        (0..3).map(|number| exchange(client.handle(&call(number, "waits", json!({ "n": number }))))).collect();
    for exchange in &mut running {
        nothing_yet(exchange).await;
    }
    for number in [2, 0, 1] {
        gates[number].notify_one();
        let Event::Answer(answer) = soon(running[number].next()).await else { panic!("no answer") };
        let answer = body(&answer);
        assert_eq!(answer["id"], number);
        assert_eq!(answer["result"]["content"][0]["text"], format!("call {number}"));
        for (other, exchange) in running.iter_mut().enumerate().filter(|(other, _)| *other != number) {
            if other == 1 || (other == 0 && number == 2) {
                nothing_yet(exchange).await;
            }
        }
    }
}

#[tokio::test]
async fn the_meta_of_a_result_goes_out_as_one_object() {
    for (meta, kept) in [
        (r#"{"com.example/k":{"b":1,"a":2}}"#, true),
        ("{ }", false),
        ("{}", false),
        (
            r#"{"io.modelcontextprotocol/serverInfo":{"name":"another","version":"0"},"com.example/k":{"b":1,"a":2}}"#,
            true,
        ),
        // What is no object is none.
        ("7", false),
        ("[]", false),
        ("null", false),
    ] {
        let tool = tool("tells", move |_| async move {
            let mut result = ToolResult::text("x");
            result.meta = Some(RawValue::from_string(meta.to_owned()).unwrap());
            result
        });
        for version in REVISIONS {
            let speaker = Speaker::new(Client::new(vec![Arc::clone(&tool)]), version, json!({}));
            let request = speaker.request(1, "tools/call", json!({ "name": "tells" }));
            let answer = crate::peer::events(speaker.client.handle(&request)).await.1.unwrap().body;
            let text = String::from_utf8(answer).unwrap();
            // Strict about what goes out: it is JSON, and no key stands twice.
            let result: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert!(text.matches("io.modelcontextprotocol/serverInfo").count() <= 1, "{text}");
            let found = &result["result"]["_meta"];
            assert!(found.is_object() || result["result"].get("_meta").is_none(), "{version}: {text}");
            assert_eq!(found["com.example/k"] == json!({ "b": 1, "a": 2 }), kept, "{version}: {text}");
            if version == STATELESS {
                assert_eq!(found["io.modelcontextprotocol/serverInfo"]["name"], "test", "{text}");
            }
        }
    }
}
