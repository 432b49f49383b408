//! The list while it changes, as a client in memory sees it.

use std::sync::Arc;
use std::time::Duration;

use haft::Principal;
use haft_transport::InMemory;
use serde_json::{Value, json};

use super::server;

async fn request(client: &InMemory, id: u32, method: &str, params: &Value) -> Value {
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let replies = tokio::time::timeout(PATIENCE, client.call(request.to_string().as_bytes())).await.unwrap();
    serde_json::from_slice::<Value>(replies.last().unwrap()).unwrap()["result"].clone()
}

async fn text(client: &InMemory, id: u32, tool: &str, arguments: Value) -> String {
    let result = request(client, id, "tools/call", &json!({ "name": tool, "arguments": arguments })).await;
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

async fn names(client: &InMemory, id: u32) -> Vec<String> {
    let listed = request(client, id, "tools/list", &json!({})).await;
    let tools = listed["tools"].as_array().unwrap().iter();
    tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

async fn is_told(client: &mut InMemory) -> bool {
    let notice = tokio::time::timeout(PATIENCE, client.notice()).await.unwrap().unwrap();
    serde_json::from_slice::<Value>(&notice).unwrap()["method"] == "notifications/tools/list_changed"
}

#[tokio::test]
async fn a_client_is_told_when_a_tool_comes_and_when_it_goes() {
    let mut client = InMemory::new(server().unwrap(), Arc::new(Principal::anonymous()));
    let hello = json!({
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    let hello = request(&client, 1, "initialize", &hello).await;
    assert_eq!(hello["capabilities"]["tools"]["listChanged"], true);
    client.call(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    assert_eq!(names(&client, 2).await, ["forget", "learn"]);

    let standup = json!({ "word": "standup", "meaning": "The meeting at nine" });
    assert_eq!(text(&client, 3, "learn", standup.clone()).await, "there is a tool `standup` now");
    assert!(is_told(&mut client).await);
    assert_eq!(names(&client, 4).await, ["forget", "learn", "standup"]);
    assert_eq!(text(&client, 5, "standup", json!({})).await, "The meeting at nine");
    assert_eq!(text(&client, 6, "learn", standup).await, "`standup` cannot be added: two tools are named `standup`");

    assert_eq!(text(&client, 7, "forget", json!({ "word": "standup" })).await, "there is no tool `standup` any more");
    assert!(is_told(&mut client).await);
    assert_eq!(names(&client, 8).await, ["forget", "learn"]);
    assert_eq!(text(&client, 9, "forget", json!({ "word": "learn" })).await, "`learn` is no word that was learnt");
}

const PATIENCE: Duration = Duration::from_secs(5);
