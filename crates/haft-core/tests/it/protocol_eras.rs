//! Which era a conversation is in, what a server says of itself in each, and that one does not leak into the other.

use std::collections::HashMap;
use std::sync::Arc;

use haft_core::{Credentials, Handled, Identify, Principal, Question, RawTool, Server, Tool, ToolError, ToolSet};
use serde_json::{Value, json};

use crate::peer::{Client, at_once, body, call, events, meta, meta_with, modern, tool};
use crate::protocol::{HANDSHAKE, REVISIONS, STATELESS, Speaker, legacy};

fn tools() -> Vec<Arc<dyn Tool>> {
    let asks = tool("asks", |context| async move {
        context.ask("sure", Question::confirm("Sure?"))?;
        Ok::<_, ToolError>("asked")
    });
    vec![asks, tool("works", |_| async { "fine" })]
}

/// A server of everything that there is to declare.
fn client() -> Client {
    Client::with(tools(), |builder| builder.title("Test server").instructions("Read this first.").links(true))
}

fn headers(method: &'static str, version: &'static str) -> HashMap<&'static str, &'static str> {
    [("mcp-protocol-version", version), ("mcp-method", method)].into()
}

/// The code of an error, and the status that goes with it.
fn refusal(client: &Client, message: &Value, headers: &HashMap<&str, &str>) -> (i64, u16) {
    let answer = at_once(client.post(message, headers));
    (body(&answer)["error"]["code"].as_i64().unwrap_or_default(), answer.status)
}

#[tokio::test]
async fn discovery_tells_versions_capabilities_and_who_answers() {
    let server_info = json!({ "name": "test", "title": "Test server", "version": "1.0" });
    let expected = json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        "capabilities": { "tools": { "listChanged": true }, "resources": {} },
        "instructions": "Read this first.",
        "ttlMs": 300_000,
        "cacheScope": "public",
        "_meta": { "io.modelcontextprotocol/serverInfo": server_info },
    });
    let discover = modern(1, "server/discover", json!({}));
    assert_eq!(client().ask(&discover).await["result"], expected);
    let bare = Client::new(vec![]).ask(&discover).await["result"].take();
    assert_eq!(bare["capabilities"], json!({ "tools": { "listChanged": true } }));
    assert_eq!(bare.get("instructions"), None);
}

#[test]
fn initialize_settles_on_the_revision_asked_for_or_on_the_newest_that_has_a_handshake() {
    for asked in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "draft", "", "2025-06-18 "] {
        let settled = if HANDSHAKE.contains(&asked) { asked } else { "2025-11-25" };
        let answer = client().initialize(asked, json!({ "roots": {}, "sampling": {}, "future": {} }));
        let expected = json!({
            "protocolVersion": settled,
            "capabilities": { "tools": { "listChanged": true }, "resources": {} },
            "serverInfo": { "name": "test", "title": "Test server", "version": "1.0" },
            "instructions": "Read this first.",
        });
        assert_eq!(answer["result"], expected, "{asked}");
    }
}

#[test]
fn an_initialize_without_its_parameters_is_refused_and_settles_nothing() {
    let client = client();
    for params in [
        json!({}),
        json!({ "protocolVersion": 20_250_618 }),
        json!({ "protocolVersion": "2025-06-18", "capabilities": 7 }),
    ] {
        let answer = body(&at_once(client.handle(&legacy(1, "initialize", params))));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    assert!(body(&at_once(client.handle(&legacy(2, "tools/list", json!({}))))).get("error").is_some());
}

#[tokio::test]
async fn a_version_that_is_not_served_is_told_beside_those_that_are() {
    let client = client();
    let discovered = client.ask(&modern(1, "server/discover", json!({}))).await;
    let discovered = discovered["result"]["supportedVersions"].as_array().unwrap();
    for asked in ["v999", "2026-07-29", "2025-11-25", "", "2026-07-28 "] {
        let mut request = modern(1, "tools/list", json!({}));
        request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(asked);
        let error = client.ask(&request).await["error"].take();
        assert_eq!((&error["code"], &error["data"]["requested"]), (&json!(-32022), &json!(asked)));
        let supported = error["data"]["supported"].as_array().unwrap();
        assert!(!supported.is_empty() && supported.iter().all(|version| discovered.contains(version)), "{error}");
        if asked.trim() == asked {
            let headers = [("mcp-protocol-version", asked), ("mcp-method", "tools/list")].into();
            assert_eq!(refusal(&client, &request, &headers), (-32022, 400), "{asked}");
        }
    }
}

#[tokio::test]
async fn what_a_server_does_not_declare_is_none_of_its_methods() {
    for version in REVISIONS {
        let bare = Speaker::new(Client::new(vec![]), version, json!({}));
        let linking = Speaker::new(client(), version, json!({}));
        // What is declared answers, even where there is nothing.
        assert_eq!(bare.ask("tools/list", json!({})).await["result"]["tools"], json!([]), "{version}");
        for (method, member) in [("resources/list", "resources"), ("resources/templates/list", "resourceTemplates")] {
            assert_eq!(bare.ask(method, json!({})).await["error"]["code"], -32601, "{version} {method}");
            assert_eq!(linking.ask(method, json!({})).await["result"][member], json!([]), "{version} {method}");
        }
        for method in [
            "prompts/list",
            "prompts/get",
            "completion/complete",
            "logging/setLevel",
            "resources/subscribe",
            "roots/list",
            "resources/unsubscribe",
            "sampling/createMessage",
            "tasks/get",
            "tasks/list",
            "notifications/initialized",
            "",
            "Tools/list",
            "tools/list ",
        ] {
            let error = linking.ask(method, json!({ "name": "x", "uri": "x", "level": "info" })).await["error"].take();
            assert_eq!(error["code"], -32601, "{version} {method}: {error}");
        }
    }
}

#[tokio::test]
async fn both_eras_are_served_on_one_pipe_each_by_how_it_opens() {
    let client = client();
    // Before a handshake there is no legacy conversation, but there is an answer, and a ping.
    for method in ["tools/list", "tools/call", "resources/read", "no/such"] {
        let early = body(&at_once(client.handle(&legacy(1, method, json!({})))));
        assert!(early["error"]["code"].is_i64(), "{method}: {early}");
    }
    assert_eq!(client.ask(&legacy(2, "ping", json!({}))).await["result"], json!({}));
    assert_eq!(client.call("works", json!({})).await["resultType"], "complete");
    client.initialize("2025-03-26", json!({}));
    for _ in 0..2 {
        let old = client.ask(&legacy(3, "tools/call", json!({ "name": "works" }))).await;
        assert_eq!(old["result"], json!({ "content": [{ "type": "text", "text": "fine" }], "isError": false }));
        let new = client.ask(&call(3, "works", json!({}))).await;
        assert_eq!(new["result"]["resultType"], "complete");
    }
    // A session and a stateless request share an endpoint in the same way.
    let answer = at_once(client.post(&initialize("2025-06-18"), &HashMap::new()));
    let session = answer.session.as_deref().unwrap();
    let old = at_once(client.post(&legacy(1, "tools/list", json!({})), &[("mcp-session-id", session)].into()));
    let mut with_session = headers("tools/list", STATELESS);
    with_session.insert("mcp-session-id", "of nobody");
    let new = at_once(client.post(&modern(1, "tools/list", json!({})), &with_session));
    assert_eq!((body(&old)["result"].get("resultType"), old.status), (None, 200));
    assert_eq!((&body(&new)["result"]["resultType"], new.status, new.session), (&json!("complete"), 200, None));
}

fn initialize(version: &str) -> Value {
    let client = json!({ "name": "test", "version": "1" });
    legacy(0, "initialize", json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client }))
}

#[tokio::test]
async fn what_only_the_handshake_knows_is_no_method_of_a_stateless_request_wherever_it_comes() {
    let client = client();
    client.initialize("2025-11-25", json!({}));
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
        let request = modern(1, method, json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "uri": "x" }));
        assert_eq!(client.ask(&request).await["error"]["code"], -32601, "{method}");
        assert_eq!(refusal(&client, &request, &headers(method, STATELESS)), (-32601, 404), "{method}");
    }
    // And the legacy conversation went on untouched.
    assert_eq!(client.ask(&legacy(2, "ping", json!({}))).await["result"], json!({}));
}

#[tokio::test]
async fn a_stateless_request_that_lacks_a_part_of_its_meta_is_malformed_and_never_a_legacy_one() {
    let client = client();
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let request = |meta: Value| legacy(1, "tools/list", json!({ "_meta": meta }));
    let bare = legacy(1, "tools/list", json!({}));
    let without_params = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    for message in [
        bare,
        without_params,
        request(json!(7)),
        request(json!([STATELESS, {}, {}, "info", 1])),
        request(json!({})),
        request(json!({ capabilities: {} })),
        request(json!({ version: 20_260_728, capabilities: {} })),
        request(json!({ version: null, capabilities: {} })),
        request(json!({ version: STATELESS })),
        request(json!({ version: STATELESS, capabilities: null })),
        request(json!({ version: STATELESS, capabilities: [] })),
    ] {
        assert_eq!(refusal(&client, &message, &headers("tools/list", STATELESS)), (-32602, 400), "{message}");
    }
    // On a pipe the version in the body makes the request a stateless one, also where a handshake was made.
    client.initialize("2025-11-25", json!({}));
    for message in [request(json!({ version: STATELESS })), request(json!({ version: STATELESS, capabilities: 7 }))] {
        assert_eq!(client.ask(&message).await["error"]["code"], -32602, "{message}");
    }
}

#[tokio::test]
async fn who_a_client_says_it_is_changes_nothing() {
    let client = client();
    let list = client.ask(&modern(1, "tools/list", json!({}))).await;
    let result = client.call("works", json!({})).await;
    for info in [json!({ "name": "x", "version": "1" }), json!({ "name": "admin", "groups": ["admins"] }), json!(7)] {
        let mut meta = meta();
        meta["io.modelcontextprotocol/clientInfo"] = info;
        assert_eq!(client.ask(&modern(1, "tools/list", json!({ "_meta": meta.clone() }))).await, list);
        let again = client.ask(&modern(1, "tools/call", json!({ "name": "works", "_meta": meta }))).await;
        assert_eq!(again["result"], result);
    }
}

#[tokio::test]
async fn capabilities_and_meta_that_nobody_knows_are_nobodys_fault() {
    let extensions = json!({ "io.modelcontextprotocol/tasks": {}, "com.example/other": { "x": [1] } });
    let capabilities = json!({ "future": { "x": 1 }, "experimental": {}, "extensions": extensions });
    for version in REVISIONS {
        let plain = Speaker::new(client(), version, json!({}));
        let unknown = Speaker::new(client(), version, capabilities.clone());
        let meta = json!({ "com.example/trace": { "a": 1 }, "x": null, "traceparent": "garbage", "baggage": "=,=" });
        let params = json!({ "name": "works", "arguments": {}, "_meta": meta, "task": { "ttl": 1 }, "future": 1 });
        let answer = unknown.ask("tools/call", params).await;
        // The core answer, and nothing of what was sent in it.
        assert_eq!(answer["result"], plain.call("works", json!({})).await, "{version}");
    }
}

#[tokio::test]
async fn a_stateless_request_owes_nothing_to_what_came_before_on_its_connection() {
    let client = client();
    let list = client.ask(&modern(1, "tools/list", json!({}))).await;
    let refused = client.ask(&call(1, "asks", json!({}))).await;
    assert_eq!(refused["error"]["code"], -32021);
    // Whatever was declared by a handshake or by another request counts for those.
    client.initialize("2025-11-25", json!({ "elicitation": {} }));
    let capable = json!({ "name": "asks", "_meta": meta_with(json!({ "elicitation": {} })) });
    assert_eq!(client.ask(&modern(2, "tools/call", capable)).await["result"]["resultType"], "input_required");
    client.call("works", json!({})).await;
    assert_eq!(client.ask(&call(1, "asks", json!({}))).await, refused);
    assert_eq!(client.ask(&modern(1, "tools/list", json!({}))).await, list);
    // Nor does the list depend on the connection.
    let other = Client::of(client.server.clone(), Principal::anonymous());
    assert_eq!(other.ask(&modern(1, "tools/list", json!({}))).await, list);
}

#[tokio::test]
async fn every_stateless_result_says_what_it_is_and_who_answers_and_lists_say_how_long_they_hold() {
    let client = client();
    let linking = tool("links", |context| async move { context.link("x", "text/plain", "x".to_owned()) });
    client.server.add_tool(linking).unwrap();
    let link = client.call("links", json!({})).await["content"][0]["uri"].take();
    let capable = meta_with(json!({ "elicitation": {} }));
    let cases = [
        ("server/discover", json!({}), "complete", Some("public")),
        ("tools/list", json!({}), "complete", Some("public")),
        ("resources/list", json!({}), "complete", Some("private")),
        ("resources/templates/list", json!({}), "complete", Some("private")),
        ("resources/read", json!({ "uri": link }), "complete", Some("private")),
        ("tools/call", json!({ "name": "works" }), "complete", None),
        ("tools/call", json!({ "name": "works", "arguments": { "a": 1 } }), "complete", None),
        ("tools/call", json!({ "name": "asks", "_meta": capable }), "input_required", None),
    ];
    for (method, params, kind, scope) in cases {
        let result = client.ask(&modern(1, method, params)).await["result"].take();
        assert_eq!(result["resultType"], kind, "{method}: {result}");
        let server_info = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!((&server_info["name"], &server_info["version"]), (&json!("test"), &json!("1.0")), "{method}");
        assert_eq!(result.get("cacheScope").and_then(Value::as_str), scope, "{method}: {result}");
        assert_eq!(result.get("ttlMs").is_some_and(Value::is_u64), scope.is_some(), "{method}: {result}");
    }
}

#[tokio::test]
async fn no_result_of_the_handshake_era_has_what_only_the_stateless_one_knows() {
    for version in HANDSHAKE {
        let linking = tool("links", |context| async move { context.link("x", "text/plain", "x".to_owned()) });
        let server = Server::builder(ToolSet::new("test", "1.0", vec![linking])).links(true).build().unwrap();
        let speaker = Speaker::new(Client::of(server, Principal::anonymous()), version, json!({}));
        let linked = speaker.call("links", json!({})).await;
        let text = linked["content"][0].to_string();
        let uri = text.find("haft://").map(|begin| &text[begin..begin + "haft://result/".len() + 32]).unwrap();
        for (method, params, members) in [
            ("ping", json!({}), vec![]),
            ("tools/list", json!({}), vec!["tools"]),
            ("resources/list", json!({}), vec!["resources"]),
            ("resources/templates/list", json!({}), vec!["resourceTemplates"]),
            ("resources/read", json!({ "uri": uri }), vec!["contents"]),
            ("tools/call", json!({ "name": "links" }), vec!["content", "isError"]),
        ] {
            let answer = speaker.ask(method, params).await;
            let found: Vec<_> = answer["result"].as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(found, members, "{version} {method}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_request_of_the_handshake_era_without_a_session_is_of_the_revision_that_it_names_or_of_2025_03_26() {
    let definition =
        r#"{"name":"a","title":"A","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"icons":[]}"#;
    let client = Client::new(vec![Arc::new(RawTool::new(definition, |_, _| async { "fine" }).unwrap())]);
    let list = legacy(1, "tools/list", json!({}));
    for (named, members) in [
        (None, vec!["annotations", "inputSchema", "name"]),
        (Some("2024-11-05"), vec!["inputSchema", "name"]),
        (Some("2025-03-26"), vec!["annotations", "inputSchema", "name"]),
        (Some("2025-06-18"), vec!["annotations", "inputSchema", "name", "title"]),
        (Some(" 2025-11-25 "), vec!["annotations", "icons", "inputSchema", "name", "title"]),
    ] {
        let headers = named.map(|version| ("mcp-protocol-version", version)).into_iter().collect();
        let answer = at_once(client.post(&list, &headers));
        assert_eq!((answer.status, &answer.session), (200, &None));
        let answer = body(&answer);
        let mut found: Vec<_> = answer["result"]["tools"][0].as_object().unwrap().keys().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, members, "{named:?}");
    }
    // Nothing is kept for it, so it can be asked nothing.
    let asks = tool("asks", |context| async move {
        context.ask("sure", Question::confirm("Sure?"))?;
        Ok::<_, ToolError>("asked")
    });
    let client = Client::new(vec![asks]);
    let request = legacy(1, "tools/call", json!({ "name": "asks" }));
    let answer = events(client.post(&request, &headers("tools/call", "2025-11-25"))).await.1.unwrap();
    assert_eq!(body(&answer)["result"]["isError"], true);
}

#[tokio::test]
async fn a_pipe_asks_for_no_credentials() {
    let identify = Identify::nobody().with_token("secret", Principal::client("token", "ci"));
    let server = Server::builder(ToolSet::new("test", "1", tools())).identify(identify).build().unwrap();
    assert!(server.identify(&Credentials::default()).is_err());
    // Whoever started the program is at the other end of its pipe.
    let client = Client::of(server, Principal::anonymous());
    assert_eq!(client.call("works", json!({})).await["isError"], false);
    client.initialize("2025-11-25", json!({}));
    assert!(client.ask(&legacy(1, "tools/list", json!({}))).await["result"].is_object());
}

#[test]
fn a_header_with_a_version_that_is_not_served_is_refused_whatever_the_message_is() {
    let client = client();
    let session = at_once(client.post(&initialize("2025-11-25"), &HashMap::new())).session.unwrap();
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let answered = json!({ "jsonrpc": "2.0", "id": 1, "result": {} });
    for message in [legacy(1, "tools/list", json!({})), told.clone(), answered] {
        for session in [None, Some(session.as_str())] {
            let mut headers: HashMap<&str, &str> = [("mcp-protocol-version", "v999")].into();
            headers.extend(session.map(|id| ("mcp-session-id", id)));
            let refused = client.post(&message, &headers);
            let Handled::Answer(refused) = refused else { panic!("{message} {session:?}: {refused:?}") };
            assert_eq!(refused.status, 400, "{message} {session:?}");
        }
    }
    for version in REVISIONS {
        let headers = [("mcp-protocol-version", version)].into();
        assert!(matches!(client.post(&told, &headers), Handled::Accepted), "{version}");
    }
}
