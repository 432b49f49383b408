//! Why a request of a client failed: by whose fault, and whether the server may have acted on it.

use std::sync::Arc;
use std::time::Duration;

use haft_schema::{Problems, SchemaError};
use haft_transport::client::{Closed, Fault, LinkError, Sent};
use haft_wire::Codec;
use haft_wire::model::{InvalidReply, PeerError, Returned};
use thiserror::Error;

/// Why a request failed.
///
/// A tool that failed is no error here: its result says `is_error`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The arguments do not fit the tool's schema, so nothing was sent.
    #[error("the arguments of `{tool}` do not fit:\n{problems}")]
    Arguments {
        /// The tool.
        tool: String,
        /// Everything that is wrong with them.
        problems: Problems,
    },
    /// The arguments are no JSON object, or an ambiguous one.
    #[error("the arguments of `{tool}` are no JSON object: {reason}")]
    ArgumentText {
        /// The tool.
        tool: String,
        /// Where the text stops being one.
        reason: String,
    },
    /// The tool is another one than the caller decided about, so it was not called.
    #[error("the server changed the definition of `{tool}` since it was looked at")]
    Changed {
        /// The tool.
        tool: String,
    },
    /// The connection ended.
    #[error("the connection ended before `{method}` was answered: {}{}", closed.end, last_words(closed))]
    Closed {
        /// What was asked.
        method: &'static str,
        /// How the connection ended.
        closed: Arc<Closed>,
        /// Whether the request may have been received.
        sent: Sent,
    },
    /// The server cannot be spoken with.
    #[error("no common version: the server speaks {}", versions(server))]
    NoCommonVersion {
        /// The versions that the server speaks.
        server: Vec<String>,
    },
    /// The program could not be started, or what was to be sent was not taken.
    #[error("cannot ask `{method}`")]
    Link {
        /// What was asked.
        method: &'static str,
        /// Whether the request may have been received.
        sent: Sent,
        /// Why.
        source: LinkError,
    },
    /// The server was started again since the tool was looked at, so it was not called.
    #[error("the server was started again before `{method}`, and may be another one by now")]
    Restarted {
        /// What was to be asked.
        method: &'static str,
    },
    /// The server needs something that nobody here can give.
    #[error("the server needs input that nobody is here to give: {}", methods.join(", "))]
    NeedsInput {
        /// What it asks for.
        methods: Vec<String>,
    },
    /// The server does not speak streamable HTTP.
    #[error(
        "no server of the protocol answers here: status {status}; it may be one of the old HTTP+SSE transport, which is not spoken"
    )]
    NotSpoken {
        /// The status that `initialize` got.
        status: u16,
    },
    /// The server answered with an error of the protocol.
    #[error("the server answered `{method}` with an error")]
    Peer {
        /// What was asked.
        method: &'static str,
        /// The error.
        source: PeerError,
    },
    /// The answer has another shape than the protocol gives it.
    #[error(transparent)]
    Reply(#[from] InvalidReply),
    /// The result does not fit the schema that the tool declares. The tool has run.
    #[error("the result of `{tool}` does not fit the schema that the server declares:\n{problems}")]
    Result {
        /// The tool.
        tool: String,
        /// Everything that is wrong with it.
        problems: Problems,
        /// The result all the same.
        returned: Box<Returned>,
    },
    /// The result should be structured, and is not. The tool has run.
    #[error("the result of `{tool}` is not structured, as the server declares it")]
    ResultMissing {
        /// The tool.
        tool: String,
        /// The result all the same.
        returned: Box<Returned>,
    },
    /// The server asked and asked.
    #[error("`{method}` was not done after {rounds} rounds of questions")]
    Rounds {
        /// What was asked.
        method: &'static str,
        /// How often the server came back.
        rounds: u32,
    },
    /// The tool's schema cannot be used, so its arguments cannot be checked.
    #[error("the {which} schema of `{tool}` cannot be used")]
    Schema {
        /// The tool.
        tool: String,
        /// `input` or `output`.
        which: &'static str,
        /// Why.
        source: SchemaError,
    },
    /// No answer came in time.
    #[error("no answer to `{method}` within {} s", after.as_secs_f64())]
    Timeout {
        /// What was asked.
        method: &'static str,
        /// How long it was waited for.
        after: Duration,
        /// Whether the request may have been received.
        sent: Sent,
    },
    /// The transport has no answer.
    #[error("`{method}` was not answered")]
    Transport {
        /// What was asked.
        method: &'static str,
        /// Whether the request may have been received.
        sent: Sent,
        /// Why.
        source: Box<Fault>,
    },
    /// The server wants to know who asks.
    #[error("the server wants authorization: status {status}{}", challenge(www_authenticate))]
    Unauthorized {
        /// 401 or 403.
        status: u16,
        /// What the server says about how.
        www_authenticate: Vec<String>,
    },
    /// The server has no such tool.
    #[error("the server has no tool `{name}`{}", because(reason.as_deref(), suggestion.as_deref(), missing.as_deref()))]
    UnknownTool {
        /// The name.
        name: String,
        /// A tool with nearly that name.
        suggestion: Option<String>,
        /// Why a tool of that name is set aside, if one is.
        reason: Option<String>,
        /// Why the list is not whole, when it is not: the tool may stand in the rest.
        missing: Option<String>,
    },
    /// There is no such version of the protocol.
    #[error("there is no protocol version `{version}`; known are {}", Codec::names().collect::<Vec<_>>().join(", "))]
    UnknownVersion {
        /// What was asked for.
        version: String,
    },
    /// The answer cannot be read.
    #[error("the answer to `{method}` {reason}")]
    Unreadable {
        /// What was asked.
        method: &'static str,
        /// Why.
        reason: String,
    },
}

impl ClientError {
    /// Whether the server may have acted on the request.
    pub fn sent(&self) -> Sent {
        match self {
            Self::Closed { sent, .. }
            | Self::Link { sent, .. }
            | Self::Timeout { sent, .. }
            | Self::Transport { sent, .. } => *sent,
            Self::ArgumentText { .. }
            | Self::Arguments { .. }
            | Self::Changed { .. }
            | Self::NoCommonVersion { .. }
            | Self::NotSpoken { .. }
            | Self::Restarted { .. }
            | Self::Schema { which: "input", .. }
            | Self::Unauthorized { .. }
            | Self::UnknownTool { .. }
            | Self::UnknownVersion { .. } => Sent::No,
            _ => Sent::Maybe,
        }
    }

    /// What a fault of the transport is to whoever asked.
    pub(crate) fn of_fault(method: &'static str, fault: Fault) -> Self {
        if let Fault::Status(refusal) = &fault
            && matches!(refusal.status, 401 | 403)
        {
            return Self::Unauthorized { status: refusal.status, www_authenticate: refusal.www_authenticate.clone() };
        }
        let sent = match &fault {
            // Of a session that the server forgot, it can have run nothing; nor of a call that it put off.
            Fault::Status(refusal) if matches!(refusal.status, 404 | 405 | 429 | 503) => Sent::No,
            fault => fault.sent(),
        };
        Self::Transport { method, sent, source: Box::new(fault) }
    }

    /// The status of an HTTP answer that was no message.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            Self::Transport { source, .. } => match &**source {
                Fault::Status(refusal) => Some(refusal.status),
                _ => None,
            },
            Self::Unauthorized { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// Whether the connection is of no use any more.
    pub(crate) const fn ends_the_connection(&self) -> bool {
        matches!(self, Self::Closed { .. } | Self::Link { .. })
    }
}

fn last_words(closed: &Closed) -> String {
    if closed.stderr.is_empty() { String::new() } else { format!("\nits last words: {}", closed.stderr) }
}

fn versions(server: &[String]) -> String {
    if server.is_empty() { "none that it names".to_owned() } else { haft_diag::escape(&server.join(", ")).into_owned() }
}

fn challenge(www_authenticate: &[String]) -> String {
    match www_authenticate.first() {
        None => String::new(),
        Some(challenge) => format!(" ({})", haft_diag::escape(challenge)),
    }
}

fn because(reason: Option<&str>, suggestion: Option<&str>, missing: Option<&str>) -> String {
    if let Some(reason) = reason {
        return format!(" that can be used: {}", haft_diag::escape(reason));
    }
    let missing = missing.map(|missing| format!(", as far as its list can be read: {}", haft_diag::escape(missing)));
    let suggestion = suggestion.map(|suggestion| format!("; did you mean `{}`?", haft_diag::escape(suggestion)));
    [missing, suggestion].into_iter().flatten().collect()
}
