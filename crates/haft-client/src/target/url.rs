//! The address of a server that speaks HTTP.

use std::fmt;

use haft_diag::escape;
use http::Uri;

use super::expanded::{Expanded, Piece};

/// An `http` or `https` URL with a host. Keys often stand in the query of such a URL, so printing leaves it out; where a
/// file has a variable of the person in it, its name is printed, and its value is not.
#[derive(Clone, Eq, PartialEq)]
pub struct RemoteUrl {
    uri: Uri,
    /// What a person is shown and what is kept; escaped.
    shown: String,
    /// The path with the names of its variables, as parts of a digest.
    path: Vec<u8>,
}

impl RemoteUrl {
    /// Reads `text`; the error says what is wrong, without the text.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        Self::expanded(&text.to_owned().into())
    }

    /// Reads a URL in which variables of a person were replaced.
    pub(super) fn expanded(url: &Expanded) -> Result<Self, &'static str> {
        let text = url.text();
        let Some((scheme, rest)) = text.split_once(SEPARATOR) else {
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
        let begin = scheme.len() + SEPARATOR.len() + authority.as_str().len();
        let end = text.find('?').unwrap_or(text.len());
        let whole = url.pieces(0..end);
        let shown = if whole.iter().any(|piece| matches!(piece, Piece::Variable(_))) {
            whole.iter().map(Piece::shown).collect()
        } else {
            let scheme = uri.scheme_str().unwrap_or_default();
            format!("{scheme}{SEPARATOR}{}{}", escape(authority.as_str()), escape(uri.path()))
        };
        let query = if uri.query().is_some() { "?…" } else { "" };
        let path = url.pieces(begin.min(end)..end);
        Ok(Self { shown: format!("{shown}{query}"), path: path.iter().flat_map(Piece::bytes).collect(), uri })
    }

    /// The whole URL, with its query.
    pub fn uri(&self) -> &Uri {
        &self.uri
    }

    /// The path with the names of variables in place of their values, as a part of a digest.
    pub(super) fn path_by_names(&self) -> &[u8] {
        &self.path
    }

    /// Servers of the HTTP+SSE transport of 2024-11-05 mostly stand at an address that ends in `/sse`.
    pub(crate) fn looks_like_the_old_transport(&self) -> bool {
        self.uri.path().trim_end_matches('/').ends_with("/sse")
    }
}

impl fmt::Display for RemoteUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown)
    }
}

impl fmt::Debug for RemoteUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "RemoteUrl({self})")
    }
}

const SEPARATOR: &str = "://";
