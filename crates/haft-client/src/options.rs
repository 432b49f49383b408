//! How a client behaves: how long it waits, what it checks, who answers for the person.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use haft_wire::model::{ClientCapabilities, Implementation, Progress};
use serde_json::value::RawValue;

use crate::answers::Answers;

/// What is told of the progress of a call; the latest report wins.
pub type ProgressReport = Arc<dyn Fn(&Progress) + Send + Sync>;

/// How a client behaves.
#[derive(Clone)]
#[non_exhaustive]
pub struct ClientOptions {
    /// Who the client says it is.
    pub info: Implementation,
    /// The one version to speak, such as `2025-06-18`; without it, the newest that both sides speak is found out.
    pub version: Option<String>,
    /// How long the first question to a program may go unanswered before it counts as one that wants a handshake.
    pub probe_timeout: Duration,
    /// How long a request may take without a sign of life.
    pub timeout: Duration,
    /// How long a request may take in all, however much progress it reports.
    pub longest: Duration,
    /// How long a list is fresh that comes from a server which neither says so nor tells of changes.
    pub list_lifetime: Duration,
    /// How often one call may come back with questions.
    pub rounds: u32,
    /// How many pages one list may have.
    pub pages: usize,
    /// How many bytes the pages of one list may have together.
    pub list_bytes: usize,
    /// Who answers what servers ask; without anybody, nothing of the kind is declared.
    pub answers: Option<Arc<dyn Answers>>,
    /// Whether servers may also send the person to a URL.
    pub opens_urls: bool,
}

impl ClientOptions {
    /// The defaults, under this name.
    pub fn new(info: Implementation) -> Self {
        Self {
            info,
            version: None,
            probe_timeout: Duration::from_secs(5),
            timeout: Duration::from_mins(1),
            longest: Duration::from_mins(10),
            list_lifetime: Duration::from_mins(5),
            rounds: 10,
            pages: 1000,
            list_bytes: 64 << 20,
            answers: None,
            opens_urls: false,
        }
    }

    /// What is declared to servers.
    pub(crate) fn capabilities(&self) -> ClientCapabilities {
        let mut capabilities = ClientCapabilities::default();
        if self.answers.is_some() {
            capabilities.elicitation_form = true;
            capabilities.elicitation_url = self.opens_urls;
        }
        capabilities
    }
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self::new(Implementation::new("haft", env!("CARGO_PKG_VERSION")))
    }
}

impl fmt::Debug for ClientOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientOptions")
            .field("info", &self.info)
            .field("timeout", &self.timeout)
            .field("longest", &self.longest)
            .field("answers", &self.answers.is_some())
            .finish_non_exhaustive()
    }
}

/// How one call behaves.
#[derive(Clone)]
#[non_exhaustive]
pub struct CallOptions {
    /// Whether the arguments are checked before anything is sent.
    pub checks_arguments: bool,
    /// Whether a structured result is checked against the schema that the tool declares.
    pub checks_result: bool,
    /// Whether a second identical call changes nothing more, to the best of the caller's knowledge: only then a call is
    /// made again that may have been received.
    pub is_idempotent: bool,
    /// The definition that the caller decided about, as it came: a call of a tool that has another one by now is not made.
    pub definition: Option<Box<RawValue>>,
    /// The connection over which the definition was read; the call is made over no other one.
    pub(crate) opened: Option<u64>,
    /// How long the call may take without a sign of life; the client's own bound, when absent.
    pub timeout: Option<Duration>,
    /// Who hears of progress; without anybody, none is asked for.
    pub progress: Option<ProgressReport>,
}

impl Default for CallOptions {
    fn default() -> Self {
        Self {
            checks_arguments: true,
            checks_result: true,
            is_idempotent: false,
            definition: None,
            opened: None,
            timeout: None,
            progress: None,
        }
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions")
            .field("checks_arguments", &self.checks_arguments)
            .field("checks_result", &self.checks_result)
            .field("is_idempotent", &self.is_idempotent)
            .field("definition", &self.definition.is_some())
            .field("timeout", &self.timeout)
            .field("progress", &self.progress.is_some())
            .finish_non_exhaustive()
    }
}
