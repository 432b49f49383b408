//! Whether a call may run: the place where a policy stands. The one there is now allows everything.

use haft_wire::model::{Annotations, ToolResult};

use crate::catalogue::ToolId;
use crate::principal::Principal;
use crate::tool::Arguments;

/// What is decided on: the final arguments and the origin, never the name under which a tool is shown.
#[derive(Debug)]
pub(super) struct Facts<'a> {
    pub(super) tool: &'a ToolId,
    pub(super) annotations: &'a Annotations,
    pub(super) arguments: Arguments<'a>,
    pub(super) principal: &'a Principal,
}

/// Decides. A refusal is a result for the model that names the rule.
#[expect(clippy::unnecessary_wraps, reason = "a policy that refuses comes to stand here")]
pub(super) fn decide(facts: &Facts<'_>) -> Result<(), ToolResult> {
    tracing::trace!(
        target: "haft::call",
        tool = facts.tool.name.as_str(),
        source = facts.tool.source.as_str(),
        principal = ?facts.principal,
        read_only = ?facts.annotations.read_only,
        argument_bytes = facts.arguments.text().len(),
        "allowed"
    );
    Ok(())
}
