//! A server behind a URL: one POST for each message, and perhaps a stream for what belongs to none.

mod remote;

use http::{HeaderName, HeaderValue};

pub use remote::{PlainCredentials, Remote};

use super::{Inbox, LinkError, Outgoing};

/// A clone is the same connection.
#[derive(Clone, Debug)]
pub(super) struct HttpLink;

impl HttpLink {
    pub(super) fn new(_remote: Remote) -> Result<(Self, Inbox), LinkError> {
        Err(LinkError::NoRuntime)
    }
    pub(super) fn warnings(&self) -> &[PlainCredentials] {
        &[]
    }
    pub(super) async fn send(&self, _outgoing: Outgoing) -> Result<(), LinkError> {
        Ok(())
    }
    pub(super) fn forget(&self, _request: u64) {}
    pub(super) fn open_stream(&self, _headers: Vec<(HeaderName, HeaderValue)>) {}
    pub(super) async fn end_session(&self, _headers: Vec<(HeaderName, HeaderValue)>) {}
    pub(super) fn close(&self) {}
}
