//! What a client reads of a server's answers: everything known is typed, everything else stays as it came.

use std::fmt;

use serde_json::value::RawValue;

use super::annotations::Annotations;
use super::content::ResourceContents;
use super::question::InputRequired;
use super::result::{CacheHint, ToolResult};

/// What a server says of itself, in either era.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Introduction {
    /// The versions that the server speaks; the one it chose, in the handshake era.
    pub versions: Vec<String>,
    /// What it can do.
    pub capabilities: ServerCapabilities,
    /// Who it says it is, an object; for people and logs, never for decisions (2026-07-28, basic).
    pub info: Option<Box<RawValue>>,
    /// What a model should know about the server as a whole.
    pub instructions: Option<String>,
    /// How long this may be kept.
    pub cache: Option<CacheHint>,
}

impl Introduction {
    /// A member of the server's information that is a string, such as `name` or `version`.
    pub fn info_text(&self, member: &str) -> Option<String> {
        let info: serde_json::Value = serde_json::from_str(self.info.as_ref()?.get()).ok()?;
        info.get(member)?.as_str().map(str::to_owned)
    }
}

/// What a server declared that it can do.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "capabilities are independent flags")]
pub struct ServerCapabilities {
    /// It has prompts.
    pub prompts: bool,
    /// It has resources.
    pub resources: bool,
    /// It has tools.
    pub tools: bool,
    /// It tells when its tools change.
    pub tools_list_changed: bool,
    /// Everything that was declared, an object.
    pub raw: Option<Box<RawValue>>,
}

/// A tool as a server lists it: any name, and members of the wrong type count as absent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ListedTool {
    /// The name, of whatever characters.
    pub name: String,
    /// A title for people.
    pub title: Option<String>,
    /// What a model decides by.
    pub description: Option<String>,
    /// JSON Schema of the arguments.
    pub input_schema: Box<RawValue>,
    /// JSON Schema of the structured result.
    pub output_schema: Option<Box<RawValue>>,
    /// Hints about what the tool does: claims of the server.
    pub annotations: Annotations,
    /// The whole definition as it came.
    pub raw: Box<RawValue>,
    /// What was wrong with members that count as absent.
    pub notes: Vec<String>,
}

/// An entry of a list that is no tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetAside {
    /// The name, where one could be read.
    pub name: Option<String>,
    /// What is wrong with it.
    pub reason: String,
}

impl SetAside {
    /// An entry that cannot be used, and why.
    pub fn new(name: Option<String>, reason: impl Into<String>) -> Self {
        Self { name, reason: reason.into() }
    }
}

/// A page of tools.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ListedTools {
    /// The tools in the order of the server.
    pub tools: Vec<ListedTool>,
    /// What else stood in the list.
    pub set_aside: Vec<SetAside>,
    /// Where the next page begins; the empty text is a cursor, too (2026-07-28, pagination).
    pub next_cursor: Option<String>,
    /// How long the page may be kept.
    pub cache: Option<CacheHint>,
}

/// A page of anything else that can be listed, entries as they came.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ListedItems {
    /// The entries, each an object.
    pub items: Vec<Box<RawValue>>,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
    /// How long the page may be kept.
    pub cache: Option<CacheHint>,
}

/// What a server answered to a request that can take several rounds.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a request is done or goes on")]
pub enum Round<T> {
    /// The request is done.
    Done(T),
    /// The server needs something first.
    Needs(InputRequired),
}

/// What a tool returned.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Returned {
    /// The result; blocks of a type that is not known are raw.
    pub result: ToolResult,
    /// The whole result as it came.
    pub raw: Box<RawValue>,
}

/// What a resource holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadContents {
    /// The parts that are understood.
    pub parts: Vec<ResourceContents>,
    /// The whole result as it came.
    pub raw: Box<RawValue>,
}

/// A JSON-RPC error of a server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PeerError {
    /// Its code.
    pub code: i64,
    /// What the server says; text of a stranger.
    pub message: String,
    /// What else the server says.
    pub data: Option<Box<RawValue>>,
    /// What the code means, where the protocol says so.
    pub meaning: Meaning,
}

/// What an error means to a client.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Meaning {
    /// A header and the body disagree: the client's picture of the tools may be old.
    HeaderMismatch,
    /// The request needs a capability that was not declared.
    MissingCapability,
    /// There is no such method.
    NoSuchMethod,
    /// There is no such resource.
    NoSuchResource,
    /// Anything else.
    Other,
    /// The version is not served; these are.
    UnsupportedVersion(Vec<String>),
}

impl fmt::Display for PeerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error {}: {}", self.code, self.message)
    }
}

impl std::error::Error for PeerError {}

/// Why an answer cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidReply {
    /// The method that was asked.
    pub method: &'static str,
    /// What is wrong with the answer.
    pub reason: String,
}

impl fmt::Display for InvalidReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the answer to `{}` {}", self.method, self.reason)
    }
}

impl std::error::Error for InvalidReply {}

/// What a server tells without being asked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ServerNotification {
    /// A subscription stands.
    Acknowledged,
    /// A request of the server is not waited for any more, or a subscription of the client has ended.
    Cancelled {
        /// The id of the request, as JSON text.
        request: Option<String>,
    },
    /// Something for the log.
    Log {
        /// A level of RFC 5424.
        level: String,
        /// The message, any JSON.
        data: Box<RawValue>,
    },
    /// Anything else.
    Other,
    /// How far a request is.
    Progress(Progress),
    /// The list of prompts changed.
    PromptsChanged,
    /// The list of resources changed.
    ResourcesChanged,
    /// The list of tools changed.
    ToolsChanged,
}

/// How far a request is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The token of the request, as JSON text.
    pub token: String,
    /// How much is done.
    pub progress: f64,
    /// How much there is to do.
    pub total: Option<f64>,
    /// What is being done; text of a stranger.
    pub message: Option<String>,
}
