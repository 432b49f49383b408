//! What a handler knows of its call, and what it can do in the middle of it.

use std::any::{Any, TypeId};
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use haft_wire::Codec;
use haft_wire::jsonrpc::Id;
use haft_wire::model::{ClientCapabilities, ResourceContents, ResourceLink};
use serde_json::Value;

use crate::call::Permit;
use crate::call::approve::Approval;
use crate::call::trail::Trail;
use crate::catalogue::{Entry, ToolId};
use crate::outlet::Outlet;
use crate::principal::Principal;
use crate::question::{Answered, Question, Questions};
use crate::server::Shared;
use crate::tool_error::ToolError;

/// The call that a handler runs in. Clones are the same call.
#[derive(Clone)]
pub struct Context(pub(crate) Arc<CallShared>);

/// What everything that belongs to one call shares.
pub(crate) struct CallShared {
    pub(crate) server: Arc<Shared>,
    pub(crate) entry: Arc<Entry>,
    pub(crate) principal: Arc<Principal>,
    pub(crate) codec: Codec,
    pub(crate) capabilities: ClientCapabilities,
    pub(crate) progress_token: Option<Id<'static>>,
    pub(crate) outlet: Outlet,
    pub(crate) answers: Mutex<Vec<Answer>>,
    pub(crate) approval: Mutex<Approval>,
    /// What the call leaves in the audit log; nothing, where there is none.
    pub(crate) trail: OnceLock<Trail>,
    /// Whether the client's person can be asked.
    pub(crate) can_be_asked: bool,
    /// Lives as long as anything works for this call, a blocking thread too.
    pub(crate) permit: Mutex<Option<Permit>>,
}

/// What the client answered to a question.
pub(crate) struct Answer {
    pub(crate) key: String,
    pub(crate) value: Value,
    /// Whether the handler asked for it; only then it goes on to the next round.
    pub(crate) is_used: bool,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("tool", &self.0.entry.id).field("principal", &self.0.principal).finish()
    }
}

impl Context {
    /// Who calls.
    pub fn principal(&self) -> &Principal {
        &self.0.principal
    }

    /// Which tool is called.
    pub fn tool(&self) -> &ToolId {
        &self.0.entry.id
    }

    /// What the client can do.
    pub fn client_capabilities(&self) -> ClientCapabilities {
        self.0.capabilities
    }

    /// Whether nobody waits for the result any more. Futures are dropped then; blocking functions have to look.
    pub fn is_cancelled(&self) -> bool {
        self.0.outlet.is_cancelled()
    }

    /// Reports progress to a client that asked for it. Reports that come faster than the client reads are merged, and
    /// one that does not increase is dropped (2026-07-28, progress).
    pub fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(token) = &self.0.progress_token {
            self.0.outlet.report(progress, || self.0.codec.encode_progress(token, progress, total, message));
        }
    }

    /// Asks the person behind the client. Use it with `?`: the run ends there, and the handler runs again from its
    /// beginning with the answer. So ask before anything that must not happen twice. The answer is the client's word: it
    /// is worth as much as the client is trusted, and a client may send it before it was asked.
    ///
    /// # Errors
    ///
    /// When the question is not answered yet; the server then sees to it.
    pub fn ask(&self, key: &str, question: Question) -> Result<Answered, ToolError> {
        let mut answers = self.ask_all(Questions::one(key, question))?;
        // One question has one answer.
        answers.pop().ok_or_else(|| ToolError::hidden("a question without an answer"))
    }

    /// Asks several questions in one round; the answers come in the same order.
    ///
    /// # Errors
    ///
    /// As for [`Self::ask`].
    pub fn ask_all(&self, questions: Questions) -> Result<Vec<Answered>, ToolError> {
        questions.check().map_err(ToolError::hidden)?;
        let answered: Option<Vec<_>> =
            questions.list.iter().map(|(key, question)| self.answered(key, question)).collect();
        answered.ok_or_else(|| ToolError::needs(questions))
    }

    /// Keeps a text for the caller to read later, and makes the link to it: use it for results that would flood the
    /// model. The link lives for a while, for this caller alone.
    ///
    /// # Errors
    ///
    /// When the server does not serve links, or the text is larger than all that it keeps.
    pub fn link(&self, name: &str, mime_type: &str, text: String) -> Result<ResourceLink, ToolError> {
        let size = text.len();
        self.keep(name, mime_type, size, |uri| ResourceContents::Text {
            uri,
            mime_type: Some(mime_type.to_owned()),
            text,
        })
    }

    /// The same for bytes.
    ///
    /// # Errors
    ///
    /// As for [`Self::link`].
    pub fn link_bytes(&self, name: &str, mime_type: &str, bytes: &[u8]) -> Result<ResourceLink, ToolError> {
        self.keep(name, mime_type, bytes.len(), |uri| ResourceContents::Blob {
            uri,
            mime_type: Some(mime_type.to_owned()),
            blob: STANDARD.encode(bytes),
        })
    }

    /// Runs a function that blocks, on a bounded pool of threads. When the call times out or is cancelled, the answer
    /// goes out and the function still runs to its end; it keeps its place in the pool until then.
    pub async fn blocking<T: Send + 'static>(&self, function: impl FnOnce() -> T + Send + 'static) -> T {
        // The semaphore is never closed.
        let place = Arc::clone(&self.0.server.blocking).acquire_owned().await.ok();
        let context = self.clone();
        let outcome = tokio::task::spawn_blocking(move || {
            let kept = (place, context);
            let value = function();
            drop(kept);
            value
        })
        .await;
        match outcome {
            Ok(value) => value,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            // Only a runtime that is shutting down cancels a blocking task, and then nobody polls this any more.
            Err(_) => std::future::pending().await,
        }
    }

    /// Something that tools share, as [`ServerBuilder::state`](crate::ServerBuilder::state) put it in.
    pub fn state<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let state = self.0.server.states.get(&TypeId::of::<T>())?;
        Arc::clone(state).downcast().ok()
    }

    fn keep(
        &self,
        name: &str,
        mime_type: &str,
        size: usize,
        contents: impl FnOnce(String) -> ResourceContents,
    ) -> Result<ResourceLink, ToolError> {
        if !self.0.server.facts.serves_resources() {
            return Err(ToolError::hidden("the server was built without `links(true)`"));
        }
        let uri = self
            .0
            .server
            .links
            .keep(&self.0.principal, |uri| (contents(uri), size))
            .ok_or_else(|| ToolError::hidden("the contents are larger than all that links may keep"))?;
        let mut link = ResourceLink::new(uri, name);
        link.mime_type = Some(mime_type.to_owned());
        link.size = u64::try_from(size).ok();
        Ok(link)
    }

    fn answered(&self, key: &str, question: &Question) -> Option<Answered> {
        let mut answers = self.0.answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let answer = answers.iter_mut().find(|answer| answer.key == key)?;
        let answered = Answered::read(question, &answer.value);
        answer.is_used = answered.is_some();
        answered
    }
}

/// Something that tools share.
#[expect(clippy::exhaustive_structs, reason = "a tuple struct to wrap and take apart")]
pub struct State<T>(pub Arc<T>);

impl<T: Any + Send + Sync> State<T> {
    /// Takes the state from a call.
    ///
    /// # Errors
    ///
    /// When the server was built without a state of this type.
    pub fn from_context(context: &Context) -> Result<Self, ToolError> {
        context.state().map(Self).ok_or_else(|| {
            ToolError::hidden(format!("the server was built without a state of type `{}`", std::any::type_name::<T>()))
        })
    }
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("State")
    }
}
