//! The lists of servers that a file can hold, and which entry is meant.

use std::path::Path;

use serde_json::{Map, Value};

use super::TargetError;

/// One server of a list.
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) value: &'a Value,
    /// The host replaces `${…}` in this list.
    pub(super) is_expanded: bool,
}

/// Whether the value holds a list of servers.
pub(super) fn has_list(value: &Value) -> bool {
    lists(value).next().is_some()
}

/// The entry called `name`, or the only one.
pub(super) fn pick<'a>(value: &'a Value, path: &Path, name: Option<&str>) -> Result<Entry<'a>, TargetError> {
    let entries = lists(value)
        .flat_map(|(members, is_expanded)| members.iter().map(move |(name, value)| Entry { name, value, is_expanded }));
    let mut entries: Vec<Entry<'a>> = entries.collect();
    let file = path.to_owned();
    let names = || {
        let mut names: Vec<String> = lists(value).flat_map(|(members, _)| members.keys().cloned()).collect();
        names.sort_unstable();
        names
    };
    if let Some(name) = name {
        entries.retain(|entry| entry.name == name);
        let Some(entry) = entries.pop() else {
            return Err(TargetError::NoEntry { file, entry: name.to_owned(), names: names() });
        };
        // In two lists of one file, that is.
        return if entries.is_empty() {
            Ok(entry)
        } else {
            Err(TargetError::DuplicateKey { file, key: name.to_owned() })
        };
    }
    let Some(entry) = entries.pop() else {
        return Err(TargetError::UnknownContent { path: file, found: "a list of servers that is empty".to_owned() });
    };
    if !entries.is_empty() {
        return Err(TargetError::WhichEntry { file, names: names() });
    }
    if is_disabled(entry.value) {
        return Err(TargetError::Disabled { file, entry: entry.name.to_owned() });
    }
    Ok(entry)
}

/// Whether its host would not start it.
pub(super) fn is_disabled(entry: &Value) -> bool {
    let says = |key: &str, word: bool| entry.get(key).and_then(Value::as_bool) == Some(word);
    says("disabled", true) || says("enabled", false)
}

fn lists(value: &Value) -> impl Iterator<Item = (&Map<String, Value>, bool)> {
    ROOTS.iter().filter_map(move |(keys, is_expanded)| {
        let list = keys.iter().try_fold(value, |value, key| value.get(key));
        list.and_then(Value::as_object).map(|members| (members, *is_expanded))
    })
}

/// Where each host keeps its list, and whether it replaces `${…}` in it.
const ROOTS: [(&[&str], bool); 5] = [
    // Claude, Cursor, Windsurf, Gemini, Cline and most others.
    (&["mcpServers"], true),
    // VS Code: `mcp.json`, and `settings.json`.
    (&["servers"], true),
    (&["mcp", "servers"], true),
    // Zed.
    (&["context_servers"], false),
    // Codex, in TOML.
    (&["mcp_servers"], false),
];
