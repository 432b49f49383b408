//! Questions that went out as requests, and the answers that are still to come.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use haft_wire::jsonrpc::Id;
use haft_wire::model::InputRequest;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::connection::Connection;
use crate::context::{Answer, CallShared};
use crate::question::Questions;

/// Questions of one round.
pub(super) struct Asking {
    connection: Arc<Connection>,
    open: Vec<Open>,
    answers: Vec<Answer>,
}

struct Open {
    key: String,
    id: Id<'static>,
    receiver: oneshot::Receiver<Option<Value>>,
}

impl fmt::Debug for Asking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asking").field("open", &self.open.len()).finish_non_exhaustive()
    }
}

impl Asking {
    /// Sends the questions; `None` when the client did not say that it can answer them all.
    pub(super) fn begin(connection: &Arc<Connection>, call: &CallShared, questions: &Questions) -> Option<Self> {
        let requests: Vec<_> = questions.list.iter().map(|(key, question)| question.request(key)).collect();
        if !requests.iter().all(|request| call.capabilities.allow(&request.method, &request.params)) {
            return None;
        }
        let open = requests
            .into_iter()
            .map(|mut request| {
                let (id, receiver) = connection.ask();
                identify(&mut request);
                call.outlet.send(call.codec.encode_input_request(&id, &request));
                Open { key: request.key, id, receiver }
            })
            .collect();
        Some(Self { connection: Arc::clone(connection), open, answers: Vec::new() })
    }

    /// Tells the client that nobody waits for its answers any more.
    pub(super) fn withdraw(&self, call: &CallShared) {
        for open in &self.open {
            call.outlet.send(call.codec.encode_cancelled(&open.id));
        }
    }

    /// All answers, when the last has come. A client that fails has closed the question.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Vec<Answer>> {
        let answers = &mut self.answers;
        self.open.retain_mut(|open| {
            let Poll::Ready(answer) = Pin::new(&mut open.receiver).poll(context) else { return true };
            let value = answer.ok().flatten().unwrap_or_else(|| json!({ "action": "cancel" }));
            answers.push(Answer { key: std::mem::take(&mut open.key), value, is_used: false });
            false
        });
        if self.open.is_empty() { Poll::Ready(std::mem::take(answers)) } else { Poll::Pending }
    }
}

/// A URL that is asked for by a request has an id of its own (2025-11-25, elicitation: URL mode).
fn identify(request: &mut InputRequest) {
    let mut params: Value = serde_json::from_str(request.params.get()).unwrap_or_default();
    let is_url = params.get("mode").and_then(Value::as_str) == Some("url");
    if let Some(object) = params.as_object_mut().filter(|object| is_url && !object.contains_key("elicitationId")) {
        object.insert("elicitationId".to_owned(), Value::String(crate::call::reference()));
        if let Ok(identified) = serde_json::value::to_raw_value(&params) {
            request.params = identified;
        }
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        for open in &self.open {
            self.connection.forget_question(&open.id);
        }
    }
}
