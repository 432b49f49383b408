//! What both sides of a pipe, or of a session, know of each other.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use haft_wire::Codec;
use haft_wire::jsonrpc::{Id, Response};
use haft_wire::model::ClientCapabilities;
use serde_json::Value;
use tokio::sync::{Notify, oneshot};

use crate::changes::Watcher;
use crate::context::CallShared;
use crate::outlet::Outlet;
use crate::principal::Principal;
use crate::server::Server;

/// A pipe or a session: what was negotiated on it, what is in flight on it, and what was asked on it.
pub struct Connection {
    server: Server,
    principal: Arc<Principal>,
    id: Option<String>,
    negotiated: Mutex<Option<Negotiated>>,
    is_initialized: AtomicBool,
    /// What the peer was last told that it can see, whoever told it.
    told: Mutex<u64>,
    in_flight: Mutex<HashMap<Id<'static>, Flight>>,
    asked: Mutex<HashMap<Id<'static>, oneshot::Sender<Option<Value>>>>,
    next_question: AtomicU64,
    extension: Mutex<Option<Arc<dyn Any + Send + Sync>>>,
    is_closed: AtomicBool,
    is_input_over: AtomicBool,
    closing: Notify,
    begun: Instant,
    /// Milliseconds from the beginning to the last use.
    last_used: AtomicU64,
    /// How many listen for notices.
    listeners: AtomicUsize,
}

/// A request that can be cancelled.
pub(crate) enum Flight {
    Call(Arc<CallShared>),
    Subscription(Arc<Outlet>),
}

impl Flight {
    fn outlet(&self) -> &Outlet {
        match self {
            Self::Call(call) => &call.outlet,
            Self::Subscription(outlet) => outlet,
        }
    }
}

/// What `initialize` settled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Negotiated {
    pub(crate) codec: Codec,
    pub(crate) capabilities: ClientCapabilities,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("principal", &self.principal)
            .field("is_session", &self.id.is_some())
            .finish_non_exhaustive()
    }
}

impl Connection {
    pub(crate) fn pipe(server: &Server, principal: Arc<Principal>) -> Arc<Self> {
        Self::new(server, principal, None)
    }

    pub(crate) fn session(server: &Server, principal: Arc<Principal>, id: String) -> Arc<Self> {
        Self::new(server, principal, Some(id))
    }

    fn new(server: &Server, principal: Arc<Principal>, id: Option<String>) -> Arc<Self> {
        Arc::new(Self {
            server: server.clone(),
            principal,
            id,
            negotiated: Mutex::default(),
            is_initialized: AtomicBool::new(false),
            told: Mutex::default(),
            in_flight: Mutex::default(),
            asked: Mutex::default(),
            next_question: AtomicU64::new(1),
            extension: Mutex::default(),
            is_closed: AtomicBool::new(false),
            is_input_over: AtomicBool::new(false),
            closing: Notify::new(),
            begun: Instant::now(),
            last_used: AtomicU64::new(0),
            listeners: AtomicUsize::new(0),
        })
    }

    /// The id of the session; a pipe has none.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The codec that `initialize` settled on.
    pub fn codec(&self) -> Option<Codec> {
        self.negotiated().map(|negotiated| negotiated.codec)
    }

    /// The server, through the profile that the connection was made to.
    pub(crate) const fn server(&self) -> &Server {
        &self.server
    }

    /// Who is at the other end.
    pub const fn principal(&self) -> &Arc<Principal> {
        &self.principal
    }

    /// What the transport keeps with this connection; made once, gone with it.
    pub fn extension<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        let mut slot = lock(&self.extension);
        if let Some(known) = slot.clone().and_then(|any| any.downcast::<T>().ok()) {
            return known;
        }
        let made = Arc::new(make());
        *slot = Some(Arc::clone(&made) as Arc<dyn Any + Send + Sync>);
        made
    }

    /// Notifications that belong to no request, for peers that `initialize` began with.
    pub fn notices(self: &Arc<Self>) -> Notices {
        Notices::new(Arc::clone(self))
    }

    /// The other end says nothing more: calls go on, and whoever waits for an answer of the client has none.
    pub fn end_input(&self) {
        self.is_input_over.store(true, Ordering::Release);
        lock(&self.asked).clear();
    }

    /// The other end is gone: everything on this connection is cancelled.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.closing.notify_waiters();
        lock(&self.asked).clear();
        let calls: Vec<_> = lock(&self.in_flight).drain().map(|(_, call)| call).collect();
        for call in calls {
            call.outlet().cancel();
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    pub(crate) fn negotiated(&self) -> Option<Negotiated> {
        *lock(&self.negotiated)
    }

    pub(crate) fn negotiate(&self, negotiated: Negotiated) {
        *lock(&self.told) = self.server.catalogue().fingerprint(self.server.view(&self.principal));
        *lock(&self.negotiated) = Some(negotiated);
    }

    pub(crate) fn is_initialized(&self) -> bool {
        self.is_initialized.load(Ordering::Acquire)
    }

    pub(crate) fn initialized(&self) {
        self.is_initialized.store(true, Ordering::Release);
    }

    /// Whether the peer sees something else than it was last told; from now on it was told. Nobody is told of a change
    /// that it cannot see, or before it said that it is ready.
    fn news(&self) -> bool {
        let now = self.server.catalogue().fingerprint(self.server.view(&self.principal));
        self.is_initialized() && std::mem::replace(&mut *lock(&self.told), now) != now
    }

    /// Uses the session now.
    pub(crate) fn touch(&self) {
        self.last_used.store(self.age(), Ordering::Relaxed);
    }

    /// How long nobody has used the session; not at all while something is in flight on it, or somebody listens.
    pub(crate) fn idle(&self) -> Duration {
        if self.is_busy() {
            return Duration::ZERO;
        }
        Duration::from_millis(self.age().saturating_sub(self.last_used.load(Ordering::Relaxed)))
    }

    fn is_busy(&self) -> bool {
        self.listeners.load(Ordering::Acquire) > 0 || !lock(&self.in_flight).is_empty()
    }

    fn age(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    pub(crate) fn has_in_flight(&self, id: &Id<'_>) -> bool {
        let in_flight = lock(&self.in_flight);
        !in_flight.is_empty() && in_flight.contains_key(&id.clone().into_owned())
    }

    pub(crate) fn begin(&self, id: Id<'static>, call: Flight) {
        if self.is_closed() {
            call.outlet().cancel();
        } else {
            lock(&self.in_flight).insert(id, call);
        }
    }

    pub(crate) fn finish(&self, id: &Id<'static>) {
        // First, so that nobody finds it neither in flight nor just used.
        self.touch();
        lock(&self.in_flight).remove(id);
    }

    /// Cancels a call; an unknown one is nobody's fault.
    pub(crate) fn cancel(&self, id: &Id<'_>) {
        let call = lock(&self.in_flight).remove(&id.clone().into_owned());
        if let Some(call) = call {
            call.outlet().cancel();
        }
    }

    /// A new id for a question, and where its answer comes out; `None` in place of an answer when the client fails.
    pub(crate) fn ask(&self) -> (Id<'static>, oneshot::Receiver<Option<Value>>) {
        let id = Id::number(self.next_question.fetch_add(1, Ordering::Relaxed));
        let (sender, receiver) = oneshot::channel();
        let mut asked = lock(&self.asked);
        // Dropping the sender is the answer of somebody who does not answer.
        if !self.is_input_over.load(Ordering::Acquire) {
            asked.insert(id.clone(), sender);
        }
        drop(asked);
        (id, receiver)
    }

    pub(crate) fn forget_question(&self, id: &Id<'static>) {
        lock(&self.asked).remove(id);
    }

    /// Takes the answer to a question; `false` when nothing was asked under this id.
    pub(crate) fn answer(&self, response: &Response<'_>) -> bool {
        let Some(id) = response.id.clone() else { return false };
        let Some(sender) = lock(&self.asked).remove(&id.into_owned()) else { return false };
        let answer = response.outcome.ok().and_then(|raw| serde_json::from_str(raw.get()).ok());
        // Whoever asked may have stopped waiting.
        drop(sender.send(answer));
        true
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that runs under these locks can panic.
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The notifications of a connection that belong to no request. A session is in use as long as they are listened for.
pub struct Notices {
    listener: Listener,
    next: NextNotice,
}

type NextNotice = Pin<Box<dyn Future<Output = Option<(Vec<u8>, Watcher)>> + Send>>;

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notices")
    }
}

impl Notices {
    fn new(connection: Arc<Connection>) -> Self {
        let watcher = connection.server.0.changes.watch();
        let listener = Listener::new(connection);
        Self { next: listener.next(watcher), listener }
    }

    /// The next notification; `None` when the connection or the server ends.
    pub fn poll_notice(&mut self, context: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        match self.next.as_mut().poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(None) => {
                self.next = Box::pin(std::future::ready(None));
                Poll::Ready(None)
            }
            Poll::Ready(Some((notice, watcher))) => {
                self.next = self.listener.next(watcher);
                Poll::Ready(Some(notice))
            }
        }
    }

    /// The next notification; `None` when the connection or the server ends.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        std::future::poll_fn(|context| self.poll_notice(context)).await
    }
}

/// Keeps a session in use.
struct Listener(Arc<Connection>);

impl Listener {
    fn new(connection: Arc<Connection>) -> Self {
        connection.listeners.fetch_add(1, Ordering::AcqRel);
        Self(connection)
    }

    fn next(&self, watcher: Watcher) -> NextNotice {
        Box::pin(next_notice(Arc::clone(&self.0), watcher))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // First, so that nobody finds it neither listened to nor just used.
        self.0.touch();
        self.0.listeners.fetch_sub(1, Ordering::AcqRel);
    }
}

async fn next_notice(connection: Arc<Connection>, mut watcher: Watcher) -> Option<(Vec<u8>, Watcher)> {
    let quiet = connection.server.0.limits.change_quiet;
    loop {
        let closing = connection.closing.notified();
        if connection.is_closed() {
            return None;
        }
        // What changed while nobody listened is told to whoever listens next, and to one listener alone.
        if let Some(codec) = connection.codec().filter(|_| connection.news()) {
            return Some((codec.encode_list_changed(None), watcher));
        }
        tokio::select! {
            () = closing => return None,
            changed = watcher.changed(quiet) => if !changed { return None },
        }
    }
}
