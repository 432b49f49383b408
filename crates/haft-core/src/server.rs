//! The server: one for all transports and all peers.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

use haft_wire::headers::HeaderFacts;
use haft_wire::model::ServerFacts;
use haft_wire::{Codec, Fault};

use crate::answer::{Answer, Handled};
use crate::build::{BuildError, ServerBuilder, ToolSet};
use crate::catalogue::{Catalogue, SourceId, Transform};
use crate::changes::Changes;
use crate::connection::Connection;
use crate::guard::Guard;
use crate::identify::{Credentials, Identify, Unauthenticated};
use crate::limits::Limits;
use crate::links::Links;
use crate::principal::Principal;
use crate::profile::{Profile, View};
use crate::seal::Seal;
use crate::sessions::{SessionFault, Sessions};
use crate::tool::Tool;

/// A server of tools. Clones are the same server, and so are its [profiles](Self::profile).
#[derive(Clone, Debug)]
pub struct Server(pub(crate) Arc<Shared>, pub(crate) Option<Arc<Profile>>);

/// Who sent a message, and by which way.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "transports fill it in")]
pub struct Peer<'a> {
    /// Who.
    pub principal: &'a Arc<Principal>,
    /// By which way.
    pub via: Via<'a>,
}

/// The way of a message.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_enums, reason = "transports fill it in")]
pub enum Via<'a> {
    /// A request of its own.
    Http {
        /// The standard headers.
        headers: HeaderFacts<'a>,
        /// Looks up any other header, by its name in lower case.
        lookup: &'a (dyn Fn(&str) -> Option<&'a [u8]> + Sync),
    },
    /// A pipe that both sides keep.
    Pipe(&'a Arc<Connection>),
}

impl std::fmt::Debug for Via<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Http { headers, .. } => f.debug_struct("Http").field("headers", headers).finish_non_exhaustive(),
            Self::Pipe(_) => f.write_str("Pipe"),
        }
    }
}

/// What all clones of a server share.
pub(crate) struct Shared {
    pub(crate) facts: ServerFacts,
    pub(crate) limits: Limits,
    pub(crate) catalogue: RwLock<Arc<Catalogue>>,
    pub(crate) changes: Changes,
    pub(crate) identify: Identify,
    pub(crate) sessions: Sessions,
    pub(crate) links: Links,
    pub(crate) seal: Seal,
    pub(crate) states: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    pub(crate) calls_in_flight: AtomicUsize,
    pub(crate) unsent_bytes: AtomicUsize,
    pub(crate) profiles: Vec<Arc<Profile>>,
    pub(crate) guard: Option<Arc<Guard>>,
    pub(crate) subscriptions: AtomicUsize,
    pub(crate) blocking: Arc<tokio::sync::Semaphore>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("info", self.facts.info()).finish_non_exhaustive()
    }
}

impl Shared {
    /// Whether more answers wait to be read than the server keeps.
    pub(crate) fn is_backed_up(&self) -> bool {
        self.unsent_bytes.load(Ordering::Acquire) >= self.limits.unsent_bytes
    }
}

impl Server {
    /// Begins a server with these tools.
    pub fn builder(tools: ToolSet) -> ServerBuilder {
        ServerBuilder::new(tools)
    }

    /// Reads one message and answers it, or begins what it asks for.
    ///
    /// Has to be called inside of a tokio runtime with time enabled.
    pub fn handle(&self, body: &[u8], peer: &Peer<'_>) -> Handled {
        crate::dispatch::handle(self, body, peer)
    }

    /// A pipe that a peer keeps open, such as stdin and stdout.
    pub fn connection(&self, principal: Arc<Principal>) -> Arc<Connection> {
        Connection::pipe(self, principal)
    }

    /// The session of this id, if the principal may use it.
    ///
    /// # Errors
    ///
    /// When there is no such session, or it is somebody else's: the two answer alike.
    pub fn session(&self, id: &[u8], principal: &Principal) -> Result<Arc<Connection>, SessionFault> {
        let session = self.0.sessions.find(id, principal)?;
        // A session belongs to the profile that it began in.
        let name = |server: &Self| server.1.as_ref().map(|profile| profile.name.clone());
        if name(session.server()) == name(self) { Ok(session) } else { Err(SessionFault::Unknown) }
    }

    /// Ends the session of this id, if the principal may use it.
    ///
    /// # Errors
    ///
    /// As for [`Self::session`].
    pub fn end_session(&self, id: &[u8], principal: &Principal) -> Result<(), SessionFault> {
        self.session(id, principal)?;
        self.0.sessions.end(id, principal)
    }

    /// Finds out who is calling.
    ///
    /// # Errors
    ///
    /// When the caller has to say who it is and did not, or said something that nobody knows.
    pub fn identify(&self, credentials: &Credentials<'_>) -> Result<Arc<Principal>, Unauthenticated> {
        self.0.identify.identify(credentials)
    }

    /// How callers are told apart.
    pub fn identification(&self) -> &Identify {
        &self.0.identify
    }

    /// The answer to a message that the transport itself refuses, such as one that is too long.
    pub fn refuse(&self, fault: &Fault) -> Answer {
        crate::dispatch::fault_answer(Codec::of_unknown_revision(), None, fault)
    }

    /// Calls that run now.
    pub fn calls_in_flight(&self) -> usize {
        self.0.calls_in_flight.load(Ordering::Acquire)
    }

    /// The bounds of the server.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// What the server says of itself.
    pub fn facts(&self) -> &ServerFacts {
        &self.0.facts
    }

    /// The names of all tools, in the order of the list.
    pub fn tool_names(&self) -> Vec<String> {
        let names = self.catalogue().names();
        match &self.1 {
            None => names,
            Some(profile) => names.into_iter().filter(|name| profile.tools.contains(name)).collect(),
        }
    }

    /// The same server, seen through one of its profiles: mount it at a path of its own, or serve it over a pipe. `None`
    /// when there is no profile of this name.
    pub fn profile(&self, name: &str) -> Option<Self> {
        let profile = self.0.profiles.iter().find(|profile| profile.name == name)?;
        Some(Self(Arc::clone(&self.0), Some(Arc::clone(profile))))
    }

    pub(crate) fn view<'v>(&'v self, principal: &'v Principal) -> View<'v> {
        View { principal, profile: self.1.as_deref(), guard: self.0.guard.as_deref() }
    }

    /// Adds a tool while the server runs; clients that want to know are told.
    ///
    /// # Errors
    ///
    /// When its name is taken or its schemas cannot be served. The catalogue is unchanged then.
    pub fn add_tool(&self, tool: Arc<dyn Tool>) -> Result<(), BuildError> {
        self.change(|catalogue| catalogue.with_tools(SourceId::local(), vec![tool]))
    }

    /// Takes a tool away while the server runs; calls that began go on. `false` when there was no such tool.
    pub fn remove_tool(&self, name: &str) -> bool {
        let mut found = false;
        let outcome = self.change(|catalogue| {
            let (next, removed) = catalogue.without(name);
            found = removed;
            Ok(next)
        });
        found && outcome.is_ok()
    }

    /// Puts these tools in the place of all others, in one step.
    ///
    /// # Errors
    ///
    /// When a name is taken twice or a schema cannot be served. The catalogue is unchanged then.
    pub fn replace_tools(&self, tools: Vec<Arc<dyn Tool>>, transforms: Vec<Transform>) -> Result<(), BuildError> {
        self.change(|_| Catalogue::build(vec![(SourceId::local(), tools)], transforms))
    }

    /// Ends what is open: subscriptions end with their result, streams of notices end. Calls go on.
    pub fn shut_down(&self) {
        self.0.changes.close();
        self.0.sessions.close();
    }

    pub(crate) fn catalogue(&self) -> Arc<Catalogue> {
        // The lock is only held to swap or clone the pointer; nothing in there can panic.
        Arc::clone(&self.0.catalogue.read().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn change(&self, next: impl FnOnce(&Catalogue) -> Result<Catalogue, BuildError>) -> Result<(), BuildError> {
        {
            let mut current = self.0.catalogue.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            *current = Arc::new(next(&current)?);
        }
        self.0.changes.tell();
        Ok(())
    }
}
