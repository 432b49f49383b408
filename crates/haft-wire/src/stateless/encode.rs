//! Answers in the stateless era.

use crate::error::{Fault, code};
use crate::jsonrpc::Id;
use crate::model::{CacheHint, InputRequired, Listen, Members, ServerFacts, ServerResult, ToolResult};
use crate::revision::Revision;
use crate::write::{self, ContentForm, Object};

/// The code of a fault, and its `data`.
pub(crate) fn error(fault: &Fault) -> (i32, Option<String>) {
    match fault {
        Fault::Busy { retry_after, .. } => {
            (code::INTERNAL, Some(serde_json::json!({ "retryAfterSeconds": retry_after }).to_string()))
        }
        Fault::HeaderMismatch { .. } => (code::HEADER_MISMATCH, None),
        Fault::Internal { reference } => {
            (code::INTERNAL, Some(serde_json::json!({ "reference": reference }).to_string()))
        }
        Fault::InvalidParams { .. } | Fault::MalformedMeta { .. } | Fault::UnknownTool { .. } => {
            (code::INVALID_PARAMS, None)
        }
        Fault::InvalidRequest { .. } => (code::INVALID_REQUEST, None),
        Fault::MethodNotFound { .. } => (code::METHOD_NOT_FOUND, None),
        Fault::MissingCapability { required } => {
            (code::MISSING_CAPABILITY, Some(format!(r#"{{"requiredCapabilities":{required}}}"#)))
        }
        Fault::Parse { .. } => (code::PARSE, None),
        Fault::ResourceNotFound { uri } => (code::INVALID_PARAMS, Some(serde_json::json!({ "uri": uri }).to_string())),
        Fault::UnsupportedVersion { requested } => (code::UNSUPPORTED_VERSION, Some(version_data(requested))),
    }
}

/// The `data` of an error about versions: what is served, newest first, and what was asked for.
pub(crate) fn version_data(requested: &str) -> String {
    serde_json::json!({ "supported": served(), "requested": requested }).to_string()
}

pub(crate) fn encode(id: &Id<'_>, result: &ServerResult<'_>, facts: &ServerFacts) -> Vec<u8> {
    let mut out = write::open_result(id, write::capacity(result) + facts.meta_json().len());
    match result {
        ServerResult::CallTool(result) => return call_tool(out, result, facts),
        ServerResult::Discover(cache) => {
            let mut object = open(&mut out);
            discover(&mut object, facts);
            close_cached(object, *cache, facts);
        }
        // `initialize` is no request of this era.
        ServerResult::Empty | ServerResult::Initialize => close(open(&mut out), facts),
        ServerResult::InputRequired(input) => input_required(&mut out, input, facts),
        ServerResult::ListResourceTemplates(cache) => {
            let mut object = open(&mut out);
            object.raw("resourceTemplates", "[]");
            close_cached(object, *cache, facts);
        }
        ServerResult::ListResources(cache) => {
            let mut object = open(&mut out);
            object.raw("resources", "[]");
            close_cached(object, *cache, facts);
        }
        ServerResult::ListTools(page) => {
            let mut object = open(&mut out);
            let tools = object.key("tools");
            tools.push(b'[');
            tools.extend_from_slice(page.tools);
            tools.push(b']');
            object.string_if("nextCursor", page.next_cursor);
            close_cached(object, page.cache, facts);
        }
        ServerResult::ReadResource(contents, cache) => {
            let mut object = open(&mut out);
            let list = object.key("contents");
            list.push(b'[');
            for (position, part) in contents.iter().enumerate() {
                if position > 0 {
                    list.push(b',');
                }
                write::resource_contents(list, part);
            }
            list.push(b']');
            close_cached(object, *cache, facts);
        }
    }
    out.push(b'}');
    out
}

/// `notifications/subscriptions/acknowledged` (2026-07-28, subscriptions).
pub(crate) fn acknowledged(subscription: &Id<'_>, honoured: Listen) -> Vec<u8> {
    write::notification("notifications/subscriptions/acknowledged", |params| {
        params.raw("notifications", if honoured.tools_list_changed { r#"{"toolsListChanged":true}"# } else { "{}" });
        subscription_meta(params, subscription);
    })
}

/// The result that ends a subscription.
pub(crate) fn listen_ended(subscription: &Id<'_>, facts: &ServerFacts) -> Vec<u8> {
    let mut out = write::open_result(subscription, 256);
    let mut object = open(&mut out);
    let mut meta = Object::open(object.key("_meta"));
    meta.raw("io.modelcontextprotocol/subscriptionId", subscription.as_json());
    meta.raw(SERVER_INFO, facts.info_json());
    meta.close();
    object.close();
    out.push(b'}');
    out
}

/// The `_meta` of everything that a subscription delivers.
pub(crate) fn subscription_meta(params: &mut Object<'_>, subscription: &Id<'_>) {
    let mut meta = Object::open(params.key("_meta"));
    meta.raw("io.modelcontextprotocol/subscriptionId", subscription.as_json());
    meta.close();
}

fn served() -> Vec<&'static str> {
    Revision::ALL.iter().rev().map(|revision| revision.as_str()).collect()
}

fn open(out: &mut Vec<u8>) -> Object<'_> {
    let mut object = Object::open(out);
    object.raw("resultType", r#""complete""#);
    object
}

fn close(mut object: Object<'_>, facts: &ServerFacts) {
    object.raw("_meta", facts.meta_json());
    object.close();
}

fn close_cached(mut object: Object<'_>, cache: CacheHint, facts: &ServerFacts) {
    object.raw("ttlMs", &cache.ttl_ms.to_string());
    object.string("cacheScope", cache.scope.as_str());
    close(object, facts);
}

fn discover(object: &mut Object<'_>, facts: &ServerFacts) {
    object.raw("supportedVersions", &serde_json::json!(served()).to_string());
    let mut capabilities = Object::open(object.key("capabilities"));
    capabilities.raw("tools", r#"{"listChanged":true}"#);
    if facts.serves_resources() {
        capabilities.raw("resources", "{}");
    }
    capabilities.close();
    object.string_if("instructions", facts.instructions());
}

fn input_required(out: &mut Vec<u8>, input: &InputRequired, facts: &ServerFacts) {
    let mut object = Object::open(out);
    object.raw("resultType", r#""input_required""#);
    if !input.requests.is_empty() {
        let mut requests = Object::open(object.key("inputRequests"));
        for request in &input.requests {
            write::input_request(requests.key(&request.key), request);
        }
        requests.close();
    }
    object.string_if("requestState", input.state.as_deref());
    close(object, facts);
}

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The answer of the hot path: constant bytes around the content.
fn call_tool(mut out: Vec<u8>, result: &ToolResult, facts: &ServerFacts) -> Vec<u8> {
    const FORM: ContentForm = ContentForm { audio: true, links: true, meta: true, last_modified: true };
    out.extend_from_slice(br#"{"resultType":"complete","content":["#);
    for (position, block) in result.content.iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write::content(&mut out, block, FORM);
    }
    out.push(b']');
    if let Some(value) = &result.structured {
        out.extend_from_slice(br#","structuredContent":"#);
        out.extend_from_slice(value.get().as_bytes());
    }
    out.extend_from_slice(if result.is_error { br#","isError":true"# } else { br#","isError":false"# });
    out.extend_from_slice(br#","_meta":"#);
    match &result.meta {
        None => out.extend_from_slice(facts.meta_json().as_bytes()),
        Some(meta) => {
            // The tool's members, and after them who answers; what is no object has none.
            let mut object = Object::open(&mut out);
            for (key, value) in Members::read(meta) {
                if key != SERVER_INFO {
                    object.raw(&key, value.get());
                }
            }
            object.raw(SERVER_INFO, facts.info_json());
            object.close();
        }
    }
    out.extend_from_slice(b"}}");
    out
}
