//! Writing what a client asks.

use std::borrow::Cow;

use serde_json::json;

use crate::headers;
use crate::jsonrpc::Id;
use crate::model::{Ask, ClientCapabilities, Implementation};
use crate::revision::{Era, Revision};
use crate::write::{self, Object};

/// What a client says of itself, encoded once.
#[derive(Clone, Debug)]
pub struct ClientFacts {
    info: Implementation,
    info_json: String,
    capabilities: ClientCapabilities,
}

impl ClientFacts {
    /// A client with a name that can do this.
    pub fn new(info: Implementation, capabilities: ClientCapabilities) -> Self {
        // An `Implementation` is three strings: it always encodes.
        let info_json = serde_json::to_string(&info).unwrap_or_default();
        Self { info, info_json, capabilities }
    }

    /// Name and version.
    pub const fn info(&self) -> &Implementation {
        &self.info
    }

    /// What the client can do.
    pub const fn capabilities(&self) -> ClientCapabilities {
        self.capabilities
    }

    /// The capabilities as a revision knows them.
    fn capabilities_json(&self, revision: Revision) -> String {
        let mut object = serde_json::Map::new();
        let ClientCapabilities { elicitation_form, elicitation_url, roots, sampling, .. } = self.capabilities;
        if (elicitation_form || elicitation_url) && revision >= Revision::V2025_06_18 {
            let mut modes = serde_json::Map::new();
            if revision >= Revision::V2025_11_25 {
                if elicitation_form {
                    modes.insert("form".to_owned(), json!({}));
                }
                if elicitation_url {
                    modes.insert("url".to_owned(), json!({}));
                }
            }
            object.insert("elicitation".to_owned(), modes.into());
        }
        if roots {
            object.insert("roots".to_owned(), json!({}));
        }
        if sampling {
            object.insert("sampling".to_owned(), json!({}));
        }
        serde_json::Value::Object(object).to_string()
    }
}

/// A whole request.
pub(super) fn encode(
    revision: Revision,
    id: &Id<'_>,
    ask: &Ask<'_>,
    facts: &ClientFacts,
    progress_token: Option<&Id<'_>>,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(capacity(ask));
    let mut envelope = Object::open(&mut out);
    envelope.string("jsonrpc", "2.0");
    envelope.raw("id", id.as_json());
    envelope.string("method", ask.method());
    let mut params = Object::open(envelope.key("params"));
    write_params(revision, ask, facts, &mut params);
    let is_stateless = revision.era() == Era::Stateless;
    if is_stateless || progress_token.is_some() {
        let mut meta = Object::open(params.key("_meta"));
        if is_stateless {
            meta.string("io.modelcontextprotocol/protocolVersion", revision.as_str());
            meta.raw("io.modelcontextprotocol/clientCapabilities", &facts.capabilities_json(revision));
            meta.raw("io.modelcontextprotocol/clientInfo", &facts.info_json);
        }
        if let Some(token) = progress_token {
            meta.raw("progressToken", token.as_json());
        }
        meta.close();
    }
    params.close();
    envelope.close();
    out
}

fn write_params(revision: Revision, ask: &Ask<'_>, facts: &ClientFacts, params: &mut Object<'_>) {
    match *ask {
        Ask::CallTool { name, arguments, input_responses, request_state } => {
            params.string("name", name);
            params.raw("arguments", arguments.get());
            params.raw_if("inputResponses", input_responses);
            params.string_if("requestState", request_state);
        }
        Ask::GetPrompt { name, arguments, input_responses, request_state } => {
            params.string("name", name);
            params.raw_if("arguments", arguments);
            params.raw_if("inputResponses", input_responses);
            params.string_if("requestState", request_state);
        }
        Ask::Initialize => {
            params.string("protocolVersion", revision.as_str());
            params.raw("capabilities", &facts.capabilities_json(revision));
            params.raw("clientInfo", &facts.info_json);
        }
        Ask::Listen => {
            params.raw("notifications", r#"{"toolsListChanged":true}"#);
        }
        Ask::ListPrompts(cursor)
        | Ask::ListResourceTemplates(cursor)
        | Ask::ListResources(cursor)
        | Ask::ListTools(cursor) => params.string_if("cursor", cursor),
        Ask::ReadResource { uri, input_responses, request_state } => {
            params.string("uri", uri);
            params.raw_if("inputResponses", input_responses);
            params.string_if("requestState", request_state);
        }
        Ask::Discover | Ask::Ping => {}
    }
}

/// About how long the request will be.
fn capacity(ask: &Ask<'_>) -> usize {
    let carried = match ask {
        Ask::CallTool { arguments, input_responses, request_state, .. } => {
            arguments.get().len()
                + input_responses.map_or(0, |responses| responses.get().len())
                + request_state.map_or(0, str::len)
        }
        _ => 0,
    };
    384 + carried
}

/// `notifications/initialized`.
pub(super) fn initialized() -> Vec<u8> {
    br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_vec()
}

/// The answer to a request of the server; `result` is JSON text.
pub(super) fn answer(id: &Id<'_>, result: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(48 + result.len());
    let mut envelope = Object::open(&mut out);
    envelope.string("jsonrpc", "2.0");
    envelope.raw("id", id.as_json());
    envelope.raw("result", result);
    envelope.close();
    out
}

/// The error that answers a request of the server.
pub(super) fn refusal(id: &Id<'_>, code: i32, message: &str) -> Vec<u8> {
    write::error(Some(id), code, message, None)
}

/// The headers that a revision wants beside a message over HTTP.
///
/// 2026-07-28, streamable HTTP: standard headers; 2025-06-18 and later, transports: protocol version header, which
/// `initialize` itself goes without.
pub(super) fn standard_headers<'a>(
    revision: Revision,
    method: &'a str,
    subject: Option<&'a str>,
) -> Vec<(&'static str, Cow<'a, str>)> {
    let version = ("mcp-protocol-version", Cow::Borrowed(revision.as_str()));
    match revision.era() {
        Era::Handshake if method == "initialize" || revision < Revision::V2025_06_18 => Vec::new(),
        Era::Handshake => vec![version],
        Era::Stateless => {
            let mut headers = vec![version, ("mcp-method", headers::encode(method))];
            if let Some(subject) = subject {
                headers.push(("mcp-name", headers::encode(subject)));
            }
            headers
        }
    }
}
