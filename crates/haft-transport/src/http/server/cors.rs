//! What pages of allowed origins may send and read (Fetch standard, CORS protocol).

use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, Response, StatusCode};

use super::body::HttpBody;
use super::reply::ALLOWED_METHODS;

/// Answers a page that asks before it sends.
pub(super) fn preflight(headers: &HeaderMap) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let out = response.headers_mut();
    out.insert(header::ALLOW, HeaderValue::from_static(ALLOWED_METHODS));
    if headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        out.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE"));
        if let Some(wanted) = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS).and_then(allowed_headers) {
            out.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted);
        }
        out.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
        if headers.contains_key(REQUEST_PRIVATE_NETWORK) {
            out.insert(ALLOW_PRIVATE_NETWORK, HeaderValue::from_static("true"));
        }
    }
    response
}

/// Lets the page of this origin read a response.
pub(super) fn allow(origin: HeaderValue, headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
}

/// Those of the wanted headers that the protocol has; `mcp-param-` ends in whatever a tool's schema says.
fn allowed_headers(wanted: &HeaderValue) -> Option<HeaderValue> {
    let names = wanted.to_str().ok()?.split(',').map(|name| name.trim().to_ascii_lowercase());
    let allowed: Vec<String> =
        names.filter(|name| SENT.contains(&name.as_str()) || name.starts_with("mcp-param-")).collect();
    HeaderValue::try_from(allowed.join(", ")).ok()
}

const SENT: [&str; 12] = [
    "accept",
    "authorization",
    "baggage",
    "cache-control",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "traceparent",
    "tracestate",
];
const EXPOSED: &str = "mcp-session-id, retry-after, www-authenticate";
const REQUEST_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");
