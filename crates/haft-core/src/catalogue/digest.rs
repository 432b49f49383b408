//! The digest of a definition: the same for the same meaning, whatever the order of keys.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// BLAKE3 over JSON with keys sorted at every depth, strings in one spelling and numbers as written.
pub(super) fn of(json: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    feed(&mut hasher, json);
    hasher.finalize()
}

fn feed(hasher: &mut blake3::Hasher, json: &str) {
    match json.as_bytes().first() {
        Some(b'{') => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(json).unwrap_or_default();
            hasher.update(b"{");
            for (key, value) in members {
                // A key as JSON text ends where its quote does, so no two objects feed the same bytes.
                hasher.update(serde_json::Value::String(key).to_string().as_bytes());
                feed(hasher, value.get());
            }
            hasher.update(b"}");
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
            hasher.update(b"[");
            for item in items {
                feed(hasher, item.get());
                hasher.update(b",");
            }
            hasher.update(b"]");
        }
        Some(b'"') => {
            let text: String = serde_json::from_str(json).unwrap_or_else(|_| json.to_owned());
            hasher.update(serde_json::Value::String(text).to_string().as_bytes());
        }
        _ => {
            hasher.update(json.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_follows_the_meaning_and_not_the_notation() {
        let base = of(r#"{"a":[1,2],"b":"x"}"#);
        assert_eq!(base, of(r#"{ "b" : "\u0078", "a":[ 1, 2 ] }"#));
        for other in [r#"{"a":[2,1],"b":"x"}"#, r#"{"a":[1,2.0],"b":"x"}"#, r#"{"a":[12],"b":"x"}"#, r#"{"a":[1,2]}"#] {
            assert_ne!(base, of(other), "{other}");
        }
    }
}
