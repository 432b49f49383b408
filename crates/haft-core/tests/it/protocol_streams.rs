//! What comes besides answers: progress, cancellation, subscriptions; and what never comes.

use std::sync::Arc;

use haft_core::{Context, Event, Exchange, Handled, Limits, RawTool, Tool, ToolLimits, Transform};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::peer::{Client, at_once, body, call, events, exchange, meta, modern, nothing_yet, soon, tool};
use crate::protocol::{REVISIONS, STATELESS, Speaker, legacy, notification};

fn message(event: Event) -> Value {
    match event {
        Event::Message(message) => serde_json::from_slice(&message).unwrap(),
        Event::Answer(answer) => body(&answer),
        Event::End => Value::Null,
    }
}

fn cancelled(id: impl Into<Value>) -> Value {
    notification("notifications/cancelled", json!({ "requestId": id.into() }))
}

/// A tool that hands its context out and then hangs.
fn hangs() -> (Arc<dyn Tool>, UnboundedReceiver<Context>) {
    let (sender, receiver) = unbounded_channel();
    let hangs = tool("hangs", move |context| {
        sender.send(context).unwrap();
        std::future::pending::<&'static str>()
    });
    (hangs, receiver)
}

/// A tool that reports these steps, each as soon as the one before was taken.
fn reports(steps: &'static [f64]) -> Arc<dyn Tool> {
    tool("reports", move |context| async move {
        for step in steps {
            context.progress(*step, Some(3.0), Some("working"));
            tokio::task::yield_now().await;
        }
        "done"
    })
}

#[tokio::test]
async fn progress_only_rises_and_comes_in_the_form_of_each_revision() {
    for version in REVISIONS {
        let tools = vec![reports(&[0.25, 1.0, 1.0, 0.5, f64::NAN, f64::INFINITY, 2.5])];
        let speaker = Speaker::new(Client::new(tools), version, json!({}));
        for token in [json!(7), json!("7"), json!(0), json!(""), json!(9_007_199_254_740_993_u64)] {
            let params = json!({ "name": "reports", "_meta": { "progressToken": token } });
            let (messages, answer) = events(speaker.client.handle(&speaker.request(1, "tools/call", params))).await;
            let expected = [json!(0.25), json!(1), json!(2.5)].map(|progress| {
                let mut params = json!({ "progressToken": token, "progress": progress, "total": 3 });
                if version != "2024-11-05" {
                    params["message"] = json!("working");
                }
                notification("notifications/progress", params)
            });
            assert_eq!(messages, expected, "{version}");
            assert_eq!(body(&answer.unwrap())["result"]["content"][0]["text"], "done");
        }
    }
}

#[tokio::test]
async fn without_a_token_that_can_be_one_there_is_no_progress() {
    for version in REVISIONS {
        let speaker = Speaker::new(Client::new(vec![reports(&[1.0, 2.0])]), version, json!({}));
        for token in [None, Some(json!(null)), Some(json!(1.5)), Some(json!({})), Some(json!(true))] {
            let mut params = json!({ "name": "reports" });
            if let Some(token) = &token {
                params["_meta"]["progressToken"] = token.clone();
            }
            let (messages, answer) = events(speaker.client.handle(&speaker.request(1, "tools/call", params))).await;
            assert!(messages.is_empty(), "{version} {token:?}: {messages:?}");
            let answer = body(&answer.unwrap());
            let is_refused = version == STATELESS && token.as_ref().is_some_and(|token| !token.is_null());
            assert_eq!(answer["error"]["code"] == -32602, is_refused, "{version} {token:?}: {answer}");
        }
    }
}

#[tokio::test]
async fn nothing_of_a_call_comes_after_its_answer_or_after_it_was_cancelled() {
    let (hangs, mut contexts) = hangs();
    let (sender, mut ended) = unbounded_channel();
    let ends = tool("ends", move |context: Context| {
        sender.send(context).unwrap();
        async { "ended" }
    });
    let client = Client::new(vec![hangs, ends]);
    client.initialize("2025-11-25", json!({}));
    let mut with_token = meta();
    with_token["progressToken"] = json!("p");
    let of = |name: &str, meta: &Value| json!({ "name": name, "_meta": meta });
    let legacy_meta = json!({ "progressToken": "p" });
    for request in
        [modern(1, "tools/call", of("hangs", &with_token)), legacy("l", "tools/call", of("hangs", &legacy_meta))]
    {
        let mut running = exchange(client.handle(&request));
        nothing_yet(&mut running).await;
        let context = contexts.recv().await.unwrap();
        // What was said before the cancel and not yet taken is not said any more.
        context.progress(1.0, None, None);
        assert!(matches!(client.handle(&cancelled(request["id"].clone())), Handled::Accepted));
        assert!(context.is_cancelled());
        assert!(matches!(soon(running.next()).await, Event::End), "{request}");
        context.progress(2.0, None, None);
        assert!(matches!(soon(running.next()).await, Event::End), "{request}");
    }
    let mut running = exchange(client.handle(&modern(3, "tools/call", of("ends", &with_token))));
    assert!(matches!(soon(running.next()).await, Event::Answer(_)));
    ended.recv().await.unwrap().progress(1.0, None, None);
    assert!(matches!(soon(running.next()).await, Event::End));
}

#[tokio::test]
async fn a_cancel_of_what_is_not_open_is_passed_over_in_every_form() {
    let (hangs, contexts) = hangs();
    let client = Client::new(vec![hangs, tool("works", |_| async { "fine" })]);
    client.initialize("2025-11-25", json!({}));
    client.ask(&call(5, "works", json!({}))).await;
    let mut running = exchange(client.handle(&call(7, "hangs", json!({}))));
    nothing_yet(&mut running).await;
    for params in [
        json!({ "requestId": 5 }),
        json!({ "requestId": "7" }),
        json!({ "requestId": 7.0 }),
        json!({ "requestId": null }),
        json!({ "requestId": [7] }),
        json!({ "requestId": "unknown", "reason": 7 }),
        json!({ "id": 7 }),
        json!({}),
        json!([7]),
        json!(null),
    ] {
        let handled = client.handle(&notification("notifications/cancelled", params.clone()));
        assert!(matches!(handled, Handled::Accepted), "{params}");
        nothing_yet(&mut running).await;
    }
    // Twice is once.
    for _ in 0..2 {
        assert!(matches!(client.handle(&cancelled(7)), Handled::Accepted));
    }
    assert!(matches!(soon(running.next()).await, Event::End));
    // Whoever holds the context of a call still works for it.
    drop(contexts);
    assert_eq!(client.server.calls_in_flight(), 0);
    // And the id is free again.
    assert_eq!(client.ask(&call(7, "works", json!({}))).await["result"]["isError"], false);
}

fn listen(id: impl Into<Value>, filter: Value) -> Value {
    let mut request = modern(0, "subscriptions/listen", json!({ "notifications": filter }));
    request["id"] = id.into();
    request
}

fn subscription(message: &Value) -> &Value {
    &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]
}

#[tokio::test]
async fn a_subscription_is_told_first_which_of_its_wishes_are_granted() {
    let client = Client::new(vec![]);
    for (filter, honoured) in [
        (json!({}), json!({})),
        (json!({ "toolsListChanged": true }), json!({ "toolsListChanged": true })),
        (json!({ "toolsListChanged": false }), json!({})),
        (json!({ "promptsListChanged": true, "resourcesListChanged": true }), json!({})),
        (
            json!({ "toolsListChanged": true, "resourceSubscriptions": ["file:///x"], "taskIds": ["t"], "future": 1 }),
            json!({ "toolsListChanged": true }),
        ),
    ] {
        for id in [json!(1), json!("1")] {
            let mut listening = exchange(client.handle(&listen(id.clone(), filter.clone())));
            let meta = json!({ "io.modelcontextprotocol/subscriptionId": id });
            let expected = json!({ "notifications": honoured, "_meta": meta });
            let first = message(soon(listening.next()).await);
            assert_eq!(first, notification("notifications/subscriptions/acknowledged", expected), "{filter}");
            nothing_yet(&mut listening).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn subscriptions_of_one_connection_are_told_apart_by_the_type_of_their_id() {
    let client = Client::new(vec![]);
    let wish = json!({ "toolsListChanged": true });
    let mut open: Vec<(Value, Box<Exchange>)> = Vec::new();
    for id in [json!(1), json!("1"), json!("x")] {
        let mut listening = exchange(client.handle(&listen(id.clone(), wish.clone())));
        assert_eq!(subscription(&message(soon(listening.next()).await)), &id);
        open.push((id, listening));
    }
    assert_eq!(body(&at_once(client.handle(&listen("x", wish.clone()))))["error"]["code"], -32600);
    client.server.add_tool(tool("new", |_| async { "fine" })).unwrap();
    for (id, listening) in &mut open {
        let told = message(soon(listening.next()).await);
        assert_eq!((&told["method"], subscription(&told)), (&json!("notifications/tools/list_changed"), &*id));
    }
    // One that is cancelled is silent at once, and the others go on.
    client.handle(&cancelled("1"));
    client.server.add_tool(tool("newer", |_| async { "fine" })).unwrap();
    for (id, listening) in &mut open {
        let told = message(soon(listening.next()).await);
        assert_eq!(told.is_null(), *id == "1", "{told}");
    }
    client.server.shut_down();
    for (id, listening) in &mut open {
        if id == "1" {
            continue;
        }
        // On a pipe the server says that it ends the subscription, and answers it at last.
        assert_eq!(message(soon(listening.next()).await), cancelled(id.clone()));
        let end = message(soon(listening.next()).await);
        assert_eq!((&end["id"], &end["result"]["resultType"]), (&*id, &json!("complete")));
        assert_eq!(end["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], *id);
    }
}

#[tokio::test(start_paused = true)]
async fn whatever_changes_the_list_is_told_and_what_does_not_is_not() {
    let first = tool("first", |_| async { "fine" });
    let client = Client::new(vec![Arc::clone(&first)]);
    let mut listening = exchange(client.handle(&listen(1, json!({ "toolsListChanged": true }))));
    soon(listening.next()).await;
    let describe = Transform::Describe { tool: "first".to_owned(), description: "Another.".to_owned() };
    let rename = Transform::Rename { tool: "first".to_owned(), name: "second".to_owned() };
    for transforms in [vec![describe.clone()], vec![describe, rename], vec![]] {
        client.server.replace_tools(vec![Arc::clone(&first)], transforms).unwrap();
        assert_eq!(message(soon(listening.next()).await)["method"], "notifications/tools/list_changed");
    }
    client.server.replace_tools(vec![Arc::clone(&first)], vec![]).unwrap();
    client.server.add_tool(tool("passing", |_| async { "fine" })).unwrap();
    assert!(client.server.remove_tool("passing"));
    let more = tokio::time::timeout(std::time::Duration::from_mins(1), listening.next()).await;
    assert!(more.is_err(), "{more:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stateless_client_that_does_not_listen_hears_nothing_of_changes() {
    let (hangs, _contexts) = hangs();
    let client = Client::new(vec![hangs]);
    client.ask(&modern(1, "tools/list", json!({}))).await;
    let mut notices = client.connection.notices();
    let mut running = exchange(client.handle(&call(2, "hangs", json!({}))));
    nothing_yet(&mut running).await;
    client.server.add_tool(tool("new", |_| async { "fine" })).unwrap();
    let long = std::time::Duration::from_secs(30);
    assert!(tokio::time::timeout(long, notices.next()).await.is_err());
    nothing_yet(&mut running).await;
}

#[tokio::test(start_paused = true)]
async fn a_client_of_the_handshake_era_hears_of_changes_from_when_it_is_ready() {
    let client = Client::new(vec![]);
    let mut notices = client.connection.notices();
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    assert_eq!(at_once(client.handle(&legacy(0, "initialize", params))).status, 200);
    client.server.add_tool(tool("early", |_| async { "fine" })).unwrap();
    let long = std::time::Duration::from_secs(30);
    assert!(tokio::time::timeout(long, notices.next()).await.is_err());
    assert!(matches!(client.handle(&notification("notifications/initialized", json!({}))), Handled::Accepted));
    client.server.add_tool(tool("late", |_| async { "fine" })).unwrap();
    let told: Value = serde_json::from_slice(&soon(notices.next()).await.unwrap()).unwrap();
    assert_eq!(told, json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
    // Whoever begins now has seen it all.
    let other = Client::of(client.server.clone(), haft_core::Principal::anonymous());
    let mut notices = other.connection.notices();
    other.initialize("2025-11-25", json!({}));
    assert!(tokio::time::timeout(long, notices.next()).await.is_err());
}

#[tokio::test]
async fn of_subscriptions_there_are_so_many_and_an_ended_one_makes_room() {
    let client = Client::with(vec![], |builder| {
        let mut limits = Limits::default();
        limits.subscriptions = 2;
        builder.limits(limits)
    });
    let begin = |id: u64| client.handle(&listen(id, json!({ "toolsListChanged": true })));
    let first = exchange(begin(1));
    let _second = exchange(begin(2));
    let refused = body(&at_once(begin(3)));
    assert_eq!(refused["error"]["code"], -32603, "{refused}");
    drop(first);
    let mut third = exchange(begin(3));
    assert_eq!(subscription(&message(soon(third.next()).await)), 3);
}

#[tokio::test]
async fn log_levels_are_checked_and_nothing_is_logged_to_the_client() {
    let client = Client::new(vec![reports(&[1.0]), tool("fails", |_| async { Err::<(), _>(std::fmt::Error) })]);
    let with_level = |name: &str, level: Value| {
        let mut meta = meta();
        meta["io.modelcontextprotocol/logLevel"] = level;
        modern(1, "tools/call", json!({ "name": name, "_meta": meta }))
    };
    for name in ["reports", "fails"] {
        for request in
            [call(1, name, json!({})), with_level(name, json!("debug")), with_level(name, json!("emergency"))]
        {
            let (messages, answer) = events(client.handle(&request)).await;
            assert_eq!((messages.len(), answer.unwrap().status), (0, 200), "{request}");
        }
    }
    for level in [json!("loud"), json!("Debug"), json!(""), json!(7), json!({})] {
        let refused = client.ask(&with_level("reports", level.clone())).await;
        assert_eq!(refused["error"]["code"], -32602, "{level}: {refused}");
    }
}

#[tokio::test]
async fn bounds_of_a_tool_outlive_a_change_of_the_catalogue() {
    let limited = |name: &str, limits: ToolLimits| -> Arc<dyn Tool> {
        let definition = json!({ "name": name, "inputSchema": { "type": "object" } }).to_string();
        let run = |_, _| std::future::pending::<&'static str>();
        Arc::new(RawTool::new(&definition, run).unwrap().limits(limits))
    };
    let minute = std::time::Duration::from_mins(1);
    let tools = vec![
        limited("rare", ToolLimits::none().rate(1, minute)),
        limited("single", ToolLimits::none().concurrency(1)),
        tool("other", |_| async { "fine" }),
    ];
    let client = Client::with(tools, |builder| {
        builder.transform(Transform::Describe { tool: "other".to_owned(), description: "Another.".to_owned() })
    });
    let _running = exchange(client.handle(&call(1, "rare", json!({}))));
    // The other callers have bounds of their own.
    let somebody = Client::of(client.server.clone(), haft_core::Principal::client("token", "somebody"));
    for round in 0..2 {
        let told = body(&at_once(client.handle(&call(2, "rare", json!({})))));
        assert_eq!(told["result"]["isError"], true, "{round}: {told}");
        client.server.add_tool(tool(&format!("new_{round}"), |_| async { "fine" })).unwrap();
    }
    exchange(somebody.handle(&call(2, "rare", json!({}))));
    // What a transform was about may go, and others may come.
    assert!(client.server.remove_tool("other"));
    client.server.add_tool(tool("new", |_| async { "fine" })).unwrap();
    assert_eq!(client.call("new", json!({})).await["isError"], false);
}
