//! What a client asks and tells, decoded.

use std::borrow::Cow;

use super::capabilities::ClientCapabilities;
use crate::jsonrpc::{Id, KeyFault, Raw};

/// A request of a client.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientRequest<'a> {
    /// `tools/call`.
    CallTool(CallTool<'a>),
    /// `server/discover`.
    Discover,
    /// `initialize`.
    Initialize(Initialize<'a>),
    /// `subscriptions/listen`.
    Listen(Listen),
    /// `resources/templates/list`.
    ListResourceTemplates(Page<'a>),
    /// `resources/list`.
    ListResources(Page<'a>),
    /// `tools/list`.
    ListTools(Page<'a>),
    /// `ping`.
    Ping,
    /// `resources/read`.
    ReadResource(ReadResource<'a>),
}

/// The parameters of `tools/call`.
#[derive(Debug)]
#[non_exhaustive]
pub struct CallTool<'a> {
    /// The tool's name.
    pub name: Cow<'a, str>,
    /// The arguments as they came; absent is the empty object.
    pub arguments: Option<Raw<'a>>,
    /// An ambiguous key inside the arguments.
    pub ambiguous_argument: Option<&'a KeyFault>,
    /// Answers to what an earlier round asked, by key.
    pub input_responses: Option<Raw<'a>>,
    /// The state that an earlier round gave out.
    pub request_state: Option<Cow<'a, str>>,
}

/// The parameters of `initialize`.
#[derive(Debug)]
#[non_exhaustive]
pub struct Initialize<'a> {
    /// The revision that the client proposes.
    pub protocol_version: Cow<'a, str>,
    /// What the client can do.
    pub capabilities: ClientCapabilities,
    /// Who the client says it is, raw; for logs only.
    pub client_info: Option<Raw<'a>>,
}

/// What a listening client wants to hear of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listen {
    /// Changes of the list of tools.
    pub tools_list_changed: bool,
}

/// The parameters of a list.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Page<'a> {
    /// Where the page begins.
    pub cursor: Option<Cow<'a, str>>,
}

/// The parameters of `resources/read`.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReadResource<'a> {
    /// Which resource.
    pub uri: Cow<'a, str>,
}

/// The members of a `_meta` object that the protocol defines, raw: the era is not known yet when it is read.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct MetaFields<'a> {
    /// `io.modelcontextprotocol/protocolVersion`; its presence makes the request a stateless one.
    pub protocol_version: Option<Raw<'a>>,
    /// `io.modelcontextprotocol/clientCapabilities`: what the client can do.
    pub client_capabilities: Option<Raw<'a>>,
    /// `io.modelcontextprotocol/clientInfo`: who the client says it is.
    pub client_info: Option<Raw<'a>>,
    /// `io.modelcontextprotocol/logLevel`: how much the client wants to hear of what happens.
    pub log_level: Option<Raw<'a>>,
    /// `progressToken`, under which progress is reported.
    pub progress_token: Option<Raw<'a>>,
}

impl<'a> MetaFields<'a> {
    /// The revision that the request speaks, when it says one as a string.
    pub fn version(&self) -> Option<Cow<'a, str>> {
        self.protocol_version.and_then(text)
    }
}

/// The text of a raw value that is a string; borrowed unless it was written with escapes.
pub fn text(raw: Raw<'_>) -> Option<Cow<'_, str>> {
    let text = raw.get();
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') { serde_json::from_str(text).ok().map(Cow::Owned) } else { Some(Cow::Borrowed(inner)) }
}

/// What the `_meta` of a request says.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RequestMeta<'a> {
    /// The token under which progress is reported, with its JSON type.
    pub progress_token: Option<Id<'a>>,
    /// What the client can do; in the handshake era that was said once, so `None`.
    pub capabilities: Option<ClientCapabilities>,
    /// Who the client says it is, raw; for logs only.
    pub client_info: Option<Raw<'a>>,
}

/// A notification of a client.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientNotification<'a> {
    /// `notifications/cancelled`.
    Cancelled(Cancelled<'a>),
    /// `notifications/initialized`.
    Initialized,
    /// Anything else; nothing is done about it.
    Other,
}

/// The parameters of `notifications/cancelled`.
#[derive(Debug)]
#[non_exhaustive]
pub struct Cancelled<'a> {
    /// The request that nobody waits for any more; `None` when it cannot be read.
    pub request: Option<Id<'a>>,
}
