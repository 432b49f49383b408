//! The client's end of HTTP, against servers that do what they should not.

use std::time::Duration;

use haft_transport::client::{Fault, Inbox, Incoming, Link, LinkError, Outgoing, Remote, Sent};
use http::{HeaderName, HeaderValue};
use tokio::net::TcpListener;

use crate::far_end::{Came, FarEnd, json, outcome};
use crate::stage::soon;

const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

fn link(far: &FarEnd) -> (Link, Inbox) {
    let mut remote = far.remote();
    remote.message_bytes = 10_000;
    remote.header_timeout = Duration::from_millis(200);
    remote.body_timeout = Duration::from_millis(200);
    Link::http(remote).unwrap()
}

/// What comes of a request to which a server answers with these bytes and then, perhaps, nothing more.
async fn answered(bytes: &[u8], hangs_up: bool) -> Came {
    let far = FarEnd::new().await;
    let (link, mut inbox) = link(&far);
    soon(link.send(Outgoing::request(1, "{}"))).await.unwrap();
    let mut wire = far.accept().await;
    assert_eq!(wire.request().await.unwrap().line, "POST /mcp?key=secret HTTP/1.1");
    wire.write(bytes).await;
    let wire = (!hangs_up).then_some(wire);
    let came = outcome(&mut inbox, 1).await;
    drop(wire);
    came
}

fn with_type(media: &str, body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

fn chunked(chunks: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}")
}

#[tokio::test]
async fn every_wrong_answer_is_an_error_that_says_what_is_wrong() {
    let broke = "the connection broke before the answer was complete";
    let large = "the answer is larger than 10000 bytes";
    let late = "no answer within 0.2 s";
    let claims = |length: usize| {
        format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{{")
    };
    let event = |text: &str| with_type("text/event-stream", text);
    let cases = [
        (String::new(), true, broke),
        (String::new(), false, late),
        ("SSH-2.0-OpenSSH_9.9\r\n".to_owned(), false, broke),
        ("HTTP/1.1 200 OK\r\nContent-Ty".to_owned(), true, broke),
        ("HTTP/1.1 200 OK\r\nContent-Ty".to_owned(), false, late),
        (format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "x".repeat(2_000_000)), false, broke),
        (claims(100), true, broke),
        (claims(100), false, late),
        (claims(100_000_000), false, large),
        (chunked("100000\r\n") + &"x".repeat(20_000), false, large),
        (chunked("zz\r\n{}\r\n0\r\n\r\n"), false, broke),
        (chunked("fffffffffffffffff\r\n{}"), false, broke),
        (
            with_type("application/json", "{\"a\":"),
            false,
            "the server answered with something that is no JSON message: {\"a\":",
        ),
        (with_type("application/json", "17"), false, "the server answered with something that is no JSON message: 17"),
        (with_type("application/json", ""), false, "the stream ended without an answer"),
        (
            with_type("text/html; charset=utf-8", "<p>\u{1b}[2J"),
            false,
            "the server answered with `text/html; charset=utf-8` instead of JSON or a stream of events",
        ),
        ("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n".to_owned(), false, "the stream ended without an answer"),
        (event("data: {}\n\n"), false, "the stream ended without an answer"),
        (event(&format!("data: {}\n\n", "x".repeat(11_000))), false, large),
        (event("data: {}\n\n").replace("Content-Length: 10", "Content-Length: 100"), true, broke),
    ];
    for (bytes, hangs_up, expected) in cases {
        let came = answered(bytes.as_bytes(), hangs_up).await;
        let fault = came.fault.unwrap();
        assert_eq!(fault.to_string(), expected, "{bytes:.200}");
        assert_eq!(fault.sent(), Sent::Maybe);
    }
}

#[tokio::test]
async fn unusual_answers_are_understood() {
    let text = chunked(
        "1;name=\"value\"\r\n{\r\n00023\r\n\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n0\r\nTrailer: x\r\n\r\n",
    );
    let bare = format!("HTTP/1.1 200 OK\r\n\r\n{ANSWER}");
    let parameter = with_type("Application/JSON;charset=utf-8", ANSWER);
    let events = with_type(
        "text/event-stream; charset=utf-8",
        &format!(": hello\r\n\r\nid: 1\r\ndata:\r\n\r\ndata: {}\rdata: {}\r\r", &ANSWER[..10], &ANSWER[10..]),
    );
    let not_cut = format!("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n{ANSWER}");
    for bytes in [text, bare, parameter, events, not_cut] {
        let came = answered(bytes.as_bytes(), true).await;
        assert!(came.fault.is_none(), "{bytes}: {:?}", came.fault);
        assert_eq!(came.messages[0]["id"], 1, "{bytes}");
    }
}

#[tokio::test]
async fn noise_on_a_stream_is_told_and_the_answer_still_comes() {
    let text = format!(
        "data: not json\n\nevent: ping\ndata: 1\n\ndata: [1\n\nfield: x\ndata\n\ndata: {ANSWER}\n\ndata: {ANSWER}\n\n"
    );
    let came = answered(with_type("text/event-stream", &text).as_bytes(), false).await;
    assert_eq!(came.noise, ["not json", "[1"]);
    // A second answer is for the caller to judge.
    assert_eq!((came.messages.len(), came.fault.is_none()), (2, true));
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_has_certainly_not_seen_the_message() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let far = FarEnd::new().await;
    let mut silent = Remote::new(format!("https://{}/", far.address));
    silent.connect_timeout = Duration::from_millis(100);
    for remote in [Remote::new(format!("http://{address}/")), Remote::new("http://nowhere.invalid/"), silent] {
        let (link, mut inbox) = Link::http(remote).unwrap();
        soon(link.send(Outgoing::request(1, "{}"))).await.unwrap();
        let fault = outcome(&mut inbox, 1).await.fault.unwrap();
        assert!(matches!(fault, Fault::Connect { .. }) && fault.sent() == Sent::No, "{fault:?}");
        let error = soon(link.send(Outgoing::message("{}"))).await.unwrap_err();
        assert_eq!(error.sent(), Sent::No);
    }
}

#[tokio::test]
async fn redirects_are_reported_and_not_followed() {
    let far = FarEnd::new().await;
    let (link, mut inbox) = link(&far);
    let locations = [
        (format!("http://user:password@{}/other?token=1", far.address), format!("`http://{}`", far.address)),
        ("/other?token=1".to_owned(), "`another path of the same server`".to_owned()),
    ];
    for (location, shown) in locations {
        soon(link.send(Outgoing::request(1, "{}"))).await.unwrap();
        let mut wire = far.accept().await;
        wire.request().await.unwrap();
        let answer = format!(
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: {location}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        );
        wire.write(answer.as_bytes()).await;
        let fault = outcome(&mut inbox, 1).await.fault.unwrap();
        assert_eq!(fault.to_string(), format!("the server redirects to {shown}, which is not followed"));
        assert!(!format!("{fault:?}").contains("password") && !far.is_wanted().await);
    }
}

#[tokio::test]
async fn a_refusal_carries_what_is_needed_to_do_better() {
    let challenge = "Bearer resource_metadata=\"https://example.com/.well-known/x\"";
    let body = r#"{"error":"invalid_token"}"#;
    let bytes = json("401 Unauthorized", body).replace(
        "Content-Type",
        &format!("WWW-Authenticate: {challenge}\r\nWWW-Authenticate: Basic\r\nRetry-After: 7\r\nContent-Type"),
    );
    let came = answered(bytes.as_bytes(), false).await;
    let Some(Fault::Status(refusal)) = came.fault else { panic!("{came:?}") };
    assert_eq!((refusal.status, refusal.retry_after), (401, Some(Duration::from_secs(7))));
    assert_eq!(refusal.www_authenticate, [challenge, "Basic"]);
    assert_eq!((refusal.body.as_str(), refusal.content_type.as_str()), (body, "application/json"));
    assert!(came.messages.is_empty());

    let page = "x".repeat(100_000);
    let came =
        answered(format!("HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\n\r\n{page}").as_bytes(), false).await;
    let Some(Fault::Status(refusal)) = came.fault else { panic!("{came:?}") };
    assert!(refusal.body.is_cut() && refusal.body.as_str().len() < 4000);

    let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"x"}}"#;
    let came = answered(json("500 Internal Server Error", error).as_bytes(), false).await;
    assert_eq!(came.messages[0]["error"]["code"], -32000);
    assert!(matches!(came.fault, Some(Fault::Status(_))) && came.head.unwrap().status == 500);
}

#[tokio::test]
async fn what_is_sent_is_what_the_protocol_asks_for_over_one_connection() {
    let far = FarEnd::new().await;
    let mut remote = far.remote();
    remote.headers.push((http::header::AUTHORIZATION, HeaderValue::from_static("Bearer abc")));
    remote.headers.push((HeaderName::from_static("x-kept"), HeaderValue::from_static("1")));
    assert!(!format!("{remote:?}").contains("abc") && !format!("{remote:?}").contains("secret"));
    let (link, mut inbox) = Link::http(remote).unwrap();
    assert!(!format!("{link:?}").contains("abc") && !format!("{link:?}").contains("secret"));
    let outgoing = || {
        let headers = vec![(HeaderName::from_static("x-kept"), HeaderValue::from_static("2"))];
        Outgoing::request(1, "{\"a\":1}").with_headers(headers)
    };
    assert!(!format!("{:?}", outgoing()).contains("\"a\""));
    soon(link.send(outgoing())).await.unwrap();
    let mut wire = far.accept().await;
    for is_last in [false, true] {
        let heard = wire.request().await.unwrap();
        assert_eq!(heard.line, "POST /mcp?key=secret HTTP/1.1");
        assert_eq!(heard.header("accept"), Some("application/json, text/event-stream"));
        assert_eq!(heard.header("content-type"), Some("application/json"));
        assert_eq!(heard.header("host"), Some(far.address.to_string().as_str()));
        assert_eq!((heard.header("authorization"), heard.header("x-kept")), (Some("Bearer abc"), Some("2")));
        assert_eq!(heard.body, b"{\"a\":1}");
        wire.write(json("200 OK", ANSWER).as_bytes()).await;
        assert!(outcome(&mut inbox, 1).await.fault.is_none());
        if !is_last {
            soon(link.send(outgoing())).await.unwrap();
        }
    }
    let framing = vec![(http::header::CONTENT_LENGTH, HeaderValue::from_static("1"))];
    let error = soon(link.send(Outgoing::message("{}").with_headers(framing))).await.unwrap_err();
    assert_eq!(error.to_string(), "header `content-length` cannot be set, for the connection sets it itself");
}

#[tokio::test]
async fn any_success_is_enough_for_a_message_without_an_answer() {
    let far = FarEnd::new().await;
    let (link, _inbox) = link(&far);
    for (answer, is_accepted) in [
        ("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", true),
        ("HTTP/1.1 204 No Content\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\nAccepted", true),
        ("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false),
    ] {
        let sending = tokio::spawn({
            let link = link.clone();
            async move { link.send(Outgoing::message("{}")).await }
        });
        let mut wire = far.accept().await;
        wire.request().await.unwrap();
        wire.write(answer.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n").as_bytes()).await;
        drop(wire);
        let sent = soon(sending).await.unwrap();
        assert_eq!(sent.is_ok(), is_accepted, "{answer}");
        assert!(sent.is_ok() || matches!(sent, Err(LinkError::Fault(Fault::Status(_)))));
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_taken_up_again_where_it_was() {
    let far = FarEnd::new().await;
    let (link, mut inbox) = link(&far);
    let session = vec![(HeaderName::from_static("mcp-session-id"), HeaderValue::from_static("s"))];
    soon(link.send(Outgoing::request(1, "{}").with_headers(session).resumable())).await.unwrap();
    let mut wire = far.accept().await;
    wire.request().await.unwrap();
    wire.events("id: e-1\nretry: 50\ndata:\n\nid: e-2\ndata: {\"method\":\"a\"}\n\nid: e-3\ndata: {\"cut").await;
    drop(wire);
    let mut wire = far.accept().await;
    let heard = wire.request().await.unwrap();
    assert_eq!((heard.line.as_str(), heard.header("last-event-id")), ("GET /mcp?key=secret HTTP/1.1", Some("e-2")));
    assert_eq!((heard.header("accept"), heard.header("mcp-session-id")), (Some("text/event-stream"), Some("s")));
    wire.write(b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").await;
    let mut wire = far.accept().await;
    assert_eq!(wire.request().await.unwrap().header("last-event-id"), Some("e-2"));
    wire.events(&format!("id: e-4\ndata: {ANSWER}\n\n")).await;
    drop(wire);
    let came = outcome(&mut inbox, 1).await;
    assert!(came.fault.is_none());
    assert_eq!((came.messages[0]["method"].as_str(), &came.messages[1]["id"]), (Some("a"), &serde_json::json!(1)));
}

#[tokio::test]
async fn a_stream_is_not_taken_up_again_when_nobody_said_so_or_the_server_refuses() {
    let far = FarEnd::new().await;
    let (link, mut inbox) = link(&far);
    let plain = || Outgoing::request(1, "{}");
    let refused = Some("the stream of the answer broke off and could not be taken up again (status 404)");
    for (outgoing, text, refused) in [
        (plain(), "id: 1\ndata: {}\n\n", None),
        (plain().resumable(), "data: {}\n\n", None),
        (plain().resumable(), "id: 1\nretry: 0\ndata:\n\n", refused),
    ] {
        soon(link.send(outgoing)).await.unwrap();
        let mut wire = far.accept().await;
        wire.request().await.unwrap();
        wire.events(text).await;
        drop(wire);
        if refused.is_some() {
            let mut wire = far.accept().await;
            wire.request().await.unwrap();
            wire.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").await;
        }
        let fault = outcome(&mut inbox, 1).await.fault.unwrap().to_string();
        assert_eq!(fault, refused.unwrap_or("the stream ended without an answer"));
    }
}

#[tokio::test]
async fn the_stream_that_belongs_to_no_request_comes_back_until_there_is_none() {
    let far = FarEnd::new().await;
    let (link, mut inbox) = link(&far);
    let opening = link.open_stream(Vec::new());
    let mut wire = far.accept().await;
    assert_eq!(wire.request().await.unwrap().header("last-event-id"), None);
    wire.events("id: 1\nretry: 60\ndata: {\"method\":\"a\"}\n\n").await;
    assert!(soon(opening.settled()).await);
    assert!(matches!(soon(inbox.next()).await, Some(Incoming::Message { request: None, .. })));
    drop(wire);
    let mut wire = far.accept().await;
    assert_eq!(wire.request().await.unwrap().header("last-event-id"), Some("1"));
    // Another takes its place.
    let opening = link.open_stream(Vec::new());
    assert!(wire.is_over().await);
    let mut wire = far.accept().await;
    wire.request().await.unwrap();
    wire.write(b"HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").await;
    assert!(!soon(opening.settled()).await);
    assert!(!far.is_wanted().await);

    link.open_stream(Vec::new());
    let mut wire = far.accept().await;
    wire.request().await.unwrap();
    wire.events("event: endpoint\ndata: /messages?session=1\n\n").await;
    match soon(inbox.next()).await {
        Some(Incoming::StreamEnded { fault: fault @ Fault::OldTransport }) => {
            let text = "the server speaks the HTTP+SSE transport of 2024-11-05, which is not supported";
            assert_eq!(fault.to_string(), text);
        }
        other => panic!("unexpected {other:?}"),
    }
}

#[tokio::test]
async fn a_url_that_leads_nowhere_or_tells_secrets_is_refused() {
    for (url, expected) in [
        (
            "https://user:hunter2@example.com/mcp",
            "the URL for `example.com` contains credentials, which belong in a header",
        ),
        ("ftp://example.com/", "the URL cannot be used: only `http://` and `https://` are spoken here"),
        ("/mcp", "the URL cannot be used: only `http://` and `https://` are spoken here"),
        ("http://exa mple.com/", "the URL cannot be used: it is not one"),
        ("http://:80/", "the URL cannot be used: it names no host"),
        ("http://example.com:99999/", "the URL cannot be used: its port is none"),
        ("", "the URL cannot be used: it is not one"),
    ] {
        let error = Link::http(Remote::new(url)).unwrap_err();
        assert_eq!(error.to_string(), expected, "{url}");
        assert_eq!(error.sent(), Sent::No);
    }
    let with = |url: &str, name: HeaderName| {
        let mut remote = Remote::new(url);
        remote.headers.push((name, HeaderValue::from_static("secret")));
        Link::http(remote)
    };
    let (link, _inbox) = with("http://example.com:81/mcp", http::header::AUTHORIZATION).unwrap();
    let warnings: Vec<_> = link.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["header `authorization` goes to `http://example.com:81` without encryption"]);
    for url in ["http://127.0.0.1/", "http://localhost:1/", "http://[::1]/", "https://example.com/"] {
        assert!(with(url, http::header::AUTHORIZATION).unwrap().0.warnings().is_empty(), "{url}");
    }
    assert!(matches!(with("http://example.com/", http::header::TRANSFER_ENCODING), Err(LinkError::Header { .. })));
}
