//! One connection that stands: requests go out under a number, and their answers come back.

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use haft_transport::client::{Closed, Inbox, Link, LinkError, Outgoing, Sent};
use haft_wire::jsonrpc::{Id, Raw};
use haft_wire::model::{Ask, Introduction, PeerError};
use haft_wire::{ClientFacts, Codec, Disconnect};
use http::{HeaderName, HeaderValue};
use serde_json::value::RawValue;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::answers::Answers;
use crate::error::ClientError;
use crate::options::{ClientOptions, ProgressReport};
use crate::pending::{Delivery, Pending, Slot};
use crate::pump;

/// A connection.
pub(crate) struct Live {
    /// Which connection of this process it is: another number means another run of a program, perhaps.
    pub(crate) number: u64,
    pub(crate) link: Link,
    pub(crate) pending: Pending,
    options: Arc<ClientOptions>,
    facts: ClientFacts,
    state: Mutex<State>,
    next: AtomicU64,
    changes: watch::Sender<u64>,
    tasks: Mutex<JoinSet<()>>,
    runtime: Handle,
    listens: AtomicBool,
    /// Questions of the server that are being answered.
    questions: Arc<Semaphore>,
}

/// The hold on a connection: when it goes, everything that works for the connection ends.
pub(crate) struct Held(pub(crate) Arc<Live>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.pending.close(Closed::by_us());
        self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
    }
}

struct State {
    codec: Codec,
    session: Option<String>,
    introduction: Option<Arc<Introduction>>,
    remarks: Vec<String>,
    /// How many questions of the server are being answered.
    asked: usize,
    /// When the last one was.
    answered: Option<Instant>,
}

/// A question of the server that is being answered: meanwhile it is not the server that takes its time.
pub(crate) struct Asked<'l>(&'l Live);

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.asked = state.asked.saturating_sub(1);
        state.answered = Some(Instant::now());
    }
}

/// An answer, and what the transport says beside it.
pub(crate) struct Answered {
    pub(crate) outcome: Result<Box<RawValue>, PeerError>,
    pub(crate) status: Option<u16>,
    pub(crate) session: Option<String>,
}

impl Answered {
    /// The result as the codec reads it.
    pub(crate) fn raw(raw: &RawValue) -> Raw<'_> {
        // It is JSON; parsing it again only finds that out.
        Raw::parse(raw.get()).unwrap_or_else(|_| null())
    }
}

fn null() -> Raw<'static> {
    #[expect(clippy::expect_used, reason = "`null` is JSON")]
    Raw::parse("null").expect("`null` is JSON")
}

/// How a request waits.
#[derive(Clone)]
pub(crate) struct Waits {
    pub(crate) idle: Duration,
    pub(crate) longest: Duration,
    pub(crate) progress: Option<ProgressReport>,
}

impl Live {
    /// A connection over this link, with the task that reads it.
    ///
    /// Has to be called inside of a runtime, as links have to be made in one.
    pub(crate) fn begin(link: Link, inbox: Inbox, options: &Arc<ClientOptions>, changes: watch::Sender<u64>) -> Held {
        let facts = ClientFacts::new(options.info.clone(), options.capabilities());
        let live = Arc::new(Self {
            number: BEGUN.fetch_add(1, Ordering::Relaxed),
            link,
            pending: Pending::default(),
            options: Arc::clone(options),
            facts,
            state: Mutex::new(State {
                codec: Codec::newest(),
                session: None,
                introduction: None,
                remarks: Vec::new(),
                asked: 0,
                answered: None,
            }),
            next: AtomicU64::new(1),
            changes,
            tasks: Mutex::new(JoinSet::new()),
            runtime: Handle::current(),
            listens: AtomicBool::new(false),
            questions: Arc::new(Semaphore::new(QUESTIONS)),
        });
        live.own(pump::run(inbox, Arc::downgrade(&live)));
        Held(live)
    }

    /// Runs something for as long as the connection is held.
    pub(crate) fn own(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn_on(task, &self.runtime);
    }

    pub(crate) fn codec(&self) -> Codec {
        self.state().codec
    }

    /// Takes the codec that was agreed on, and what the server said of itself.
    pub(crate) fn agree(&self, codec: Codec, introduction: Introduction, session: Option<String>) {
        let mut state = self.state();
        state.codec = codec;
        state.introduction = Some(Arc::new(introduction));
        state.session = session;
    }

    pub(crate) fn speak(&self, codec: Codec) {
        self.state().codec = codec;
    }

    pub(crate) const fn facts(&self) -> &ClientFacts {
        &self.facts
    }

    pub(crate) fn answers(&self) -> Option<&dyn Answers> {
        self.options.answers.as_deref()
    }

    pub(crate) fn introduction(&self) -> Option<Arc<Introduction>> {
        self.state().introduction.clone()
    }

    pub(crate) fn has_session(&self) -> bool {
        self.state().session.is_some()
    }

    /// The name that the server gives itself.
    pub(crate) fn server_name(&self) -> String {
        self.introduction()
            .and_then(|introduction| introduction.info_text("name"))
            .unwrap_or_else(|| "a server".to_owned())
    }

    /// Notes that the server asks something, for as long as what is returned is held.
    pub(crate) fn asked(&self) -> Asked<'_> {
        self.state().asked += 1;
        Asked(self)
    }

    /// Since when the server could have gone on: not while it waits for an answer of ours.
    fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        if state.asked > 0 { Some(Instant::now()) } else { state.answered }
    }

    /// A place among the questions of the server that are answered at the same time.
    pub(crate) fn place_for_a_question(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.questions).try_acquire_owned().ok()
    }

    /// Whether whoever asks is the first to listen on this connection.
    pub(crate) fn begins_to_listen(&self) -> bool {
        !self.listens.swap(true, Ordering::Relaxed)
    }

    /// Sends a notification.
    pub(crate) async fn tell(&self, body: Vec<u8>, method: &'static str) -> Result<(), ClientError> {
        let outgoing = Outgoing::message(body).with_headers(self.headers(method, None));
        match timeout(self.options.timeout, self.link.send(outgoing)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(source)) => Err(ClientError::Link { method, sent: source.sent(), source }),
            Err(_) => Err(ClientError::Timeout { method, after: self.options.timeout, sent: Sent::Maybe }),
        }
    }

    /// Notes something odd about the server, for whoever looks.
    pub(crate) fn remark(&self, what: String) {
        tracing::warn!(target: "haft::server", "{}", haft_diag::escape(&what));
        let mut state = self.state();
        if state.remarks.len() < REMARKS && !state.remarks.contains(&what) {
            state.remarks.push(what);
        }
    }

    pub(crate) fn remarks(&self) -> Vec<String> {
        self.state().remarks.clone()
    }

    pub(crate) fn tools_changed(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// The headers that go beside a message over HTTP.
    pub(crate) fn headers(&self, method: &str, subject: Option<&str>) -> Vec<(HeaderName, HeaderValue)> {
        if !self.link.is_http() {
            return Vec::new();
        }
        let (codec, session) = {
            let state = self.state();
            (state.codec, state.session.clone())
        };
        let mut headers = Vec::new();
        for (name, value) in codec.headers(method, subject) {
            header(&mut headers, HeaderName::from_static(name), &value);
        }
        if let Some(session) = session {
            header(&mut headers, HeaderName::from_static("mcp-session-id"), &session);
        }
        headers
    }

    /// Sends a request and waits for its answer.
    pub(crate) async fn request(
        self: &Arc<Self>,
        ask: &Ask<'_>,
        mirrored: &[(String, String)],
        waits: &Waits,
    ) -> Result<Answered, ClientError> {
        let codec = self.codec();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let id = Id::number(number);
        let token = waits.progress.as_ref().map(|_| Id::number(number));
        let mut headers = self.headers(ask.method(), ask.subject());
        for (name, value) in mirrored {
            if let Ok(name) = HeaderName::try_from(name.as_str()) {
                header(&mut headers, name, value);
            }
        }
        let body = codec.encode_ask(&id, ask, &self.facts, token.as_ref());
        let mut outgoing = Outgoing::request(number, body).with_headers(headers);
        if codec.begins_with_handshake() {
            outgoing = outgoing.resumable();
        }
        let (reply, receiver) = oneshot::channel();
        let (progress, reports) = watch::channel(None);
        self.pending.add(number, Slot { reply, progress });
        let mut open = Open {
            live: self,
            number,
            codec,
            is_over: false, // Of these two a server may know nothing.
            is_cancellable: !matches!(ask, Ask::Discover | Ask::Initialize),
        };
        match timeout(waits.longest, self.link.send(outgoing)).await {
            Ok(Ok(())) => {}
            Ok(Err(LinkError::Closed { sent })) => {
                // How it ended is told in a moment, and says more than that it did.
                open.is_over = true;
                let method = ask.method();
                if let Ok(Ok(Delivery::Closed(closed))) = timeout(LAST_WORDS, receiver).await {
                    return Err(ClientError::Closed { method, closed, sent });
                }
                drop(self.pending.remove(number));
                return Err(ClientError::Link { method, sent, source: LinkError::Closed { sent } });
            }
            Ok(Err(source)) => {
                open.is_over = true;
                drop(self.pending.remove(number));
                return Err(ClientError::Link { method: ask.method(), sent: source.sent(), source });
            }
            Err(_) => {
                return Err(ClientError::Timeout { method: ask.method(), after: waits.longest, sent: Sent::Maybe });
            }
        }
        let delivery = wait(self, receiver, reports, waits).await;
        let Some(delivery) = delivery else {
            return Err(ClientError::Timeout { method: ask.method(), after: waits.idle, sent: Sent::Maybe });
        };
        open.is_over = true;
        read(ask.method(), codec, delivery)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(method: &'static str, codec: Codec, delivery: Delivery) -> Result<Answered, ClientError> {
    match delivery {
        Delivery::Answer { outcome, status, session } => {
            let outcome = outcome.map_err(|error| codec.decode_error(Answered::raw(&error)));
            Ok(Answered { outcome, status, session })
        }
        Delivery::Closed(closed) => Err(ClientError::Closed { method, closed, sent: Sent::Maybe }),
        Delivery::Fault(fault) => Err(ClientError::of_fault(method, fault)),
        Delivery::Malformed(reason) => Err(ClientError::Unreadable { method, reason }),
    }
}

/// Adds a header; what cannot be one was encoded before, so nothing is lost.
fn header(headers: &mut Vec<(HeaderName, HeaderValue)>, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.push((name, value));
    }
}

/// Waits for the answer; progress and questions are signs of life, but not for ever. `None` when the time is over.
async fn wait(
    live: &Live,
    mut receiver: oneshot::Receiver<Delivery>,
    mut reports: watch::Receiver<Option<haft_wire::model::Progress>>,
    waits: &Waits,
) -> Option<Delivery> {
    let end = Instant::now() + waits.longest;
    let mut idle = Instant::now() + waits.idle;
    let mut is_reported = waits.progress.is_some();
    loop {
        tokio::select! {
            biased;
            delivery = &mut receiver => {
                if let Some(report) = &waits.progress {
                    // What was told just before the answer is heard before it.
                    let latest = reports.borrow_and_update();
                    if let (true, Some(progress)) = (latest.has_changed(), latest.as_ref()) {
                        report(progress);
                    }
                }
                // The sender goes only with the connection, which answers before it does.
                return delivery.ok();
            }
            changed = reports.changed(), if is_reported => {
                match (changed, &waits.progress) {
                    (Ok(()), Some(report)) => {
                        idle = Instant::now() + waits.idle;
                        if let Some(progress) = reports.borrow_and_update().as_ref() {
                            report(progress);
                        }
                    }
                    _ => is_reported = false,
                }
            }
            () = tokio::time::sleep_until(idle.min(end)) => { // bounded: the request's own deadline
                let later = live.idle_since().map(|since| since + waits.idle);
                match later.filter(|later| *later > Instant::now() && Instant::now() < end) {
                    Some(later) => idle = later,
                    None => return None,
                }
            }
        }
    }
}

/// A request that is cancelled when nobody waits for it any more.
struct Open<'l> {
    live: &'l Arc<Live>,
    number: u64,
    codec: Codec,
    is_over: bool,
    is_cancellable: bool,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if self.is_over || self.live.pending.remove(self.number).is_err() {
            return;
        }
        let closes = self.live.link.is_http() && self.codec.disconnect() == Disconnect::Cancel;
        if closes || !self.is_cancellable {
            self.live.link.forget(self.number);
            return;
        }
        let (live, number) = (Arc::clone(self.live), self.number);
        let body = self.codec.encode_cancelled(&Id::number(number));
        self.live.own(async move {
            let headers = live.headers("notifications/cancelled", None);
            let outgoing = Outgoing::message(body).with_headers(headers);
            if timeout(CANCEL, live.link.send(outgoing)).await.is_err() {
                tracing::debug!(number, "a cancellation was not taken in time");
            }
            live.link.forget(number);
        });
    }
}

static BEGUN: AtomicU64 = AtomicU64::new(0);
const CANCEL: Duration = Duration::from_secs(5);
const LAST_WORDS: Duration = Duration::from_secs(5);
/// A server that asks without end is not answered without end.
const QUESTIONS: usize = 64;
const REMARKS: usize = 32;
