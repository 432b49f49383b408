//! The client's methods of a codec.

use std::borrow::Cow;

use super::ask::{self, ClientFacts};
use super::reply;
use crate::codec::Codec;
use crate::jsonrpc::{Id, Notification, Raw, Request};
use crate::model::{
    Ask, InputRequest, Introduction, InvalidReply, ListedItems, ListedTools, PeerError, ReadContents, Returned, Round,
    ServerNotification,
};
use crate::revision::{Era, Revision};

/// What a server asks of a client by a request of its own, in the revisions in which it may.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServerRequest {
    /// Something for a person, a model or the client itself; its key is empty.
    Input(InputRequest),
    /// Whether the client is there.
    Ping,
    /// A method that clients do not have.
    Unknown,
}

impl Codec {
    /// The codec that a client tries first.
    pub const fn newest() -> Self {
        Self::new(Revision::V2026_07_28)
    }

    /// The codec that a client proposes to a server that wants a handshake.
    pub const fn newest_with_handshake() -> Self {
        Self::new(Revision::NEWEST_HANDSHAKE)
    }

    /// The codec of a version as the wire writes it.
    pub fn named(version: &str) -> Option<Self> {
        Revision::parse(version).map(Self::new)
    }

    /// The versions that a client here can speak, newest first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Revision::ALL.into_iter().rev().map(Revision::as_str)
    }

    /// The newest codec among the versions that a server speaks, and that a conversation can begin with as it is:
    /// without a handshake when the server answered without one, else with one.
    pub fn best_of(versions: &[String]) -> Option<Self> {
        Revision::ALL
            .into_iter()
            .rev()
            .find(|revision| versions.iter().any(|name| name == revision.as_str()))
            .map(Self::new)
    }

    /// Whether a conversation begins with `initialize`.
    pub const fn begins_with_handshake(self) -> bool {
        matches!(self.revision().era(), Era::Handshake)
    }

    /// Writes a request. The token is the one under which the server reports progress.
    pub fn encode_ask(
        self,
        id: &Id<'_>,
        ask: &Ask<'_>,
        facts: &ClientFacts,
        progress_token: Option<&Id<'_>>,
    ) -> Vec<u8> {
        ask::encode(self.revision(), id, ask, facts, progress_token)
    }

    /// The headers that belong beside a message of this method over HTTP, names in lower case. Arguments that are
    /// mirrored come on top: [`headers::mirrored`](crate::headers::mirrored).
    pub fn headers<'a>(self, method: &'a str, subject: Option<&'a str>) -> Vec<(&'static str, Cow<'a, str>)> {
        ask::standard_headers(self.revision(), method, subject)
    }

    /// Writes `notifications/initialized`.
    pub fn encode_initialized(self) -> Vec<u8> {
        ask::initialized()
    }

    /// Writes the answer to a request of the server; `result` is an object as JSON text.
    pub fn encode_answer(self, id: &Id<'_>, result: &str) -> Vec<u8> {
        ask::answer(id, result)
    }

    /// Writes the error that answers a request of the server.
    pub fn encode_refusal(self, id: &Id<'_>, code: i32, message: &str) -> Vec<u8> {
        ask::refusal(id, code, message)
    }

    /// Reads the answer to `initialize` or `server/discover`, whichever this revision begins with.
    ///
    /// # Errors
    ///
    /// When the answer does not have the shape of the revision; to a client that probes, that is news about the server.
    pub fn decode_introduction(self, raw: Raw<'_>) -> Result<Introduction, InvalidReply> {
        let method = if self.begins_with_handshake() { "initialize" } else { "server/discover" };
        reply::introduction(method, raw)
    }

    /// Reads the answer to `tools/list`.
    ///
    /// # Errors
    ///
    /// When there is no list. A malformed tool in it is no error: it is set aside.
    pub fn decode_tools(self, raw: Raw<'_>) -> Result<ListedTools, InvalidReply> {
        reply::tools(raw)
    }

    /// Reads the answer to a list of prompts, resources or templates.
    ///
    /// # Errors
    ///
    /// When there is no list.
    pub fn decode_items(self, ask: &Ask<'_>, raw: Raw<'_>) -> Result<ListedItems, InvalidReply> {
        reply::items(ask.method(), raw)
    }

    /// Reads the answer to `tools/call`.
    ///
    /// # Errors
    ///
    /// When the answer is no result of a tool and asks for nothing.
    pub fn decode_call(self, raw: Raw<'_>) -> Result<Round<Returned>, InvalidReply> {
        reply::call(raw)
    }

    /// Reads the answer to `resources/read`: the parts that are understood, and all of it as it came.
    ///
    /// # Errors
    ///
    /// When the answer has no contents and asks for nothing.
    pub fn decode_resource(self, raw: Raw<'_>) -> Result<Round<ReadContents>, InvalidReply> {
        reply::resource(raw)
    }

    /// Reads the answer to `prompts/get`, as it came.
    ///
    /// # Errors
    ///
    /// When the answer has no messages and asks for nothing.
    pub fn decode_prompt(self, raw: Raw<'_>) -> Result<Round<Box<serde_json::value::RawValue>>, InvalidReply> {
        reply::prompt(raw)
    }

    /// Reads a JSON-RPC error.
    pub fn decode_error(self, raw: Raw<'_>) -> PeerError {
        reply::error(self.revision(), raw)
    }

    /// Reads what a server tells; what nobody knows is nobody's fault.
    pub fn decode_server_notification(self, notification: &Notification<'_>) -> ServerNotification {
        reply::notification(notification)
    }

    /// Reads what a server asks by a request of its own; `Unknown` in the revision in which none may
    /// (2026-07-28, basic: requests).
    pub fn decode_server_request(self, request: &Request<'_>) -> ServerRequest {
        if !self.begins_with_handshake() {
            return ServerRequest::Unknown;
        }
        match request.method.as_ref() {
            "ping" => ServerRequest::Ping,
            method @ ("elicitation/create" | "roots/list" | "sampling/createMessage") => {
                ServerRequest::Input(InputRequest::new("", method, request.params.to_raw()))
            }
            _ => ServerRequest::Unknown,
        }
    }
}
