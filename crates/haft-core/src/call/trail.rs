//! What a call leaves in the audit log: what was decided, that it is about to run, and what came of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use haft_policy::Verdict;
use haft_store::audit::{self, ApprovalStep, AuditError, AuditLog, Event};

use super::{Outcome, reference};
use crate::context::CallShared;
use crate::guard;

/// What ties the records of one call together.
#[derive(Debug)]
pub(crate) struct Trail {
    call: String,
    /// The final arguments, canonical.
    arguments: String,
    principal: String,
    begun: Instant,
    /// Whether the run was announced.
    is_intended: AtomicBool,
}

/// Records what the policy says of a call.
pub(super) fn decided(
    call: &CallShared,
    log: &AuditLog,
    arguments: &str,
    verdict: Verdict,
    rule: &str,
) -> Result<(), AuditError> {
    call.trail.get_or_init(|| Trail {
        call: reference(),
        // What cannot be read never comes here.
        arguments: haft_schema::canonical(arguments).unwrap_or_default(),
        principal: format!("{:?}", call.principal),
        begun: Instant::now(),
        is_intended: AtomicBool::new(false),
    });
    let verdict = match verdict {
        Verdict::Allow => audit::Verdict::Allow,
        Verdict::Ask(_) => audit::Verdict::Ask,
        Verdict::Deny => audit::Verdict::Deny,
    };
    append(call, log, Event::Decision { verdict, rule })
}

/// Records that a call is about to run.
pub(super) fn intended(call: &CallShared, log: &AuditLog) -> Result<(), AuditError> {
    append(call, log, Event::Intent)?;
    if let Some(trail) = call.trail.get() {
        trail.is_intended.store(true, Ordering::Relaxed);
    }
    Ok(())
}

/// Records a step of an approval.
pub(super) fn approval(call: &CallShared, log: &AuditLog, step: ApprovalStep, ticket: &str, by: &str) {
    lost(append(call, log, Event::Approval { step, ticket, by }));
}

/// Records what came of a call, once it is over.
pub(crate) fn ended(call: &CallShared, outcome: Outcome) {
    let (Some(log), Some(trail)) = (log(call), call.trail.get()) else { return };
    let outcome = match outcome {
        // What failed without having run was refused.
        Outcome::Failed if !trail.is_intended.load(Ordering::Relaxed) => audit::Outcome::Refused,
        Outcome::Answered => audit::Outcome::Answered,
        Outcome::Asked => audit::Outcome::Asked,
        Outcome::Cancelled => audit::Outcome::Cancelled,
        Outcome::Failed => audit::Outcome::Failed,
        Outcome::Panicked => audit::Outcome::Panicked,
        Outcome::TimedOut => audit::Outcome::TimedOut,
    };
    lost(append(call, log, Event::Outcome { outcome, elapsed: trail.begun.elapsed() }));
}

/// The log of the server, if it has one.
pub(super) fn log(call: &CallShared) -> Option<&AuditLog> {
    call.server.guard.as_ref()?.audit.as_deref()
}

fn append(call: &CallShared, log: &AuditLog, event: Event<'_>) -> Result<(), AuditError> {
    let Some(trail) = call.trail.get() else { return Ok(()) };
    let record = audit::Record {
        time: guard::now(),
        call: &trail.call,
        principal: &trail.principal,
        source: call.entry.id.source.as_str(),
        tool: call.entry.id.name.as_str(),
        definition: Some(call.entry.id.digest.into()),
        arguments: matches!(event, Event::Decision { .. }).then_some(trail.arguments.as_str()),
        event,
    };
    log.append(&record).map(drop)
}

/// What happened has happened, written down or not; the log itself will say how many records are missing.
fn lost(outcome: Result<(), AuditError>) {
    if let Err(error) = outcome {
        tracing::error!(target: "haft::audit", error = &error as &dyn std::error::Error, "a record was not written");
    }
}
