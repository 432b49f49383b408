//! What a server says of itself.

use serde::Serialize;

/// Name and version of a program that speaks the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Implementation {
    /// Its name.
    pub name: String,
    /// A title for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its version.
    pub version: String,
}

impl Implementation {
    /// A name and a version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), title: None, version: version.into() }
    }
}

/// What a server says of itself, with the parts that go into every answer encoded once.
#[derive(Clone, Debug)]
pub struct ServerFacts {
    info: Implementation,
    info_json: String,
    meta_json: String,
    instructions: Option<String>,
    serves_resources: bool,
}

impl ServerFacts {
    /// Facts of a server of tools.
    pub fn new(info: Implementation) -> Self {
        // An `Implementation` is three strings: it always encodes.
        let info_json = serde_json::to_string(&info).unwrap_or_default();
        let meta_json = format!(r#"{{"io.modelcontextprotocol/serverInfo":{info_json}}}"#);
        Self { info, info_json, meta_json, instructions: None, serves_resources: false }
    }

    /// Adds what the model should know about the server as a whole.
    #[must_use]
    pub fn with_instructions(mut self, instructions: Option<String>) -> Self {
        self.instructions = instructions;
        self
    }

    /// Declares that resources can be read.
    #[must_use]
    pub const fn with_resources(mut self, serves_resources: bool) -> Self {
        self.serves_resources = serves_resources;
        self
    }

    /// Name and version.
    pub const fn info(&self) -> &Implementation {
        &self.info
    }

    /// What the model should know about the server as a whole.
    pub fn instructions(&self) -> Option<&str> {
        self.instructions.as_deref()
    }

    /// Whether resources can be read.
    pub const fn serves_resources(&self) -> bool {
        self.serves_resources
    }

    pub(crate) fn info_json(&self) -> &str {
        &self.info_json
    }

    /// The `_meta` object that every stateless result carries.
    pub(crate) fn meta_json(&self) -> &str {
        &self.meta_json
    }
}
