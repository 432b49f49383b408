//! One connection to a server, whatever carries it.

use std::sync::Arc;

use haft_core::{Principal, Server};
use http::{HeaderName, HeaderValue};
use tokio::sync::oneshot;

#[cfg(unix)]
use super::{Launch, child::ChildLink};
use super::{LinkError, Outgoing, PlainCredentials, Remote, http::HttpLink, inbox::Inbox, memory::MemoryLink};

/// One connection to a server. A clone is the same connection; it ends with the last of them, and with it the program
/// that was started for it.
#[derive(Clone, Debug)]
pub struct Link(Carrier);

#[derive(Clone, Debug)]
enum Carrier {
    #[cfg(unix)]
    Child(ChildLink),
    Http(HttpLink),
    Memory(MemoryLink),
}

/// A stream that is being opened. It need not be waited for.
#[derive(Debug)]
pub struct Opening(Option<oneshot::Receiver<()>>);

impl Opening {
    /// Waits until the first attempt to open it came to something, and says whether it is open. How long a server that
    /// says nothing is waited for is for the caller to bound.
    pub async fn settled(self) -> bool {
        match self.0 {
            Some(opened) => opened.await.is_ok(),
            None => false,
        }
    }
}

impl Link {
    /// Starts a program and talks with it over its standard input and output, one message on each line.
    ///
    /// # Errors
    ///
    /// When the program cannot be started, or outside of a tokio runtime with I/O and time.
    #[cfg(unix)]
    pub fn child(launch: Launch) -> Result<(Self, Inbox), LinkError> {
        let (link, inbox) = ChildLink::start(launch)?;
        Ok((Self(Carrier::Child(link)), inbox))
    }

    /// Talks with a server over HTTP. Nothing is connected before the first message.
    ///
    /// # Errors
    ///
    /// When the URL is none that can be used, holds credentials, or needs TLS on a machine that trusts no authority;
    /// when a header is one that the link writes itself; or outside of a tokio runtime with I/O and time.
    #[expect(clippy::needless_pass_by_value, reason = "as `child` takes what it starts")]
    pub fn http(remote: Remote) -> Result<(Self, Inbox), LinkError> {
        let (link, inbox) = HttpLink::new(&remote)?;
        Ok((Self(Carrier::Http(link)), inbox))
    }

    /// Talks with a server in this process, as this principal.
    ///
    /// Outside of a tokio runtime with time the connection is closed from the beginning.
    pub fn memory(server: Server, principal: Arc<Principal>) -> (Self, Inbox) {
        let (link, inbox) = MemoryLink::new(server, principal);
        (Self(Carrier::Memory(link)), inbox)
    }

    /// Whether messages go over HTTP, with headers, each on its own.
    pub fn is_http(&self) -> bool {
        matches!(self.0, Carrier::Http(_))
    }

    /// What the user should know before anything is sent.
    pub fn warnings(&self) -> &[PlainCredentials] {
        match &self.0 {
            Carrier::Http(link) => link.warnings(),
            #[cfg(unix)]
            Carrier::Child(_) => &[],
            Carrier::Memory(_) => &[],
        }
    }

    /// Hands a message over.
    ///
    /// A message is sent as a whole even when the future is dropped. Over a pipe the future ends when the message is
    /// written. Over HTTP it ends at once for a request, whose end is told in the inbox; for a notification or an
    /// answer it ends when the server has accepted it, within half a minute. How many requests are in flight is for the
    /// caller to bound.
    ///
    /// # Errors
    ///
    /// When the connection is closed, when the program does not read, or when an HTTP server does not accept a
    /// notification or an answer. [`LinkError::sent`] tells whether the server may have seen it.
    pub async fn send(&self, outgoing: Outgoing) -> Result<(), LinkError> {
        match &self.0 {
            #[cfg(unix)]
            Carrier::Child(link) => link.send(outgoing).await,
            Carrier::Http(link) => link.send(outgoing).await,
            Carrier::Memory(link) => link.send(outgoing).await,
        }
    }

    /// Nobody waits for this request any more: HTTP ends its exchange, which is how a server of 2026-07-28 is told; the
    /// others do nothing.
    pub fn forget(&self, request: u64) {
        if let Carrier::Http(link) = &self.0 {
            link.forget(request);
        }
    }

    /// HTTP: opens the stream for what belongs to no request, in the place of the one that was open, and opens it again
    /// when it ends (2025-11-25, transports). The others do nothing.
    ///
    /// A server may throw away what it has to say while there is no stream, so who expects something can wait for it.
    pub fn open_stream(&self, headers: Vec<(HeaderName, HeaderValue)>) -> Opening {
        match &self.0 {
            Carrier::Http(link) => Opening(Some(link.open_stream(headers))),
            _ => Opening(None),
        }
    }

    /// HTTP: tells the server that the session is over. It need not agree, and is not waited for longer than seconds.
    pub async fn end_session(&self, headers: Vec<(HeaderName, HeaderValue)>) {
        if let Carrier::Http(link) = &self.0 {
            link.end_session(headers).await;
        }
    }

    /// Ends the connection, for its other clones as well.
    ///
    /// A program can end by itself once its input is closed; then `SIGTERM`, then `SIGKILL` for all that it started. No
    /// step waits longer than [`Launch`](super::Launch) says.
    pub async fn close(self) {
        match self.0 {
            #[cfg(unix)]
            Carrier::Child(link) => link.close().await,
            Carrier::Http(link) => link.close(),
            Carrier::Memory(link) => link.close().await,
        }
    }
}
