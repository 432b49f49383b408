//! The end of a JSON string, eight bytes at a time.

use std::borrow::Cow;

/// A string as it stands between its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    pub(super) raw: &'a str,
    /// Whether it has escapes.
    pub(super) is_escaped: bool,
    /// Whether it may have characters outside of ASCII.
    pub(super) is_foreign: bool,
}

impl<'a> Text<'a> {
    /// The string as JSON means it; one that is no Unicode string stays as written.
    pub(super) fn decoded(&self) -> Cow<'a, str> {
        if self.is_escaped {
            let decoded = serde_json::from_str(&format!("\"{}\"", self.raw));
            Cow::Owned(decoded.unwrap_or_else(|_| self.raw.to_owned()))
        } else {
            Cow::Borrowed(self.raw)
        }
    }

    /// The string without regard to case.
    pub(super) fn folded(&self) -> Cow<'a, str> {
        if self.is_escaped || self.is_foreign || self.raw.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(super::keys::fold(&self.decoded()))
        } else {
            Cow::Borrowed(self.raw)
        }
    }
}

/// The string whose first character stands at `start`; `None` where it does not end or is no JSON.
pub(super) fn string(text: &str, start: usize) -> Option<Text<'_>> {
    let bytes = text.as_bytes();
    let mut at = start;
    let mut is_escaped = false;
    let mut high_bits = 0;
    loop {
        while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            let word = u64::from_le_bytes(*chunk);
            high_bits |= word;
            let special = is_byte(word, b'"') | is_byte(word, b'\\') | is_control(word);
            if special == 0 {
                at += 8;
            } else {
                at += (special.trailing_zeros() / 8) as usize;
                break;
            }
        }
        match bytes.get(at)? {
            b'"' => break,
            b'\\' => {
                is_escaped = true;
                at += escape(bytes.get(at + 1..)?)? + 1;
            }
            0..0x20 => return None,
            byte => {
                high_bits |= u64::from(*byte);
                at += 1;
            }
        }
    }
    Some(Text { raw: text.get(start..at)?, is_escaped, is_foreign: high_bits & HIGH != 0 })
}

/// How many bytes an escape has behind its backslash.
fn escape(rest: &[u8]) -> Option<usize> {
    match rest.first()? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(1),
        b'u' => rest.get(1..5)?.iter().all(u8::is_ascii_hexdigit).then_some(5),
        _ => None,
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Marks bytes that equal `byte`; the lowest mark is right, those above it may not be.
fn is_byte(word: u64, byte: u8) -> u64 {
    let difference = word ^ (ONES * u64::from(byte));
    difference.wrapping_sub(ONES) & !difference & HIGH
}

/// Marks bytes below a blank, in the same way.
fn is_control(word: u64) -> u64 {
    word.wrapping_sub(ONES * 0x20) & !word & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_ends_at_its_quote_wherever_that_stands() {
        for length in 0..40 {
            let text = format!("\"{}\",\"é\"", "x".repeat(length));
            let found = string(&text, 1).unwrap();
            assert_eq!((found.raw.len(), found.is_escaped), (length, false));
        }
        assert_eq!(string(r#""a\"b\\""#, 1).map(|text| text.raw), Some(r#"a\"b\\"#));
        for bad in ["\"abc", "\"a\nb\"", "\"a\\x\"", "\"a\\u12g4\"", "\"abcdefgh\u{1f}\"", "\"\\"] {
            assert!(string(bad, 1).is_none(), "{bad:?}");
        }
    }
}
