//! What a server answers.

use serde_json::value::RawValue;

use super::content::{Content, ResourceContents};
use super::question::InputRequired;

/// The result of a request, before a revision gives it its form.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServerResult<'a> {
    /// Of `tools/call`.
    CallTool(&'a ToolResult),
    /// Of `server/discover`.
    Discover(CacheHint),
    /// Nothing but the fact.
    Empty,
    /// Of `initialize`.
    Initialize,
    /// Of a call that waits for the client.
    InputRequired(&'a InputRequired),
    /// Of `resources/templates/list`: there are none.
    ListResourceTemplates(CacheHint),
    /// Of `resources/list`: what tools link to is not listed.
    ListResources(CacheHint),
    /// Of `tools/list`.
    ListTools(ToolPage<'a>),
    /// Of `resources/read`.
    ReadResource(&'a [ResourceContents], CacheHint),
}

/// What a tool returns.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ToolResult {
    /// Blocks for the model.
    pub content: Vec<Content>,
    /// The result as data; `Some` of `null` is not absent.
    pub structured: Option<Box<RawValue>>,
    /// Whether the tool failed in a way that a model can act on.
    pub is_error: bool,
    /// `_meta` of the result, an object.
    pub meta: Option<Box<RawValue>>,
}

impl ToolResult {
    /// A result of one block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: vec![Content::text(text)], ..Self::default() }
    }

    /// A failure that a model can act on.
    pub fn error(text: impl Into<String>) -> Self {
        Self { content: vec![Content::text(text)], is_error: true, ..Self::default() }
    }

    /// A result of data, with the same JSON as text for whoever reads no data
    /// (2026-07-28, tools: structured content).
    pub fn structured(value: Box<RawValue>) -> Self {
        Self { content: vec![Content::text(value.get())], structured: Some(value), ..Self::default() }
    }
}

/// A page of tools that are already encoded.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ToolPage<'a> {
    /// The tools' objects, joined by commas.
    pub tools: &'a [u8],
    /// Where the next page begins.
    pub next_cursor: Option<&'a str>,
    /// How long the page may be kept, and by whom.
    pub cache: CacheHint,
}

impl<'a> ToolPage<'a> {
    /// A page of encoded tools.
    pub const fn new(tools: &'a [u8], next_cursor: Option<&'a str>, cache: CacheHint) -> Self {
        Self { tools, next_cursor, cache }
    }
}

/// How long a result may be kept, and by whom (2026-07-28, caching).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheHint {
    /// Milliseconds for which the result is fresh.
    pub ttl_ms: u64,
    /// Who may share it.
    pub scope: CacheScope,
}

impl CacheHint {
    /// A hint.
    pub const fn new(ttl_ms: u64, scope: CacheScope) -> Self {
        Self { ttl_ms, scope }
    }
}

/// Who may share a cached result.
#[expect(clippy::exhaustive_enums, reason = "the protocol has these two")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheScope {
    /// Only the caller that got it.
    Private,
    /// Everybody.
    Public,
}

impl CacheScope {
    /// The scope as the wire writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Public => "public",
        }
    }
}
