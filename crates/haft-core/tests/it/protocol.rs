//! One client for every revision: the same request in the form that each of them wants.

use serde_json::{Value, json};

use crate::peer::{Client, meta_with};

/// The revisions that begin with `initialize`, oldest first.
pub(crate) const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The revision in which each request says everything itself.
pub(crate) const STATELESS: &str = "2026-07-28";

/// All revisions, oldest first.
pub(crate) const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS];

/// A client that speaks one revision.
pub(crate) struct Speaker {
    pub(crate) client: Client,
    pub(crate) version: &'static str,
    capabilities: Value,
}

impl Speaker {
    /// Opens the conversation as the revision wants it.
    pub(crate) fn new(client: Client, version: &'static str, capabilities: Value) -> Self {
        if version != STATELESS {
            client.initialize(version, capabilities.clone());
        }
        Self { client, version, capabilities }
    }

    /// A request in the form of the revision.
    pub(crate) fn request(&self, id: impl Into<Value>, method: &str, params: Value) -> Value {
        let mut request = legacy(id, method, params);
        if self.version == STATELESS {
            let own = request["params"]["_meta"].take();
            let mut meta = meta_with(self.capabilities.clone());
            for (key, value) in own.as_object().into_iter().flatten() {
                meta[key] = value.clone();
            }
            request["params"]["_meta"] = meta;
        }
        request
    }

    /// The answer to a request.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        self.client.ask(&self.request(1, method, params)).await
    }

    /// What comes of a call: a result, or an error.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Value {
        let mut answer = self.ask("tools/call", json!({ "name": name, "arguments": arguments })).await;
        match answer.get("error") {
            Some(error) => error.clone(),
            None => answer["result"].take(),
        }
    }
}

/// A request as the handshake era writes it.
pub(crate) fn legacy(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A notification of either era.
pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// What is in a result and in an error, whatever the revision: exactly one of the two, with its types.
pub(crate) fn assert_well_formed(answer: &Value) {
    assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
    let members: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(members.iter().all(|member| ["jsonrpc", "id", "result", "error"].contains(member)), "{answer}");
    assert_ne!(answer.get("result").is_some(), answer.get("error").is_some(), "{answer}");
    match answer.get("error") {
        None => assert!(answer["result"].is_object(), "{answer}"),
        Some(error) => assert!(error["code"].is_i64() && error["message"].is_string(), "{answer}"),
    }
}
