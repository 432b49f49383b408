//! Arguments: read once, checked against the schema, completed with defaults and constants.

use haft_schema::Tree;
use haft_wire::model::{CallTool, ToolResult};

use crate::catalogue::Entry;

/// The arguments of a call as they came.
pub(super) struct Input<'a> {
    text: &'a str,
    name: &'a str,
}

impl<'a> Input<'a> {
    /// Takes the arguments of a call; absent ones are the empty object.
    pub(super) fn read(call: &'a CallTool<'_>) -> Result<Self, ToolResult> {
        if let Some(fault) = call.ambiguous_argument {
            return Err(ToolResult::error(format!("The arguments are ambiguous: {fault}. Send each key once.")));
        }
        Ok(Self { text: call.arguments.map_or("{}", haft_wire::jsonrpc::Raw::get), name: &call.name })
    }

    pub(super) const fn text(&self) -> &'a str {
        self.text
    }

    pub(super) fn tree(&self) -> Result<Tree<'a>, ToolResult> {
        Tree::parse(self.text)
            .map_err(|error| ToolResult::error(format!("The arguments of `{}` cannot be read: {error}.", self.name)))
    }

    /// Checks the arguments; what is wrong is said for a model, all of it at once.
    pub(super) fn check(&self, entry: &Entry, tree: &Tree<'_>) -> Result<(), ToolResult> {
        if let Some(hidden) = names_a_constant(entry, tree) {
            return Err(ToolResult::error(format!(
                "The arguments do not fit the input schema of `{}`.\n- `/{hidden}`: unknown argument",
                self.name
            )));
        }
        if entry.input.is_valid(tree) {
            return Ok(());
        }
        match entry.input.check(tree) {
            Ok(()) => Ok(()),
            Err(problems) => Err(ToolResult::error(format!(
                "The arguments do not fit the input schema of `{}`.\n{problems}",
                self.name
            ))),
        }
    }
}

/// An argument that callers do not have, in any case; a schema that is open would let it through.
fn names_a_constant<'t>(entry: &Entry, tree: &'t Tree<'_>) -> Option<&'t str> {
    let mut names = tree.as_object().filter(|_| !entry.constants.is_empty())?.iter().map(|(name, _)| name);
    names.find(|name| entry.constants.iter().any(|(hidden, _)| hidden.eq_ignore_ascii_case(name)))
}

/// The arguments with defaults and hidden constants; `None` when nothing is added.
pub(super) fn complete(entry: &Entry, arguments: &str, tree: &Tree<'_>) -> Option<String> {
    let filled = entry.input.fill_defaults(arguments, tree);
    if entry.constants.is_empty() {
        return filled;
    }
    let text = filled.as_deref().unwrap_or(arguments).trim_ascii();
    let mut completed = text.strip_suffix('}').unwrap_or(text).trim_ascii_end().to_owned();
    for (name, value) in &entry.constants {
        if !completed.ends_with('{') {
            completed.push(',');
        }
        completed.push_str(&serde_json::Value::String(name.clone()).to_string());
        completed.push(':');
        completed.push_str(value);
    }
    completed.push('}');
    Some(completed)
}
