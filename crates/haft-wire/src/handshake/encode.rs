//! Answers in the handshake era.

use crate::error::{Fault, code};
use crate::jsonrpc::Id;
use crate::model::{ServerFacts, ServerResult, ToolResult};
use crate::revision::Revision;
use crate::write::{self, ContentForm, Object};

/// The code of a fault, and its `data`.
pub(crate) fn error(fault: &Fault) -> (i32, Option<String>) {
    match fault {
        Fault::ResourceNotFound { uri } => {
            (code::RESOURCE_NOT_FOUND, Some(serde_json::json!({ "uri": uri }).to_string()))
        }
        // Before 2026-07-28 this had no code of its own (2025-11-25, lifecycle: the example of an error).
        Fault::UnsupportedVersion { requested } => {
            (code::INVALID_PARAMS, Some(crate::stateless::version_data(requested)))
        }
        Fault::HeaderMismatch { .. } | Fault::MissingCapability { .. } => (code::INVALID_PARAMS, None),
        other => crate::stateless::error(other),
    }
}

pub(crate) fn encode(revision: Revision, id: &Id<'_>, result: &ServerResult<'_>, facts: &ServerFacts) -> Vec<u8> {
    let mut out = write::open_result(id, write::capacity(result));
    match result {
        ServerResult::CallTool(result) => call_tool(revision, &mut out, result),
        // These answer requests that the era does not have.
        ServerResult::Discover(_) | ServerResult::Empty | ServerResult::InputRequired(_) => {
            out.extend_from_slice(b"{}");
        }
        ServerResult::Initialize => initialize(revision, &mut out, facts),
        ServerResult::ListResourceTemplates(_) => out.extend_from_slice(br#"{"resourceTemplates":[]}"#),
        ServerResult::ListResources(_) => out.extend_from_slice(br#"{"resources":[]}"#),
        ServerResult::ListTools(page) => {
            out.extend_from_slice(br#"{"tools":["#);
            out.extend_from_slice(page.tools);
            out.push(b']');
            if let Some(cursor) = page.next_cursor {
                out.extend_from_slice(br#","nextCursor":"#);
                write::string(&mut out, cursor);
            }
            out.push(b'}');
        }
        ServerResult::ReadResource(contents, _) => {
            out.extend_from_slice(br#"{"contents":["#);
            for (position, part) in contents.iter().enumerate() {
                if position > 0 {
                    out.push(b',');
                }
                write::resource_contents(&mut out, part);
            }
            out.extend_from_slice(b"]}");
        }
    }
    out.push(b'}');
    out
}

fn initialize(revision: Revision, out: &mut Vec<u8>, facts: &ServerFacts) {
    let mut object = Object::open(out);
    object.string("protocolVersion", revision.as_str());
    let mut capabilities = Object::open(object.key("capabilities"));
    capabilities.raw("tools", r#"{"listChanged":true}"#);
    if facts.serves_resources() {
        capabilities.raw("resources", "{}");
    }
    capabilities.close();
    object.raw("serverInfo", facts.info_json());
    object.string_if("instructions", facts.instructions());
    object.close();
}

fn call_tool(revision: Revision, out: &mut Vec<u8>, result: &ToolResult) {
    let modern = revision >= Revision::V2025_06_18;
    let form =
        ContentForm { audio: revision >= Revision::V2025_03_26, links: modern, meta: modern, last_modified: modern };
    out.extend_from_slice(br#"{"content":["#);
    for (position, block) in result.content.iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write::content(out, block, form);
    }
    out.push(b']');
    // Before 2026-07-28 structured content is an object (2025-06-18, tools: structured content).
    if let Some(value) = result.structured.as_ref().filter(|value| modern && value.get().starts_with('{')) {
        out.extend_from_slice(br#","structuredContent":"#);
        out.extend_from_slice(value.get().as_bytes());
    }
    out.extend_from_slice(if result.is_error { br#","isError":true"# } else { br#","isError":false"# });
    if let Some(meta) = result.meta.as_ref().filter(|meta| meta.get().starts_with('{')) {
        out.extend_from_slice(br#","_meta":"#);
        out.extend_from_slice(meta.get().as_bytes());
    }
    out.push(b'}');
}
