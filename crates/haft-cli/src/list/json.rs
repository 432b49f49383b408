//! The definitions as they came.

use haft_client::{Server, Tools};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// `{"tools": […], "setAside": […], "server": {…}}`; each definition byte for byte as the server sent it.
pub(super) fn listing(tools: &Tools, server: Option<&Server>) -> String {
    let definitions: Vec<&str> = tools.list.iter().map(|tool| tool.definition().raw.get()).collect();
    let set_aside: Vec<Value> =
        tools.set_aside.iter().map(|aside| json!({ "name": aside.name, "reason": aside.reason })).collect();
    let missing = match &tools.missing {
        Some(missing) => format!(",\"missing\":{}", json!(missing)),
        None => String::new(),
    };
    let server = match server {
        Some(server) => {
            let info = server.introduction.info.as_deref().map_or("null", RawValue::get);
            format!("{{\"protocolVersion\":{},\"info\":{info}}}", json!(server.version))
        }
        None => "null".to_owned(),
    };
    format!(
        "{{\"tools\":[{}],\"setAside\":{}{missing},\"server\":{server}}}\n",
        definitions.join(","),
        Value::Array(set_aside)
    )
}
