//! Whether a call may run, on its final arguments and its origin, never on the name under which a tool is shown.

use haft_policy::{Decision, Verdict};
use haft_wire::model::ToolResult;

use crate::context::CallShared;
use crate::guard;
use crate::tool::Arguments;

/// What becomes of a call.
pub(super) enum Ruling {
    /// Somebody has to say yes first.
    Ask(Box<Decision>),
    /// It does not run; the model is told by which rule.
    Refused(ToolResult),
    /// It runs.
    Run,
}

/// Decides.
pub(super) fn decide(call: &CallShared, arguments: Arguments<'_>) -> Ruling {
    let Some(guard) = &call.server.guard else { return Ruling::Run };
    if guard.is_plain() && call.entry.is_always_allowed.get() == Some(&true) {
        return Ruling::Run;
    }
    let mut facts = guard::facts(&call.entry, &call.principal).with_arguments(arguments.tree());
    if call.can_be_asked {
        facts = facts.interactive();
    }
    let decision = guard.policy.decide(&facts);
    if let Some(shadow) = &decision.shadow {
        tracing::info!(
            target: "haft::policy",
            tool = call.entry.id.name.as_str(),
            would = %shadow.verdict,
            rule = shadow.basis.name(),
            "not enforced"
        );
    }
    match decision.verdict {
        Verdict::Allow => {
            if guard.is_plain() {
                call.entry.is_always_allowed.get_or_init(|| true);
            }
            Ruling::Run
        }
        Verdict::Ask(_) => Ruling::Ask(Box::new(decision)),
        Verdict::Deny => Ruling::Refused(refused(call, &decision)),
    }
}

fn refused(call: &CallShared, decision: &Decision) -> ToolResult {
    ToolResult::error(format!("`{}` was not run: {}.", call.entry.shown.name, decision.for_model()))
}
