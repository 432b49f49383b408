//! What a function may return.

use haft::schemars::{self, JsonSchema};
use haft::{Audio, Content, Image, Json, ResourceLink, Server, ToolError, ToolResult, tool, tools};
use serde::Serialize;
use serde_json::json;

use crate::conversation::Conversation;

#[derive(Serialize, JsonSchema)]
struct Ticket {
    id: u32,
    title: String,
}

/// Shows a ticket.
#[tool(read_only)]
async fn ticket(id: u32) -> Result<Json<Ticket>, ToolError> {
    if id == 0 {
        return Err(ToolError::tell("tickets count from 1"));
    }
    Ok(Json(Ticket { id, title: "Login".to_owned() }))
}

/// Draws.
#[tool(read_only)]
async fn picture() -> Image {
    Image::new([1, 2, 3], "image/png")
}

/// Sings.
#[tool(read_only)]
async fn sound() -> Audio {
    Audio::new([1, 2, 3], "audio/wav")
}

/// Points.
#[tool(read_only)]
async fn link() -> ResourceLink {
    ResourceLink::new("https://host.example/a", "a")
}

/// Says two things.
#[tool(read_only)]
async fn both() -> Vec<Content> {
    vec![Content::text("a"), Image::new([1], "image/png").into()]
}

/// Says it all itself.
#[tool(read_only)]
async fn whole() -> ToolResult {
    ToolResult::error("no")
}

/// Counts.
#[tool(read_only)]
async fn count() -> u64 {
    u64::MAX
}

#[tokio::test]
async fn json_is_structured_content_with_its_schema() {
    let definition = Conversation::definition(Server::new(tools![ticket]));
    let schema = &definition["outputSchema"];
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["required"], json!(["id", "title"]));
    let client = Conversation::with(Server::new(tools![ticket]));
    let result = client.call("ticket", json!({ "id": 7 })).await;
    assert_eq!(result["structuredContent"], json!({ "id": 7, "title": "Login" }));
    assert_eq!(result["content"][0]["text"], r#"{"id":7,"title":"Login"}"#);
    assert_eq!(client.error("ticket", json!({ "id": 0 })).await, "tickets count from 1");
}

#[tokio::test]
async fn every_kind_of_content_can_be_returned() {
    let client = Conversation::with(Server::new(tools![picture, sound, link, both, whole, count]));
    let content = async |name: &'static str| client.call(name, json!({})).await["content"].clone();
    assert_eq!(content("picture").await, json!([{ "type": "image", "data": "AQID", "mimeType": "image/png" }]));
    assert_eq!(content("sound").await, json!([{ "type": "audio", "data": "AQID", "mimeType": "audio/wav" }]));
    let link = json!([{ "type": "resource_link", "uri": "https://host.example/a", "name": "a" }]);
    assert_eq!(content("link").await, link);
    assert_eq!(content("both").await.as_array().unwrap().len(), 2);
    assert_eq!(client.error("whole", json!({})).await, "no");
    assert_eq!(client.text("count", json!({})).await, "18446744073709551615");
}
