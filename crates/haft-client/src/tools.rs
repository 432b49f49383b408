//! The tools of a server: listed in pages, kept while they are fresh, ready to be checked against.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use haft_schema::{CompileOptions, Ownership, Problems, Schema, SchemaError, Tree};
use haft_wire::headers::HeaderParam;
use haft_wire::model::{Ask, ListedTool, SetAside};
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::client::Client;
use crate::error::ClientError;
use crate::live::Answered;
use crate::options::{CallOptions, ClientOptions};

/// A tool of a server.
#[derive(Debug)]
pub struct Tool {
    definition: ListedTool,
    pub(crate) header_params: Vec<HeaderParam>,
    input: OnceLock<Result<Schema, SchemaError>>,
    output: OnceLock<Result<Schema, SchemaError>>,
}

impl Tool {
    /// A tool from its definition.
    fn new(definition: ListedTool, header_params: Vec<HeaderParam>) -> Self {
        Self { definition, header_params, input: OnceLock::new(), output: OnceLock::new() }
    }

    /// What the server says of the tool.
    pub const fn definition(&self) -> &ListedTool {
        &self.definition
    }

    /// The compiled schema of the arguments.
    ///
    /// # Errors
    ///
    /// When the schema cannot be used.
    pub fn input(&self) -> Result<&Schema, &SchemaError> {
        self.input.get_or_init(|| compile(&self.definition.input_schema)).as_ref()
    }

    /// The compiled schema of the structured result, if the tool declares one.
    ///
    /// # Errors
    ///
    /// When the schema cannot be used.
    pub fn output(&self) -> Option<Result<&Schema, &SchemaError>> {
        let source = self.definition.output_schema.as_deref()?;
        Some(self.output.get_or_init(|| compile(source)).as_ref())
    }

    /// Whether arguments fit, and if not, everything that is wrong with them.
    pub(crate) fn check(&self, arguments: &RawValue) -> Result<(), ClientError> {
        let tool = || self.definition.name.clone();
        let tree = Tree::parse(arguments.get())
            .map_err(|error| ClientError::ArgumentText { tool: tool(), reason: error.to_string() })?;
        let schema = self.input().map_err(|error| self.unusable("input", error))?;
        schema.check(&tree).map_err(|problems| ClientError::Arguments { tool: tool(), problems })
    }

    /// Whether a structured result fits.
    pub(crate) fn check_structured(&self, schema: &Schema, value: &RawValue) -> Result<(), Problems> {
        match Tree::parse(value.get()) {
            Ok(tree) => schema.check(&tree),
            // It was read as JSON before; what a tree does not take has no place in a schema's terms.
            Err(error) => {
                tracing::debug!(%error, tool = %self.definition.name, "a structured result cannot be checked");
                Ok(())
            }
        }
    }

    pub(crate) fn unusable(&self, which: &'static str, error: &SchemaError) -> ClientError {
        ClientError::Schema { tool: self.definition.name.clone(), which, source: error.clone() }
    }
}

fn compile(source: &RawValue) -> Result<Schema, SchemaError> {
    Schema::compile(source, &CompileOptions::of(Ownership::Foreign))
}

/// The tools of a server, at one time.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Tools {
    /// The tools that can be used, in the order of the server.
    pub list: Vec<Arc<Tool>>,
    /// What else stood in the list, and why it cannot be used.
    pub set_aside: Vec<SetAside>,
    /// Why the list is not whole, when it is not.
    pub missing: Option<String>,
    /// How many pages there were.
    pub pages: usize,
    /// The connection over which all of it was read.
    pub(crate) opened: u64,
}

impl Tools {
    /// The tool of a name.
    pub fn find(&self, name: &str) -> Option<&Arc<Tool>> {
        self.list.iter().find(|tool| tool.definition.name == name)
    }

    /// The error that a name is that no tool has.
    pub(crate) fn unknown(&self, name: &str) -> ClientError {
        let names = self.list.iter().map(|tool| tool.definition.name.as_str());
        let aside = self.set_aside.iter().find(|aside| aside.name.as_deref() == Some(name));
        ClientError::UnknownTool {
            name: name.to_owned(),
            suggestion: haft_diag::nearest(name, names).map(str::to_owned),
            reason: aside.map(|aside| aside.reason.clone()),
            missing: self.missing.clone(),
        }
    }
}

/// Where the last list is kept.
pub(crate) struct Shelf {
    changes: watch::Receiver<u64>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    tools: Option<Arc<Tools>>,
    /// Until when, and for which count of changes.
    fresh: Option<(Instant, u64)>,
}

impl Shelf {
    pub(crate) fn new(changes: watch::Receiver<u64>) -> Self {
        Self { changes, kept: Mutex::default() }
    }

    /// On a new connection nothing is known of what changed before it.
    pub(crate) fn forget_freshness(&self) {
        self.kept().fresh = None;
    }

    fn fresh(&self) -> Option<Arc<Tools>> {
        let kept = self.kept();
        let (until, changes) = kept.fresh?;
        (Instant::now() < until && changes == *self.changes.borrow()).then(|| kept.tools.clone())?
    }

    /// The last list, if it was read over this connection.
    fn known(&self, opened: u64) -> Option<Arc<Tools>> {
        self.kept().tools.clone().filter(|tools| tools.opened == opened)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Client {
    /// The tools of the server: those of the last list while it is fresh, else listed anew, page by page.
    ///
    /// Fresh is what the server said it is (2026-07-28, caching); where it says nothing, until it tells of a change.
    /// A list that goes round in circles or does not end is cut, and [`Tools::missing`] says so.
    ///
    /// # Errors
    ///
    /// When the server cannot be asked, or answers with something else than a list.
    pub async fn tools(&self) -> Result<Arc<Tools>, ClientError> {
        match self.0.shelf.fresh() {
            Some(tools) => Ok(tools),
            None => self.list().await,
        }
    }

    /// A tool by name, from the last list however old, because it says best what the server expects; listed anew when
    /// it is not there.
    ///
    /// # Errors
    ///
    /// When the server has no such tool, or cannot be asked.
    pub async fn tool(&self, name: &str) -> Result<Arc<Tool>, ClientError> {
        Ok(self.found(name).await?.0)
    }

    /// A tool by name, and the connection over which its definition was read.
    pub(crate) async fn found(&self, name: &str) -> Result<(Arc<Tool>, u64), ClientError> {
        // A server that was started again may have other tools of the same names.
        let opened = self.live().await?.number;
        let known = self.0.shelf.known(opened);
        if let Some(tool) = known.and_then(|tools| tools.find(name).cloned()) {
            return Ok((tool, opened));
        }
        let tools = self.list().await?;
        let tool = tools.find(name).cloned().ok_or_else(|| tools.unknown(name))?;
        Ok((tool, tools.opened))
    }

    /// Lists anew; from the beginning once more, when the server was started again in the middle.
    pub(crate) async fn list(&self) -> Result<Arc<Tools>, ClientError> {
        match self.list_once().await {
            Err(ClientError::Restarted { .. }) => self.list_once().await,
            other => other,
        }
    }

    /// Lists anew over one connection: pages of two runs of a server are no list of either.
    async fn list_once(&self) -> Result<Arc<Tools>, ClientError> {
        let changes = *self.0.shelf.changes.borrow();
        let live = self.live().await?;
        let tells = live.introduction().is_some_and(|introduction| introduction.capabilities.tools_list_changed);
        if tells {
            Self::listen(&live);
        }
        let mirrors = live.link.is_http() && !live.codec().begins_with_handshake();
        let mut tools = Tools { opened: live.number, ..Tools::default() };
        let mut names = HashSet::new();
        let mut cursors = HashSet::new();
        let mut cursor: Option<String> = None;
        let mut lifetime = None;
        let mut bytes = 0;
        let begun = Instant::now();
        loop {
            let ask = Ask::ListTools(cursor.as_deref());
            // To list twice is as good as once.
            let opened = cursor.as_ref().map(|_| live.number);
            let options = CallOptions { is_idempotent: true, opened, ..CallOptions::default() };
            let (by, answered) = self.ask(&ask, &[], &options).await?;
            if by.number != live.number {
                return Err(ClientError::Restarted { method: ask.method() });
            }
            let result = answered.outcome.map_err(|source| ClientError::Peer { method: ask.method(), source })?;
            let page = live.codec().decode_tools(Answered::raw(&result))?;
            tools.pages += 1;
            bytes += result.get().len();
            let room = MOST_TOOLS.saturating_sub(tools.list.len() + tools.set_aside.len());
            let is_too_long = page.tools.len() + page.set_aside.len() > room;
            for definition in page.tools.into_iter().take(room) {
                tools.add(definition, mirrors, &mut names);
            }
            tools.set_aside.extend(page.set_aside.into_iter().take(room));
            if is_too_long {
                tools.missing = Some(format!("the list has more than {MOST_TOOLS} tools"));
                break;
            }
            let given = page.cache.map(|cache| std::time::Duration::from_millis(cache.ttl_ms));
            lifetime = match (lifetime, given) {
                (None, given) => given,
                (Some(shortest), Some(given)) => Some(given.min(shortest)),
                (Some(shortest), None) => Some(shortest),
            };
            let Some(next) = page.next_cursor else { break };
            let is_new = cursors.insert(blake3::hash(next.as_bytes()));
            tools.missing = why_no_further(&tools, bytes, !is_new, self.options());
            if tools.missing.is_none() && begun.elapsed() > self.options().longest {
                tools.missing = Some(format!("the list goes on after {} s", self.options().longest.as_secs()));
            }
            if tools.missing.is_some() {
                break;
            }
            cursor = Some(next);
        }
        let lifetime = lifetime.unwrap_or(if live.codec().begins_with_handshake() {
            if tells { std::time::Duration::from_hours(24) } else { self.options().list_lifetime }
        } else {
            // A server without handshake that gives no hint asks to be asked again (2026-07-28, caching).
            std::time::Duration::ZERO
        });
        let tools = Arc::new(tools);
        let mut kept = self.0.shelf.kept();
        kept.fresh = Instant::now().checked_add(lifetime.min(MOST_FRESH)).map(|until| (until, changes));
        kept.tools = Some(Arc::clone(&tools));
        Ok(tools)
    }
}

impl Tools {
    /// Adds a tool, or sets it aside.
    pub(crate) fn add(&mut self, definition: ListedTool, mirrors: bool, names: &mut HashSet<String>) {
        let name = Some(definition.name.clone());
        if !names.insert(definition.name.clone()) {
            self.set_aside.push(SetAside::new(name, "a tool of the same name stands before it"));
            return;
        }
        match HeaderParam::declared(&definition.input_schema) {
            Ok(params) => self.list.push(Arc::new(Tool::new(definition, params))),
            // Elsewhere than over HTTP nothing is mirrored (2026-07-28, tools: `x-mcp-header`).
            Err(_) if !mirrors => self.list.push(Arc::new(Tool::new(definition, Vec::new()))),
            Err(error) => self.set_aside.push(SetAside::new(name, error.to_string())),
        }
    }
}

/// Why a list is not followed any further.
fn why_no_further(tools: &Tools, bytes: usize, is_known: bool, options: &ClientOptions) -> Option<String> {
    if is_known {
        return Some(format!(
            "after page {} the list begins again: the cursor is one that was followed before",
            tools.pages
        ));
    }
    if tools.pages >= options.pages {
        return Some(format!("the list goes on after {} pages", options.pages));
    }
    (bytes > options.list_bytes).then(|| format!("the list goes on after {} bytes", options.list_bytes))
}

const MOST_TOOLS: usize = 20_000;
const MOST_FRESH: std::time::Duration = std::time::Duration::from_hours(24);
