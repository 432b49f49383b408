//! A client that calls the tools of a manifest, as a transport would bring its messages.

use std::path::Path;
use std::sync::Arc;

use haft_core::{Event, Handled, Peer, Principal, Server, ToolSet, Via};
use serde_json::{Value, json};

use super::environment;
use crate::Manifest;

/// A server of the tools of a manifest.
pub(super) struct Served(Server);

impl Served {
    /// Serves a manifest that stands in a directory.
    pub(super) fn new(text: &str, directory: &Path) -> Self {
        let manifest = Manifest::parse(text, &directory.join("haft.toml"), &environment)
            .unwrap_or_else(|errors| panic!("{:#?}", errors.diagnostics()));
        let info = manifest.server().clone();
        let tools = ToolSet::new(info.name, info.version, manifest.into_tools());
        Self(Server::builder(tools).build().unwrap())
    }

    async fn request(&self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let principal = Arc::new(Principal::anonymous());
        let connection = self.0.connection(Arc::clone(&principal));
        let peer = Peer { principal: &principal, via: Via::Pipe(&connection) };
        let mut exchange = match self.0.handle(request.to_string().as_bytes(), &peer) {
            Handled::Answer(answer) => return serde_json::from_slice(&answer.body).unwrap(),
            Handled::Exchange(exchange) => exchange,
            other => panic!("{other:?}"),
        };
        loop {
            match exchange.next().await {
                Event::Answer(answer) => return serde_json::from_slice(&answer.body).unwrap(),
                Event::Message(_) => {}
                Event::End => panic!("no answer"),
            }
        }
    }

    /// The tools as a client sees them.
    pub(super) async fn list(&self) -> Value {
        self.request("tools/list", json!({})).await["result"]["tools"].take()
    }

    /// The result of a call.
    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Called {
        let mut answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        assert!(answer["error"].is_null(), "{answer}");
        Called(answer["result"].take())
    }
}

/// The result of a call.
#[derive(Debug)]
pub(super) struct Called(pub(super) Value);

impl Called {
    /// Its blocks of text, and whether it is an error.
    pub(super) fn text(&self) -> String {
        let blocks: Vec<&str> =
            self.0["content"].as_array().unwrap().iter().map(|block| block["text"].as_str().unwrap()).collect();
        let mark = if self.0["isError"] == json!(true) { "error: " } else { "" };
        format!("{mark}{}", blocks.join("\n---\n"))
    }
}
