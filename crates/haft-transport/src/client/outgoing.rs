//! What goes out.

use std::fmt;

use http::{HeaderName, HeaderValue};

/// A message to the server.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Outgoing {
    /// The message, JSON without a line break between its tokens.
    pub body: Vec<u8>,
    /// The caller's number for the request, unique on this link; `None` for notifications and answers.
    pub request: Option<u64>,
    /// Headers of this message, for HTTP. One takes the place of the link's own of that name.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// Whether a stream that ends before the answer is taken up again, if it named its events (2025-11-25, transports).
    pub resumable: bool,
}

impl Outgoing {
    /// A notification, or an answer to a request of the server's.
    pub fn message(body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), request: None, headers: Vec::new(), resumable: false }
    }

    /// A request, under the number by which what comes for it is told apart.
    pub fn request(number: u64, body: impl Into<Vec<u8>>) -> Self {
        Self { request: Some(number), ..Self::message(body) }
    }

    /// The same with these headers.
    #[must_use]
    pub fn with_headers(mut self, headers: Vec<(HeaderName, HeaderValue)>) -> Self {
        self.headers = headers;
        self
    }

    /// The same, whose stream is taken up again.
    #[must_use]
    pub fn resumable(mut self) -> Self {
        self.resumable = true;
        self
    }
}

/// Without the message and without the values of headers.
impl fmt::Debug for Outgoing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        formatter
            .debug_struct("Outgoing")
            .field("bytes", &self.body.len())
            .field("request", &self.request)
            .field("headers", &headers)
            .field("resumable", &self.resumable)
            .finish()
    }
}
