//! A server behind a URL: one POST for each message, and perhaps a stream for what belongs to none.
//!
//! Every exchange is a task of the link. Redirects are not followed and no proxy is used: a message goes where the URL
//! says, or not at all.

mod background;
mod body;
mod connect;
mod exchange;
mod pause;
mod reader;
mod remote;
mod request;
mod sse;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{HeaderName, HeaderValue};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::{AbortHandle, JoinSet};

pub use remote::{PlainCredentials, Remote};

use self::remote::{Place, headers_of, refuse_own};
use self::request::Shared;
use super::inbox::{Inbox, Slot};
use super::{LinkError, Outgoing, Sent};

/// A clone is the same connection.
#[derive(Clone, Debug)]
pub(super) struct HttpLink(Arc<Inner>);

struct Inner {
    warnings: Vec<PlainCredentials>,
    runtime: Handle,
    state: Mutex<State>,
}

struct State {
    /// None once the link is closed. The tasks have it as well, and end with the link.
    shared: Option<Arc<Shared>>,
    tasks: JoinSet<()>,
    background: Option<AbortHandle>,
}

impl HttpLink {
    pub(super) fn new(remote: &Remote) -> Result<(Self, Inbox), LinkError> {
        let runtime = Handle::try_current().map_err(|_| LinkError::NoRuntime)?;
        let place = Place::parse(&remote.url)?;
        let (headers, warnings) = headers_of(remote, &place)?;
        let (slot, inbox) = Slot::new(remote.message_bytes);
        let shared = Shared {
            pool: connect::pool(&place, remote.connect_timeout)?,
            place,
            headers,
            header_timeout: remote.header_timeout,
            body_timeout: remote.body_timeout,
            message_bytes: remote.message_bytes,
            slot,
            exchanges: Mutex::new(BTreeMap::new()),
        };
        let state = State { shared: Some(Arc::new(shared)), tasks: JoinSet::new(), background: None };
        Ok((Self(Arc::new(Inner { warnings, runtime, state: Mutex::new(state) })), inbox))
    }

    pub(super) fn warnings(&self) -> &[PlainCredentials] {
        &self.0.warnings
    }

    pub(super) async fn send(&self, outgoing: Outgoing) -> Result<(), LinkError> {
        for (name, _) in &outgoing.headers {
            refuse_own(name)?;
        }
        let closed = LinkError::Closed { sent: Sent::No };
        if let Some(request) = outgoing.request {
            return if self.begin(request, outgoing) { Ok(()) } else { Err(closed) };
        }
        let (accepted, answer) = oneshot::channel();
        let task = self.spawn(|shared| async move { exchange::run(&shared, outgoing, Some(accepted)).await });
        if task.is_none() {
            return Err(closed);
        }
        match answer.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(fault)) => Err(LinkError::Fault(fault)),
            Err(_) => Err(LinkError::Closed { sent: Sent::Maybe }),
        }
    }

    pub(super) fn forget(&self, request: u64) {
        let Some(shared) = self.shared() else { return };
        let task = lock(&shared.exchanges).remove(&request);
        if let Some(task) = task.flatten() {
            task.abort();
        }
    }

    pub(super) fn open_stream(&self, headers: Vec<(HeaderName, HeaderValue)>) -> oneshot::Receiver<()> {
        let (first, opened) = oneshot::channel();
        let task = self.spawn(|shared| async move { background::listen(&shared, &headers, first).await });
        let before = std::mem::replace(&mut lock(&self.0.state).background, task);
        if let Some(before) = before {
            before.abort();
        }
        opened
    }

    pub(super) async fn end_session(&self, headers: Vec<(HeaderName, HeaderValue)>) {
        let Some(shared) = self.shared() else { return };
        match shared.delete(&headers, END_TIMEOUT).await {
            Ok(status) => tracing::debug!(status = status.as_u16(), "the server was told that the session is over"),
            Err(fault) => tracing::debug!(%fault, "the server could not be told that the session is over"),
        }
    }

    pub(super) fn close(&self) {
        let mut state = lock(&self.0.state);
        state.shared = None;
        state.tasks.abort_all();
    }

    /// Begins the exchange of a request, unless the link is closed.
    fn begin(&self, request: u64, outgoing: Outgoing) -> bool {
        let Some(shared) = self.shared() else { return false };
        lock(&shared.exchanges).insert(request, None);
        let task = self.spawn(|shared| {
            let done = Done { shared, request };
            async move { exchange::run(&done.shared, outgoing, None).await }
        });
        let is_begun = task.is_some();
        // It may be over already.
        if let Some(entry) = lock(&shared.exchanges).get_mut(&request) {
            *entry = task;
        }
        is_begun
    }

    fn shared(&self) -> Option<Arc<Shared>> {
        lock(&self.0.state).shared.clone()
    }

    /// Unless the link is closed.
    fn spawn<F: Future<Output = ()> + Send + 'static>(
        &self,
        task: impl FnOnce(Arc<Shared>) -> F,
    ) -> Option<AbortHandle> {
        let mut state = lock(&self.0.state);
        // What is over leaves its place.
        while state.tasks.try_join_next().is_some() {}
        let task = task(Arc::clone(state.shared.as_ref()?));
        Some(state.tasks.spawn_on(task, &self.0.runtime))
    }
}

/// Without headers, path and query.
impl fmt::Debug for Inner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = lock(&self.state).shared.clone();
        formatter
            .debug_struct("HttpLink")
            .field("place", &shared.map(|shared| shared.place.clone()))
            .finish_non_exhaustive()
    }
}

/// Takes a request off the list when its exchange is over, however that came about.
struct Done {
    shared: Arc<Shared>,
    request: u64,
}

impl Drop for Done {
    fn drop(&mut self) {
        lock(&self.shared.exchanges).remove(&self.request);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing in here is ever half-changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const END_TIMEOUT: Duration = Duration::from_secs(5);
