//! What a server needs from the client before a call can go on.

use serde_json::value::RawValue;

/// One thing that the client is asked for, under a key that its answer carries too.
///
/// Method and parameters are open JSON: what a product may ask is decided above the wire.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct InputRequest {
    /// The key of question and answer, unique within the call.
    pub key: String,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// Its parameters.
    pub params: Box<RawValue>,
}

impl InputRequest {
    /// A question under a key.
    pub fn new(key: impl Into<String>, method: impl Into<String>, params: Box<RawValue>) -> Self {
        Self { key: key.into(), method: method.into(), params }
    }
}

/// A call that waits for the client (2026-07-28, multi round-trip requests).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct InputRequired {
    /// What is asked; may be empty when only the state has to come back.
    pub requests: Vec<InputRequest>,
    /// What the client carries to the next round, opaque to it.
    pub state: Option<String>,
}

impl InputRequired {
    /// Questions and the state that comes back with their answers.
    pub const fn new(requests: Vec<InputRequest>, state: Option<String>) -> Self {
        Self { requests, state }
    }
}
