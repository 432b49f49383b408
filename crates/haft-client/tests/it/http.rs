//! Servers behind a URL that are not what they should be, and what belongs to HTTP alone.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use haft_client::{CallOptions, Client, ClientError, ClientOptions, Endpoint, Sent};
use haft_transport::client::Remote;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::stage::{connect, serve, server, soon, speaking, tool};

/// A request as a scripted server gets it.
#[derive(Clone, Debug)]
struct Request {
    verb: String,
    headers: Vec<(String, String)>,
    body: Value,
}

impl Request {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    /// A whole answer with this result.
    fn result(&self, result: Value) -> Reply {
        Reply::json(200, json!({ "jsonrpc": "2.0", "id": self.body["id"], "result": result }))
    }

    fn error(&self, status: u16, code: i64, data: Value) -> Reply {
        let error = json!({ "code": code, "message": "no", "data": data });
        Reply::json(status, json!({ "jsonrpc": "2.0", "id": self.body["id"], "error": error }))
    }
}

struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
}

impl Reply {
    fn json(status: u16, body: Value) -> Self {
        Self { status, headers: vec![("content-type", "application/json".to_owned())], body: body.to_string() }
    }

    fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: String::new() }
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// A server that answers as a function says, one request on each connection; it remembers what it got.
struct Scripted {
    url: String,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Scripted {
    async fn new(answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        let answer = Arc::new(answer);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                tokio::spawn(async move {
                    let Some((stream, request)) = read(stream).await else { return };
                    let count = {
                        let mut log = log.lock().unwrap();
                        log.push(request.clone());
                        log.iter().filter(|other| other.method() == request.method()).count()
                    };
                    write(stream, answer(&request, count)).await;
                });
            }
        });
        Self { url, seen }
    }

    async fn connect(&self) -> Result<Client, ClientError> {
        connect(Endpoint::Http(Remote::new(&self.url)), ClientOptions::default()).await
    }

    fn seen(&self, method: &str) -> Vec<Request> {
        self.seen.lock().unwrap().iter().filter(|request| request.method() == method).cloned().collect()
    }
}

async fn read(mut stream: TcpStream) -> Option<(TcpStream, Request)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let verb = lines.next()?.split(' ').next()?.to_owned();
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length =
        headers.iter().find(|(name, _)| name == "content-length").map_or(0, |(_, value)| value.parse().unwrap());
    while bytes.len() < end + length {
        stream.read_buf(&mut bytes).await.ok()?;
    }
    let body = serde_json::from_slice(&bytes[end..]).unwrap_or_default();
    Some((stream, Request { verb, headers, body }))
}

async fn write(mut stream: TcpStream, reply: Reply) {
    let mut text =
        format!("HTTP/1.1 {} X\r\nconnection: close\r\ncontent-length: {}\r\n", reply.status, reply.body.len());
    for (name, value) in &reply.headers {
        text.extend([name, ": ", value.as_str(), "\r\n"]);
    }
    text.push_str("\r\n");
    text.push_str(&reply.body);
    drop(stream.write_all(text.as_bytes()).await);
}

/// What a server of the handshake era says to everything that begins a conversation.
fn handshake(request: &Request) -> Reply {
    match (request.verb.as_str(), request.method()) {
        ("GET" | "DELETE", _) => Reply::empty(405),
        (_, "server/discover") => request.error(400, -32_600, Value::Null),
        (_, "initialize") => request.result(
            json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "serverInfo": { "name": "old" } }),
        ),
        (_, method) if method.starts_with("notifications/") => Reply::empty(202),
        (_, "tools/list") => request.result(json!({ "tools": [{ "name": "t", "inputSchema": { "type": "object" } }] })),
        _ => request.result(json!({ "content": [] })),
    }
}

/// What a server of the stateless era says.
fn stateless(request: &Request) -> Reply {
    match request.method() {
        "server/discover" => request.result(json!({
            "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} },
            "ttlMs": 0, "cacheScope": "private",
        })),
        "tools/list" => request.result(
            json!({ "resultType": "complete", "tools": [{ "name": "t", "inputSchema": { "type": "object" } }], "ttlMs": 0, "cacheScope": "private" }),
        ),
        _ => request.result(json!({ "resultType": "complete", "content": [] })),
    }
}

#[tokio::test]
async fn what_no_server_without_handshake_says_leads_to_one() {
    type Answer = fn(&Request) -> Reply;
    let probes: [Answer; 6] = [
        |request| request.error(200, -32_601, Value::Null),
        |request| request.error(400, -32_000, json!("Bad Request: no session")),
        |_| Reply::empty(404),
        |_| Reply::empty(405),
        |request| request.result(json!({ "tools": [] })),
        |request| request.error(400, -32_022, json!({ "supported": ["2025-06-18"] })),
    ];
    for probe in probes {
        let scripted = Scripted::new(move |request, _| match request.method() {
            "server/discover" => probe(request),
            _ => handshake(request),
        })
        .await;
        let client = scripted.connect().await.unwrap();
        soon(client.call("t", "{}", &CallOptions::default())).await.unwrap();
        assert_eq!(client.server().await.unwrap().version, "2025-06-18");
        let initialize = &scripted.seen("initialize")[0];
        assert_eq!((initialize.header("mcp-method"), initialize.header("mcp-protocol-version")), (None, None));
        assert!(initialize.body["params"].get("_meta").is_none());
        let call = &scripted.seen("tools/call")[0];
        assert_eq!(call.header("mcp-protocol-version"), Some("2025-06-18"));
    }
}

#[tokio::test]
async fn an_answer_that_says_nothing_of_the_era_is_an_error() {
    type Answer = fn(&Request) -> Reply;
    let cases: [(Answer, &str); 8] = [
        (
            |_| Reply::empty(401).with("www-authenticate", "Bearer realm=\"tools\""),
            "the server wants authorization: status 401 (Bearer realm=\"tools\")",
        ),
        (|_| Reply::empty(403), "the server wants authorization: status 403"),
        (|_| Reply::empty(500), "`server/discover` was not answered"),
        (|_| Reply::empty(302).with("location", "http://elsewhere.example/"), "`server/discover` was not answered"),
        (|request| request.error(400, -32_020, Value::Null), "the server answered `server/discover` with an error"),
        (
            |request| request.error(400, -32_022, json!({ "supported": ["2030-01-01"] })),
            "no common version: the server speaks 2030-01-01",
        ),
        (
            |request| match request.method() {
                "initialize" => {
                    request.result(json!({ "protocolVersion": "1999-01-01", "capabilities": {}, "serverInfo": {} }))
                }
                _ => handshake(request),
            },
            "no common version: the server speaks 1999-01-01",
        ),
        (
            |request| match request.verb.as_str() {
                "POST" => Reply::empty(404),
                _ => Reply::empty(200).with("content-type", "text/event-stream"),
            },
            "no server of the protocol answers here: status 404; it may be one of the old HTTP+SSE transport, which is not spoken",
        ),
    ];
    for (answer, expected) in cases {
        let scripted = Scripted::new(move |request, _| answer(request)).await;
        let error = scripted.connect().await.unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}, not {expected}");
    }
    let error =
        connect(Endpoint::Http(Remote::new("http://127.0.0.1:1/mcp")), ClientOptions::default()).await.unwrap_err();
    assert_eq!(error.sent(), Sent::No);
}

#[tokio::test]
async fn a_version_is_asked_for_again_once() {
    let refuse = |request: &Request, count| match request.method() {
        "server/discover" if count < 3 => request.error(400, -32_022, json!({ "supported": ["2026-07-28"] })),
        _ => stateless(request),
    };
    let stubborn = Scripted::new(refuse).await;
    assert!(matches!(stubborn.connect().await, Err(ClientError::NoCommonVersion { .. })));
    assert_eq!(stubborn.seen("server/discover").len(), 2);
    let once = Scripted::new(move |request, count| refuse(request, count + 1)).await;
    once.connect().await.unwrap();
}

#[tokio::test]
async fn a_session_is_named_in_every_request_and_begun_anew_when_it_is_over() {
    let scripted = Scripted::new(|request, count| match (request.method(), request.header("mcp-session-id")) {
        ("initialize", Some(_)) => Reply::empty(400),
        ("initialize", None) => handshake(request).with("mcp-session-id", &format!("session-{count}")),
        ("tools/call", Some("session-1")) if count > 1 => Reply::empty(404),
        _ => handshake(request),
    })
    .await;
    let client = scripted.connect().await.unwrap();
    let options = CallOptions::default();
    soon(client.call("t", "{}", &options)).await.unwrap();
    // Nothing ran in a session that is not there, so the call is safe to make again.
    soon(client.call("t", "{}", &options)).await.unwrap();
    let sessions: Vec<_> =
        scripted.seen("tools/call").iter().map(|call| call.header("mcp-session-id").unwrap().to_owned()).collect();
    assert_eq!(sessions, ["session-1", "session-1", "session-2"]);
    // What the server speaks is known by then.
    assert_eq!(scripted.seen("server/discover").len(), 1);
    for method in ["tools/list", "notifications/initialized"] {
        assert!(scripted.seen(method).iter().all(|request| request.header("mcp-session-id").is_some()), "{method}");
    }
    soon(client.close()).await;
    let ended: Vec<_> =
        scripted.seen.lock().unwrap().iter().filter(|request| request.verb == "DELETE").cloned().collect();
    assert_eq!(ended.len(), 1);
    assert_eq!(ended[0].header("mcp-session-id"), Some("session-2"));
}

#[tokio::test]
async fn arguments_are_mirrored_and_a_list_that_was_old_is_listed_anew_once() {
    let schema = |header: &str| json!({ "type": "object", "properties": { "region": { "type": "string", "x-mcp-header": header } } });
    let scripted = Scripted::new(move |request, count| match request.method() {
        "tools/list" => {
            let header = if count == 1 { "Region" } else { "Place" };
            let bad = json!({ "name": "bad", "inputSchema": schema("a b") });
            let tools = json!([{ "name": "t", "inputSchema": schema(header) }, bad]);
            request.result(json!({ "resultType": "complete", "tools": tools, "ttlMs": 60_000, "cacheScope": "public" }))
        }
        "tools/call" if request.header("mcp-param-place").is_none() => request.error(400, -32_020, Value::Null),
        _ => stateless(request),
    })
    .await;
    let client = scripted.connect().await.unwrap();
    soon(client.call("t", r#"{"region":"Zürich"}"#, &CallOptions::default())).await.unwrap();
    let calls = scripted.seen("tools/call");
    assert_eq!(calls[0].header("mcp-param-region"), Some("=?base64?WsO8cmljaA==?="));
    assert_eq!(calls[1].header("mcp-param-place"), Some("=?base64?WsO8cmljaA==?="));
    assert_eq!(calls[1].header("mcp-name"), Some("t"));
    assert_eq!(scripted.seen("tools/list").len(), 2);
    let tools = client.tools().await.unwrap();
    assert_eq!(tools.set_aside[0].name.as_deref(), Some("bad"));
}

#[tokio::test]
async fn a_call_that_may_have_run_is_made_again_only_where_twice_is_as_good_as_once() {
    for (status, is_idempotent, expected) in [(502, false, 1), (502, true, 3), (503, false, 3)] {
        let scripted = Scripted::new(move |request, _| match request.method() {
            "tools/call" => Reply::empty(status),
            _ => stateless(request),
        })
        .await;
        let client = scripted.connect().await.unwrap();
        let mut options = CallOptions::default();
        options.is_idempotent = is_idempotent;
        let error = soon(client.call("t", "{}", &options)).await.unwrap_err();
        assert!(matches!(error, ClientError::Transport { .. }), "{error}");
        assert_eq!(scripted.seen("tools/call").len(), expected, "{status} {is_idempotent}");
    }
}

#[tokio::test]
async fn a_fresh_list_is_not_asked_for_again() {
    for (ttl, expected) in [(json!(60_000), 1), (json!(0), 3), (json!(-1), 3), (Value::Null, 3), (json!("x"), 3)] {
        let hint = ttl.clone();
        let scripted = Scripted::new(move |request, _| match request.method() {
            "tools/list" => {
                request.result(json!({ "resultType": "complete", "tools": [], "ttlMs": hint, "cacheScope": "private" }))
            }
            _ => stateless(request),
        })
        .await;
        let client = scripted.connect().await.unwrap();
        for _ in 0..3 {
            soon(client.tools()).await.unwrap();
        }
        assert_eq!(scripted.seen("tools/list").len(), expected, "{ttl}");
    }
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_ends_its_stream_in_one_era_and_says_so_in_the_other() {
    let hang = |_, _| std::future::pending::<&'static str>();
    let definition = json!({ "name": "hangs", "description": "Hangs.", "inputSchema": { "type": "object" } });
    for version in ["2026-07-28", "2025-11-25"] {
        let server = server(vec![tool(&definition, hang)]);
        let url = serve(server.clone());
        let client = connect(Endpoint::Http(Remote::new(url)), speaking(version)).await.unwrap();
        let mut options = CallOptions::default();
        options.timeout = Some(Duration::from_millis(200));
        let error = soon(client.call("hangs", "{}", &options)).await.unwrap_err();
        assert!(matches!(error, ClientError::Timeout { sent: Sent::Maybe, .. }), "{error}");
        soon(async {
            while server.calls_in_flight() > 0 {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
}

#[tokio::test]
async fn a_list_of_large_pages_is_cut_before_it_fills_the_memory() {
    let padding = "x".repeat(30_000);
    let scripted = Scripted::new(move |request, count| match request.method() {
        "tools/list" => request.result(json!({ "tools": [], "nextCursor": count.to_string(), "padding": padding })),
        _ => handshake(request),
    })
    .await;
    let mut options = ClientOptions::default();
    options.list_bytes = 128_000;
    let client = connect(Endpoint::Http(Remote::new(&scripted.url)), options).await.unwrap();
    let tools = soon(client.tools()).await.unwrap();
    assert_eq!((tools.pages, tools.missing.as_deref()), (5, Some("the list goes on after 128000 bytes")));
}
