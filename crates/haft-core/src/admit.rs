//! The only place that asks which era a message belongs to, and who may speak in it.
//!
//! What comes out is neutral: a codec, a caller, its capabilities, and the connection where there is one.

use std::sync::Arc;

use haft_wire::headers::HeaderFacts;
use haft_wire::jsonrpc::{Message, Request};
use haft_wire::model::{ClientCapabilities, Initialize, MetaFields, text};
use haft_wire::{Codec, Era, Fault, Revision};

use crate::connection::{Connection, Negotiated};
use crate::principal::Principal;
use crate::server::{Peer, Server, Via};
use crate::sessions::SessionFault;

/// A request that may be served.
#[derive(Debug)]
pub(crate) struct Admitted<'a> {
    pub(crate) codec: Codec,
    pub(crate) principal: &'a Arc<Principal>,
    pub(crate) capabilities: ClientCapabilities,
    /// The pipe or the session; a request of its own has none.
    pub(crate) connection: Option<Arc<Connection>>,
    /// Whether the server can ask the client by requests of its own.
    pub(crate) can_be_asked: bool,
}

/// Why a message is not served.
#[derive(Debug)]
pub(crate) enum Refused {
    /// With an error in the form of a codec.
    Fault(Codec, Fault),
    /// Because it names a session that is not there.
    Session(SessionFault),
}

/// Decides how a request is served (the order is that of 2026-07-28, streamable HTTP: every check that can answer 400).
pub(crate) fn request<'a>(
    server: &Server,
    request: &Request<'_>,
    fields: &MetaFields<'_>,
    peer: &Peer<'a>,
) -> Result<Admitted<'a>, Refused> {
    let is_modern_only = matches!(request.method.as_ref(), "server/discover" | "subscriptions/listen");
    match peer.via {
        Via::Pipe(connection) => {
            if fields.protocol_version.is_some() || is_modern_only {
                return stateless(fields, peer, Some(Arc::clone(connection)));
            }
            on_pipe(request, connection, peer)
        }
        Via::Http { headers, .. } => {
            let named = headers.version.and_then(|version| std::str::from_utf8(version.trim_ascii()).ok());
            let is_modern_header =
                named.and_then(Revision::parse).is_some_and(|revision| revision.era() == Era::Stateless);
            if fields.protocol_version.is_some() || is_modern_only || is_modern_header {
                let admitted = over_http(request, fields, &headers, peer);
                return admitted.map_err(|fault| Refused::Fault(Codec::of_unknown_revision(), fault));
            }
            on_session(server, request, &headers, peer)
        }
    }
}

/// Which connection a notification or a response belongs to; `None` when to none at all.
pub(crate) fn bystander(
    server: &Server,
    message: &Message<'_>,
    peer: &Peer<'_>,
) -> Result<Option<Arc<Connection>>, Refused> {
    let params = match message {
        Message::Notification(notification) => Some(&notification.params),
        Message::Request(_) | Message::Response(_) => None,
    };
    match peer.via {
        Via::Pipe(connection) => Ok(Some(Arc::clone(connection))),
        Via::Http { headers, .. } => {
            let meta = params.map(|params| *params.meta()).unwrap_or_default();
            let is_modern = meta.protocol_version.is_some();
            // The rule is about every POST (2025-06-18, transports: protocol version header).
            let named = headers.version.map(|version| String::from_utf8_lossy(version.trim_ascii()));
            let named = named.or_else(|| meta.version());
            if let Some(unknown) = named.filter(|named| Revision::parse(named).is_none()) {
                let fault = Fault::UnsupportedVersion { requested: unknown.into_owned() };
                return Err(Refused::Fault(Codec::of_unknown_revision(), fault));
            }
            match headers.session {
                Some(id) if !is_modern => server.session(id, peer.principal).map(Some).map_err(Refused::Session),
                _ => Ok(None),
            }
        }
    }
}

/// What `initialize` settles: the revision that was asked for, or the newest of its era
/// (2025-11-25, lifecycle: version negotiation).
pub(crate) fn negotiate(initialize: &Initialize<'_>) -> Negotiated {
    let revision = Revision::parse(&initialize.protocol_version)
        .filter(|revision| revision.era() == Era::Handshake)
        .unwrap_or(Revision::NEWEST_HANDSHAKE);
    Negotiated { codec: Codec::new(revision), capabilities: initialize.capabilities }
}

/// A request that says its version itself.
fn stateless<'a>(
    fields: &MetaFields<'_>,
    peer: &Peer<'a>,
    connection: Option<Arc<Connection>>,
) -> Result<Admitted<'a>, Refused> {
    let codec = Codec::of_unknown_revision();
    let refuse = |fault| Refused::Fault(codec, fault);
    let meta = codec.request_meta(fields).map_err(refuse)?;
    let version = fields.version().unwrap_or_default();
    let codec = served(&version).map_err(refuse)?;
    let capabilities = meta.capabilities.unwrap_or_default();
    Ok(Admitted { codec, principal: peer.principal, capabilities, connection, can_be_asked: false })
}

/// The same over HTTP, where headers repeat what the body says.
fn over_http<'a>(
    request: &Request<'_>,
    fields: &MetaFields<'_>,
    headers: &HeaderFacts<'_>,
    peer: &Peer<'a>,
) -> Result<Admitted<'a>, Fault> {
    let version_header = headers.version.map(<[u8]>::trim_ascii);
    if version_header.is_none() {
        return Err(Fault::HeaderMismatch { message: "header `MCP-Protocol-Version` is missing".to_owned() });
    }
    let meta = Codec::of_unknown_revision().request_meta(fields)?;
    let version = fields.version().unwrap_or_default();
    if version_header != Some(version.as_bytes()) {
        let message = "header `MCP-Protocol-Version` differs from the body".to_owned();
        return Err(Fault::HeaderMismatch { message });
    }
    let codec = served(&version)?;
    let named = match request.method.as_ref() {
        "tools/call" | "prompts/get" => request.params.get("name"),
        "resources/read" => request.params.get("uri"),
        _ => None,
    };
    headers.check(&request.method, named.and_then(text).as_deref())?;
    Ok(Admitted {
        codec,
        principal: peer.principal,
        capabilities: meta.capabilities.unwrap_or_default(),
        connection: None,
        can_be_asked: false,
    })
}

fn served(version: &str) -> Result<Codec, Fault> {
    Revision::parse(version)
        .filter(|revision| revision.era() == Era::Stateless)
        .map(Codec::new)
        .ok_or_else(|| Fault::UnsupportedVersion { requested: version.to_owned() })
}

/// A request on a pipe that says no version itself.
fn on_pipe<'a>(request: &Request<'_>, connection: &Arc<Connection>, peer: &Peer<'a>) -> Result<Admitted<'a>, Refused> {
    let is_initialize = request.method == "initialize";
    let negotiated = match connection.negotiated() {
        Some(negotiated) => negotiated,
        None if is_initialize || request.method == "ping" => {
            Negotiated { codec: Codec::new(Revision::NEWEST_HANDSHAKE), capabilities: ClientCapabilities::default() }
        }
        None => {
            let message = "say `initialize` first, or the version and the capabilities in `_meta`".to_owned();
            return Err(Refused::Fault(Codec::of_unknown_revision(), Fault::InvalidRequest { message }));
        }
    };
    Ok(Admitted {
        codec: negotiated.codec,
        principal: peer.principal,
        capabilities: negotiated.capabilities,
        connection: Some(Arc::clone(connection)),
        can_be_asked: true,
    })
}

/// A request over HTTP that says no version itself: of a session, or of a client that has none.
fn on_session<'a>(
    server: &Server,
    request: &Request<'_>,
    headers: &HeaderFacts<'_>,
    peer: &Peer<'a>,
) -> Result<Admitted<'a>, Refused> {
    let newest = Codec::new(Revision::NEWEST_HANDSHAKE);
    if request.method == "initialize" {
        // A version header is tolerated here: some clients send the one that they hope for.
        return Ok(Admitted {
            codec: newest,
            principal: peer.principal,
            capabilities: ClientCapabilities::default(),
            connection: None,
            can_be_asked: false,
        });
    }
    let named = headers.version.map(|version| String::from_utf8_lossy(version.trim_ascii()));
    let unsupported = |requested: &str| {
        Refused::Fault(Codec::of_unknown_revision(), Fault::UnsupportedVersion { requested: requested.to_owned() })
    };
    let revision = match named.as_deref() {
        // Nothing else to go by (2025-06-18, transports: protocol version header).
        None => Revision::V2025_03_26,
        Some(named) => Revision::parse(named).ok_or_else(|| unsupported(named))?,
    };
    let Some(id) = headers.session else {
        return Ok(Admitted {
            codec: Codec::new(revision),
            principal: peer.principal,
            capabilities: ClientCapabilities::default(),
            connection: None,
            can_be_asked: false,
        });
    };
    let connection = server.session(id, peer.principal).map_err(Refused::Session)?;
    let negotiated = connection.negotiated().ok_or(Refused::Session(SessionFault::Unknown))?;
    Ok(Admitted {
        codec: negotiated.codec,
        principal: peer.principal,
        capabilities: negotiated.capabilities,
        connection: Some(connection),
        can_be_asked: true,
    })
}
