//! The tools as functions, and as a client in memory sees them.

use std::sync::Arc;
use std::time::Duration;

use haft::{Json, Principal, State};
use haft_transport::InMemory;
use serde_json::{Value, json};

use crate::server;
use crate::store::Tickets;
use crate::tracker::{create_ticket, get_ticket, search_tickets};

fn tickets() -> State<Tickets> {
    State(Arc::new(Tickets::new().unwrap()))
}

async fn found(query: &str, limit: usize) -> Vec<u32> {
    let Json(found) = search_tickets(tickets(), query.to_owned(), limit).await;
    found.into_iter().map(|ticket| ticket.id).collect()
}

/// A client that can be asked, and says to every question whether it is confirmed.
struct Client {
    server: InMemory,
    confirms: bool,
}

impl Client {
    async fn connect(confirms: bool) -> Self {
        let server = server().unwrap().build().unwrap();
        let client = Self { server: InMemory::new(server, Arc::new(Principal::anonymous())), confirms };
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "test", "version": "1" },
        });
        client.request("initialize", &hello).await;
        client.server.call(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        client
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments })).await
    }

    async fn text(&self, tool: &str, arguments: Value) -> String {
        self.call(tool, arguments).await["content"][0]["text"].as_str().unwrap().to_owned()
    }

    async fn request(&self, method: &str, params: &Value) -> Value {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let mut replies = self.server.send(request.to_string().as_bytes());
        loop {
            let reply = tokio::time::timeout(PATIENCE, replies.next()).await.unwrap().unwrap();
            let reply: Value = serde_json::from_slice(&reply).unwrap();
            if let Some(result) = reply.get("result") {
                return result.clone();
            }
            let answer = json!({ "action": "accept", "content": { "confirmed": self.confirms } });
            let answer = json!({ "jsonrpc": "2.0", "id": reply["id"], "result": answer });
            self.server.call(answer.to_string().as_bytes()).await;
        }
    }
}

#[tokio::test]
async fn a_search_finds_open_tickets_with_every_word_newest_first() {
    assert_eq!(found("login", 10).await, [10, 4, 1]);
    assert_eq!(found("LOGIN mail", 10).await, [4]);
    assert_eq!(found("login", 2).await, [10, 4]);
    assert_eq!(found("language", 10).await, [11]);
    assert!(found("no such words", 10).await.is_empty());
}

#[tokio::test]
async fn a_new_ticket_can_be_found_and_shown() {
    let tickets = tickets();
    let (title, body) = ("Printing cuts the margin".to_owned(), "On A4.".to_owned());
    let Json(created) = create_ticket(State(Arc::clone(&tickets.0)), title, body, vec!["bug".to_owned()]).await;
    assert_eq!(created.id, 13);
    let Json(shown) = get_ticket(State(Arc::clone(&tickets.0)), 13).await.unwrap();
    assert_eq!(shown.title, "Printing cuts the margin");
    let error = get_ticket(tickets, 14).await.unwrap_err();
    assert_eq!(error.told(), Some("there is no ticket 14; `search_tickets` finds tickets by words"));
}

#[tokio::test]
async fn a_client_searches_with_the_default_limit_and_is_told_its_mistakes() {
    let client = Client::connect(true).await;
    let result = client.call("search_tickets", json!({ "query": "bug" })).await;
    assert_eq!(result["isError"], false);
    let first: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(first[0]["id"], 12);
    let told = client.text("search_tickets", json!({ "query": "bug", "limt": 5 })).await;
    assert!(told.contains("did you mean `limit`?"), "{told}");
}

#[tokio::test]
async fn a_ticket_is_closed_only_when_the_person_confirms() {
    let is_open = async |client: &Client| client.text("search_tickets", json!({ "query": "umlauts" })).await != "[]";
    let client = Client::connect(false).await;
    let told = client.text("close_ticket", json!({ "id": 5 })).await;
    assert_eq!(told, "ticket 5 stays open, for the person did not confirm; do not try again");
    assert!(is_open(&client).await);

    let client = Client::connect(true).await;
    assert_eq!(client.text("close_ticket", json!({ "id": 5 })).await, "ticket 5 is closed");
    assert!(!is_open(&client).await);
}

const PATIENCE: Duration = Duration::from_secs(5);
