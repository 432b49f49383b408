//! The client's end of HTTP, against our own endpoint.

use haft_transport::client::{Inbox, Incoming, Link, LinkError, Outgoing, Remote, Sent};
use http::{HeaderName, HeaderValue};
use serde_json::{Value, json};

use crate::far_end::outcome;
use crate::http::Served;
use crate::messages::{call, call_with_progress, initialize, legacy, legacy_call, modern, notification, text};
use crate::stage::{Stage, once, soon};

type Headers = Vec<(HeaderName, HeaderValue)>;

fn link(served: &Served) -> (Link, Inbox) {
    Link::http(Remote::new(format!("http://{}/mcp", served.address))).unwrap()
}

fn header(name: &'static str, value: &str) -> (HeaderName, HeaderValue) {
    (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
}

fn modern_headers(message: &Value) -> Headers {
    let mut headers = vec![header("mcp-protocol-version", "2026-07-28")];
    headers.push(header("mcp-method", message["method"].as_str().unwrap()));
    headers.extend(message["params"]["name"].as_str().map(|name| header("mcp-name", name)));
    headers
}

fn outgoing(number: u64, message: &Value) -> Outgoing {
    Outgoing::request(number, message.to_string()).with_headers(modern_headers(message))
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_and_streams_come_under_the_number_of_their_request() {
    let stage = Stage::new();
    let served = Served::new(&stage.server());
    let (link, mut inbox) = link(&served);
    assert!(link.is_http() && link.warnings().is_empty());
    let message = call("a", "echo", json!({ "text": "x" }));
    soon(link.send(outgoing(7, &message))).await.unwrap();
    let came = outcome(&mut inbox, 7).await;
    assert_eq!((came.messages.len(), text(&came.messages[0])), (1, "x"));
    let head = came.head.unwrap();
    assert_eq!((head.status, head.session, head.is_stream), (200, None, false));
    assert!(came.fault.is_none());

    let message = call_with_progress("b", "steps");
    soon(link.send(outgoing(8, &message))).await.unwrap();
    once(&stage.started).await;
    stage.gate.add_permits(2);
    let came = outcome(&mut inbox, 8).await;
    assert!(came.head.unwrap().is_stream && came.fault.is_none());
    let (answer, progress) = came.messages.split_last().unwrap();
    assert!(!progress.is_empty() && progress.iter().all(|message| message["method"] == "notifications/progress"));
    assert_eq!(text(answer), "stepped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_nobody_waits_for_any_more_ends_at_the_server() {
    let stage = Stage::new();
    let served = Served::new(&stage.server());
    let (link, mut inbox) = link(&served);
    for (number, message) in [(1, call(1, "hold", json!({}))), (2, call_with_progress(2, "steps"))] {
        soon(link.send(outgoing(number, &message))).await.unwrap();
        once(&stage.started).await;
        link.forget(number);
        once(&stage.dropped).await;
    }
    soon(link.send(outgoing(3, &call(3, "hold", json!({}))))).await.unwrap();
    once(&stage.started).await;
    soon(link.clone().close()).await;
    once(&stage.dropped).await;
    let closed = soon(link.send(outgoing(4, &call(4, "hold", json!({}))))).await.unwrap_err();
    assert!(matches!(closed, LinkError::Closed { sent: Sent::No }));
    while let Some(incoming) = soon(inbox.next()).await {
        assert!(matches!(incoming, Incoming::Message { request: Some(2), .. }), "{incoming:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_the_protocol_come_with_their_status() {
    let served = Served::new(&Stage::new().server());
    let (link, mut inbox) = link(&served);
    let unknown = modern(1, "no/such", json!({}));
    soon(link.send(outgoing(1, &unknown))).await.unwrap();
    let came = outcome(&mut inbox, 1).await;
    assert_eq!((came.messages[0]["error"]["code"].as_i64(), came.head.unwrap().status), (Some(-32601), 404));
    let fault = came.fault.unwrap();
    assert_eq!(fault.to_string(), "the server answered with status 404 (Not Found)");
    let message = call(2, "echo", json!({ "text": "x" }));
    let bare = Outgoing::request(2, message.to_string());
    soon(link.send(bare)).await.unwrap();
    let came = outcome(&mut inbox, 2).await;
    assert_eq!((came.messages[0]["error"]["code"].as_i64(), came.head.unwrap().status), (Some(-32020), 400));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_of_the_handshake_era_lives_from_its_first_message_to_its_end() {
    let stage = Stage::new();
    let server = stage.server();
    let served = Served::new(&server);
    let (link, mut inbox) = link(&served);
    soon(link.send(Outgoing::request(0, initialize(0, "2025-11-25").to_string()))).await.unwrap();
    let came = outcome(&mut inbox, 0).await;
    let session = came.head.unwrap().session.unwrap();
    let headers = vec![header("mcp-session-id", &session), header("mcp-protocol-version", "2025-11-25")];
    let with = |outgoing: Outgoing| outgoing.with_headers(headers.clone());
    let initialized = notification("notifications/initialized", json!({})).to_string();
    soon(link.send(with(Outgoing::message(initialized.clone())))).await.unwrap();

    // A question comes on the stream of the call that asks; the answer is a message of its own.
    soon(link.send(with(Outgoing::request(1, legacy_call(1, "ask").to_string())).resumable())).await.unwrap();
    let Some(Incoming::Message { bytes, request: Some(1), .. }) = soon(inbox.next()).await else {
        panic!("no question")
    };
    let question: Value = serde_json::from_slice(&bytes).unwrap();
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } });
    soon(link.send(with(Outgoing::message(answer.to_string())))).await.unwrap();
    let came = outcome(&mut inbox, 1).await;
    assert_eq!((came.messages[0]["id"].as_i64(), came.fault.is_none()), (Some(1), true));

    link.open_stream(headers.clone());
    assert!(server.remove_tool("big"));
    match soon(inbox.next()).await.unwrap() {
        Incoming::Message { bytes, request: None, head } => {
            let message: Value = serde_json::from_slice(&bytes).unwrap();
            assert_eq!(message["method"], "notifications/tools/list_changed");
            assert!(head.unwrap().is_stream);
        }
        other => panic!("unexpected {other:?}"),
    }

    soon(link.end_session(headers.clone())).await;
    let error = soon(link.send(with(Outgoing::message(initialized)))).await.unwrap_err();
    assert!(error.to_string() == "the server did not accept the message" && error.sent() == Sent::Maybe, "{error}");
    soon(link.send(with(Outgoing::request(2, legacy(2, "ping", json!({})).to_string())))).await.unwrap();
    loop {
        match soon(inbox.next()).await.unwrap() {
            Incoming::Ended { request: 2, fault: Some(fault) } => {
                assert_eq!(fault.to_string(), "the server answered with status 404 (Not Found)");
                break;
            }
            Incoming::Message { head: Some(head), .. } => assert_eq!(head.status, 404),
            Incoming::StreamEnded { .. } => {}
            other => panic!("unexpected {other:?}"),
        }
    }
}
