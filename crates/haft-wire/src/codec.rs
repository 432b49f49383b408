//! One codec per revision: requests in, answers out, and the neutral facts that depend on the revision.

use serde_json::value::RawValue;

use crate::error::Fault;
use crate::handshake;
use crate::jsonrpc::{Id, Notification, Request};
use crate::model::{
    Cancelled, ClientNotification, ClientRequest, InputRequest, Listen, MetaFields, RequestMeta, ServerFacts,
    ServerResult, ToolDefinition,
};
use crate::revision::{Era, Revision};
use crate::stateless;
use crate::write;

/// Reads requests of one revision and writes answers for it.
///
/// The rest of the library holds codecs without asking which revision they speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Codec(Revision);

/// What it means when a client goes away while a request is open.
#[expect(clippy::exhaustive_enums, reason = "a request goes on or it does not")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disconnect {
    /// The request is cancelled (2026-07-28, streamable HTTP: cancellation).
    Cancel,
    /// The request runs to its end (2025-03-26 to 2025-11-25, transports: disconnection is no cancellation).
    Finish,
}

/// How a server asks the client for something in the middle of a call.
#[expect(clippy::exhaustive_enums, reason = "the protocol has these ways")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// By a request of its own while the call is open.
    ByRequest,
    /// By ending the call with its questions; the client calls again with the answers.
    InResult,
    /// Not at all.
    Never,
}

impl Codec {
    /// The codec of a revision.
    pub const fn new(revision: Revision) -> Self {
        Self(revision)
    }

    /// A codec for errors about messages whose revision could not be read.
    pub const fn of_unknown_revision() -> Self {
        Self(Revision::V2026_07_28)
    }

    /// The revision, for the rest of this crate.
    pub(crate) const fn revision(self) -> Revision {
        self.0
    }

    /// A number for tables by codec, below [`Self::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// How many codecs there are.
    pub const COUNT: usize = Revision::ALL.len();

    /// The name of the revision, for logs and for the answer to `initialize`.
    pub const fn name(self) -> &'static str {
        self.0.as_str()
    }

    /// What a disconnect means.
    pub const fn disconnect(self) -> Disconnect {
        match self.0.era() {
            Era::Handshake => Disconnect::Finish,
            Era::Stateless => Disconnect::Cancel,
        }
    }

    /// How a server asks in the middle of a call.
    pub const fn asks(self) -> Asks {
        match self.0 {
            Revision::V2024_11_05 | Revision::V2025_03_26 => Asks::Never,
            Revision::V2025_06_18 | Revision::V2025_11_25 => Asks::ByRequest,
            Revision::V2026_07_28 => Asks::InResult,
        }
    }

    /// Whether several messages may come in one array; 2025-03-26 alone knows that.
    pub const fn knows_batches(self) -> bool {
        matches!(self.0, Revision::V2025_03_26)
    }

    /// Whether a stream of events may begin with an empty one that only carries an id (2025-11-25, transports).
    pub const fn primes_streams(self) -> bool {
        matches!(self.0, Revision::V2025_11_25)
    }

    /// Reads what `_meta` says of a request.
    ///
    /// # Errors
    ///
    /// In the stateless era, when the capabilities are missing or a member has the wrong type.
    pub fn request_meta<'a>(self, fields: &MetaFields<'a>) -> Result<RequestMeta<'a>, Fault> {
        match self.0.era() {
            Era::Handshake => Ok(handshake::request_meta(fields)),
            Era::Stateless => stateless::request_meta(fields),
        }
    }

    /// Reads a request.
    ///
    /// # Errors
    ///
    /// When the revision has no such method, or the parameters do not have its shape.
    pub fn decode_request<'a>(self, request: &'a Request<'a>) -> Result<ClientRequest<'a>, Fault> {
        match self.0.era() {
            Era::Handshake => handshake::decode(request),
            Era::Stateless => stateless::decode(request),
        }
    }

    /// Reads a notification; one that nobody knows is nobody's fault.
    pub fn decode_notification<'a>(self, notification: &'a Notification<'a>) -> ClientNotification<'a> {
        match notification.method.as_ref() {
            "notifications/cancelled" => {
                let request = notification.params.get("requestId").and_then(Id::read);
                ClientNotification::Cancelled(Cancelled { request })
            }
            "notifications/initialized" if self.0.era() == Era::Handshake => ClientNotification::Initialized,
            _ => ClientNotification::Other,
        }
    }

    /// Writes the answer to a request.
    pub fn encode_result(self, id: &Id<'_>, result: &ServerResult<'_>, facts: &ServerFacts) -> Vec<u8> {
        match self.0.era() {
            Era::Handshake => handshake::encode(self.0, id, result, facts),
            Era::Stateless => stateless::encode(id, result, facts),
        }
    }

    /// Writes the error that a fault is in this revision.
    pub fn encode_fault(self, id: Option<&Id<'_>>, fault: &Fault) -> Vec<u8> {
        let (code, data) = match self.0.era() {
            Era::Handshake => handshake::error(fault),
            Era::Stateless => stateless::error(fault),
        };
        write::error(id, code, &fault.to_string(), data.as_deref())
    }

    /// The HTTP status of an answer that is a fault.
    pub const fn status(self, fault: &Fault) -> u16 {
        match fault {
            Fault::Busy { rate: true, .. } => 429,
            Fault::Busy { rate: false, .. } => 503,
            Fault::HeaderMismatch { .. }
            | Fault::InvalidRequest { .. }
            | Fault::MalformedMeta { .. }
            | Fault::MissingCapability { .. }
            | Fault::Parse { .. }
            | Fault::UnsupportedVersion { .. } => 400,
            Fault::MethodNotFound { .. } => match self.0.era() {
                Era::Handshake => 200,
                Era::Stateless => 404,
            },
            Fault::Internal { .. }
            | Fault::InvalidParams { .. }
            | Fault::ResourceNotFound { .. }
            | Fault::UnknownTool { .. } => 200,
        }
    }

    /// Writes a tool's definition with the members that the revision knows.
    pub fn encode_tool(self, tool: &ToolDefinition, out: &mut Vec<u8>) {
        let knows = |since: Revision| self.0 >= since;
        let mut object = write::Object::open(out);
        object.string("name", tool.name.as_str());
        if knows(Revision::V2025_06_18) {
            object.string_if("title", tool.title.as_deref());
        }
        object.string_if("description", tool.description.as_deref());
        object.raw("inputSchema", tool.input_schema.get());
        if let Some(schema) = &tool.output_schema
            && (knows(Revision::V2026_07_28) || knows(Revision::V2025_06_18) && is_object_schema(schema.get()))
        {
            object.raw("outputSchema", schema.get());
        }
        if knows(Revision::V2025_03_26) && !tool.annotations.is_empty() {
            write::annotations(object.key("annotations"), &tool.annotations);
        }
        if knows(Revision::V2025_11_25) {
            object.raw_if("icons", tool.icons.as_deref());
        }
        for (key, value) in &tool.other {
            object.raw(key, value.get());
        }
        if knows(Revision::V2025_06_18) {
            object.raw_if("_meta", tool.meta.as_deref());
        }
        object.close();
    }

    /// Writes `notifications/progress` under the token of a request.
    pub fn encode_progress(self, token: &Id<'_>, progress: f64, total: Option<f64>, message: Option<&str>) -> Vec<u8> {
        let message = message.filter(|_| self.0 > Revision::V2024_11_05);
        write::progress(token, progress, total, message)
    }

    /// Writes `notifications/tools/list_changed`; to a listening client, under the id of its subscription.
    pub fn encode_list_changed(self, subscription: Option<&Id<'_>>) -> Vec<u8> {
        match subscription {
            None => br#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#.to_vec(),
            Some(id) => write::notification("notifications/tools/list_changed", |params| {
                stateless::subscription_meta(params, id);
            }),
        }
    }

    /// Writes what a listening client hears first: which of its wishes are honoured.
    pub fn encode_acknowledged(self, subscription: &Id<'_>, honoured: Listen) -> Vec<u8> {
        stateless::acknowledged(subscription, honoured)
    }

    /// Writes the end of a subscription.
    pub fn encode_listen_ended(self, subscription: &Id<'_>, facts: &ServerFacts) -> Vec<u8> {
        stateless::listen_ended(subscription, facts)
    }

    /// Writes `notifications/cancelled` about a request.
    pub fn encode_cancelled(self, request: &Id<'_>) -> Vec<u8> {
        write::notification("notifications/cancelled", |params| params.raw("requestId", request.as_json()))
    }

    /// Writes a request to the client, for the revisions in which a server asks by requests.
    pub fn encode_input_request(self, id: &Id<'_>, request: &InputRequest) -> Vec<u8> {
        let params = match self.0 {
            Revision::V2025_06_18 => without_mode(&request.params),
            _ => None,
        };
        let params = params.as_deref().unwrap_or_else(|| request.params.get());
        let mut out = Vec::with_capacity(96 + params.len());
        let mut envelope = write::Object::open(&mut out);
        envelope.string("jsonrpc", "2.0");
        envelope.raw("id", id.as_json());
        envelope.string("method", &request.method);
        envelope.raw("params", params);
        envelope.close();
        out
    }
}

/// A form's parameters as 2025-06-18 knows them: there is no other mode, and no word for it.
fn without_mode(params: &RawValue) -> Option<String> {
    let mut params: serde_json::Value = serde_json::from_str(params.get()).ok()?;
    let removed = params.as_object_mut()?.remove("mode");
    (removed? == "form").then(|| params.to_string())
}

/// Whether a schema's root says `"type": "object"`, as revisions before 2026-07-28 want of an output schema.
fn is_object_schema(schema: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Root {
        r#type: Option<serde_json::Value>,
    }
    serde_json::from_str::<Root>(schema)
        .is_ok_and(|root| root.r#type.as_ref().and_then(serde_json::Value::as_str) == Some("object"))
}
