//! Everything that is decided before a body is read: names, path, caller, method, media types.

use std::sync::Arc;

use haft_core::{Connection, Credentials, Principal, Unauthenticated};
use http::request::Parts;
use http::{HeaderValue, Method, Response, StatusCode};

use super::accept::{Accepts, is_json};
use super::authority::Foreign;
use super::body::HttpBody;
use super::heads::Heads;
use super::service::{Client, Shared};
use super::sessions::SessionStreams;
use super::streaming::{Source, Streaming};
use super::{cors, reply};
use crate::http::event;

/// How a request goes on.
pub(super) enum Gate {
    Answered(Response<HttpBody>),
    Post(Post),
}

/// A message that may be read.
#[derive(Debug)]
pub(super) struct Post {
    pub(super) principal: Arc<Principal>,
    pub(super) accepts: Accepts,
    /// The page that may read the response.
    pub(super) origin: Option<HeaderValue>,
}

/// What was found, or a refusal.
type Checked<T> = Result<T, Box<Response<HttpBody>>>;

/// Looks at a request. Names first: a page that may not talk to this server learns nothing of it, not even who may.
pub(super) fn check(shared: &Shared, parts: &Parts, client: Client) -> Gate {
    let heads = match Heads::read(&parts.headers) {
        Ok(heads) => heads,
        Err(repeated) => {
            let text = format!("the header `{}` stands more than once", repeated.header);
            return Gate::Answered(reply::closing(reply::refusal(StatusCode::BAD_REQUEST, text)));
        }
    };
    let target = parts.uri.authority().map(http::uri::Authority::as_str);
    if let Err(foreign) = shared.authorities.check(&heads, target, client.address) {
        return Gate::Answered(reply::closing(refuse_foreign(foreign)));
    }
    let origin = heads.origin.cloned();
    let mut response = match admit(shared, parts, &heads, client) {
        Ok(Way::Post(principal, accepts)) => return Gate::Post(Post { principal, accepts, origin }),
        Ok(Way::Answered(response)) => response,
        Err(response) => *response,
    };
    if let Some(origin) = origin {
        cors::allow(origin, response.headers_mut());
    }
    Gate::Answered(response)
}

enum Way {
    Answered(Response<HttpBody>),
    Post(Arc<Principal>, Accepts),
}

fn admit(shared: &Shared, parts: &Parts, heads: &Heads<'_>, client: Client) -> Checked<Way> {
    if let Some(path) = shared.options.path.as_deref().filter(|path| *path != parts.uri.path()) {
        return Err(refused(StatusCode::NOT_FOUND, format!("nothing is here; the path of this server is {path}")));
    }
    if parts.method == Method::OPTIONS {
        return Ok(Way::Answered(cors::preflight(&parts.headers)));
    }
    let principal = identify(shared, heads, client)?;
    let accepts = heads.accept.accepts();
    match parts.method {
        Method::POST => {
            check_media(heads, accepts)?;
            Ok(Way::Post(principal, accepts))
        }
        Method::GET => listen(shared, heads, &principal, accepts).map(Way::Answered),
        Method::DELETE => end_session(shared, heads, &principal).map(Way::Answered),
        _ => Err(Box::new(reply::method_not_allowed(reply::ALLOWED_METHODS, "messages are sent by POST"))),
    }
}

fn identify(shared: &Shared, heads: &Heads<'_>, client: Client) -> Checked<Arc<Principal>> {
    let bearer = match heads.bearer() {
        Ok(bearer) => bearer,
        // Where nobody has to say who it is, what it says in another way does not matter.
        Err(_) if shared.server.identification().serves_anonymous() => None,
        Err(_) => return Err(Box::new(reply::unauthenticated(Unauthenticated::Missing))),
    };
    let credentials = Credentials { bearer, uid: client.uid };
    shared.server.identify(&credentials).map_err(|fault| Box::new(reply::unauthenticated(fault)))
}

fn check_media(heads: &Heads<'_>, accepts: Accepts) -> Checked<()> {
    if !heads.content_type.is_some_and(|value| is_json(value.as_bytes())) {
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "`Content-Type` has to be application/json"));
    }
    if heads.content_encoding.is_some_and(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "bodies are read without `Content-Encoding` only"));
    }
    if !accepts.json && !accepts.events {
        let text = "`Accept` has to allow application/json or text/event-stream";
        return Err(refused(StatusCode::NOT_ACCEPTABLE, text));
    }
    Ok(())
}

/// GET: the notifications of a session, or a stream of it that broke.
fn listen(shared: &Shared, heads: &Heads<'_>, principal: &Principal, accepts: Accepts) -> Checked<Response<HttpBody>> {
    let session = session(shared, heads, principal)?;
    if !accepts.events {
        return Err(refused(StatusCode::NOT_ACCEPTABLE, "`Accept` has to allow text/event-stream"));
    }
    let streams = SessionStreams::of(&session);
    let source = match heads.last_event_id {
        None => Source::Notices(streams.notices().open(&session)),
        Some(id) => {
            let reader = event::parse_id(id.as_bytes()).and_then(|(stream, number)| streams.resume(stream, number));
            let reader = reader
                .ok_or_else(|| refused(StatusCode::BAD_REQUEST, "nothing is kept of what `Last-Event-ID` names"))?;
            Source::Reader(reader)
        }
    };
    Ok(reply::events(Streaming::new(source, shared.options.keep_alive)))
}

fn end_session(shared: &Shared, heads: &Heads<'_>, principal: &Principal) -> Checked<Response<HttpBody>> {
    session(shared, heads, principal)?;
    let id = heads.session.map(HeaderValue::as_bytes).unwrap_or_default();
    shared.server.end_session(id, principal).map_err(|fault| refused(StatusCode::NOT_FOUND, fault.to_string()))?;
    Ok(reply::empty(StatusCode::NO_CONTENT))
}

/// The session that a GET or a DELETE is about; there is nothing else that they could be about.
fn session(shared: &Shared, heads: &Heads<'_>, principal: &Principal) -> Checked<Arc<Connection>> {
    let Some(id) = heads.session else {
        let text = "without `Mcp-Session-Id` there is POST alone";
        return Err(Box::new(reply::method_not_allowed("POST, OPTIONS", text)));
    };
    let session = shared
        .server
        .session(id.as_bytes(), principal)
        .map_err(|fault| refused(StatusCode::NOT_FOUND, fault.to_string()))?;
    let negotiated = session.codec().map(haft_wire::Codec::name);
    match (heads.version, negotiated) {
        (Some(version), Some(negotiated)) if version.as_bytes().trim_ascii() != negotiated.as_bytes() => {
            let text = format!("the session has version {negotiated}, which `MCP-Protocol-Version` has to say");
            Err(refused(StatusCode::BAD_REQUEST, text))
        }
        _ => Ok(session),
    }
}

fn refuse_foreign(foreign: Foreign) -> Response<HttpBody> {
    let text = match foreign {
        Foreign::Host => "this server has no such name; its operator can list further names",
        Foreign::Origin => "pages of this origin may not use this server; its operator can list further origins",
    };
    reply::refusal(StatusCode::FORBIDDEN, text)
}

fn refused(status: StatusCode, text: impl Into<String>) -> Box<Response<HttpBody>> {
    Box::new(reply::refusal(status, text))
}
