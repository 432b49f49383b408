//! Approvals: who said yes to exactly this call, and whether that yes is still good.
//!
//! A client's yes counts when this server asked for it: in the stateless era the sealed state proves that, names one
//! question and is good once; in the handshake era the answer came back inside of the call. A person's yes lies in the
//! store, bound to caller, tool, definition and arguments, and is used up before the run begins.

use std::sync::{Arc, PoisonError};

use haft_policy::{Approver, Decision, Verdict};
use haft_store::audit::{ApprovalStep, AuditLog};
use haft_store::{Call, Moment, Request, Spent, State, StoreError, Ticket};
use serde_json::Value;

use super::{reference, trail};
use crate::context::{Answer, CallShared};
use crate::guard::{self, Guard};
use crate::outcome::CallOutcome;
use crate::question::{Question, Questions};
use crate::tool::CallFuture;
use crate::tool_error::ToolError;

/// The key of the question. Tools cannot ask under it.
pub(crate) const KEY: &str = "haft.approval";

/// What is known of an approval of this call.
#[derive(Clone, Debug, Default)]
pub(crate) enum Approval {
    /// The client answered the question that this state was sealed with.
    Answered { seal: Sealed, is_yes: bool },
    /// An earlier round had it; the state that says so has to be used up.
    Carried(Sealed),
    /// The person said no, inside of this call.
    Declined,
    /// It was given, by this approver.
    Given(Approver),
    /// Nothing.
    #[default]
    None,
}

/// The part of sealed state that is about an approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sealed {
    /// Names the state: it is good once.
    pub(crate) nonce: [u8; 16],
    /// Who gave the approval; nobody yet while the question is open.
    pub(crate) given: Option<Approver>,
    /// When the state is over.
    pub(crate) expires: Moment,
}

/// Whether an answer of the client is a yes; what is no answer to the question is a no.
pub(crate) fn is_yes(answer: &Value) -> bool {
    answer.get("action").and_then(Value::as_str) == Some("accept")
        && answer.get("content").and_then(|content| content.get("confirmed")) == Some(&Value::Bool(true))
}

/// Takes the answers that came back inside of the call: it is certain that they were asked for.
pub(crate) fn take(call: &CallShared, answers: Vec<Answer>) {
    let (approvals, others): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.key == KEY);
    if let Some(answer) = approvals.first() {
        let approval = if is_yes(&answer.value) { Approval::Given(Approver::Client) } else { Approval::Declined };
        *call.approval.lock().unwrap_or_else(PoisonError::into_inner) = approval;
    }
    call.answers.lock().unwrap_or_else(PoisonError::into_inner).extend(others);
}

/// A run that begins only when somebody said yes.
pub(super) fn begin(call: &Arc<CallShared>, arguments: &str, decision: Box<Decision>) -> CallFuture {
    let (call, arguments) = (Arc::clone(call), arguments.to_owned());
    Box::pin(async move {
        let canonical = match haft_schema::canonical(&arguments) {
            Ok(canonical) => canonical,
            // They were read before.
            Err(error) => return CallOutcome::Failed(ToolError::hidden(error)),
        };
        match settle(&call, canonical, &decision).await {
            Ok(Settled::Ask(question)) => CallOutcome::Needs(Questions::one(KEY, question)),
            Ok(Settled::Run) => {
                if let Some(Err(error)) = trail::log(&call).map(|log| trail::intended(&call, log)) {
                    return CallOutcome::Failed(ToolError::hidden(error));
                }
                match super::run(&call, &arguments) {
                    Ok(run) => run.await,
                    Err(error) => CallOutcome::Failed(ToolError::hidden(error)),
                }
            }
            Err(why) => {
                let name = &call.entry.shown.name;
                CallOutcome::Failed(ToolError::tell(format!("`{name}` was not run: {why}.")))
            }
        }
    })
}

enum Settled {
    Ask(Question),
    Run,
}

/// Finds out whether the call may run now.
async fn settle(call: &Arc<CallShared>, canonical: String, decision: &Decision) -> Result<Settled, String> {
    let Some(guard) = call.server.guard.clone() else { return Err("nobody decides here".to_owned()) };
    let Verdict::Ask(approver) = decision.verdict else { return Err("nobody is asked here".to_owned()) };
    let log = guard.audit.as_deref();
    if let Some(Err(error)) = log.map(AuditLog::check) {
        tracing::error!(target: "haft::audit", error = &error as &dyn std::error::Error, "a call is not on record");
        return Err("calls cannot be put on record now".to_owned());
    }
    if let Some(given) = spend_answer(call, &guard, approver).await? {
        note(call, log, ApprovalStep::Spent, "", given.word());
        *call.approval.lock().unwrap_or_else(PoisonError::into_inner) = Approval::Given(given);
        return Ok(Settled::Run);
    }
    let asks_people = guard.reaches_people && (approver == Approver::Person || !call.can_be_asked);
    let rule = decision.basis.name();
    let spent = {
        let (call, guard, canonical) = (Arc::clone(call), Arc::clone(&guard), canonical.clone());
        let rule = asks_people.then(|| rule.clone());
        off_the_runtime(move || spend_grant(&call, &guard, &canonical, rule.as_deref())).await?
    };
    match spent {
        Granted::Yes(ticket) => {
            let by = match &ticket.state {
                State::Granted { by, .. } => by.as_str(),
                _ => "",
            };
            note(call, log, ApprovalStep::Spent, &ticket.id.to_string(), by);
            *call.approval.lock().unwrap_or_else(PoisonError::into_inner) = Approval::Given(Approver::Person);
            Ok(Settled::Run)
        }
        Granted::No => Err(format!("{}, and a person said no to exactly this call", decision.for_model())),
        Granted::Ticket(ticket) => {
            note(call, log, ApprovalStep::Asked, &ticket.id.to_string(), &rule);
            Err(format!(
                "{}. A person is asked, under ticket {}; the identical call runs once they allow it",
                decision.for_model(),
                ticket.id
            ))
        }
        Granted::Unasked if approver == Approver::Client && call.can_be_asked => {
            let question = question(call, &canonical, decision)?;
            note(call, log, ApprovalStep::Asked, "", &rule);
            Ok(Settled::Ask(question))
        }
        Granted::Unasked => Err(format!("{}, and nobody can be asked here", decision.for_model())),
    }
}

fn note(call: &CallShared, log: Option<&AuditLog>, step: ApprovalStep, ticket: &str, by: &str) {
    if let Some(log) = log {
        trail::approval(call, log, step, ticket, by);
    }
}

/// Uses up what the client brought; `None` when it brought nothing that counts.
async fn spend_answer(
    call: &Arc<CallShared>,
    guard: &Arc<Guard>,
    approver: Approver,
) -> Result<Option<Approver>, String> {
    let approval = std::mem::take(&mut *call.approval.lock().unwrap_or_else(PoisonError::into_inner));
    let (seal, given) = match approval {
        Approval::Given(given) if given >= approver => return Ok(Some(given)),
        Approval::Declined => return Err("the person said no".to_owned()),
        Approval::Answered { seal, is_yes } if approver == Approver::Client => {
            if !is_yes {
                // A no is an answer, too: the same question is not answered again.
                let guard = Arc::clone(guard);
                off_the_runtime(move || guard.store.spend_nonce(&seal.nonce, seal.expires, guard::now())).await?;
                return Err("the person said no".to_owned());
            }
            (seal, Approver::Client)
        }
        Approval::Carried(seal) => match seal.given {
            Some(given) if given >= approver => (seal, given),
            _ => return Ok(None),
        },
        Approval::Answered { .. } | Approval::Given(_) | Approval::None => return Ok(None),
    };
    let guard = Arc::clone(guard);
    let is_first = off_the_runtime(move || guard.store.spend_nonce(&seal.nonce, seal.expires, guard::now())).await?;
    if is_first {
        Ok(Some(given))
    } else {
        Err("this approval was used before; one approval is good for one run".to_owned())
    }
}

enum Granted {
    No,
    Ticket(Box<Ticket>),
    Unasked,
    Yes(Box<Ticket>),
}

/// Uses up a grant that lies in the store; where there is none, a person is asked when a rule is given.
fn spend_grant(call: &CallShared, guard: &Guard, canonical: &str, rule: Option<&str>) -> Result<Granted, StoreError> {
    let principal = call.principal.binding();
    let wanted = Call {
        principal: &principal,
        source: call.entry.id.source.as_str(),
        tool: call.entry.id.name.as_str(),
        definition: call.entry.id.digest.into(),
        arguments: canonical,
    };
    let now = guard::now();
    match guard.store.spend(&wanted.binding(), now)? {
        Spent::Granted(ticket) => return Ok(Granted::Yes(ticket)),
        Spent::Denied(_) => return Ok(Granted::No),
        Spent::Waiting(ticket) => return Ok(Granted::Ticket(ticket)),
        Spent::Unasked => {}
        // A store that says something new does not say yes.
        _ => return Ok(Granted::No),
    }
    let Some(rule) = rule else { return Ok(Granted::Unasked) };
    let request = Request {
        call: wanted,
        caller: &format!("{:?}", call.principal),
        server: &identity(call),
        rule,
        expires: now.plus(guard.ticket_lifetime),
    };
    let ticket = guard.store.ask(&request, now)?;
    Ok(match ticket.state {
        State::Waiting => Granted::Ticket(Box::new(ticket)),
        // Somebody answered between the two; the next identical call finds it.
        State::Granted { .. } => Granted::Ticket(Box::new(ticket)),
        _ => Granted::No,
    })
}

/// The question to the client's person. What this server knows comes first, texts of the tool last.
fn question(call: &CallShared, canonical: &str, decision: &Decision) -> Result<Question, String> {
    if canonical.len() > LONGEST_SHOWN {
        return Err(format!(
            "{}, and arguments of more than {LONGEST_SHOWN} bytes cannot be shown to a person",
            decision.for_model()
        ));
    }
    let shown = haft_schema::canonical_for_people(canonical).map_err(|error| error.to_string())?;
    let id = &call.entry.id;
    let digest = id.digest.to_hex();
    let digest = digest.get(..16).unwrap_or_default();
    let mut message = format!(
        "May this tool run once, with exactly these arguments?\n\
         Server: {}\nTool: {}.{} (definition {digest})\nArguments: {shown}\nReason to ask: {}",
        identity(call),
        haft_diag::escape(id.source.as_str()),
        haft_diag::escape(id.name.as_str()),
        decision.for_model(),
    );
    if let Some(title) = call.entry.shown.title.as_deref().or(call.entry.shown.annotations.title.as_deref()) {
        message.push_str("\nThe tool calls itself: ");
        message.push_str(&haft_diag::escape(title));
    }
    Ok(Question::confirm(message))
}

fn identity(call: &CallShared) -> String {
    let info = call.server.facts.info();
    format!("{} {}", haft_diag::escape(&info.name), haft_diag::escape(&info.version))
}

/// A store may wait for a disk. An error never means yes.
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, String> {
    let failed = |error: &(dyn std::error::Error + 'static)| {
        let reference = reference();
        tracing::error!(target: "haft::policy", reference, error, "approvals cannot be looked up");
        format!("approvals cannot be looked up; the server's log explains it under reference {reference}")
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(done)) => Ok(done),
        // What a model or a person can do something about, in words that give nothing away.
        Ok(Err(error @ (StoreError::Full { .. } | StoreError::TooLarge { .. }))) => Err(error.to_string()),
        Ok(Err(error)) => Err(failed(&error)),
        Err(error) => Err(failed(&error)),
    }
}

/// What a person can read through.
const LONGEST_SHOWN: usize = 16 * 1024;
