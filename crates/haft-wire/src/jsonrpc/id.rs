//! Ids of requests and other tokens that come back with the JSON type that they came with.

use std::borrow::Cow;
use std::fmt;

use super::raw::Raw;

/// A string or an integer that a peer chose and gets back unchanged: `1` is not `"1"`.
///
/// Integers of any size are kept as written (2026-07-28, basic: requests).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Id<'a>(Cow<'a, str>);

impl<'a> Id<'a> {
    /// Reads an id; null, fractions, exponents, booleans, arrays and objects are none.
    pub fn read(raw: Raw<'a>) -> Option<Self> {
        let text = raw.get();
        if text.starts_with('"') {
            if !text.contains('\\') {
                return Some(Self(Cow::Borrowed(text)));
            }
            // One spelling for one string, so that two escapes of an id are the same id.
            let value: String = serde_json::from_str(text).ok()?;
            return serde_json::to_string(&value).ok().map(|text| Self(Cow::Owned(text)));
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(Self(Cow::Borrowed(text)))
    }

    /// An id that counts.
    pub fn number(number: u64) -> Id<'static> {
        Id(Cow::Owned(number.to_string()))
    }

    /// The id as JSON text.
    pub fn as_json(&self) -> &str {
        &self.0
    }

    /// The same id, independent of the message that it came in.
    pub fn into_owned(self) -> Id<'static> {
        Id(Cow::Owned(self.0.into_owned()))
    }
}

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        Id::read(Raw::parse(text).unwrap()).map(|id| id.as_json().to_owned())
    }

    #[test]
    fn strings_and_integers_of_any_size_are_ids() {
        for text in ["1", "-7", "0", "123456789012345678901234567890", r#""a""#, r#""""#] {
            assert_eq!(read(text).as_deref(), Some(text));
        }
        assert_eq!(read(r#""\u0061""#).as_deref(), Some(r#""a""#));
    }

    #[test]
    fn null_fractions_and_containers_are_no_ids() {
        for text in ["null", "1.5", "1.0", "1e3", "true", "[1]", r#"{"a":1}"#, r#""\ud800""#] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
