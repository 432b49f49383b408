//! Putting a server together.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, RwLock};

use haft_wire::headers::InvalidHeaderParam;
use haft_wire::model::{Implementation, InvalidDefinition, InvalidToolName, ServerFacts};

use crate::catalogue::{Catalogue, SourceId, Transform};
use crate::changes::Changes;
use crate::guard::Guard;
use crate::identify::Identify;
use crate::limits::Limits;
use crate::links::Links;
use crate::profile::Profile;
use crate::seal::Seal;
use crate::server::{Server, Shared};
use crate::sessions::Sessions;
use crate::tool::Tool;

/// Tools, and the name and version of the program that brings them.
#[non_exhaustive]
pub struct ToolSet {
    /// Name and version that the server gives as its own.
    pub info: Implementation,
    /// The tools.
    pub tools: Vec<Arc<dyn Tool>>,
}

impl ToolSet {
    /// Tools of a program.
    pub fn new(name: impl Into<String>, version: impl Into<String>, tools: Vec<Arc<dyn Tool>>) -> Self {
        Self { info: Implementation::new(name, version), tools }
    }
}

impl fmt::Debug for ToolSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.tools.iter().map(|tool| tool.definition().name.as_str()).collect();
        f.debug_struct("ToolSet").field("info", &self.info).field("tools", &names).finish()
    }
}

/// A server that is being put together.
pub struct ServerBuilder {
    info: Implementation,
    instructions: Option<String>,
    identify: Identify,
    limits: Limits,
    serves_links: bool,
    sources: Vec<(SourceId, Vec<Arc<dyn Tool>>)>,
    transforms: Vec<Transform>,
    states: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    state_keys: Vec<[u8; 32]>,
    profiles: Vec<Profile>,
    guard: Option<Guard>,
}

impl fmt::Debug for ServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerBuilder").field("info", &self.info).field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl ServerBuilder {
    /// A server with these tools, open to everybody who reaches its transport.
    pub fn new(tools: ToolSet) -> Self {
        Self {
            info: tools.info,
            instructions: None,
            identify: Identify::anonymous(),
            limits: Limits::default(),
            serves_links: false,
            sources: vec![(SourceId::local(), tools.tools)],
            transforms: Vec::new(),
            states: HashMap::new(),
            state_keys: Vec::new(),
            profiles: Vec::new(),
            guard: None,
        }
    }

    /// The name that the server gives as its own.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.info.name = name.into();
        self
    }

    /// The version that the server gives as its own.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.info.version = version.into();
        self
    }

    /// A title for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// What the model should know about the server as a whole.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// How callers are told apart.
    #[must_use]
    pub fn identify(mut self, identify: Identify) -> Self {
        self.identify = identify;
        self
    }

    /// What decides on calls before they run. Without one, every call that the schema accepts runs.
    #[must_use]
    pub fn guard(mut self, guard: Guard) -> Self {
        self.guard = Some(guard);
        self
    }

    /// Bounds.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Lets tools return links to contents that `resources/read` then serves
    /// ([`Context::link`](crate::Context::link)).
    #[must_use]
    pub const fn links(mut self, serves_links: bool) -> Self {
        self.serves_links = serves_links;
        self
    }

    /// Something that tools share ([`State`](crate::State)); one value per type.
    #[must_use]
    pub fn state<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.states.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// Adds one tool.
    #[must_use]
    pub fn tool(mut self, tool: Arc<dyn Tool>) -> Self {
        match self.sources.first_mut() {
            Some((_, tools)) => tools.push(tool),
            None => self.sources.push((SourceId::local(), vec![tool])),
        }
        self
    }

    /// Adds the tools of another source.
    #[must_use]
    pub fn source(mut self, source: SourceId, tools: Vec<Arc<dyn Tool>>) -> Self {
        self.sources.push((source, tools));
        self
    }

    /// Reshapes the catalogue; transforms apply in the order in which they are added.
    #[must_use]
    pub fn transform(mut self, transform: Transform) -> Self {
        self.transforms.push(transform);
        self
    }

    /// A named view of the catalogue, with the tools that are shown under these names; see
    /// [`Server::profile`](crate::Server::profile).
    #[must_use]
    pub fn profile(mut self, name: impl Into<String>, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let tools = tools.into_iter().map(Into::into).collect();
        self.profiles.push(Profile { name: name.into(), tools });
        self
    }

    /// The key that seals what clients carry between two rounds of a call. Servers that answer for each other need the
    /// same one; without it, each process makes its own.
    #[must_use]
    pub fn state_key(mut self, key: [u8; 32]) -> Self {
        self.state_keys.insert(0, key);
        self
    }

    /// A key that was [`Self::state_key`] before: what it sealed is still good until that expires. To change the key,
    /// name the old one here for as long as [`Limits::ask_timeout`].
    #[must_use]
    pub fn earlier_state_key(mut self, key: [u8; 32]) -> Self {
        self.state_keys.push(key);
        self
    }

    /// Puts the server together.
    ///
    /// # Errors
    ///
    /// When two tools have one name, a schema cannot be served, or the system has no randomness.
    pub fn build(self) -> Result<Server, BuildError> {
        let catalogue = Catalogue::build(self.sources, self.transforms)?;
        let names = catalogue.names();
        for (profile, tool) in
            self.profiles.iter().flat_map(|profile| profile.tools.iter().map(move |tool| (profile, tool)))
        {
            if !names.contains(tool) {
                return Err(BuildError::Profile { profile: profile.name.clone(), tool: tool.clone() });
            }
        }
        let profiles = self.profiles.into_iter().map(Arc::new).collect();
        let facts = ServerFacts::new(self.info).with_instructions(self.instructions).with_resources(self.serves_links);
        let shared = Arc::new(Shared {
            facts,
            catalogue: RwLock::new(Arc::new(catalogue)),
            changes: Changes::new(),
            identify: self.identify,
            sessions: Sessions::new(self.limits.sessions, self.limits.session_idle),
            links: Links::new(self.limits.link_bytes, self.limits.link_lifetime),
            seal: Seal::new(&self.state_keys).map_err(BuildError::Random)?,
            states: self.states,
            calls_in_flight: AtomicUsize::new(0),
            unsent_bytes: AtomicUsize::new(0),
            subscriptions: AtomicUsize::new(0),
            profiles,
            guard: self.guard.map(Arc::new),
            blocking: Arc::new(tokio::sync::Semaphore::new(self.limits.blocking_threads.max(1))),
            limits: self.limits,
        });
        Ok(Server(shared, None))
    }
}

/// Why a server or a tool cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The definition of a tool is malformed.
    #[error("a tool's definition cannot be read")]
    Definition(#[source] InvalidDefinition),
    /// Two tools have one name.
    #[error("two tools are named `{name}`")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// An `x-mcp-header` of a tool cannot be honoured.
    #[error("tool `{tool}` cannot be served over HTTP")]
    Header {
        /// The tool.
        tool: String,
        /// What is wrong with the annotation.
        #[source]
        source: InvalidHeaderParam,
    },
    /// A tool has a name that hosts do not accept.
    #[error(transparent)]
    Name(#[from] InvalidToolName),
    /// A profile lists a tool that is not there.
    #[error("profile `{profile}` lists `{tool}`, and there is no such tool")]
    Profile {
        /// The profile.
        profile: String,
        /// The tool.
        tool: String,
    },
    /// The system has no randomness.
    #[error("the system gives no random numbers")]
    Random(#[source] getrandom::Error),
    /// A schema of a tool cannot be served.
    #[error("the {which} schema of tool `{tool}` cannot be served")]
    Schema {
        /// The tool.
        tool: String,
        /// `input` or `output`.
        which: &'static str,
        /// What is wrong with the schema.
        #[source]
        source: haft_schema::SchemaError,
    },
    /// A transform names something that is not there, or does not fit it.
    #[error("the transform of `{tool}` cannot be applied: {reason}")]
    Transform {
        /// The tool that the transform names.
        tool: String,
        /// What is wrong.
        reason: String,
    },
}
