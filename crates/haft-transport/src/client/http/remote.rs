//! Where an HTTP server is, and how it is spoken to.

use std::fmt;
use std::time::Duration;

use http::uri::Scheme;
use http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

use crate::client::LinkError;

/// A server behind a URL.
#[derive(Clone)]
#[non_exhaustive]
pub struct Remote {
    /// An `http` or `https` URL without credentials.
    pub url: String,
    /// Headers of every request; their values are treated as secrets.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// How long a connection may take to come about, with the name and TLS. 10 seconds by default.
    pub connect_timeout: Duration,
    /// How long the head of an answer may take. A server that answers with JSON may send it only once its work is done,
    /// so this is 10 minutes by default; the caller has [`Link::forget`](crate::client::Link::forget) for less.
    pub header_timeout: Duration,
    /// How long an answer that is no stream may take from its head to its end. One minute by default.
    pub body_timeout: Duration,
    /// The most bytes of an answer, or of one event. 64 MiB by default.
    pub message_bytes: usize,
}

impl Remote {
    /// A server with the usual bounds.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            headers: Vec::new(),
            connect_timeout: Duration::from_secs(10),
            header_timeout: Duration::from_mins(10),
            body_timeout: Duration::from_mins(1),
            message_bytes: 64 << 20,
        }
    }
}

/// Without what may be secret: the path and query of the URL, and the values of headers.
impl fmt::Debug for Remote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        let origin = Place::parse(&self.url).map(|place| place.origin).unwrap_or_default();
        formatter.debug_struct("Remote").field("origin", &origin).field("headers", &headers).finish_non_exhaustive()
    }
}

/// A header that may hold credentials goes over the network in the clear.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlainCredentials {
    /// The name of the header.
    pub header: HeaderName,
    /// Scheme, host and port.
    pub origin: String,
}

impl fmt::Display for PlainCredentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "header `{}` goes to `{}` without encryption", self.header, self.origin)
    }
}

/// A URL that was looked at.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) uri: Uri,
    /// Scheme, host and port: what may be shown.
    pub(super) origin: String,
    pub(super) is_secure: bool,
}

impl Place {
    pub(super) fn parse(url: &str) -> Result<Self, LinkError> {
        let unusable = |reason| LinkError::Url { reason };
        if url.len() > LONGEST {
            return Err(unusable("it is too long"));
        }
        let uri: Uri = url.parse().map_err(|_| unusable("it is not one"))?;
        let is_secure = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTP => false,
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            _ => return Err(unusable("only `http://` and `https://` are spoken here")),
        };
        let authority = uri.authority().ok_or_else(|| unusable("it names no host"))?;
        if authority.as_str().contains('@') {
            return Err(LinkError::Credentials { host: authority.host().to_owned() });
        }
        if authority.host().is_empty() {
            return Err(unusable("it names no host"));
        }
        if authority.as_str().len() > authority.host().len() && authority.port_u16().is_none() {
            return Err(unusable("its port is none"));
        }
        let origin = origin(&uri).unwrap_or_default();
        Ok(Self { uri, origin, is_secure })
    }

    fn is_loopback(&self) -> bool {
        let host = self.uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        let address = host.parse::<std::net::IpAddr>();
        host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
    }
}

/// Without the path and the query.
impl fmt::Debug for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.origin)
    }
}

/// Scheme, host and port of an absolute URI.
pub(super) fn origin(uri: &Uri) -> Option<String> {
    let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
    let host_and_port = authority.as_str().rsplit('@').next().unwrap_or_default();
    Some(format!("{scheme}://{host_and_port}"))
}

/// The headers of every request, and what is to be said about them.
pub(super) fn headers_of(remote: &Remote, place: &Place) -> Result<(HeaderMap, Vec<PlainCredentials>), LinkError> {
    let mut headers = HeaderMap::new();
    let mut warnings = Vec::new();
    for (name, value) in &remote.headers {
        refuse_own(name)?;
        let is_secret = value.is_sensitive() || CREDENTIALS.contains(name);
        if is_secret && !place.is_secure && !place.is_loopback() {
            warnings.push(PlainCredentials { header: name.clone(), origin: place.origin.clone() });
        }
        let mut value = value.clone();
        value.set_sensitive(true);
        headers.append(name, value);
    }
    Ok((headers, warnings))
}

/// Those that frame a message are the link's.
pub(super) fn refuse_own(name: &HeaderName) -> Result<(), LinkError> {
    if OWN.contains(name) { Err(LinkError::Header { name: name.clone() }) } else { Ok(()) }
}

const OWN: [HeaderName; 10] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::EXPECT,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];
const CREDENTIALS: [HeaderName; 3] = [header::AUTHORIZATION, header::COOKIE, header::PROXY_AUTHORIZATION];
const LONGEST: usize = 8192;
