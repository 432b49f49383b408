//! The rounds of a call that asks: answers that come in, questions that go out, and the sealed state between.

use haft_wire::Fault;
use haft_wire::model::{CallTool, InputRequest, InputRequired};
use serde_json::{Map, Value};

use crate::admit::Admitted;
use crate::catalogue::Entry;
use crate::context::{Answer, CallShared};
use crate::question::Questions;
use crate::server::Server;

/// Answers that one round may bring.
const MOST_ANSWERS: usize = 64;

/// What the client has answered so far: in earlier rounds, by the sealed state, and in this one.
pub(super) fn answers(
    server: &Server,
    admitted: &Admitted<'_>,
    entry: &Entry,
    call: &CallTool<'_>,
    arguments: &str,
) -> Result<Vec<Answer>, Fault> {
    if call.request_state.is_none() && call.input_responses.is_none() {
        return Ok(Vec::new());
    }
    let mut known = Map::new();
    if let Some(state) = &call.request_state {
        let binding = binding(&admitted.principal.binding(), entry, arguments);
        let opened = server.0.seal.open(state, &binding).and_then(|bytes| serde_json::from_slice(&bytes).ok());
        known = opened.ok_or_else(|| Fault::InvalidParams {
            message: "`requestState` was not issued for this call, or has expired".to_owned(),
        })?;
    }
    if let Some(responses) = call.input_responses {
        let fresh: Map<String, Value> = serde_json::from_str(responses.get()).unwrap_or_default();
        known.extend(fresh);
    }
    if known.len() > MOST_ANSWERS {
        return Err(Fault::InvalidParams { message: "`inputResponses` has more than 64 members".to_owned() });
    }
    Ok(known.into_iter().map(|(key, value)| Answer { key, value, is_used: false }).collect())
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
    let content = Value::Object(used).to_string();
    let binding = binding(&call.principal.binding(), &call.entry, arguments);
    let state = call.server.seal.close(content.as_bytes(), &binding, call.server.limits.ask_timeout);
    let state = state.ok_or_else(|| Fault::Internal { reference: super::reference() })?;
    Ok(InputRequired::new(requests, Some(state)))
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
