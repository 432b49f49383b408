//! A client and a server with nothing between them.

use haft_transport::InMemory;
use serde_json::{Value, json};

use crate::messages::{call, call_with_progress, initialize, legacy, legacy_call, notification, text};
use crate::stage::{Stage, anonymous, once, soon};

fn parse(messages: &[Vec<u8>]) -> Vec<Value> {
    messages.iter().map(|message| serde_json::from_slice(message).unwrap()).collect()
}

async fn ask(client: &InMemory, message: &Value) -> Vec<Value> {
    parse(&soon(client.call(message.to_string().as_bytes())).await)
}

#[tokio::test]
async fn everything_that_comes_for_a_message_comes_in_order() {
    let stage = Stage::new();
    let client = InMemory::new(stage.server(), anonymous());
    let answers = ask(&client, &call(1, "echo", json!({ "text": "x" }))).await;
    assert_eq!((answers.len(), text(&answers[0])), (1, "x"));
    let message = call_with_progress(2, "steps").to_string();
    let mut replies = client.send(message.as_bytes());
    let mut seen = Vec::new();
    while let Some(reply) = soon(replies.next()).await {
        stage.gate.add_permits(1);
        seen.push(reply);
    }
    let seen = parse(&seen);
    assert_eq!(seen.len(), 3);
    assert!(seen[..2].iter().all(|message| message["method"] == "notifications/progress"));
    assert_eq!(text(&seen[2]), "stepped");
    assert_eq!(soon(replies.next()).await, None);
    assert_eq!(
        ask(&client, &notification("notifications/cancelled", json!({ "requestId": 2 }))).await,
        [] as [Value; 0]
    );
}

#[tokio::test]
async fn both_sides_can_ask_and_a_client_that_goes_away_takes_its_calls_along() {
    let stage = Stage::new();
    let server = stage.server();
    let mut client = InMemory::new(server.clone(), anonymous());
    ask(&client, &initialize(0, "2025-11-25")).await;
    ask(&client, &notification("notifications/initialized", json!({}))).await;
    let message = legacy_call(1, "ask").to_string();
    let mut replies = client.send(message.as_bytes());
    let question: Value = serde_json::from_slice(&soon(replies.next()).await.unwrap()).unwrap();
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } });
    assert_eq!(ask(&client, &answer).await, [] as [Value; 0]);
    let answered: Value = serde_json::from_slice(&soon(replies.next()).await.unwrap()).unwrap();
    assert_eq!(answered["id"], 1);
    assert_eq!(ask(&client, &legacy(2, "ping", json!({}))).await.len(), 1);

    assert!(server.remove_tool("big"));
    let notice: Value = serde_json::from_slice(&soon(client.notice()).await.unwrap()).unwrap();
    assert_eq!(notice["method"], "notifications/tools/list_changed");

    let message = call(3, "hold", json!({})).to_string();
    let mut replies = client.send(message.as_bytes());
    let waiting = tokio::spawn(async move { replies.next().await });
    once(&stage.started).await;
    drop(client);
    assert_eq!(soon(waiting).await.unwrap(), None);
    once(&stage.dropped).await;
}
