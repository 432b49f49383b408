//! The address of a server that speaks HTTP.

use std::fmt;

use haft_diag::escape;
use http::Uri;

/// An `http` or `https` URL with a host. Keys often stand in the query of such a URL, so printing leaves it out.
#[derive(Clone, Eq, PartialEq)]
pub struct RemoteUrl(Uri);

impl RemoteUrl {
    /// Reads `text`; the error says what is wrong, without the text.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err("it does not begin with `http://` or `https://`");
        };
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => {}
            "ws" | "wss" => return Err("MCP does not run over WebSocket; streamable HTTP begins with `https://`"),
            _ => return Err("only `http` and `https` can be connected to"),
        }
        if rest.contains('#') {
            return Err("a fragment (`#…`) means nothing to a server; `#name` picks an entry of a file only");
        }
        if rest.chars().any(|character| character.is_whitespace() || haft_diag::is_deceptive(character)) {
            return Err("it holds a space or a character that cannot be seen");
        }
        let Ok(uri) = text.parse::<Uri>() else { return Err("it is no URL") };
        let Some(authority) = uri.authority().filter(|authority| !authority.host().is_empty()) else {
            return Err("it names no host");
        };
        if authority.as_str().contains('@') {
            return Err("it holds credentials; send them in a header");
        }
        let port = authority.as_str().strip_prefix(authority.host()).unwrap_or_default();
        if port.len() > 1 && authority.port_u16().is_none() {
            return Err("its port is no number up to 65535");
        }
        Ok(Self(uri))
    }

    /// The whole URL, with its query.
    pub fn uri(&self) -> &Uri {
        &self.0
    }

    /// Servers of the HTTP+SSE transport of 2024-11-05 mostly stand at an address that ends in `/sse`.
    pub(crate) fn looks_like_the_old_transport(&self) -> bool {
        self.0.path().trim_end_matches('/').ends_with("/sse")
    }
}

impl fmt::Display for RemoteUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, authority) = (self.0.scheme_str().unwrap_or_default(), self.0.authority());
        let authority = authority.map_or("", |authority| authority.as_str());
        let query = if self.0.query().is_some() { "?…" } else { "" };
        write!(formatter, "{scheme}://{}{}{query}", escape(authority), escape(self.0.path()))
    }
}

impl fmt::Debug for RemoteUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "RemoteUrl({self})")
    }
}
