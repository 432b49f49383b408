//! The headers that matter, read in one pass.

use haft_wire::headers::HeaderFacts;
use http::{HeaderMap, HeaderValue};

use super::accept::AcceptHeader;

/// The headers that decide whether and how a request is served.
#[derive(Debug, Default)]
pub(super) struct Heads<'a> {
    pub(super) accept: AcceptHeader,
    pub(super) authorization: Option<&'a HeaderValue>,
    pub(super) content_encoding: Option<&'a HeaderValue>,
    pub(super) content_type: Option<&'a HeaderValue>,
    pub(super) forwarded: Option<&'a HeaderValue>,
    pub(super) forwarded_host: Option<&'a HeaderValue>,
    pub(super) host: Option<&'a HeaderValue>,
    pub(super) last_event_id: Option<&'a HeaderValue>,
    pub(super) origin: Option<&'a HeaderValue>,
    pub(super) session: Option<&'a HeaderValue>,
    pub(super) version: Option<&'a HeaderValue>,
}

/// A header that may stand once stands twice: two readers of the request could take it for different requests.
#[derive(Debug)]
pub(super) struct Repeated {
    pub(super) header: &'static str,
}

impl<'a> Heads<'a> {
    pub(super) fn read(headers: &'a HeaderMap) -> Result<Self, Repeated> {
        let mut heads = Self::default();
        let (mut method, mut name_header) = (None, None);
        for (name, value) in headers {
            let (header, slot) = match name.as_str() {
                "accept" => {
                    heads.accept.read(value.as_bytes());
                    continue;
                }
                "authorization" => ("Authorization", &mut heads.authorization),
                "content-encoding" => ("Content-Encoding", &mut heads.content_encoding),
                "content-type" => ("Content-Type", &mut heads.content_type),
                "forwarded" => {
                    heads.forwarded = Some(value);
                    continue;
                }
                "host" => ("Host", &mut heads.host),
                "last-event-id" => ("Last-Event-ID", &mut heads.last_event_id),
                "mcp-method" => ("Mcp-Method", &mut method),
                "mcp-name" => ("Mcp-Name", &mut name_header),
                "mcp-protocol-version" => ("MCP-Protocol-Version", &mut heads.version),
                "mcp-session-id" => ("Mcp-Session-Id", &mut heads.session),
                "origin" => ("Origin", &mut heads.origin),
                "x-forwarded-host" => {
                    heads.forwarded_host = Some(value);
                    continue;
                }
                _ => continue,
            };
            if slot.replace(value).is_some() {
                return Err(Repeated { header });
            }
        }
        Ok(heads)
    }

    /// The token of `Authorization: Bearer`; `Err` when there is something else.
    pub(super) fn bearer(&self) -> Result<Option<&'a str>, NoBearer> {
        let Some(value) = self.authorization else { return Ok(None) };
        let text = value.to_str().map_err(|_| NoBearer)?;
        let (scheme, token) = text.split_once(' ').ok_or(NoBearer)?;
        if scheme.eq_ignore_ascii_case("bearer") { Ok(Some(token.trim())) } else { Err(NoBearer) }
    }
}

/// An `Authorization` that is no bearer token.
#[derive(Debug)]
pub(super) struct NoBearer;

/// What the standard headers of the protocol say.
pub(super) fn facts(headers: &HeaderMap) -> HeaderFacts<'_> {
    let mut facts = HeaderFacts::default();
    for (name, value) in headers {
        let slot = match name.as_str() {
            "mcp-method" => &mut facts.method,
            "mcp-name" => &mut facts.name,
            "mcp-protocol-version" => &mut facts.version,
            "mcp-session-id" => &mut facts.session,
            _ => continue,
        };
        *slot = Some(value.as_bytes());
    }
    facts
}

/// The value of a header; one that stands twice has a value that agrees with nothing.
pub(super) fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a [u8]> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    Some(if values.next().is_none() { value.as_bytes() } else { b"\0" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn a_header_that_may_stand_once_may_not_stand_twice() {
        assert!(Heads::read(&headers(&[("accept", "a"), ("accept", "b"), ("x", "1"), ("x", "2")])).is_ok());
        for name in ["authorization", "content-type", "host", "mcp-method", "mcp-name", "mcp-session-id", "origin"] {
            assert!(Heads::read(&headers(&[(name, "a"), (name, "a")])).is_err(), "{name}");
        }
        let twice = headers(&[("mcp-param-a", "1"), ("mcp-param-a", "1"), ("mcp-param-b", "2")]);
        assert_eq!(only(&twice, "mcp-param-a"), Some(&b"\0"[..]));
        assert_eq!(only(&twice, "mcp-param-b"), Some(&b"2"[..]));
        assert_eq!(only(&twice, "mcp-param-c"), None);
    }

    #[test]
    fn a_bearer_token_is_told_from_everything_else() {
        let bearer = |value| {
            let headers = headers(&[("authorization", value)]);
            Heads::read(&headers).unwrap().bearer().map(|token| token.map(str::to_owned)).ok()
        };
        assert_eq!(bearer("Bearer abc"), Some(Some("abc".to_owned())));
        assert_eq!(bearer("bearer  abc "), Some(Some("abc".to_owned())));
        assert_eq!(bearer("Basic abc"), None);
        assert_eq!(bearer("abc"), None);
    }
}
