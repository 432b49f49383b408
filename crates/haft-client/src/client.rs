//! A client of one server.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use haft_wire::Codec;
use haft_wire::model::Ask;
use tokio::sync::{Mutex, watch};
use tokio::time::{Instant, sleep, timeout};

use crate::connect::{Connector, Endpoint, Server};
use crate::error::ClientError;
use crate::listen;
use crate::live::{Answered, Held, Live, Waits};
use crate::options::{CallOptions, ClientOptions};
use crate::retry;
use crate::tools::Shelf;

/// A client of one server. Clones share the connection; it ends with the last of them.
#[derive(Clone)]
pub struct Client(pub(crate) Arc<Shared>);

pub(crate) struct Shared {
    connector: Connector,
    connection: Mutex<Connection>,
    pub(crate) shelf: Shelf,
}

#[derive(Default)]
struct Connection {
    live: Option<Held>,
    known: Option<Codec>,
    /// When connections were opened lately.
    opened: VecDeque<Instant>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("options", &self.0.connector.options).finish_non_exhaustive()
    }
}

impl Client {
    /// Connects to a server and finds out what it speaks.
    ///
    /// Has to be called inside of a tokio runtime with I/O and time enabled.
    ///
    /// # Errors
    ///
    /// When the program cannot be started or the server cannot be reached, wants authorization, or speaks no version
    /// that is spoken here.
    pub async fn connect(endpoint: Endpoint, options: ClientOptions) -> Result<Self, ClientError> {
        let (changes, _) = watch::channel(0);
        let shelf = Shelf::new(changes.subscribe());
        let connector = Connector { endpoint, options: Arc::new(options), changes };
        let shared = Shared { connector, connection: Mutex::default(), shelf };
        let client = Self(Arc::new(shared));
        client.live().await?;
        Ok(client)
    }

    /// What is known of the server.
    ///
    /// # Errors
    ///
    /// When the connection was lost and cannot be had again.
    pub async fn server(&self) -> Result<Server, ClientError> {
        let live = self.live().await?;
        let codec = live.codec();
        let introduction = live.introduction().ok_or(ClientError::NoCommonVersion { server: Vec::new() })?;
        Ok(Server {
            version: codec.name(),
            has_handshake: codec.begins_with_handshake(),
            has_session: live.has_session(),
            introduction,
        })
    }

    /// Whether the server is there.
    ///
    /// # Errors
    ///
    /// When it does not answer.
    pub async fn ping(&self) -> Result<(), ClientError> {
        let live = self.live().await?;
        // A server of the stateless era has no `ping`; that it says who it is shows as much.
        let ask = if live.codec().begins_with_handshake() { Ask::Ping } else { Ask::Discover };
        let answered = live.request(&ask, &[], &self.waits(&CallOptions::default())).await?;
        answered.outcome.map(drop).map_err(|source| ClientError::Peer { method: ask.method(), source })
    }

    /// What was odd about the server so far, in words for a person; text of a stranger may be among them.
    pub async fn remarks(&self) -> Vec<String> {
        self.0.connection.lock().await.live.as_ref().map(|held| held.0.remarks()).unwrap_or_default()
    }

    /// Ends the connection in good order: a session is ended, a program gets the time to end by itself.
    pub async fn close(self) {
        let held = self.0.connection.lock().await.live.take();
        let Some(held) = held else { return };
        let live = &held.0;
        if live.has_session() {
            let headers = live.headers("", None);
            if timeout(CLOSE, live.link.end_session(headers)).await.is_err() {
                tracing::debug!("the end of the session was not heard in time");
            }
        }
        live.link.clone().close().await;
    }

    pub(crate) fn options(&self) -> &ClientOptions {
        &self.0.connector.options
    }

    pub(crate) fn waits(&self, options: &CallOptions) -> Waits {
        let idle = options.timeout.unwrap_or(self.options().timeout);
        Waits { idle, longest: self.options().longest.max(idle), progress: options.progress.clone() }
    }

    /// The connection; opened again when it was lost, but not without end.
    pub(crate) async fn live(&self) -> Result<Arc<Live>, ClientError> {
        let mut connection = self.0.connection.lock().await;
        if let Some(held) = &connection.live
            && !held.0.pending.is_closed()
        {
            return Ok(Arc::clone(&held.0));
        }
        let now = Instant::now();
        while connection.opened.front().is_some_and(|opened| now - *opened > WITHIN) {
            connection.opened.pop_front();
        }
        if connection.opened.len() >= OPENED {
            return Err(ClientError::Unreadable {
                method: "connect",
                reason: format!("was lost {OPENED} times within {} s", WITHIN.as_secs()),
            });
        }
        connection.opened.push_back(now);
        connection.live = None;
        let held = self.0.connector.open(connection.known).await?;
        let live = Arc::clone(&held.0);
        connection.known = Some(live.codec());
        connection.live = Some(held);
        drop(connection);
        self.0.shelf.forget_freshness();
        Ok(live)
    }

    /// Lets go of a connection that is of no use any more.
    async fn drop_connection(&self, live: &Arc<Live>) {
        let mut connection = self.0.connection.lock().await;
        if connection.live.as_ref().is_some_and(|held| Arc::ptr_eq(&held.0, live)) {
            connection.live = None;
        }
    }

    /// Asks once or, where that is safe, again.
    pub(crate) async fn ask(
        &self,
        ask: &Ask<'_>,
        mirrored: &[(String, String)],
        options: &CallOptions,
    ) -> Result<(Arc<Live>, Answered), ClientError> {
        let mut attempt = 0;
        loop {
            let live = self.live().await?;
            if options.opened.is_some_and(|opened| opened != live.number) {
                return Err(ClientError::Restarted { method: ask.method() });
            }
            let error = match live.request(ask, mirrored, &self.waits(options)).await {
                Ok(answered) if answered.status == Some(404) && live.has_session() && answered.outcome.is_err() => {
                    // The session is over (2025-11-25, transports: session management).
                    if attempt > 0 {
                        return Ok((live, answered));
                    }
                    attempt += 1;
                    self.drop_connection(&live).await;
                    continue;
                }
                Ok(answered) => return Ok((live, answered)),
                Err(error) => error,
            };
            let lost_session = live.has_session() && error.status() == Some(404);
            if error.ends_the_connection() || lost_session {
                self.drop_connection(&live).await;
            } else if error.status() == Some(404) {
                return Err(error);
            }
            let Some(pause) = retry::pause(&error, attempt, options.is_idempotent) else { return Err(error) };
            tracing::debug!(%error, attempt, "asked again");
            attempt += 1;
            sleep(pause).await; // bounded: by the number of attempts
        }
    }

    /// Listens for changes from now on, on this connection.
    pub(crate) fn listen(live: &Arc<Live>) {
        drop(listen::begin(live));
    }
}

const CLOSE: Duration = Duration::from_secs(5);
/// A server that ends again and again is not opened without end.
const OPENED: usize = 5;
const WITHIN: Duration = Duration::from_secs(30);
