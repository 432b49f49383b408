//! Keys of `_meta` that this library writes: well formed, and the protocol's own.

use haft_wire::jsonrpc::Id;
use haft_wire::model::{
    CacheHint, CacheScope, Implementation, InputRequired, Listen, ServerFacts, ServerResult, ToolPage, ToolResult,
};
use haft_wire::{Codec, Revision};
use serde_json::Value;

/// Everything that a codec writes with a `_meta` of its own.
fn written(codec: Codec) -> Vec<Vec<u8>> {
    let facts = ServerFacts::new(Implementation::new("test", "1")).with_resources(true);
    let id = Id::number(1);
    let cache = CacheHint::new(0, CacheScope::Private);
    let (result, input) = (ToolResult::text("x"), InputRequired::new(Vec::new(), Some("state".to_owned())));
    let results = [
        ServerResult::CallTool(&result),
        ServerResult::Discover(cache),
        ServerResult::Empty,
        ServerResult::Initialize,
        ServerResult::InputRequired(&input),
        ServerResult::ListResourceTemplates(cache),
        ServerResult::ListResources(cache),
        ServerResult::ListTools(ToolPage::new(b"", None, cache)),
        ServerResult::ReadResource(&[], cache),
    ];
    let mut all: Vec<_> = results.iter().map(|result| codec.encode_result(&id, result, &facts)).collect();
    all.push(codec.encode_progress(&id, 1.0, None, None));
    all.push(codec.encode_list_changed(None));
    all.push(codec.encode_list_changed(Some(&id)));
    all.push(codec.encode_acknowledged(&id, Listen::default()));
    all.push(codec.encode_listen_ended(&id, &facts));
    all.push(codec.encode_cancelled(&id));
    all
}

fn keys_of_meta(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                if let ("_meta", Value::Object(meta)) = (key.as_str(), value) {
                    found.extend(meta.keys().cloned());
                }
                keys_of_meta(value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys_of_meta(item, found)),
        _ => {}
    }
}

/// 2025-11-25 and later, basic: an optional prefix of labels and a slash, then a name.
fn is_well_formed(key: &str) -> bool {
    let is_edge = |character: Option<char>| character.is_some_and(|character| character.is_ascii_alphanumeric());
    let is_label = |label: &str| {
        label.starts_with(|first: char| first.is_ascii_alphabetic())
            && is_edge(label.chars().last())
            && label.chars().all(|character| character.is_ascii_alphanumeric() || character == '-')
    };
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    let is_name = name.is_empty()
        || is_edge(name.chars().next())
            && is_edge(name.chars().last())
            && name.chars().all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character));
    prefix.is_none_or(|prefix| prefix.split('.').all(is_label)) && is_name
}

#[test]
fn every_key_that_is_written_is_well_formed_and_one_of_the_protocol() {
    assert!(is_well_formed("com.example/a-b_c.d") && is_well_formed("a") && is_well_formed("a.b/"));
    for bad in ["1a/b", "a-/b", "a..b/c", "/b", "a/_b", "a/b-", "a b"] {
        assert!(!is_well_formed(bad), "{bad}");
    }
    for revision in Revision::ALL {
        let mut keys = Vec::new();
        for message in written(Codec::new(revision)) {
            keys_of_meta(&serde_json::from_slice(&message).unwrap(), &mut keys);
        }
        assert!(!keys.is_empty());
        for key in keys {
            assert!(is_well_formed(&key), "{revision}: {key}");
            let known = ["io.modelcontextprotocol/serverInfo", "io.modelcontextprotocol/subscriptionId"];
            assert!(known.contains(&key.as_str()), "{revision}: {key}");
        }
    }
}
