//! Which status answers what, as tables.

use haft_core::{Identify, Principal, Server};
use haft_transport::http::HttpOptions;
use serde_json::{Value, json};

use crate::http::{Request, Response, Served};
use crate::messages::{call, initialize, legacy, modern, notification, text};
use crate::stage::{Stage, limits, once};

fn echo(id: u32) -> Value {
    call(id, "echo", json!({ "text": "x" }))
}

/// The code of the error in a response, if there is one.
fn code(response: &Response) -> Option<i64> {
    serde_json::from_slice::<Value>(&response.body).ok()?["error"]["code"].as_i64()
}

async fn begin_session(served: &Served, version: &str) -> String {
    let response = served.send(&Request::post(&initialize(0, version))).await;
    assert_eq!(response.status, 200);
    response.header("mcp-session-id").unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_situation_of_the_stateless_era_has_its_status() {
    let served = Served::new(&Stage::new().server());
    let without_meta = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    let mut unsupported = modern(1, "tools/list", json!({}));
    unsupported["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let listen = modern(1, "tools/list", json!({}));
    for (request, status, expected) in [
        (Request::modern(&echo(1)), 200, None),
        (Request::modern(&notification("notifications/cancelled", json!({ "requestId": 9 }))), 202, None),
        (Request::modern(&echo(1)).body("{"), 400, Some(-32700)),
        (Request::modern(&echo(1)).body(b"\xff\xfe".to_vec()), 400, Some(-32700)),
        (Request::modern(&echo(1)).body("[]"), 400, Some(-32600)),
        (Request::modern(&echo(1)).body(json!([echo(1)]).to_string()), 400, Some(-32600)),
        (Request::modern(&echo(1)).body(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), 400, Some(-32600)),
        (Request::modern(&echo(1)).body(Vec::new()), 400, Some(-32700)),
        (Request::modern(&echo(1)).without("MCP-Protocol-Version"), 400, Some(-32020)),
        (Request::modern(&echo(1)).with("MCP-Protocol-Version", "2025-11-25"), 400, Some(-32020)),
        (Request::modern(&unsupported).with("MCP-Protocol-Version", "2031-01-01"), 400, Some(-32022)),
        (Request::modern(&echo(1)).with("Mcp-Method", "tools/list"), 400, Some(-32020)),
        (Request::modern(&echo(1)).without("Mcp-Method"), 400, Some(-32020)),
        (Request::modern(&echo(1)).with("Mcp-Name", "Echo"), 400, Some(-32020)),
        (Request::modern(&echo(1)).with("Mcp-Name", "  echo "), 200, None),
        (Request::modern(&without_meta), 400, Some(-32602)),
        (Request::modern(&modern(1, "no/such", json!({}))), 404, Some(-32601)),
        (Request::modern(&modern(1, "ping", json!({}))), 404, Some(-32601)),
        (Request::modern(&call(1, "no_such", json!({}))), 200, Some(-32602)),
        (Request::modern(&listen).with("Mcp-Session-Id", "of another era"), 200, None),
    ] {
        let response = served.send(&request).await;
        assert_eq!((response.status, code(&response)), (status, expected), "{request:?} {response:?}");
        assert_eq!(response.header("mcp-session-id"), None);
        let is_json = response.header("content-type") == Some("application/json");
        assert_eq!(is_json, !response.body.is_empty(), "{response:?}");
        assert_eq!(status == 202, response.body.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_situation_of_the_handshake_era_has_its_status() {
    let served = Served::new(&Stage::new().server());
    let session = begin_session(&served, "2025-11-25").await;
    let batching = begin_session(&served, "2025-03-26").await;
    assert!(session.len() >= 22 && session.bytes().all(|byte| byte.is_ascii_graphic()) && session != batching);
    let list = legacy(1, "tools/list", json!({}));
    let batch = json!([legacy(1, "ping", json!({})), legacy(2, "ping", json!({}))]).to_string();
    let of = |message: &Value| Request::of_session(message, &session);
    for (request, status, expected) in [
        (of(&notification("notifications/initialized", json!({}))), 202, None),
        (of(&list), 200, None),
        (of(&list).with("MCP-Protocol-Version", "2025-11-25"), 200, None),
        (of(&list).with("MCP-Protocol-Version", "1999-01-01"), 400, None),
        (of(&json!({ "jsonrpc": "2.0", "id": 99, "result": {} })), 202, None),
        (of(&legacy(1, "no/such", json!({}))), 200, Some(-32601)),
        (of(&legacy(1, "tools/call", json!({ "name": "no_such" }))), 200, Some(-32602)),
        (of(&list).body("nonsense"), 400, Some(-32700)),
        (of(&list).body(batch.clone()), 400, Some(-32600)),
        (Request::of_session(&list, &batching).body(batch), 200, None),
        (Request::of_session(&list, &batching).body(json!([notification("x", json!({}))]).to_string()), 202, None),
        (Request::of_session(&list, "unknown"), 404, None),
        (Request::of_session(&notification("notifications/initialized", json!({})), "unknown"), 404, None),
        (Request::post(&list), 200, None),
        (Request::post(&list).with("MCP-Protocol-Version", "2025-06-18"), 200, None),
        (Request::post(&notification("notifications/initialized", json!({}))), 202, None),
    ] {
        let response = served.send(&request).await;
        assert_eq!(response.status, status, "{request:?} {response:?}");
        if expected.is_some() {
            assert_eq!(code(&response), expected, "{request:?} {response:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_server_says_when_to_come_back() {
    let stage = Stage::new();
    let limits = limits(|limits| limits.calls_in_flight = 1);
    let served = Served::new(&stage.server_with(Identify::anonymous(), limits));
    let mut client = served.connect().await;
    client.send(&Request::modern(&call(1, "hold", json!({})))).await;
    once(&stage.started).await;
    let response = served.send(&Request::modern(&echo(2))).await;
    assert_eq!(response.status, 503);
    assert!(response.header("retry-after").is_some_and(|seconds| seconds.parse::<u32>().is_ok()));
    let list = modern(3, "tools/list", json!({}));
    assert_eq!(served.send(&Request::modern(&list)).await.status, 200);
    stage.gate.add_permits(1);
    assert_eq!(text(&client.response().await.json()), "held");
    assert_eq!(served.send(&Request::modern(&echo(4))).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn media_types_decide_what_is_read_and_what_is_sent() {
    let served = Served::new(&Stage::new().server());
    let post = || Request::modern(&echo(1));
    for (request, status, content_type) in [
        (post(), 200, "application/json"),
        (post().with("Accept", "*/*"), 200, "application/json"),
        (post().without("Accept"), 200, "application/json"),
        (post().with("Accept", "application/json"), 200, "application/json"),
        (post().with("Accept", "text/event-stream;q=0.9, application/json;q=0.1"), 200, "application/json"),
        (post().with("Accept", "text/event-stream"), 200, "text/event-stream"),
        (post().with("Accept", "text/html"), 406, "text/plain; charset=utf-8"),
        (post().with("Accept", "application/json;q=0"), 406, "text/plain; charset=utf-8"),
        (post().with("Content-Type", "application/json; charset=utf-8"), 200, "application/json"),
        (post().with("Content-Type", "text/plain"), 415, "text/plain; charset=utf-8"),
        (post().without("Content-Type"), 415, "text/plain; charset=utf-8"),
        (post().with("Content-Encoding", "gzip"), 415, "text/plain; charset=utf-8"),
        (post().with("Content-Encoding", "identity"), 200, "application/json"),
    ] {
        let response = served.send(&request).await;
        assert_eq!((response.status, response.header("content-type")), (status, Some(content_type)), "{request:?}");
    }
    let events = served.send(&post().with("Accept", "text/event-stream")).await;
    let data = String::from_utf8(events.body).unwrap();
    let data = data.strip_prefix("data: ").and_then(|data| data.strip_suffix("\n\n")).unwrap();
    assert_eq!(text(&serde_json::from_str(data).unwrap()), "x");
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_and_methods_are_those_of_the_endpoint() {
    let served = Served::new(&Stage::new().server());
    for path in ["/", "/mcp/", "/MCP", "/mcp/other", "/.well-known/oauth-protected-resource"] {
        let response = served.send(&Request::modern(&echo(1)).path(path)).await;
        assert_eq!(response.status, 404);
        assert!(String::from_utf8(response.body).unwrap().contains("/mcp"));
    }
    assert_eq!(served.send(&Request::modern(&echo(1)).path("/mcp?key=value")).await.status, 200);
    for method in ["GET", "DELETE"] {
        let response = served.send(&Request::new(method)).await;
        assert_eq!((response.status, response.header("allow")), (405, Some("POST, OPTIONS")), "{method}");
        let response = served.send(&Request::new(method).with("Mcp-Session-Id", "unknown")).await;
        assert_eq!(response.status, 404);
    }
    for method in ["PUT", "PATCH", "TRACE"] {
        let response = served.send(&Request::new(method)).await;
        assert_eq!((response.status, response.header("allow")), (405, Some("GET, POST, DELETE, OPTIONS")), "{method}");
    }
    assert_eq!(served.send(&Request::new("OPTIONS")).await.status, 204);
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_names_and_pages_are_refused_before_anything_else() {
    let stage = Stage::new();
    let identify = Identify::nobody().with_token("secret", Principal::client("token", "test"));
    let served = Served::new(&stage.server_with(identify, haft_core::Limits::default()));
    let port = served.address.port();
    let own =
        [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}"), "localhost".to_owned()];
    let post = || Request::modern(&echo(1)).with("Authorization", "Bearer secret");
    for host in &own {
        assert_eq!(served.send(&post().with("Host", host)).await.status, 200, "{host}");
        let same = post().with("Host", host).with("Origin", &format!("http://{host}"));
        let response = served.send(&same).await;
        assert_eq!(response.status, 200, "{host}");
        assert_eq!(response.header("access-control-allow-origin"), Some(format!("http://{host}").as_str()));
    }
    for (host, origin) in [
        ("evil.example.com", None),
        ("evil.example.com", Some("http://evil.example.com")),
        (own[0].as_str(), Some("http://evil.example.com")),
        (own[0].as_str(), Some("null")),
        (own[0].as_str(), Some("http://127.0.0.1:1")),
    ] {
        // Not even whether there is something at the path, or what a token would do.
        for request in [post(), post().without("Authorization"), post().path("/other"), Request::new("OPTIONS")] {
            let mut request = request.with("Host", host).with("X-Forwarded-Host", "localhost");
            if let Some(origin) = origin {
                request = request.with("Origin", origin);
            }
            let response = served.send(&request).await;
            assert_eq!(response.status, 403, "{request:?}");
            assert_eq!(response.header("access-control-allow-origin"), None);
        }
    }
    let twice = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
    let mut client = served.connect().await;
    client.send_bytes(twice).await;
    assert_eq!(client.response().await.status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_asks_before_it_sends_and_is_told_which_headers_it_may_use() {
    let mut options = HttpOptions::default();
    options.origins.push("https://page.example".to_owned());
    let served = Served::with_options(&Stage::new().server(), options);
    let preflight = Request::new("OPTIONS")
        .with("Origin", "https://page.example")
        .with("Access-Control-Request-Method", "POST")
        .with("Access-Control-Request-Headers", "content-type,Mcp-Method, mcp-param-region, x-secret");
    let response = served.send(&preflight).await;
    assert_eq!(response.status, 204);
    assert_eq!(response.header("access-control-allow-origin"), Some("https://page.example"));
    assert_eq!(response.header("access-control-allow-headers"), Some("content-type, mcp-method, mcp-param-region"));
    assert_eq!(response.header("access-control-allow-methods"), Some("GET, POST, DELETE"));

    let response = served.send(&Request::modern(&echo(1)).with("Origin", "https://page.example")).await;
    assert_eq!(response.header("access-control-allow-origin"), Some("https://page.example"));
    assert_eq!(response.header("vary"), Some("origin"));
    assert!(response.header("access-control-expose-headers").unwrap().contains("mcp-session-id"));
    let response = served.send(&Request::modern(&echo(1)).with("Origin", "https://page.example").path("/x")).await;
    assert_eq!(response.header("access-control-allow-origin"), Some("https://page.example"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_to_say_who_it_is_is_asked_for_it() {
    let identify = Identify::nobody().with_token("secret", Principal::client("token", "test"));
    let server: Server = Stage::new().server_with(identify, haft_core::Limits::default());
    let served = Served::new(&server);
    for (authorization, status, challenge) in [
        (None, 401, Some("Bearer")),
        (Some("Basic c2VjcmV0"), 401, Some("Bearer")),
        (Some("Bearer wrong"), 401, Some("Bearer error=\"invalid_token\"")),
        (Some("Bearer"), 401, Some("Bearer")),
        (Some("Bearer secret"), 200, None),
        (Some("bearer secret"), 200, None),
    ] {
        let mut request = Request::modern(&echo(1));
        if let Some(authorization) = authorization {
            request = request.with("Authorization", authorization);
        }
        let response = served.send(&request).await;
        assert_eq!((response.status, response.header("www-authenticate")), (status, challenge), "{authorization:?}");
    }
    // The token is asked for before anything of the message is looked at.
    let response = served.send(&Request::modern(&echo(1)).with("Content-Type", "text/plain").body("{")).await;
    assert_eq!(response.status, 401);
}
