//! `[server]`: what the server says of itself.

use toml::de::DeTable;

use crate::report::Report;
use crate::table::{Fields, Keys, table};

/// What a manifest says of its server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerInfo {
    /// The name.
    pub name: String,
    /// The version; `0.0.0` where the manifest has none.
    pub version: String,
    /// A title for people.
    pub title: Option<String>,
    /// What a model should know about the server as a whole.
    pub instructions: Option<String>,
}

/// Reads `[server]`.
pub(crate) fn read(root: &DeTable<'_>, report: &mut Report) -> Option<ServerInfo> {
    let Some(value) = root.get("server") else {
        report.error(0..0, "the manifest has no `[server]`");
        return None;
    };
    let fields = Fields::open(table("server", value, report)?, value.span(), &KEYS, report);
    fields.require("name", report);
    let text = |key, report: &mut Report| fields.text(key, report).map(str::to_owned);
    let name = text("name", report);
    let version = text("version", report).unwrap_or_else(|| "0.0.0".to_owned());
    let title = text("title", report);
    let instructions = text("instructions", report);
    Some(ServerInfo { name: name?, version, title, instructions })
}

const KEYS: Keys = Keys::new("`[server]`", &["name", "version", "title", "instructions"]);
