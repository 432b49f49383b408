//! A client in memory: messages go to the server as a pipe brings them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use haft::{BuiltServer, Principal, Server};
use haft_core::{Connection, Event, Handled, Peer, Via};
use serde_json::{Value, json};

/// A client that has said its hello.
pub(crate) struct Conversation {
    server: BuiltServer,
    principal: Arc<Principal>,
    connection: Arc<Connection>,
    requests: AtomicU32,
}

impl Conversation {
    pub(crate) fn with(server: Server) -> Self {
        let server = server.build().unwrap();
        let principal = Arc::new(Principal::anonymous());
        let connection = server.connection(Arc::clone(&principal));
        let conversation = Self { server, principal, connection, requests: AtomicU32::new(0) };
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "test", "version": "1" },
        });
        conversation.request("initialize", &hello);
        conversation.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        conversation
    }

    /// What the server says in `initialize`.
    pub(crate) fn hello(server: Server) -> Value {
        let conversation = Self::with(server);
        json!(conversation.server.facts().info())
    }

    /// The definition of the one tool there is.
    pub(crate) fn definition(server: Server) -> Value {
        let listed = Self::with(server).request("tools/list", &json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap();
        assert_eq!(tools.len(), 1);
        tools[0].clone()
    }

    /// The result of a call.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Value {
        let mut messages = self.call_with(name, arguments, &json!({}), |_| panic!("asks nothing")).await;
        let answer = messages.pop().unwrap();
        assert!(answer.get("result").is_some(), "{answer}");
        answer["result"].clone()
    }

    /// The text of a call that went well.
    pub(crate) async fn text(&self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments).await;
        assert_ne!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// What a model is told of a call that did not.
    pub(crate) async fn error(&self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// All messages that belong to a call, its answer last; the client answers what the server asks with `reply`.
    pub(crate) async fn call_with(
        &self,
        name: &str,
        arguments: Value,
        meta: &Value,
        reply: impl Fn(&Value) -> Value,
    ) -> Vec<Value> {
        let params = json!({ "name": name, "arguments": arguments, "_meta": meta });
        let request = self.next("tools/call", &params);
        let mut messages = Vec::new();
        let handled = self.tell(&request);
        let mut exchange = match handled {
            Handled::Answer(answer) => return vec![read(&answer.body)],
            Handled::Exchange(exchange) => exchange,
            other => panic!("{other:?}"),
        };
        loop {
            match tokio::time::timeout(PATIENCE, exchange.next()).await.unwrap() {
                Event::Message(message) => {
                    let message = read(&message);
                    if let Some(id) = message.get("id") {
                        self.tell(&json!({ "jsonrpc": "2.0", "id": id, "result": reply(&message["params"]) }));
                    }
                    messages.push(message);
                }
                Event::Answer(answer) => {
                    messages.push(read(&answer.body));
                    return messages;
                }
                Event::End => panic!("the call ended without an answer"),
            }
        }
    }

    fn request(&self, method: &str, params: &Value) -> Value {
        let handled = self.tell(&self.next(method, params));
        match handled {
            Handled::Answer(answer) => read(&answer.body),
            other => panic!("{other:?}"),
        }
    }

    fn next(&self, method: &str, params: &Value) -> Value {
        let id = self.requests.fetch_add(1, Ordering::Relaxed);
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    fn tell(&self, message: &Value) -> Handled {
        let peer = Peer { principal: &self.principal, via: Via::Pipe(&self.connection) };
        self.server.handle(message.to_string().as_bytes(), &peer)
    }
}

fn read(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap()
}

const PATIENCE: Duration = Duration::from_secs(5);
