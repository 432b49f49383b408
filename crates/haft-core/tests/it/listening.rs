//! Changes of the catalogue, and who is told of them.

use std::sync::Arc;
use std::time::Duration;

use haft_core::{Event, Principal, Server, ToolSet, Transform, Visibility};
use serde_json::{Value, json};

use crate::peer::{Client, exchange, modern, soon, tool};

fn message(event: Event) -> Value {
    match event {
        Event::Message(message) => serde_json::from_slice(&message).unwrap(),
        Event::Answer(answer) => serde_json::from_slice(&answer.body).unwrap(),
        Event::End => Value::Null,
    }
}

fn new_tool(name: &str) -> Arc<dyn haft_core::Tool> {
    tool(name, |_| async { "fine" })
}

#[tokio::test(start_paused = true)]
async fn many_changes_at_once_are_told_once_to_whoever_asked() {
    let client = Client::new(vec![new_tool("first")]);
    client.initialize("2025-11-25", json!({}));
    let mut notices = client.connection.notices();
    let filter = json!({ "notifications": { "toolsListChanged": true } });
    let mut listening = exchange(client.handle(&modern(9_007_199_254_740_993, "subscriptions/listen", filter)));
    let acknowledged = message(soon(listening.next()).await);
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"], json!({ "toolsListChanged": true }));
    let id = json!({ "io.modelcontextprotocol/subscriptionId": 9_007_199_254_740_993_u64 });
    assert_eq!(acknowledged["params"]["_meta"], id);
    for number in 0..100 {
        client.server.add_tool(new_tool(&format!("tool_{number}"))).unwrap();
    }
    let told = message(soon(listening.next()).await);
    assert_eq!((&told["method"], &told["params"]["_meta"]), (&json!("notifications/tools/list_changed"), &id));
    let notice: Value = serde_json::from_slice(&soon(notices.next()).await.unwrap()).unwrap();
    assert_eq!(notice, json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
    // There is no second word of the same changes.
    let more = tokio::time::timeout(Duration::from_secs(1), listening.next()).await;
    assert!(more.is_err());
    assert!(tokio::time::timeout(Duration::from_secs(1), notices.next()).await.is_err());
    assert!(client.server.remove_tool("tool_5"));
    assert!(!client.server.remove_tool("tool_5"));
    assert_eq!(message(soon(listening.next()).await)["method"], "notifications/tools/list_changed");
}

#[tokio::test(start_paused = true)]
async fn what_changed_while_nobody_listened_is_told_to_whoever_listens_next() {
    let client = Client::new(vec![new_tool("first")]);
    client.initialize("2025-06-18", json!({}));
    client.server.add_tool(new_tool("second")).unwrap();
    let (mut early, mut late) = (client.connection.notices(), client.connection.notices());
    assert!(soon(early.next()).await.is_some());
    assert!(tokio::time::timeout(Duration::from_secs(1), late.next()).await.is_err(), "one listener alone");
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_who_did_not_ask_or_cannot_see() {
    let tools = vec![new_tool("open"), new_tool("secret")];
    let restrict =
        Transform::Restrict { tool: "secret".to_owned(), visibility: Visibility::Groups(vec!["admins".to_owned()]) };
    let server = Server::builder(ToolSet::new("test", "1", tools)).transform(restrict).build().unwrap();
    let client = Client::of(server.clone(), Principal::anonymous());
    let mut listening = exchange(client.handle(&modern(1, "subscriptions/listen", json!({ "notifications": {} }))));
    let acknowledged = message(soon(listening.next()).await);
    assert_eq!(acknowledged["params"]["notifications"], json!({}));
    // A legacy peer that has not said that it is ready is not told either.
    let mut notices = client.connection.notices();
    server.add_tool(new_tool("third")).unwrap();
    assert!(tokio::time::timeout(Duration::from_secs(1), listening.next()).await.is_err());
    assert!(tokio::time::timeout(Duration::from_secs(1), notices.next()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_subscription_ends_with_its_result_when_the_server_does() {
    let client = Client::new(vec![new_tool("first")]);
    let listen = modern(1, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "subscriptions/listen")].into();
    let mut over_http = exchange(client.post(&listen, &headers));
    let mut on_pipe = exchange(client.handle(&listen));
    for listening in [&mut over_http, &mut on_pipe] {
        soon(listening.next()).await;
        assert!(listening.is_subscription());
    }
    client.server.shut_down();
    let end = message(soon(over_http.next()).await);
    assert_eq!(end["result"]["resultType"], "complete");
    assert_eq!(end["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    assert_eq!(message(soon(on_pipe.next()).await)["method"], "notifications/cancelled");
    assert_eq!(message(soon(on_pipe.next()).await)["result"]["resultType"], "complete");
    assert!(matches!(on_pipe.next().await, Event::End));
}

#[tokio::test]
async fn a_subscription_that_the_client_cancels_ends_without_a_word() {
    let client = Client::new(vec![new_tool("first")]);
    let listen = modern(3, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    let mut listening = exchange(client.handle(&listen));
    soon(listening.next()).await;
    client.handle(&json!({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}));
    assert!(matches!(soon(listening.next()).await, Event::End));
}

#[tokio::test]
async fn a_filter_that_is_no_filter_is_refused() {
    let client = Client::new(vec![new_tool("first")]);
    for params in [json!({}), json!({ "notifications": [] }), json!({ "notifications": { "toolsListChanged": "yes" } })]
    {
        let answer = client.ask(&modern(1, "subscriptions/listen", params.clone())).await;
        assert_eq!(answer["error"]["code"], -32602, "{params}");
    }
}
