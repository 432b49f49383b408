//! One request, and what its head says about the answer.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header, response::Parts};
use http_body_util::Full;
use hyper::body::Incoming as Body;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::body::beginning;
use super::connect::Pool;
use super::remote::{Place, origin};
use crate::client::inbox::Slot;
use crate::client::shape::Shape;
use crate::client::{Excerpt, Fault, Head, Incoming, Refusal, excerpt::MOST};

pub(super) type Headers = [(HeaderName, HeaderValue)];

/// What all exchanges of one connection have.
pub(super) struct Shared {
    pub(super) pool: Pool,
    pub(super) place: Place,
    pub(super) headers: HeaderMap,
    pub(super) header_timeout: Duration,
    pub(super) body_timeout: Duration,
    pub(super) message_bytes: usize,
    pub(super) slot: Slot,
    /// The requests that somebody waits for; without a task for the moment in which it begins.
    pub(super) exchanges: Mutex<BTreeMap<u64, Option<AbortHandle>>>,
}

impl Shared {
    pub(super) async fn post(
        &self,
        headers: &Headers,
        body: Vec<u8>,
        limit: Duration,
    ) -> Result<Response<Body>, Fault> {
        let mut request = self.request(Method::POST, headers, Bytes::from(body));
        request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        self.answer(request, limit).await
    }

    /// A stream of events, from the one after this on.
    pub(super) async fn get(&self, headers: &Headers, last_id: Option<&[u8]>) -> Result<Response<Body>, Fault> {
        let mut request = self.request(Method::GET, headers, Bytes::new());
        request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(id) = last_id.and_then(|id| HeaderValue::from_bytes(id).ok()) {
            request.headers_mut().insert(LAST_EVENT_ID, id);
        }
        self.answer(request, self.header_timeout).await
    }

    pub(super) async fn delete(&self, headers: &Headers, limit: Duration) -> Result<StatusCode, Fault> {
        let request = self.request(Method::DELETE, headers, Bytes::new());
        Ok(self.answer(request, limit).await?.status())
    }

    fn request(&self, method: Method, headers: &Headers, body: Bytes) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = self.place.uri.clone();
        let all = request.headers_mut();
        all.insert(header::USER_AGENT, HeaderValue::from_static(AGENT));
        for name in self.headers.keys() {
            all.remove(name);
        }
        all.extend(self.headers.clone());
        for (name, _) in headers {
            all.remove(name);
        }
        for (name, value) in headers {
            all.append(name, value.clone());
        }
        request
    }

    async fn answer(&self, request: Request<Full<Bytes>>, limit: Duration) -> Result<Response<Body>, Fault> {
        let answer = timeout(limit, self.pool.request(request)).await.map_err(|_| Fault::Timeout { limit })?;
        answer.map_err(|error| {
            if error.is_connect() {
                Fault::Connect { origin: self.place.origin.clone(), source: error.into() }
            } else {
                Fault::Broke { source: error.into() }
            }
        })
    }

    /// The fault that a status is, if it is one; a message that came with it is put into the inbox.
    pub(super) async fn refuse(&self, response: Response<Body>, request: Option<u64>) -> Fault {
        let (parts, body) = response.into_parts();
        let status = parts.status.as_u16();
        if parts.status.is_redirection() {
            return Fault::Redirected { status, location: location(&parts.headers) };
        }
        let kind = Kind::of(&parts.headers);
        let most = if matches!(kind, Kind::Json | Kind::Unsaid) { MOST_OF_ERROR } else { MOST };
        let (bytes, is_all) = beginning(body, most.min(self.message_bytes), ERROR_TIMEOUT).await;
        let body = Excerpt::of(&bytes).cut(!is_all);
        if is_all && Shape::of(&bytes).is_some_and(|shape| shape.is_rpc) {
            let head = Some(head(&parts, false));
            // When nobody reads, nobody is told of the fault either.
            drop(self.slot.put(Incoming::Message { bytes, request, head }).await);
        }
        Fault::Status(Box::new(refusal(&parts.headers, status, body)))
    }
}

/// What a body is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Events,
    Json,
    Other(Excerpt),
    Unsaid,
}

impl Kind {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let Some(value) = headers.get(header::CONTENT_TYPE) else { return Self::Unsaid };
        let essence = value.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        if essence.eq_ignore_ascii_case(b"application/json") {
            Self::Json
        } else if essence.eq_ignore_ascii_case(b"text/event-stream") {
            Self::Events
        } else {
            Self::Other(Excerpt::of(value.as_bytes()))
        }
    }

    pub(super) fn excerpt(self) -> Excerpt {
        match self {
            Self::Other(excerpt) => excerpt,
            Self::Events => Excerpt::of(b"text/event-stream"),
            Self::Json => Excerpt::of(b"application/json"),
            Self::Unsaid => Excerpt::default(),
        }
    }
}

pub(super) fn head(parts: &Parts, is_stream: bool) -> Head {
    let session = parts.headers.get(SESSION).map(HeaderValue::as_bytes);
    let session =
        session.filter(|id| !id.is_empty() && id.len() <= LONGEST_SESSION && id.iter().all(u8::is_ascii_graphic));
    let session = session.map(|id| String::from_utf8_lossy(id).into_owned());
    if session.is_none() && parts.headers.contains_key(SESSION) {
        tracing::warn!("the server gave a session id that is none, which is left out");
    }
    Head { status: parts.status.as_u16(), session, is_stream }
}

fn refusal(headers: &HeaderMap, status: u16, body: Excerpt) -> Refusal {
    let retry_after = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let challenges = headers.get_all(header::WWW_AUTHENTICATE).iter().take(CHALLENGES);
    Refusal {
        status,
        retry_after: retry_after.map(Duration::from_secs),
        www_authenticate: challenges
            .filter(|value| value.len() <= LONGEST_CHALLENGE)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .collect(),
        content_type: Kind::of(headers).excerpt(),
        body,
    }
}

fn location(headers: &HeaderMap) -> Option<Excerpt> {
    let text = headers.get(header::LOCATION)?.to_str().ok()?;
    let place = text.parse().ok().as_ref().and_then(origin);
    // A path leads to the same server.
    Some(Excerpt::of(place.unwrap_or_else(|| "another path of the same server".to_owned()).as_bytes()))
}

const AGENT: &str = concat!("haft/", env!("CARGO_PKG_VERSION"));
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LONGEST_SESSION: usize = 1024;
const CHALLENGES: usize = 8;
const LONGEST_CHALLENGE: usize = 8192;
/// An error is small; what is larger only explains itself.
const MOST_OF_ERROR: usize = 1 << 20;
const ERROR_TIMEOUT: Duration = Duration::from_secs(10);
