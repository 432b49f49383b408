//! The end of a JSON string, eight bytes at a time.

use std::borrow::Cow;

/// A string as it stands between its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    /// It is UTF-8, as all of the message is.
    pub(super) raw: &'a [u8],
    /// Whether it has escapes.
    pub(super) is_escaped: bool,
    /// Whether it may have characters outside of ASCII.
    pub(super) is_foreign: bool,
}

impl<'a> Text<'a> {
    /// The string as JSON means it; one that is no Unicode string stays as written.
    pub(super) fn name(&self) -> Cow<'a, str> {
        let raw = std::str::from_utf8(self.raw).unwrap_or_default();
        if self.is_escaped {
            let decoded = serde_json::from_str(&format!("\"{raw}\""));
            Cow::Owned(decoded.unwrap_or_else(|_| raw.to_owned()))
        } else {
            Cow::Borrowed(raw)
        }
    }

    /// Whether the string is this one.
    #[inline]
    pub(super) fn is(&self, name: &str) -> bool {
        if self.is_escaped { self.name() == name } else { self.raw == name.as_bytes() }
    }

    /// The string without regard to case.
    pub(super) fn folded(&self) -> Cow<'a, [u8]> {
        if self.is_escaped || self.is_foreign || self.raw.iter().any(u8::is_ascii_uppercase) {
            Cow::Owned(super::keys::fold(&self.name()).into_bytes())
        } else {
            Cow::Borrowed(self.raw)
        }
    }
}

/// The string whose opening quote stands at `quote`; `None` where it does not end or is no JSON.
#[inline]
pub(super) fn string(bytes: &[u8], quote: usize) -> Option<Text<'_>> {
    let inside = bytes.get(quote + 1..)?;
    let mut length = 0;
    let mut high_bits = 0;
    for chunk in inside.as_chunks().0 {
        let word = u64::from_le_bytes(*chunk);
        high_bits |= word;
        let marks = special(word);
        if marks != 0 {
            length += (marks.trailing_zeros() / 8) as usize;
            break;
        }
        length += 8;
    }
    if inside.get(length) == Some(&b'"') {
        return Some(Text { raw: inside.get(..length)?, is_escaped: false, is_foreign: high_bits & HIGH != 0 });
    }
    rest(inside, length)
}

/// The same for a string with escapes or near the end of the text: nothing before `at` is special.
#[inline(never)]
fn rest(inside: &[u8], mut at: usize) -> Option<Text<'_>> {
    let mut is_escaped = false;
    loop {
        match inside.get(at)? {
            b'"' => break,
            b'\\' => {
                is_escaped = true;
                at += escape(inside.get(at + 1..)?)? + 1;
            }
            0..0x20 => return None,
            _ => at += 1,
        }
        while let Some(chunk) = inside.get(at..).and_then(<[u8]>::first_chunk) {
            let marks = special(u64::from_le_bytes(*chunk));
            if marks != 0 {
                at += (marks.trailing_zeros() / 8) as usize;
                break;
            }
            at += 8;
        }
    }
    let raw = inside.get(..at)?;
    Some(Text { raw, is_escaped, is_foreign: !raw.is_ascii() })
}

/// How many bytes an escape has behind its backslash.
fn escape(rest: &[u8]) -> Option<usize> {
    match rest.first()? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(1),
        b'u' => rest.get(1..5)?.iter().all(u8::is_ascii_hexdigit).then_some(5),
        _ => None,
    }
}

/// Marks bytes that end a string, begin an escape or may not stand there; the lowest mark is right, those above it may
/// not be.
const fn special(word: u64) -> u64 {
    let quote = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
    let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    let control = word.wrapping_sub(ONES * b' ' as u64);
    (quote | backslash | control) & !word & HIGH
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_ends_at_its_quote_wherever_that_stands() {
        for length in 0..40 {
            let text = format!("\"{}\",\"é\"", "x".repeat(length));
            let found = string(text.as_bytes(), 0).unwrap();
            assert_eq!((found.raw.len(), found.is_escaped), (length, false));
        }
        assert_eq!(string(br#""a\"b\\""#, 0).map(|text| text.raw), Some(&br#"a\"b\\"#[..]));
        for bad in ["\"abc", "\"a\nb\"", "\"a\\x\"", "\"a\\u12g4\"", "\"abcdefgh\u{1f}\"", "\"\\"] {
            assert!(string(bad.as_bytes(), 0).is_none(), "{bad:?}");
        }
    }
}
