//! The rounds of a call that asks: answers that come in, questions that go out, and the sealed state between.

use std::time::Duration;

use haft_policy::Approver;
use haft_store::Moment;
use haft_wire::Fault;
use haft_wire::model::{CallTool, InputRequest, InputRequired};
use serde_json::{Map, Value, json};

use super::approve::{self, Approval, Sealed};
use crate::admit::Admitted;
use crate::catalogue::Entry;
use crate::context::{Answer, CallShared};
use crate::guard;
use crate::question::Questions;
use crate::server::Server;

/// Answers that one round may bring.
const MOST_ANSWERS: usize = 64;

/// What the client has answered so far: in earlier rounds, by the sealed state, and in this one; and what it brings of
/// an approval, which counts only with the state of the question.
pub(super) fn answers(
    server: &Server,
    admitted: &Admitted<'_>,
    entry: &Entry,
    call: &CallTool<'_>,
    arguments: &str,
) -> Result<(Vec<Answer>, Approval), Fault> {
    if call.request_state.is_none() && call.input_responses.is_none() {
        return Ok((Vec::new(), Approval::None));
    }
    let mut known = Map::new();
    let mut sealed = None;
    if let Some(state) = &call.request_state {
        let binding = binding(&admitted.principal.binding(), entry, arguments);
        let opened = server.0.seal.open(state, &binding).and_then(|bytes| Content::read(&bytes));
        let content = opened.ok_or_else(|| Fault::InvalidParams {
            message: "`requestState` was not issued for this call, or has expired".to_owned(),
        })?;
        known = content.answers;
        sealed = content.approval;
    }
    let mut answer = None;
    if let Some(responses) = call.input_responses {
        let mut fresh: Map<String, Value> = serde_json::from_str(responses.get()).unwrap_or_default();
        answer = fresh.remove(approve::KEY);
        known.extend(fresh);
    }
    known.remove(approve::KEY);
    if known.len() > MOST_ANSWERS {
        return Err(Fault::InvalidParams { message: "`inputResponses` has more than 64 members".to_owned() });
    }
    let approval = match (sealed, answer) {
        (Some(seal), Some(answer)) if seal.given.is_none() => {
            Approval::Answered { seal, is_yes: approve::is_yes(&answer) }
        }
        (Some(seal), _) if seal.given.is_some() => Approval::Carried(seal),
        _ => Approval::None,
    };
    Ok((known.into_iter().map(|(key, value)| Answer { key, value, is_used: false }).collect(), approval))
}

/// What goes out to a client that gets questions as a result.
pub(crate) fn needs(call: &CallShared, questions: &Questions, arguments: &str) -> Result<InputRequired, Fault> {
    let requests: Vec<InputRequest> = questions.list.iter().map(|(key, question)| question.request(key)).collect();
    if let Some(required) = call.capabilities.missing(&requests) {
        return Err(Fault::MissingCapability { required });
    }
    let answers = call.answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let used: Map<String, Value> = answers
        .iter()
        .filter(|answer| answer.is_used)
        .map(|answer| (answer.key.clone(), answer.value.clone()))
        .collect();
    drop(answers);
    let lifetime = call.server.limits.ask_timeout;
    let internal = || Fault::Internal { reference: super::reference() };
    let given = match &*call.approval.lock().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Approval::Given(given) => Some(*given),
        _ => None,
    };
    let is_approval = questions.list.iter().any(|(key, _)| key == approve::KEY);
    let approval = if is_approval || given.is_some() {
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).map_err(|_| internal())?;
        // The seal counts in whole seconds.
        let expires = guard::now().plus(lifetime).plus(Duration::from_secs(2));
        Some(Sealed { nonce, given, expires })
    } else {
        None
    };
    let content = Content { answers: used, approval }.write();
    let binding = binding(&call.principal.binding(), &call.entry, arguments);
    let state = call.server.seal.close(content.as_bytes(), &binding, lifetime).ok_or_else(internal)?;
    Ok(InputRequired::new(requests, Some(state)))
}

/// What is inside of sealed state.
struct Content {
    answers: Map<String, Value>,
    approval: Option<Sealed>,
}

impl Content {
    fn write(self) -> String {
        let approval = self.approval.map(|sealed| {
            json!({
                "nonce": sealed.nonce,
                "given": sealed.given.map(Approver::word),
                "expires": sealed.expires.as_millis(),
            })
        });
        json!({ "answers": self.answers, "approval": approval }).to_string()
    }

    /// Reads what this server wrote; the seal says that it did.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut content: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
        let Some(Value::Object(answers)) = content.remove("answers") else { return None };
        let approval = match content.remove("approval")? {
            Value::Null => None,
            approval => {
                let nonce: Vec<u8> = serde_json::from_value(approval.get("nonce")?.clone()).ok()?;
                let given = match approval.get("given").and_then(Value::as_str) {
                    None => None,
                    Some("client") => Some(Approver::Client),
                    Some("person") => Some(Approver::Person),
                    Some(_) => return None,
                };
                let expires = Moment::from_millis(approval.get("expires")?.as_u64()?);
                Some(Sealed { nonce: nonce.try_into().ok()?, given, expires })
            }
        };
        Some(Self { answers, approval })
    }
}

/// State is good for one caller, one tool as it is now, and one set of arguments.
fn binding(caller: &str, entry: &Entry, arguments: &str) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    for part in
        [caller.as_bytes(), entry.id.digest.as_bytes(), entry.shown.name.as_str().as_bytes(), arguments.as_bytes()]
    {
        hasher.update(&part.len().to_be_bytes());
        hasher.update(part);
    }
    hasher.finalize().as_bytes().to_vec()
}
