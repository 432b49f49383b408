//! Calls that go wrong, take long, or are too many; and what the next call gets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use haft_core::{Event, Image, Json, Limits, ToolBuilder, ToolError, ToolLimits};
use serde_json::json;
use tokio::sync::Notify;

use crate::peer::{Client, at_once, body, call, events, exchange, meta_with, modern, nothing_yet, soon, tool};

struct Explodes;

impl Drop for Explodes {
    fn drop(&mut self) {
        panic!("secret detail");
    }
}

#[tokio::test]
async fn a_panic_is_an_internal_error_with_a_reference_and_the_next_call_is_answered() {
    let client = Client::new(vec![
        tool("explodes", |_| async { panic!("secret detail") as &'static str }),
        tool("explodes_early", |_| -> std::future::Ready<&'static str> { panic!("secret detail") }),
        tool("explodes_late", |_| async {
            let _guard = Explodes;
            "fine"
        }),
        tool("works", |_| async { "fine" }),
    ]);
    for name in ["explodes", "explodes_early", "explodes_late"] {
        let error = client.call(name, json!({})).await;
        assert_eq!(error["code"], -32603);
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    assert_eq!(client.call("works", json!({})).await["content"][0]["text"], "fine");
    assert_eq!(client.server.calls_in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_never_ends_is_stopped_at_its_timeout() {
    let client = Client::with(vec![tool("hangs", |_| std::future::pending::<&'static str>())], |builder| {
        let mut limits = Limits::default();
        limits.call_timeout = Duration::from_secs(3);
        builder.limits(limits)
    });
    let result = client.call("hangs", json!({})).await;
    assert_eq!(result["isError"], true);
    assert_eq!(result["content"][0]["text"], "`hangs` did not finish within 3 s and was stopped.");
    assert_eq!(client.server.calls_in_flight(), 0);
}

#[tokio::test]
async fn a_failure_tells_the_model_only_what_was_said_on_purpose() {
    let client = Client::new(vec![
        tool("tells", |_| async { Err::<(), _>(ToolError::tell("no ticket 7")) }),
        tool("hides", |_| async {
            std::fs::read_to_string("/nonexistent/secret-path")?;
            Ok::<_, ToolError>("unreachable")
        }),
    ]);
    let told = client.call("tells", json!({})).await;
    assert_eq!((told["isError"].as_bool(), told["content"][0]["text"].as_str()), (Some(true), Some("no ticket 7")));
    let hidden = client.call("hides", json!({})).await;
    let text = hidden["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("`hides` failed. The server's log explains it under reference "), "{text}");
    assert!(!text.contains("No such file"), "{text}");
}

#[tokio::test]
async fn a_cancelled_call_gets_no_answer_and_its_handler_is_dropped() {
    struct Tells(Arc<AtomicBool>);
    impl Drop for Tells {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicBool::new(false));
    let inner = Arc::clone(&dropped);
    let client = Client::new(vec![tool("hangs", move |_| {
        let guard = Tells(Arc::clone(&inner));
        async move {
            std::future::pending::<()>().await;
            drop(guard);
            "never"
        }
    })]);
    let mut running = exchange(client.handle(&call(7, "hangs", json!({}))));
    nothing_yet(&mut running).await;
    // Neither an unknown id nor one of another type cancels anything.
    for id in [json!(8), json!("7"), json!(null), json!({})] {
        client.handle(&json!({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":id}}));
        nothing_yet(&mut running).await;
    }
    client.handle(&json!({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}));
    assert!(matches!(soon(running.next()).await, Event::End));
    assert!(dropped.load(Ordering::SeqCst));
    assert_eq!(client.server.calls_in_flight(), 0);
}

#[tokio::test]
async fn an_id_that_is_still_open_is_refused_and_can_be_used_again_after() {
    let client = Client::new(vec![
        tool("hangs", |_| std::future::pending::<&'static str>()),
        tool("works", |_| async { "fine" }),
    ]);
    let mut running = exchange(client.handle(&call(7, "hangs", json!({}))));
    nothing_yet(&mut running).await;
    let refused = body(&at_once(client.handle(&call(7, "works", json!({})))));
    assert_eq!(refused["error"]["code"], -32600);
    drop(running);
    assert_eq!(client.ask(&call(7, "works", json!({}))).await["id"], 7);
}

#[tokio::test]
async fn a_dropped_call_is_cancelled_or_finished_as_the_era_wants() {
    let finished = Arc::new(AtomicUsize::new(0));
    let gate = Arc::new(Notify::new());
    let (count, wait) = (Arc::clone(&finished), Arc::clone(&gate));
    let done = Arc::new(Notify::new());
    let tell = Arc::clone(&done);
    let client = Client::new(vec![tool("slow", move |_| {
        let (count, wait, tell) = (Arc::clone(&count), Arc::clone(&wait), Arc::clone(&tell));
        async move {
            wait.notified().await;
            count.fetch_add(1, Ordering::SeqCst);
            tell.notify_one();
            "done"
        }
    })]);
    // A modern request of its own: gone with its connection.
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "slow")].into();
    let mut modern = exchange(client.post(&call(1, "slow", json!({})), &headers));
    nothing_yet(&mut modern).await;
    drop(modern);
    assert_eq!(client.server.calls_in_flight(), 0);
    // A legacy request of its own: it runs to its end.
    let legacy = json!({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}});
    let mut legacy = exchange(client.post(&legacy, &[("mcp-protocol-version", "2025-06-18")].into()));
    nothing_yet(&mut legacy).await;
    drop(legacy);
    assert_eq!(client.server.calls_in_flight(), 1);
    gate.notify_one();
    soon(done.notified()).await;
    assert_eq!(finished.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn above_the_bound_the_server_says_that_it_is_busy_and_ping_gets_through() {
    let client = Client::with(vec![tool("hangs", |_| std::future::pending::<&'static str>())], |builder| {
        let mut limits = Limits::default();
        limits.calls_in_flight = 2;
        builder.limits(limits)
    });
    client.initialize("2025-11-25", json!({}));
    let running: Vec<_> = (1..=2).map(|id| exchange(client.handle(&call(id, "hangs", json!({}))))).collect();
    let busy = body(&at_once(client.handle(&call(3, "hangs", json!({})))));
    assert_eq!(busy["result"]["isError"], true);
    assert_eq!(busy["result"]["content"][0]["text"], "Not now: the server is busy; try again in 1 s.");
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "hangs")].into();
    let answer = at_once(client.post(&call(3, "hangs", json!({})), &headers));
    assert_eq!((answer.status, answer.retry_after), (503, Some(1)));
    assert_eq!(client.ask(&json!({"jsonrpc":"2.0","id":4,"method":"ping"})).await["result"], json!({}));
    drop(running);
    assert_eq!(client.server.calls_in_flight(), 0);
}

#[tokio::test]
async fn answers_that_nobody_reads_hold_back_new_calls_until_they_are_gone() {
    let tools = vec![tool("floods", |_| async { "x".repeat(1024 * 1024) })];
    let client = Client::with(tools, |builder| {
        let mut limits = Limits::default();
        limits.unsent_bytes = 2 * 1024 * 1024;
        builder.limits(limits)
    });
    let mut unread = Vec::new();
    for id in 1..=2 {
        let (_, answer) = events(client.handle(&call(id, "floods", json!({})))).await;
        unread.push(answer.unwrap());
    }
    let busy = body(&at_once(client.handle(&call(3, "floods", json!({})))));
    assert_eq!(busy["result"]["content"][0]["text"], "Not now: the server is busy; try again in 1 s.");
    drop(unread);
    let (_, answer) = events(client.handle(&call(4, "floods", json!({})))).await;
    assert_eq!(body(&answer.unwrap())["result"]["isError"], false);
}

#[tokio::test]
async fn a_tool_runs_as_often_at_once_as_it_allows_and_others_wait_their_turn() {
    let most = Arc::new(AtomicUsize::new(0));
    let now = Arc::new(AtomicUsize::new(0));
    let gate = Arc::new(Notify::new());
    let (inner_most, inner_now, inner_gate) = (Arc::clone(&most), Arc::clone(&now), Arc::clone(&gate));
    let limited = haft_core::RawTool::new(r#"{"name":"one","inputSchema":{"type":"object"}}"#, move |_, _| {
        let (most, now, gate) = (Arc::clone(&inner_most), Arc::clone(&inner_now), Arc::clone(&inner_gate));
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            gate.notified().await;
            now.fetch_sub(1, Ordering::SeqCst);
            "done"
        }
    });
    let client = Client::new(vec![Arc::new(limited.unwrap().limits(ToolLimits::none().concurrency(1)))]);
    let mut first = exchange(client.handle(&call(1, "one", json!({}))));
    let mut second = exchange(client.handle(&call(2, "one", json!({}))));
    nothing_yet(&mut first).await;
    nothing_yet(&mut second).await;
    assert_eq!(now.load(Ordering::SeqCst), 1);
    gate.notify_one();
    assert!(matches!(soon(first.next()).await, Event::Answer(_)));
    gate.notify_one();
    assert!(matches!(soon(second.next()).await, Event::Answer(_)));
    assert_eq!(most.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_caller_that_is_too_fast_is_told_when_to_come_again() {
    let limited =
        haft_core::RawTool::new(r#"{"name":"rare","inputSchema":{"type":"object"}}"#, |_, _| async { "done" });
    let limits = ToolLimits::none().rate(1, Duration::from_mins(1));
    let client = Client::new(vec![Arc::new(limited.unwrap().limits(limits))]);
    assert_eq!(client.call("rare", json!({})).await["isError"], false);
    let told = client.call("rare", json!({})).await;
    assert_eq!(told["content"][0]["text"], "Not now: too many calls from this caller; try again in 60 s.");
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "rare")].into();
    assert_eq!(at_once(client.post(&call(1, "rare", json!({})), &headers)).status, 429);
}

#[tokio::test]
async fn a_blocking_function_keeps_its_place_until_it_ends_but_its_answer_does_not_wait() {
    let (release, held) = std::sync::mpsc::channel::<()>();
    let held = Arc::new(std::sync::Mutex::new(held));
    let seen_cancelled = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&seen_cancelled);
    let blocking = ToolBuilder::new("blocks")
        .timeout(Duration::from_millis(20))
        .blocking_handler(move |_: haft_core_test_support::Nothing, context: haft_core::Context| {
            held.lock().unwrap().recv().unwrap();
            seen.store(context.is_cancelled(), Ordering::SeqCst);
            "late"
        })
        .unwrap();
    let client = Client::new(vec![Arc::new(blocking)]);
    let result = client.call("blocks", json!({})).await;
    assert_eq!(result["isError"], true);
    assert_eq!(client.server.calls_in_flight(), 1, "the thread still runs");
    release.send(()).unwrap();
    let server = client.server.clone();
    soon(async move {
        while server.calls_in_flight() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(seen_cancelled.load(Ordering::SeqCst));
}

#[tokio::test]
async fn progress_comes_under_its_token_with_its_type_and_before_the_answer() {
    let client = Client::new(vec![tool("works", |context| async move {
        for step in [1.0, 2.0, 2.0, 1.0] {
            context.progress(step, Some(2.0), Some("working"));
            tokio::task::yield_now().await;
        }
        "done"
    })]);
    for token in [json!("1"), json!(1)] {
        let mut meta = meta_with(json!({}));
        meta["progressToken"] = token.clone();
        let request = modern(1, "tools/call", json!({ "name": "works", "_meta": meta }));
        let (messages, answer) = events(client.handle(&request)).await;
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert_eq!(messages[0]["method"], "notifications/progress");
        assert_eq!(
            messages[0]["params"],
            json!({"progressToken": token, "progress": 1, "total": 2, "message": "working"})
        );
        assert_eq!(messages[1]["params"]["progress"], 2);
        assert_eq!(answer.unwrap().status, 200);
    }
    let (messages, _) = events(client.handle(&call(1, "works", json!({})))).await;
    assert!(messages.is_empty(), "nobody asked for progress");
}

#[tokio::test]
async fn a_result_that_does_not_fit_the_output_schema_never_goes_out() {
    #[derive(serde::Serialize, schemars::JsonSchema)]
    struct Count {
        count: u32,
    }
    let good =
        ToolBuilder::new("good").handler(|_: haft_core_test_support::Nothing, _| async { Json(Count { count: 1 }) });
    let schema =
        serde_json::value::to_raw_value(&json!({"type":"object","properties":{"count":{"type":"string"}}})).unwrap();
    let bad = ToolBuilder::new("bad")
        .output_schema(schema)
        .handler(|_: haft_core_test_support::Nothing, _| async { Json(Count { count: 1 }) });
    let client = Client::new(vec![Arc::new(good.unwrap()), Arc::new(bad.unwrap())]);
    let result = client.call("good", json!({})).await;
    assert_eq!(result["structuredContent"], json!({"count": 1}));
    assert_eq!(result["content"][0]["text"], r#"{"count":1}"#);
    assert_eq!(client.call("bad", json!({})).await["code"], -32603);
}

#[tokio::test]
async fn content_comes_down_to_what_an_old_client_knows() {
    let client = Client::new(vec![tool("all", |_| async {
        vec![
            haft_core::Audio::new([1, 2], "audio/wav").into(),
            Image::new([1, 2], "image/png").into(),
            haft_wire::model::Content::ResourceLink(haft_wire::model::ResourceLink::new("test://x", "the x")),
        ]
    })]);
    client.initialize("2024-11-05", json!({}));
    let answer = client.ask(&json!({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"all"}})).await;
    let types: Vec<_> =
        answer["result"]["content"].as_array().unwrap().iter().map(|block| block["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["resource", "image", "text"]);
    assert_eq!(answer["result"]["content"][2]["text"], "the x (test://x)");
    assert_eq!(answer["result"].get("resultType"), None);
}

#[tokio::test]
async fn a_link_is_read_by_its_caller_alone() {
    let client = Client::with(
        vec![tool("links", |context| async move { context.link("report", "text/plain", "a long text".to_owned()) })],
        |builder| builder.links(true),
    );
    let result = client.call("links", json!({})).await;
    let uri = result["content"][0]["uri"].as_str().unwrap().to_owned();
    assert_eq!(result["content"][0]["size"], 11);
    let read = client.ask(&modern(2, "resources/read", json!({ "uri": uri }))).await;
    assert_eq!(read["result"]["contents"][0]["text"], "a long text");
    assert_eq!(read["result"]["cacheScope"], "private");
    let other = Client::of(client.server.clone(), haft_core::Principal::client("token", "other"));
    let refused = other.ask(&modern(2, "resources/read", json!({ "uri": uri }))).await;
    assert_eq!(refused["error"]["code"], -32602);
    assert_eq!(refused["error"]["data"]["uri"], uri);
    client.initialize("2025-11-25", json!({}));
    let missing =
        client.ask(&json!({"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"haft://x"}})).await;
    assert_eq!(missing["error"]["code"], -32002);
}

mod haft_core_test_support {
    /// Arguments of a tool that has none.
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(crate) struct Nothing {}
}
