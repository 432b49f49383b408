//! Responses.

use bytes::Bytes;
use haft_core::{Answer, Unauthenticated, Unsent};
use http::header::{self, HeaderName, HeaderValue};
use http::{Response, StatusCode};

use super::accept::Accepts;
use super::body::HttpBody;
use super::streaming::Streaming;
use crate::http::event;

/// A large body, counted until the last of it is written.
struct Counted {
    body: Vec<u8>,
    _unsent: Unsent,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// An answer as the client takes it.
pub(super) fn answer(answer: Answer, accepts: Accepts) -> Response<HttpBody> {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let has_body = !answer.body.is_empty();
    // A status that is not read from the body has to be one of JSON.
    let is_event = has_body && !accepts.json && status == StatusCode::OK;
    let body = if is_event {
        let mut text = Vec::with_capacity(answer.body.len() + 8);
        event::message(&answer.body, &mut text);
        HttpBody::whole(text)
    } else {
        match answer.unsent {
            None => HttpBody::whole(answer.body),
            Some(unsent) => HttpBody::whole(Bytes::from_owner(Counted { body: answer.body, _unsent: unsent })),
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    if has_body {
        headers.insert(header::CONTENT_TYPE, if is_event { EVENT_STREAM } else { JSON });
    }
    if let Some(id) = answer.session.and_then(|id| HeaderValue::try_from(id).ok()) {
        headers.insert(SESSION, id);
    }
    if let Some(seconds) = answer.retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// A stream of events.
pub(super) fn events(streaming: Streaming) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::events(streaming));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, EVENT_STREAM);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Some proxies gather a response before they send it on; this asks them not to (2026-07-28, streamable HTTP).
    headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

/// Nothing but a status.
pub(super) fn empty(status: StatusCode) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::empty());
    *response.status_mut() = status;
    response
}

/// A refusal in words, for whoever looks at the traffic.
pub(super) fn refusal(status: StatusCode, text: impl Into<String>) -> Response<HttpBody> {
    let mut text = text.into();
    text.push('\n');
    let mut response = Response::new(HttpBody::whole(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

/// A method that the path does not have.
pub(super) fn method_not_allowed(allowed: &'static str, text: &'static str) -> Response<HttpBody> {
    let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, text);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}

/// A caller that has to say who it is.
pub(super) fn unauthenticated(fault: Unauthenticated) -> Response<HttpBody> {
    let mut response = refusal(StatusCode::UNAUTHORIZED, fault.to_string());
    let challenge = match fault {
        Unauthenticated::Unknown => "Bearer error=\"invalid_token\"",
        _ => "Bearer",
    };
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    response
}

/// After a body that was not read to its end there is no telling where the next request begins.
pub(super) fn closing(mut response: Response<HttpBody>) -> Response<HttpBody> {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Methods of the path.
pub(super) const ALLOWED_METHODS: &str = "GET, POST, DELETE, OPTIONS";

const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
