//! Requests of the handshake era.

use crate::error::Fault;
use crate::jsonrpc::{Id, Request};
use crate::model::{ClientCapabilities, ClientRequest, Initialize, MetaFields, RequestMeta, text};
use crate::stateless::shared;

pub(crate) fn request_meta<'a>(fields: &MetaFields<'a>) -> RequestMeta<'a> {
    RequestMeta { progress_token: fields.progress_token.and_then(Id::read), capabilities: None, client_info: None }
}

pub(crate) fn decode<'a>(request: &'a Request<'a>) -> Result<ClientRequest<'a>, Fault> {
    match request.method.as_ref() {
        "initialize" => initialize(request).map(ClientRequest::Initialize),
        "ping" => Ok(ClientRequest::Ping),
        _ => shared(request),
    }
}

fn initialize<'a>(request: &'a Request<'a>) -> Result<Initialize<'a>, Fault> {
    let params = &request.params;
    let protocol_version = params
        .get("protocolVersion")
        .and_then(text)
        .ok_or_else(|| Fault::InvalidParams { message: "`initialize` needs `protocolVersion`, a string".to_owned() })?;
    let capabilities = match params.get("capabilities") {
        None => ClientCapabilities::default(),
        Some(raw) => ClientCapabilities::read(raw)
            .ok_or_else(|| Fault::InvalidParams { message: "`capabilities` has to be an object".to_owned() })?,
    };
    Ok(Initialize { protocol_version, capabilities, client_info: params.get("clientInfo") })
}
