//! What a client asks of a server, before a revision gives it its form.

use serde_json::value::RawValue;

/// A request of a client, with what it carries borrowed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Ask<'a> {
    /// `tools/call`.
    CallTool {
        /// The tool's name.
        name: &'a str,
        /// The arguments, an object as JSON text; they are sent byte for byte.
        arguments: &'a RawValue,
        /// Answers to what the last round asked, an object by key.
        input_responses: Option<&'a RawValue>,
        /// The state that the last round gave out.
        request_state: Option<&'a str>,
    },
    /// `server/discover`.
    Discover,
    /// `prompts/get`.
    GetPrompt {
        /// The prompt's name.
        name: &'a str,
        /// Its arguments, an object of strings.
        arguments: Option<&'a RawValue>,
        /// Answers to what the last round asked.
        input_responses: Option<&'a RawValue>,
        /// The state that the last round gave out.
        request_state: Option<&'a str>,
    },
    /// `initialize`.
    Initialize,
    /// `subscriptions/listen`, for every kind of change that the server tells.
    Listen,
    /// `prompts/list`, from a cursor on.
    ListPrompts(Option<&'a str>),
    /// `resources/templates/list`, from a cursor on.
    ListResourceTemplates(Option<&'a str>),
    /// `resources/list`, from a cursor on.
    ListResources(Option<&'a str>),
    /// `tools/list`, from a cursor on.
    ListTools(Option<&'a str>),
    /// `ping`.
    Ping,
    /// `resources/read`.
    ReadResource {
        /// Which resource.
        uri: &'a str,
        /// Answers to what the last round asked.
        input_responses: Option<&'a RawValue>,
        /// The state that the last round gave out.
        request_state: Option<&'a str>,
    },
}

impl<'a> Ask<'a> {
    /// A first call of a tool.
    pub const fn call(name: &'a str, arguments: &'a RawValue) -> Self {
        Self::CallTool { name, arguments, input_responses: None, request_state: None }
    }

    /// A first read of a resource.
    pub const fn read(uri: &'a str) -> Self {
        Self::ReadResource { uri, input_responses: None, request_state: None }
    }

    /// The method.
    pub const fn method(&self) -> &'static str {
        match self {
            Self::CallTool { .. } => "tools/call",
            Self::Discover => "server/discover",
            Self::GetPrompt { .. } => "prompts/get",
            Self::Initialize => "initialize",
            Self::Listen => "subscriptions/listen",
            Self::ListPrompts(_) => "prompts/list",
            Self::ListResourceTemplates(_) => "resources/templates/list",
            Self::ListResources(_) => "resources/list",
            Self::ListTools(_) => "tools/list",
            Self::Ping => "ping",
            Self::ReadResource { .. } => "resources/read",
        }
    }

    /// What the request is about, as `Mcp-Name` says it (2026-07-28, streamable HTTP: standard headers).
    pub const fn subject(&self) -> Option<&'a str> {
        match self {
            Self::CallTool { name, .. } | Self::GetPrompt { name, .. } => Some(name),
            Self::ReadResource { uri, .. } => Some(uri),
            _ => None,
        }
    }

    /// The same request in its next round: with answers, and with the state that the server gave out, if any.
    #[must_use]
    pub const fn again(self, answers: Option<&'a RawValue>, state: Option<&'a str>) -> Self {
        match self {
            Self::CallTool { name, arguments, .. } => {
                Self::CallTool { name, arguments, input_responses: answers, request_state: state }
            }
            Self::GetPrompt { name, arguments, .. } => {
                Self::GetPrompt { name, arguments, input_responses: answers, request_state: state }
            }
            Self::ReadResource { uri, .. } => {
                Self::ReadResource { uri, input_responses: answers, request_state: state }
            }
            other => other,
        }
    }
}
