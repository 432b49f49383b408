//! What a tool is to the server: a definition, and something to call.

use std::pin::Pin;

use haft_schema::Tree;
use haft_wire::model::ToolDefinition;

use crate::context::Context;
use crate::limits::ToolLimits;
use crate::outcome::CallOutcome;

/// A call that is going on. It owns what it needs, so it can outlive the request that began it.
pub type CallFuture = Pin<Box<dyn Future<Output = CallOutcome> + Send>>;

/// A tool.
///
/// Most tools come from `#[tool]`, [`ToolBuilder`](crate::ToolBuilder), [`RawTool`](crate::RawTool) or a manifest; the
/// server treats them all alike.
pub trait Tool: Send + Sync + 'static {
    /// What clients see of the tool; the same at every call.
    fn definition(&self) -> &ToolDefinition;

    /// Begins a call. The arguments fit the input schema and have their defaults.
    ///
    /// Nothing happens before the future is polled: a call may be refused after this.
    fn call(&self, context: Context, arguments: Arguments<'_>) -> CallFuture;

    /// Bounds of this tool.
    fn limits(&self) -> ToolLimits {
        ToolLimits::none()
    }
}

/// The arguments of a call, checked.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    text: &'a str,
    tree: &'a Tree<'a>,
}

impl<'a> Arguments<'a> {
    /// Arguments from a text and the tree that was read from it.
    pub const fn new(text: &'a str, tree: &'a Tree<'a>) -> Self {
        Self { text, tree }
    }

    /// The arguments as JSON text, an object; byte for byte as they came unless defaults were filled in.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// The arguments as a tree.
    pub const fn tree(&self) -> &'a Tree<'a> {
        self.tree
    }
}
