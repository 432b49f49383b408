//! Every way of calling a tool wrongly, over a pipe and over HTTP, and what each gets.

use std::collections::HashMap;
use std::sync::Arc;

use haft_core::{RawTool, Tool};
use serde_json::{Value, json};

use crate::peer::{Client, at_once, body, events, meta, modern};

/// `add(a: 0..=100, b, limit = 10)`, closed, with one argument that HTTP clients mirror.
fn client() -> Client {
    let definition = json!({
        "name": "add",
        "description": "Adds two numbers.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "a": { "type": "integer", "minimum": 0, "maximum": 100 },
                "b": { "type": "integer" },
                "limit": { "type": "integer", "default": 10 },
                "region": { "type": "string", "x-mcp-header": "Region" },
            },
            "required": ["a", "b"],
            "additionalProperties": false,
        },
    });
    let tool = RawTool::new(&definition.to_string(), |arguments, _| async move { arguments.get().to_owned() }).unwrap();
    Client::new(vec![Arc::new(tool) as Arc<dyn Tool>])
}

#[tokio::test]
async fn arguments_that_the_schema_forbids_are_told_to_the_model_with_every_fault_at_its_pointer() {
    let client = client();
    for (arguments, pointers) in [
        (json!({ "a": 1 }), vec!["/b"]),
        (json!({ "a": "x", "b": 2 }), vec!["/a"]),
        (json!({ "a": "x" }), vec!["/a", "/b"]),
        (json!({ "a": 1000, "b": 2 }), vec!["/a"]),
        (json!({ "a": 1, "b": 2, "zzz": 3 }), vec!["/zzz"]),
        (json!({ "a": 1.5, "b": 2 }), vec!["/a"]),
        (json!({ "a": null, "b": [] }), vec!["/a", "/b"]),
        (json!({}), vec!["/a", "/b"]),
        (json!({ "a": 1, "b": 2, "limt": 3 }), vec!["/limt"]),
    ] {
        let result = client.call("add", arguments.clone()).await;
        assert_eq!(result["isError"], true, "{arguments}");
        let text = result["content"][0]["text"].as_str().unwrap();
        for pointer in pointers {
            assert!(text.contains(&format!("`{pointer}`")), "{arguments}: {text}");
        }
        assert!(!text.contains("1000") && !text.contains("\"x\""), "values are not repeated: {text}");
    }
    let typo = client.call("add", json!({ "a": 1, "b": 2, "limt": 3 })).await.to_string();
    assert!(typo.contains("did you mean `limit`?"), "{typo}");
}

#[tokio::test]
async fn arguments_that_the_schema_allows_get_through_with_their_defaults() {
    let client = client();
    for (arguments, expected) in [
        (json!({ "a": 1, "b": 2 }), json!({ "a": 1, "b": 2, "limit": 10 })),
        (json!({ "a": 1.0, "b": 2e0 }), json!({ "a": 1.0, "b": 2.0, "limit": 10 })),
    ] {
        let result = client.call("add", arguments).await;
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), expected);
    }
    let big = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a": 1,"b":123456789012345678901234567890,"limit":1},"_meta":META}}"#
        .replace("META", &meta().to_string());
    let (_, answer) = events(client.handle_text(&big)).await;
    let text = body(&answer.unwrap())["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    assert_eq!(text, r#"{"a": 1,"b":123456789012345678901234567890,"limit":1}"#, "byte for byte");
}

#[tokio::test]
async fn a_call_without_its_shape_is_invalid_params_and_nothing_else() {
    let client = client();
    for (params, code) in [
        (json!({ "name": "add", "arguments": [1, 2] }), -32602),
        (json!({ "name": "add", "arguments": "x" }), -32602),
        (json!({ "arguments": {} }), -32602),
        (json!({ "name": 7, "arguments": {} }), -32602),
        (json!({ "name": "nope", "arguments": {} }), -32602),
        (json!({ "name": "add", "requestState": 7 }), -32602),
        (json!({ "name": "add", "inputResponses": 7 }), -32602),
    ] {
        let answer = client.ask(&modern(1, "tools/call", params.clone())).await;
        assert_eq!(answer["error"]["code"], code, "{params}");
    }
    client.initialize("2025-11-25", json!({}));
    let answer = client.ask(&json!({"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]})).await;
    assert_eq!(answer["error"]["code"], -32602);
    let answer = client.ask(&json!({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"bogus"}})).await;
    assert_eq!(answer["error"]["code"], -32602);
}

#[tokio::test]
async fn ambiguous_arguments_are_refused_where_they_stand() {
    let client = client();
    for (arguments, word) in [
        (r#"{"a":1,"a":2,"b":3}"#, "`a` stands twice"),
        (r#"{"a":1,"A":2,"b":3}"#, "`A`"),
        (r#"{"a":1,"b":{"x":1,"\u0078":2}}"#, "`x` stands twice"),
        (r#"{"a":1,"b":"\ud800"}"#, "read"),
    ] {
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"add","arguments":{arguments},"_meta":{}}}}}"#,
            meta()
        );
        let (_, answer) = events(client.handle_text(&text)).await;
        let answer = body(&answer.unwrap());
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains(word), "{answer}");
    }
}

#[tokio::test]
async fn what_is_no_request_gets_its_code_and_its_status() {
    let client = client();
    for (text, code, status) in [
        ("{", -32700, 400),
        ("", -32700, 400),
        ("17", -32600, 400),
        ("[]", -32600, 400),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, 400),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, 400),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, 400),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, -32600, 400),
    ] {
        let answer = at_once(client.handle_text(text));
        assert_eq!((body(&answer)["error"]["code"].as_i64(), answer.status), (Some(code), status), "{text}");
    }
}

#[tokio::test]
async fn headers_have_to_say_what_the_body_says() {
    let client = client();
    let call = modern(1, "tools/call", json!({ "name": "add", "arguments": { "a": 1, "b": 2, "region": "Zürich" } }));
    let right: HashMap<&str, &str> = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", " add "),
        ("mcp-param-region", "=?base64?WsO8cmljaA==?="),
        ("mcp-param-unknown", "whatever"),
    ]
    .into();
    let (_, answer) = events(client.post(&call, &right)).await;
    assert_eq!(body(&answer.unwrap())["result"]["isError"], false);
    for (header, value) in [
        ("mcp-protocol-version", None),
        ("mcp-protocol-version", Some("2025-11-25")),
        ("mcp-method", None),
        ("mcp-method", Some("TOOLS/CALL")),
        ("mcp-name", None),
        ("mcp-name", Some("sub")),
        ("mcp-param-region", None),
        ("mcp-param-region", Some("Zurich")),
        ("mcp-param-region", Some("=?base64?WsO8cmljaA=?=")),
    ] {
        let mut wrong = right.clone();
        match value {
            Some(value) => wrong.insert(header, value),
            None => wrong.remove(header),
        };
        let answer = at_once(client.post(&call, &wrong));
        assert_eq!((body(&answer)["error"]["code"].as_i64(), answer.status), (Some(-32020), 400), "{header} {value:?}");
    }
    let without = modern(1, "tools/call", json!({ "name": "add", "arguments": { "a": 1, "b": 2, "region": null } }));
    assert_eq!(at_once(client.post(&without, &right)).status, 400);
}

#[tokio::test]
async fn the_statuses_of_2026_07_28_are_those_of_its_table() {
    let client = client();
    let headers = |method: &'static str, version: &'static str| -> HashMap<&str, &str> {
        [("mcp-protocol-version", version), ("mcp-method", method)].into()
    };
    let version = "2026-07-28";
    let strange = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "v999", "io.modelcontextprotocol/clientCapabilities": {} } });
    let bare = json!({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}});
    for (message, headers, code, status) in [
        (modern(1, "nope", json!({})), headers("nope", version), -32601, 404),
        (modern(1, "initialize", json!({})), headers("initialize", version), -32601, 404),
        (modern(1, "ping", json!({})), headers("ping", version), -32601, 404),
        (
            modern(1, "resources/read", json!({ "uri": "x" })),
            [("mcp-protocol-version", version), ("mcp-method", "resources/read"), ("mcp-name", "x")].into(),
            -32601,
            404,
        ),
        (bare.clone(), headers("tools/list", version), -32602, 400),
        (bare, headers("tools/list", "v999"), -32022, 400),
        (modern(1, "tools/list", strange), headers("tools/list", "v999"), -32022, 400),
        (json!({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}), HashMap::new(), -32020, 400),
        (
            json!({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}),
            headers("server/discover", version),
            -32602,
            400,
        ),
        (json!({"jsonrpc":"2.0","id":1,"result":{}}), HashMap::new(), -32600, 400),
    ] {
        let answer = at_once(client.post(&message, &headers));
        assert_eq!((body(&answer)["error"]["code"].as_i64(), answer.status), (Some(code), status), "{message}");
    }
    let unknown_session = json!({"jsonrpc":"2.0","id":1,"method":"tools/list"});
    assert_eq!(at_once(client.post(&unknown_session, &[("mcp-session-id", "0123")].into())).status, 404);
}

#[tokio::test]
async fn a_session_begins_with_initialize_alone_and_ends_for_good() {
    let client = client();
    let params =
        json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let initialize = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":params});
    let answer = at_once(client.post(&initialize, &[("mcp-protocol-version", "2025-11-25")].into()));
    let id = answer.session.clone().expect("a session begins");
    assert!(id.len() >= 32 && id.bytes().all(|byte| byte.is_ascii_graphic()));
    assert_eq!(body(&answer)["result"]["protocolVersion"], "2025-03-26");
    let list = json!({"jsonrpc":"2.0","id":1,"method":"tools/list"});
    let of_session: HashMap<&str, &str> = [("mcp-session-id", id.as_str())].into();
    assert_eq!(at_once(client.post(&list, &of_session)).status, 200);
    // 2025-03-26 knows batches, and no other revision does.
    let batch = client.post(&json!([list, {"jsonrpc":"2.0","method":"notifications/initialized"}, 7]), &of_session);
    assert!(matches!(batch, haft_core::Handled::Batch(items) if items.len() == 3));
    assert!(client.server.session(id.as_bytes(), &haft_core::Principal::client("token", "other")).is_err());
    client.server.end_session(id.as_bytes(), &client.principal).unwrap();
    assert_eq!(at_once(client.post(&list, &of_session)).status, 404);
    // Without a session, a request says its revision or is one of 2025-03-26.
    for headers in [HashMap::new(), [("mcp-protocol-version", "2025-06-18")].into()] {
        assert_eq!(at_once(client.post(&list, &headers)).status, 200);
    }
}
