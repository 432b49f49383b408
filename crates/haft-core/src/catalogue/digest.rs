//! The digest of a definition: the same for the same meaning, whatever the order of keys.

use haft_schema::canonical;

/// BLAKE3 over the canonical text: keys sorted at every depth, strings in one spelling and numbers as written.
///
/// A text that has none, such as one with half of a surrogate pair, is taken as it is.
pub(super) fn of(json: &str) -> blake3::Hash {
    blake3::hash(canonical(json).as_deref().unwrap_or(json).as_bytes())
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
