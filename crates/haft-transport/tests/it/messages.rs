//! Messages as clients of both eras write them.

use serde_json::{Value, json};

/// A request of 2026-07-28.
pub fn modern(id: impl Into<Value>, method: &str, params: Value) -> Value {
    let mut params = params;
    let meta = &mut params["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A call of 2026-07-28.
pub fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    modern(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

/// The same with a token for progress.
pub fn call_with_progress(id: impl Into<Value>, tool: &str) -> Value {
    modern(id, "tools/call", json!({ "name": tool, "arguments": {}, "_meta": { "progressToken": "p" } }))
}

/// A request of the handshake era.
pub fn legacy(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// The first message of the handshake era.
pub fn initialize(id: impl Into<Value>, version: &str) -> Value {
    let params = json!({
        "protocolVersion": version,
        "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "test", "version": "0" }
    });
    legacy(id, "initialize", params)
}

/// A call of the handshake era, with a token for progress.
pub fn legacy_call(id: impl Into<Value>, tool: &str) -> Value {
    legacy(id, "tools/call", json!({ "name": tool, "arguments": {}, "_meta": { "progressToken": 7 } }))
}

/// A notification.
pub fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// The text of the result of a call.
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {answer}"))
}
