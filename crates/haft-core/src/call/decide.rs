//! Whether a call may run, on its final arguments and its origin, never on the name under which a tool is shown.

use haft_policy::{Decision, Verdict};
use haft_wire::model::ToolResult;

use super::{Outcome, trail};
use crate::context::CallShared;
use crate::guard::{self, Guard};
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

/// That a policy which looks at nothing but the tool has allowed it.
#[derive(Debug)]
pub(crate) struct Allowed {
    rule: String,
    is_read_only: bool,
}

/// Decides, and puts the decision on record before anything runs.
pub(super) fn decide(call: &CallShared, arguments: Arguments<'_>) -> Ruling {
    let Some(guard) = &call.server.guard else { return Ruling::Run };
    if let Some(allowed) = call.entry.allowed.get() {
        return allow(call, arguments, allowed);
    }
    let decision = weigh(call, guard, arguments);
    match decision.verdict {
        // Without a log nothing is kept of it.
        Verdict::Allow if !guard.is_plain() && guard.audit.is_none() => Ruling::Run,
        Verdict::Allow => {
            let allowed = Allowed { rule: decision.basis.name(), is_read_only: decision.hints.read_only.value };
            if guard.is_plain() {
                allow(call, arguments, call.entry.allowed.get_or_init(|| allowed))
            } else {
                allow(call, arguments, &allowed)
            }
        }
        Verdict::Ask(_) => match record(call, arguments, &decision) {
            Ok(()) => Ruling::Ask(Box::new(decision)),
            Err(refused) => Ruling::Refused(refused),
        },
        Verdict::Deny => {
            // A refusal that is not on record is a refusal all the same.
            drop(record(call, arguments, &decision));
            trail::ended(call, Outcome::Failed);
            let name = &call.entry.shown.name;
            Ruling::Refused(ToolResult::error(format!("`{name}` was not run: {}.", decision.for_model())))
        }
    }
}

fn weigh(call: &CallShared, guard: &Guard, arguments: Arguments<'_>) -> Decision {
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
    if guard.policy.has_shadow() {
        guard.count(&decision);
    }
    decision
}

/// A call that may run, once that is on record.
fn allow(call: &CallShared, arguments: Arguments<'_>, allowed: &Allowed) -> Ruling {
    let Some(log) = trail::log(call) else { return Ruling::Run };
    let recorded = trail::decided(call, log, arguments.text(), Verdict::Allow, &allowed.rule)
        .and_then(|()| trail::intended(call, log));
    match recorded {
        Ok(()) => Ruling::Run,
        Err(error) => {
            tracing::error!(target: "haft::audit", error = &error as &dyn std::error::Error, "a call is not on record");
            // Where nothing can be written down, nothing may change (fail closed, and keep reading).
            if allowed.is_read_only { Ruling::Run } else { Ruling::Refused(unrecorded(call)) }
        }
    }
}

fn record(call: &CallShared, arguments: Arguments<'_>, decision: &Decision) -> Result<(), ToolResult> {
    let Some(log) = trail::log(call) else { return Ok(()) };
    trail::decided(call, log, arguments.text(), decision.verdict, &decision.basis.name()).map_err(|error| {
        tracing::error!(target: "haft::audit", error = &error as &dyn std::error::Error, "a call is not on record");
        unrecorded(call)
    })
}

fn unrecorded(call: &CallShared) -> ToolResult {
    let name = &call.entry.shown.name;
    ToolResult::error(format!(
        "`{name}` was not run: calls cannot be put on record now, and only those that change nothing go on."
    ))
}
