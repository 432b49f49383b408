//! Sessions of the handshake era: streams by GET, coming back to a stream, and the end.

use std::time::{Duration, Instant};

use haft_core::{Identify, Limits, Principal, Server};
use haft_transport::http::HttpOptions;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::http::{HttpClient, Request, Served};
use crate::messages::{initialize, legacy, legacy_call, notification, text};
use crate::stage::{Stage, limits, once};

/// A session that is ready for use.
struct Session {
    served: Served,
    id: String,
}

impl Session {
    async fn begin(server: &Server, version: &str) -> Self {
        let served = Served::new(server);
        let response = served.send(&Request::post(&initialize(0, version))).await;
        let id = response.header("mcp-session-id").unwrap().to_owned();
        let session = Self { served, id };
        assert_eq!(session.send(&notification("notifications/initialized", json!({}))).await, 202);
        session
    }

    fn request(&self, message: &Value) -> Request {
        Request::of_session(message, &self.id)
    }

    async fn send(&self, message: &Value) -> u16 {
        self.served.send(&self.request(message)).await.status
    }

    /// A stream by GET.
    async fn listen(&self, last_event_id: Option<&str>) -> HttpClient<TcpStream> {
        let mut request = Request::new("GET").with("Accept", "text/event-stream").with("Mcp-Session-Id", &self.id);
        if let Some(id) = last_event_id {
            request = request.with("Last-Event-ID", id);
        }
        let mut client = self.served.connect().await;
        client.send(&request).await;
        let head = client.head().await;
        assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
        client
    }

    /// A call that streams, up to the id of its first event with a message.
    async fn steps(&self, stage: &Stage) -> (HttpClient<TcpStream>, String) {
        let mut client = self.served.connect().await;
        client.send(&self.request(&legacy_call(1, "steps"))).await;
        assert_eq!(client.head().await.header("content-type"), Some("text/event-stream"));
        once(&stage.started).await;
        loop {
            let event = client.event().await.unwrap();
            if event.contains("notifications/progress") {
                let id = event.lines().find_map(|line| line.strip_prefix("id: ")).unwrap().to_owned();
                return (client, id);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_breaks_goes_on_where_the_client_left_it() {
    let stage = Stage::new();
    let session = Session::begin(&stage.server(), "2025-11-25").await;
    let (client, id) = session.steps(&stage).await;
    drop(client);
    stage.gate.add_permits(1);
    let mut client = session.listen(Some(&id)).await;
    assert_eq!(client.message().await.unwrap()["params"]["progress"], 2);
    stage.gate.add_permits(1);
    once(&stage.finished).await;
    assert_eq!(text(&client.message().await.unwrap()), "stepped");
    assert_eq!(client.event().await, None);

    // And again from there, though it is over.
    let mut again = session.listen(Some(&id)).await;
    assert_eq!(again.message().await.unwrap()["params"]["progress"], 2);
    assert_eq!(text(&again.message().await.unwrap()), "stepped");
    assert_eq!(again.event().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_streams_of_the_session_can_be_asked_for() {
    let stage = Stage::new();
    let server = stage.server();
    let session = Session::begin(&server, "2025-11-25").await;
    let (_client, id) = session.steps(&stage).await;
    let other = Session::begin(&server, "2025-11-25").await;
    for (session, id) in [(&other, id.as_str()), (&session, "99-1"), (&session, "x"), (&session, "")] {
        let request = Request::new("GET").with("Mcp-Session-Id", &session.id).with("Last-Event-ID", id);
        assert_eq!(session.served.send(&request).await.status, 400, "{id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_back_to_a_stream_takes_it_over() {
    let stage = Stage::new();
    let session = Session::begin(&stage.server(), "2025-11-25").await;
    let (mut first, id) = session.steps(&stage).await;
    let mut second = session.listen(Some(&id)).await;
    assert_eq!(first.event().await, None);
    stage.gate.add_permits(2);
    assert_eq!(second.message().await.unwrap()["params"]["progress"], 2);
    assert_eq!(text(&second.message().await.unwrap()), "stepped");
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_begin_with_an_empty_event_only_where_the_revision_knows_that() {
    for (version, is_primed) in [("2025-11-25", true), ("2025-06-18", false), ("2025-03-26", false)] {
        let stage = Stage::new();
        let session = Session::begin(&stage.server(), version).await;
        let mut client = session.served.connect().await;
        client.send(&session.request(&legacy_call(1, "steps"))).await;
        let head = client.head().await;
        assert_eq!((head.header("cache-control"), head.header("x-accel-buffering")), (Some("no-store"), Some("no")));
        let first = client.event().await.unwrap();
        assert_eq!(first.ends_with("\ndata:"), is_primed, "{version} {first}");
        assert_eq!(first.contains("\nretry: "), is_primed);
        stage.gate.add_permits(2);
        while client.event().await.is_some() {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_goes_out_on_the_stream_of_its_call_and_its_answer_comes_by_post() {
    let session = Session::begin(&Stage::new().server(), "2025-11-25").await;
    let mut client = session.served.connect().await;
    client.send(&session.request(&legacy_call(1, "ask"))).await;
    assert_eq!(client.head().await.status, 200);
    let question = client.message().await.unwrap();
    assert_eq!(question["method"], "elicitation/create");
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } });
    assert_eq!(session.send(&answer).await, 202);
    assert_eq!(client.message().await.unwrap()["id"], 1);
    assert_eq!(client.event().await, None);

    // Without a stream there is no way to ask.
    let refused = session.request(&legacy_call(2, "ask")).with("Accept", "application/json");
    assert_eq!(session.served.send(&refused).await.status, 406);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_told_on_the_newest_of_the_streams_alone() {
    let server = Stage::new().server();
    let session = Session::begin(&server, "2025-11-25").await;
    let mut first = session.listen(None).await;
    let mut second = session.listen(None).await;
    assert!(server.remove_tool("big"));
    assert_eq!(second.message().await.unwrap()["method"], "notifications/tools/list_changed");
    drop(second);
    // The first hears of the next change, and of that one only.
    assert!(server.remove_tool("ask"));
    assert_eq!(first.message().await.unwrap()["method"], "notifications/tools/list_changed");
    server.shut_down();
    assert_eq!(first.event().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_streams_the_oldest_ends() {
    let session = Session::begin(&Stage::new().server(), "2025-11-25").await;
    let mut streams = Vec::new();
    for _ in 0..5 {
        streams.push(session.listen(None).await);
    }
    assert_eq!(streams[0].event().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_by_delete_with_all_that_is_open_in_it() {
    let stage = Stage::new();
    let session = Session::begin(&stage.server(), "2025-11-25").await;
    let mut notices = session.listen(None).await;
    let (mut running, id) = session.steps(&stage).await;
    let delete = Request::new("DELETE").with("Mcp-Session-Id", &session.id);
    assert_eq!(session.served.send(&delete).await.status, 204);
    once(&stage.dropped).await;
    assert_eq!(notices.event().await, None);
    assert_eq!(running.event().await, None);
    assert_eq!(session.send(&legacy(1, "tools/list", json!({}))).await, 404);
    assert_eq!(session.served.send(&delete).await.status, 404);
    let resume = Request::new("GET").with("Mcp-Session-Id", &session.id).with("Last-Event-ID", &id);
    assert_eq!(session.served.send(&resume).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_not_there_for_anybody_else() {
    let identify = Identify::nobody()
        .with_token("one", Principal::client("token", "one"))
        .with_token("two", Principal::client("token", "two"));
    let served = Served::new(&Stage::new().server_with(identify, Limits::default()));
    let begin = Request::post(&initialize(0, "2025-11-25")).with("Authorization", "Bearer one");
    let id = served.send(&begin).await.header("mcp-session-id").unwrap().to_owned();
    let list = legacy(1, "tools/list", json!({}));
    for (token, status) in [("two", 404), ("one", 200)] {
        let authorization = format!("Bearer {token}");
        let request = Request::of_session(&list, &id).with("Authorization", &authorization);
        assert_eq!(served.send(&request).await.status, status);
    }
    for method in ["GET", "DELETE"] {
        let request = Request::new(method).with("Mcp-Session-Id", &id).with("Authorization", "Bearer two");
        assert_eq!(served.send(&request).await.status, 404, "{method}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn get_wants_events_and_the_version_that_was_settled() {
    let session = Session::begin(&Stage::new().server(), "2025-06-18").await;
    let get = || Request::new("GET").with("Mcp-Session-Id", &session.id);
    assert_eq!(session.served.send(&get().with("Accept", "application/json")).await.status, 406);
    assert_eq!(session.served.send(&get().with("MCP-Protocol-Version", "2025-11-25")).await.status, 400);
    let mut client = session.served.connect().await;
    client.send(&get().with("MCP-Protocol-Version", "2025-06-18")).await;
    assert_eq!(client.head().await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_nobody_uses_ends_but_listening_is_use() {
    let idle = Duration::from_millis(500);
    let limits = limits(|limits| limits.session_idle = idle);
    let server = Stage::new().server_with(Identify::anonymous(), limits);
    let mut options = HttpOptions::default();
    // Longer, so that it is not what keeps a session.
    options.keep_alive = Duration::from_millis(600);
    let served = Served::with_options(&server, options);
    let unused = begin(&served).await;
    let mut open = None;
    for _ in 0..20 {
        let id = begin(&served).await;
        let mut client = served.connect().await;
        client.send(&Request::new("GET").with("Mcp-Session-Id", &id)).await;
        // Where all is slow, it may have ended before.
        if client.head().await.status == 200 {
            open = Some((client, id));
            break;
        }
    }
    let (mut listening, used) = open.unwrap();
    // Both were used before this, so that both have rested long enough by the clock that counts, however slow all is.
    let begun = Instant::now();
    while begun.elapsed() <= idle {
        assert!(listening.event().await.unwrap().starts_with(':'));
    }
    let list = legacy(1, "tools/list", json!({}));
    assert_eq!(served.send(&Request::of_session(&list, &used)).await.status, 200);
    assert_eq!(served.send(&Request::of_session(&list, &unused)).await.status, 404);
}

/// A session of nobody in particular; its id.
async fn begin(served: &Served) -> String {
    let response = served.send(&Request::post(&initialize(0, "2025-11-25"))).await;
    response.header("mcp-session-id").unwrap().to_owned()
}
