//! A client in memory: one pipe, both eras.

use std::collections::HashMap;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use haft_core::{
    Answer, BuildError, Connection, Event, Exchange, Handled, Peer, Principal, Server, ServerBuilder, Tool, ToolSet,
    Via,
};
use haft_wire::headers::HeaderFacts;
use serde_json::{Value, json};

/// `_meta` of a client of 2026-07-28 that can do nothing.
pub(crate) fn meta() -> Value {
    meta_with(json!({}))
}

/// `_meta` of a client of 2026-07-28 with these capabilities.
pub(crate) fn meta_with(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// A request of 2026-07-28.
pub(crate) fn modern(id: u64, method: &str, mut params: Value) -> Value {
    if params.get("_meta").is_none() {
        params["_meta"] = meta();
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// A call in 2026-07-28.
pub(crate) fn call(id: u64, name: &str, arguments: Value) -> Value {
    modern(id, "tools/call", json!({ "name": name, "arguments": arguments }))
}

pub(crate) struct Client {
    pub(crate) server: Server,
    pub(crate) connection: Arc<Connection>,
    pub(crate) principal: Arc<Principal>,
}

impl Client {
    pub(crate) fn new(tools: Vec<Arc<dyn Tool>>) -> Self {
        Self::with(tools, |builder| builder)
    }

    pub(crate) fn with(tools: Vec<Arc<dyn Tool>>, build: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Self {
        Self::of(build(Server::builder(ToolSet::new("test", "1.0", tools))).build().unwrap(), Principal::anonymous())
    }

    pub(crate) fn of(server: Server, principal: Principal) -> Self {
        let principal = Arc::new(principal);
        Self { connection: server.connection(Arc::clone(&principal)), server, principal }
    }

    pub(crate) fn handle(&self, message: &Value) -> Handled {
        self.handle_text(&message.to_string())
    }

    pub(crate) fn handle_text(&self, text: &str) -> Handled {
        let peer = Peer { principal: &self.principal, via: Via::Pipe(&self.connection) };
        self.server.handle(text.as_bytes(), &peer)
    }

    /// Sends a message as a request of its own over HTTP.
    pub(crate) fn post(&self, message: &Value, headers: &HashMap<&str, &str>) -> Handled {
        let header = |name: &str| headers.get(name).map(|value| value.as_bytes());
        let facts = HeaderFacts {
            version: header("mcp-protocol-version"),
            method: header("mcp-method"),
            name: header("mcp-name"),
            session: header("mcp-session-id"),
        };
        let lookup = |name: &str| header(name);
        let peer = Peer { principal: &self.principal, via: Via::Http { headers: facts, lookup: &lookup } };
        self.server.handle(message.to_string().as_bytes(), &peer)
    }

    /// The handshake of a legacy client.
    pub(crate) fn initialize(&self, version: &str, capabilities: Value) -> Value {
        let params = json!({ "protocolVersion": version, "capabilities": capabilities,
            "clientInfo": { "name": "test", "version": "1" } });
        let answer = self.handle(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
        let initialized = self.handle(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assert!(matches!(initialized, Handled::Accepted));
        body(&at_once(answer))
    }

    /// Sends a message and waits for its answer, whatever comes before.
    pub(crate) async fn ask(&self, message: &Value) -> Value {
        let (_, answer) = events(self.handle(message)).await;
        answer.map(|answer| body(&answer)).expect("there is an answer")
    }

    /// Calls a tool in 2026-07-28 and returns the result, or the error.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Value {
        let answer = self.ask(&call(1, name, arguments)).await;
        answer.get("result").or_else(|| answer.get("error")).cloned().expect("a result or an error")
    }
}

/// The messages before an answer, and the answer.
pub(crate) async fn events(handled: Handled) -> (Vec<Value>, Option<Answer>) {
    match handled {
        Handled::Accepted => (Vec::new(), None),
        Handled::Answer(answer) => (Vec::new(), Some(answer)),
        Handled::Batch(_) => panic!("a batch"),
        Handled::Exchange(mut exchange) => {
            let mut messages = Vec::new();
            loop {
                match soon(exchange.next()).await {
                    Event::Message(message) => messages.push(serde_json::from_slice(&message).unwrap()),
                    Event::Answer(answer) => return (messages, Some(answer)),
                    Event::End => return (messages, None),
                }
            }
        }
    }
}

pub(crate) fn exchange(handled: Handled) -> Box<Exchange> {
    match handled {
        Handled::Exchange(exchange) => exchange,
        other => panic!("no exchange: {other:?}"),
    }
}

pub(crate) fn at_once(handled: Handled) -> Answer {
    match handled {
        Handled::Answer(answer) => answer,
        other => panic!("no answer: {other:?}"),
    }
}

pub(crate) fn body(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body).expect("an answer is JSON")
}

/// Polls once and expects that there is nothing yet.
pub(crate) async fn nothing_yet(exchange: &mut Exchange) {
    std::future::poll_fn(|context| {
        assert!(exchange.poll_event(context).is_pending());
        Poll::Ready(())
    })
    .await;
}

/// No test waits for ever.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("it happens within five seconds")
}

/// A tool without arguments.
pub(crate) fn tool<F>(name: &str, handler: impl Fn(haft_core::Context) -> F + Send + Sync + 'static) -> Arc<dyn Tool>
where
    F: Future<Output: haft_core::IntoOutcome> + Send + 'static,
{
    raw(name, json!({ "type": "object" }), move |_, context| handler(context)).unwrap()
}

/// A tool with a schema of its own.
pub(crate) fn raw<F>(
    name: &str,
    schema: Value,
    handler: impl Fn(Value, haft_core::Context) -> F + Send + Sync + 'static,
) -> Result<Arc<dyn Tool>, BuildError>
where
    F: Future<Output: haft_core::IntoOutcome> + Send + 'static,
{
    let definition = json!({ "name": name, "description": "A tool.", "inputSchema": schema });
    let tool = haft_core::RawTool::new(&definition.to_string(), move |arguments, context| {
        handler(serde_json::from_str(arguments.get()).unwrap(), context)
    })?;
    Ok(Arc::new(tool))
}
