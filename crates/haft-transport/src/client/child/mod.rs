//! A server that is a program of our own, spoken to over its standard input and output.

mod launch;

pub use launch::Launch;

use super::{Inbox, LinkError, Outgoing};

/// A clone is the same connection.
#[derive(Clone, Debug)]
pub(super) struct ChildLink;

impl ChildLink {
    pub(super) fn start(_launch: Launch) -> Result<(Self, Inbox), LinkError> {
        Err(LinkError::NoRuntime)
    }
    pub(super) async fn send(&self, _outgoing: Outgoing) -> Result<(), LinkError> {
        Ok(())
    }
    pub(super) async fn close(self) {}
}
