//! The client's end of a server in the same process.

use haft_transport::client::{Inbox, Incoming, Link, LinkError, Outgoing};
use serde_json::{Value, json};

use crate::messages::{call, call_with_progress, initialize, legacy_call, notification, text};
use crate::stage::{Stage, anonymous, once, soon};

async fn send(link: &Link, message: &Value) {
    soon(link.send(Outgoing::message(message.to_string()))).await.unwrap();
}

async fn next(inbox: &mut Inbox) -> Value {
    match soon(inbox.next()).await {
        Some(Incoming::Message { bytes, request: None, head: None }) => serde_json::from_slice(&bytes).unwrap(),
        other => panic!("unexpected {other:?}"),
    }
}

#[tokio::test]
async fn messages_go_both_ways() {
    let stage = Stage::new();
    let server = stage.server();
    let (link, mut inbox) = Link::memory(server.clone(), anonymous());
    send(&link, &call(1, "echo", json!({ "text": "x" }))).await;
    assert_eq!(text(&next(&mut inbox).await), "x");
    send(&link, &call_with_progress(2, "steps")).await;
    for _ in 0..2 {
        assert_eq!(next(&mut inbox).await["method"], "notifications/progress");
        stage.gate.add_permits(1);
    }
    assert_eq!(next(&mut inbox).await["id"], 2);
    send(&link, &initialize(3, "2025-11-25")).await;
    assert_eq!(next(&mut inbox).await["id"], 3);
    send(&link, &notification("notifications/initialized", json!({}))).await;
    send(&link, &legacy_call(4, "ask")).await;
    let question = next(&mut inbox).await;
    assert_eq!(question["method"], "elicitation/create");
    send(&link, &json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } })).await;
    assert_eq!(next(&mut inbox).await["id"], 4);
    assert!(server.remove_tool("big"));
    assert_eq!(next(&mut inbox).await["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn a_client_that_goes_away_takes_its_calls_along() {
    for is_closed in [true, false] {
        let stage = Stage::new();
        let (link, mut inbox) = Link::memory(stage.server(), anonymous());
        send(&link, &call(1, "hold", json!({}))).await;
        once(&stage.started).await;
        if is_closed {
            soon(link.clone().close()).await;
            assert!(matches!(soon(link.send(Outgoing::message("{}"))).await, Err(LinkError::Closed { .. })));
        }
        drop(link);
        once(&stage.dropped).await;
        assert!(soon(inbox.next()).await.is_none());
    }
}

#[test]
fn outside_of_a_runtime_the_connection_is_closed() {
    let (link, mut inbox) = Link::memory(Stage::new().server(), anonymous());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        assert!(matches!(soon(link.send(Outgoing::message("{}"))).await, Err(LinkError::Closed { .. })));
        assert!(soon(inbox.next()).await.is_none());
    });
}
