//! Finding out what a server speaks: without a handshake first, with one if it wants that.

use std::sync::Arc;
use std::time::Duration;

use haft_core::Principal;
use haft_transport::client::{Inbox, Launch, Link, LinkError, Remote, Sent};
use haft_wire::Codec;
use haft_wire::model::{Ask, Introduction, Meaning};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::error::ClientError;
use crate::listen;
use crate::live::{Answered, Held, Live, Waits};
use crate::options::ClientOptions;

/// Where a server is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Endpoint {
    /// Behind a URL.
    Http(Remote),
    /// In this process, spoken with as this principal.
    Memory(haft_core::Server, Arc<Principal>),
    /// In a program that is started.
    Program(Launch),
}

impl Endpoint {
    fn link(&self) -> Result<(Link, Inbox), LinkError> {
        match self {
            Self::Http(remote) => Link::http(remote.clone()),
            Self::Memory(server, principal) => Ok(Link::memory(server.clone(), Arc::clone(principal))),
            Self::Program(launch) => Link::child(launch.clone()),
        }
    }
}

/// What is known of a server once it is connected.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Server {
    /// The version that is spoken.
    pub version: &'static str,
    /// Whether the conversation began with a handshake.
    pub has_handshake: bool,
    /// Whether the server gave out a session.
    pub has_session: bool,
    /// What the server says of itself.
    pub introduction: Arc<Introduction>,
}

/// Opens connections to one server, and remembers what it speaks.
pub(crate) struct Connector {
    pub(crate) endpoint: Endpoint,
    pub(crate) options: Arc<ClientOptions>,
    pub(crate) changes: watch::Sender<u64>,
}

/// What the first question found out.
enum Probed {
    /// The server speaks without a handshake.
    Agreed,
    /// The server wants a handshake.
    Handshake,
    /// The server wants a handshake, and did not survive the question.
    HandshakeAnew,
    /// The program said nothing in time: it may want a handshake, or be slow to start.
    Silent(ClientError),
}

impl Connector {
    /// Opens a connection; `known` is how an earlier one to the same server went.
    pub(crate) async fn open(&self, known: Option<Codec>) -> Result<Held, ClientError> {
        let wanted = match &self.options.version {
            None => None,
            Some(version) => {
                let codec = Codec::named(version);
                Some(codec.ok_or_else(|| ClientError::UnknownVersion { version: version.clone() })?)
            }
        };
        let live = self.begin()?;
        if wanted.or(known).is_some_and(Codec::begins_with_handshake) {
            self.handshake(&live.0, wanted).await?;
            return Ok(live);
        }
        // Where nothing else is wanted, there is no reason to give up early.
        let is_patient = live.0.link.is_http() || wanted.is_some();
        let idle = if is_patient { self.options.timeout } else { self.options.probe_timeout };
        match self.probe(&live.0, idle).await? {
            Probed::Agreed => Ok(live),
            Probed::Handshake | Probed::HandshakeAnew if wanted.is_some() => {
                Err(ClientError::NoCommonVersion { server: Vec::new() })
            }
            Probed::Silent(error) if wanted.is_some() => Err(error),
            Probed::Silent(_) => {
                self.handshake_or_late_answer(&live.0).await?;
                Ok(live)
            }
            Probed::Handshake => {
                self.handshake(&live.0, None).await?;
                Ok(live)
            }
            Probed::HandshakeAnew => {
                let live = self.begin()?;
                self.handshake(&live.0, None).await?;
                Ok(live)
            }
        }
    }

    fn begin(&self) -> Result<Held, ClientError> {
        let (link, inbox) =
            self.endpoint.link().map_err(|source| ClientError::Link { method: "connect", sent: Sent::No, source })?;
        Ok(Live::begin(link, inbox, &self.options, self.changes.clone()))
    }

    /// Asks `server/discover`, whose success cannot be mistaken (2026-07-28, versioning; stdio and streamable HTTP:
    /// backwards compatibility).
    async fn probe(&self, live: &Arc<Live>, idle: Duration) -> Result<Probed, ClientError> {
        let mut codec = Codec::newest();
        let mut is_again = false;
        loop {
            live.speak(codec);
            let answered = match live.request(&Ask::Discover, &[], &self.waits(idle)).await {
                Ok(answered) => answered,
                Err(error) => return no_answer(live, error),
            };
            match answered.outcome {
                Ok(result) => return agreed(live, codec, &result),
                Err(error) => match error.meaning {
                    Meaning::UnsupportedVersion(versions) => {
                        let Some(other) = Codec::best_of(&versions) else {
                            return Err(ClientError::NoCommonVersion { server: versions });
                        };
                        if other.begins_with_handshake() {
                            return Ok(Probed::Handshake);
                        }
                        // The same version may be asked for once more (2026-07-28, versioning).
                        if is_again {
                            return Err(ClientError::NoCommonVersion { server: versions });
                        }
                        codec = other;
                        is_again = true;
                    }
                    Meaning::HeaderMismatch | Meaning::MissingCapability => {
                        return Err(ClientError::Peer { method: "server/discover", source: error });
                    }
                    _ if live.link.is_http() && matches!(answered.status, Some(500..)) => {
                        return Err(ClientError::Peer { method: "server/discover", source: error });
                    }
                    _ => return Ok(Probed::Handshake),
                },
            }
        }
    }

    /// A program that was slow to start has read the first question before the handshake, and is bound to its answer.
    async fn handshake_or_late_answer(&self, live: &Arc<Live>) -> Result<(), ClientError> {
        let Err(error) = self.handshake(live, None).await else { return Ok(()) };
        let speaks = match &error {
            ClientError::Peer { source, .. } => match &source.meaning {
                Meaning::UnsupportedVersion(versions) => Codec::best_of(versions),
                _ => None,
            },
            _ => None,
        };
        if speaks.is_none_or(Codec::begins_with_handshake) {
            return Err(error);
        }
        match self.probe(live, self.options.timeout).await? {
            Probed::Agreed => Ok(()),
            _ => Err(error),
        }
    }

    /// Opens the conversation of the handshake era (2025-11-25, lifecycle).
    async fn handshake(&self, live: &Arc<Live>, wanted: Option<Codec>) -> Result<(), ClientError> {
        let proposed = wanted.unwrap_or(Codec::newest_with_handshake());
        live.speak(proposed);
        let answered = match live.request(&Ask::Initialize, &[], &self.waits(self.options.timeout)).await {
            Ok(answered) => answered,
            Err(error) => {
                return Err(match error.status() {
                    Some(status @ (400 | 404 | 405 | 406 | 415)) => ClientError::NotSpoken { status },
                    _ => error,
                });
            }
        };
        let result = answered.outcome.map_err(|source| ClientError::Peer { method: "initialize", source })?;
        let introduction = proposed.decode_introduction(Answered::raw(&result))?;
        let chosen = introduction.versions.first().and_then(|version| Codec::named(version));
        let Some(codec) =
            chosen.filter(|codec| codec.begins_with_handshake() && wanted.is_none_or(|wanted| wanted == *codec))
        else {
            return Err(ClientError::NoCommonVersion { server: introduction.versions });
        };
        live.agree(codec, introduction, answered.session);
        live.tell(codec.encode_initialized(), "notifications/initialized").await?;
        if live.answers().is_some() {
            // Over HTTP a server may ask on a stream that belongs to no request (2025-11-25, transports: listening).
            // One that asks before the stream stands would not be heard.
            if let Some(opening) = listen::begin(live)
                && timeout(OPENING, opening.settled()).await.is_err()
            {
                tracing::debug!("the stream for what belongs to no request is not open yet");
            }
        }
        Ok(())
    }

    fn waits(&self, idle: Duration) -> Waits {
        Waits { idle, longest: idle.max(self.options.longest), progress: None }
    }
}

/// What it means that the first question got no answer of the protocol.
fn no_answer(live: &Arc<Live>, error: ClientError) -> Result<Probed, ClientError> {
    match &error {
        ClientError::Timeout { .. } if !live.link.is_http() => Ok(Probed::Silent(error)),
        ClientError::Closed { .. } => Ok(Probed::HandshakeAnew),
        ClientError::Unauthorized { .. } => Err(error),
        // An answer that cannot be read is none that a server without handshake gives.
        ClientError::Unreadable { .. } | ClientError::Reply(_) => Ok(Probed::Handshake),
        _ => match error.status() {
            Some(400..=499) => Ok(Probed::Handshake),
            _ => Err(error),
        },
    }
}

/// What it means that the first question was answered.
fn agreed(live: &Live, asked: Codec, result: &serde_json::value::RawValue) -> Result<Probed, ClientError> {
    // A success of another shape comes from a server that answers anything.
    let Ok(introduction) = asked.decode_introduction(Answered::raw(result)) else {
        return Ok(Probed::Handshake);
    };
    match Codec::best_of(&introduction.versions) {
        None => Err(ClientError::NoCommonVersion { server: introduction.versions }),
        Some(codec) if codec.begins_with_handshake() => Ok(Probed::Handshake),
        Some(codec) => {
            live.agree(codec, introduction, None);
            Ok(Probed::Agreed)
        }
    }
}

/// How long the first call waits for a stream that a server may ask on.
const OPENING: Duration = Duration::from_secs(1);
