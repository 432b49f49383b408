//! Requests of the stateless era, and those that both eras share.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::Fault;
use crate::jsonrpc::{Id, Params, Request};
use crate::model::{
    CallTool, ClientCapabilities, ClientRequest, Listen, MetaFields, Page, ReadResource, RequestMeta, text,
};

/// What `_meta` says (2026-07-28, basic: request metadata).
pub(crate) fn request_meta<'a>(fields: &MetaFields<'a>) -> Result<RequestMeta<'a>, Fault> {
    let malformed = |message: &str| Fault::MalformedMeta { message: message.to_owned() };
    if fields.version().is_none() {
        return Err(malformed("`_meta` needs `io.modelcontextprotocol/protocolVersion`, a string"));
    }
    let capabilities = fields
        .client_capabilities
        .and_then(ClientCapabilities::read)
        .ok_or_else(|| malformed("`_meta` needs `io.modelcontextprotocol/clientCapabilities`, an object"))?;
    if let Some(level) = fields.log_level
        && !text(level).is_some_and(|level| LOG_LEVELS.contains(&level.as_ref()))
    {
        let message = "`io.modelcontextprotocol/logLevel` has to be a level of RFC 5424, such as `info`";
        return Err(Fault::InvalidParams { message: message.to_owned() });
    }
    let progress_token = match fields.progress_token {
        None => None,
        Some(raw) => Some(Id::read(raw).ok_or_else(|| Fault::InvalidParams {
            message: "`progressToken` has to be a string or an integer".to_owned(),
        })?),
    };
    Ok(RequestMeta { progress_token, capabilities: Some(capabilities), client_info: fields.client_info })
}

pub(crate) fn decode<'a>(request: &'a Request<'a>) -> Result<ClientRequest<'a>, Fault> {
    match request.method.as_ref() {
        "server/discover" => Ok(ClientRequest::Discover),
        "subscriptions/listen" => listen(&request.params).map(ClientRequest::Listen),
        _ => shared(request),
    }
}

/// The requests that both eras have.
pub(crate) fn shared<'a>(request: &'a Request<'a>) -> Result<ClientRequest<'a>, Fault> {
    let params = &request.params;
    let decoded = match request.method.as_ref() {
        "tools/call" => call_tool(request).map(ClientRequest::CallTool),
        "tools/list" => page(params).map(ClientRequest::ListTools),
        "resources/list" => page(params).map(ClientRequest::ListResources),
        "resources/templates/list" => page(params).map(ClientRequest::ListResourceTemplates),
        "resources/read" => match params.get("uri").and_then(text) {
            Some(uri) => Ok(ClientRequest::ReadResource(ReadResource { uri })),
            None => Err(invalid("`resources/read` needs `uri`, a string")),
        },
        method => return Err(Fault::MethodNotFound { method: method.to_owned() }),
    };
    if params.is_misshapen() {
        return Err(invalid("`params` has to be an object"));
    }
    decoded
}

fn call_tool<'a>(request: &'a Request<'a>) -> Result<CallTool<'a>, Fault> {
    let params = &request.params;
    let name = params.get("name").and_then(text).ok_or_else(|| invalid("`tools/call` needs `name`, a string"))?;
    // Some clients write null where they mean absent.
    let arguments = params.get("arguments").filter(|raw| raw.get() != "null");
    if arguments.is_some_and(|raw| !raw.get().starts_with('{')) {
        return Err(invalid("`arguments` has to be an object"));
    }
    let input_responses = params.get("inputResponses").filter(|raw| raw.get() != "null");
    if input_responses.is_some_and(|raw| !raw.get().starts_with('{')) {
        return Err(invalid("`inputResponses` has to be an object"));
    }
    let request_state = optional_text(params, "requestState")?;
    Ok(CallTool {
        name,
        arguments,
        ambiguous_argument: request.ambiguous_argument.as_ref(),
        input_responses,
        request_state,
    })
}

fn page<'a>(params: &Params<'a>) -> Result<Page<'a>, Fault> {
    Ok(Page { cursor: optional_text(params, "cursor")? })
}

/// A member that is a string; null stands for absent.
fn optional_text<'a>(params: &Params<'a>, name: &str) -> Result<Option<Cow<'a, str>>, Fault> {
    match params.get(name) {
        Some(raw) if raw.get() != "null" => {
            text(raw).map(Some).ok_or_else(|| invalid(&format!("`{name}` has to be a string")))
        }
        _ => Ok(None),
    }
}

fn listen(params: &Params<'_>) -> Result<Listen, Fault> {
    #[derive(Deserialize)]
    struct Filter<'a> {
        #[serde(borrow, rename = "toolsListChanged")]
        tools_list_changed: Option<&'a RawValue>,
    }
    let shape = || invalid("`subscriptions/listen` needs `notifications`, an object of true, false and lists");
    let raw = params.get("notifications").ok_or_else(shape)?;
    if !raw.get().starts_with('{') {
        return Err(shape());
    }
    let filter: Filter<'_> = serde_json::from_str(raw.get()).map_err(|_| shape())?;
    match filter.tools_list_changed.map(RawValue::get) {
        None | Some("false" | "null") => Ok(Listen { tools_list_changed: false }),
        Some("true") => Ok(Listen { tools_list_changed: true }),
        Some(_) => Err(shape()),
    }
}

fn invalid(message: &str) -> Fault {
    Fault::InvalidParams { message: message.to_owned() }
}

const LOG_LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
