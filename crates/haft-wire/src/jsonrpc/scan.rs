//! One pass over a message: whether it is JSON, whether its keys are unambiguous, and where its members stand.
//!
//! The grammar is that of RFC 8259. What this pass finds ambiguous is looked at again, slowly, for the words of the
//! error; what it finds to be no JSON, too. A test compares its verdicts with those of `serde_json` on any bytes.

use std::borrow::Cow;

use super::keys::{MAX_DEPTH, Place, is_smuggled, same_key};
use super::params::Params;
use super::raw::Raw;
use super::text::{Text, string};

/// The members of an envelope as they came; the last of two equal ones.
#[derive(Debug, Default)]
pub(super) struct Envelope<'a> {
    pub(super) jsonrpc: Option<Raw<'a>>,
    pub(super) id: Option<Raw<'a>>,
    pub(super) method: Option<Raw<'a>>,
    pub(super) params: Params<'a>,
    pub(super) result: Option<Raw<'a>>,
    pub(super) error: Option<Raw<'a>>,
    /// Whether some key stands twice or hides behind another case.
    pub(super) is_ambiguous: bool,
    /// Whether some value lies too deep; what is in there was passed over.
    pub(super) is_deep: bool,
}

impl<'a> Envelope<'a> {
    fn record(&mut self, key: Text<'a>, value: Raw<'a>) {
        let member = if key.is("jsonrpc") {
            &mut self.jsonrpc
        } else if key.is("id") {
            &mut self.id
        } else if key.is("method") {
            &mut self.method
        } else if key.is("result") {
            &mut self.result
        } else if key.is("error") {
            &mut self.error
        } else if key.is("params") {
            // Some clients write null where they mean absent.
            self.params.is_misshapen = !value.get().starts_with('{') && value.get() != "null";
            return;
        } else {
            self.is_ambiguous |= is_smuggled(Place::Envelope, &key.name());
            return;
        };
        *member = Some(value);
    }

    fn record_meta(&mut self, key: Text<'a>, value: Raw<'a>) {
        let meta = &mut self.params.meta;
        let member = if key.is("io.modelcontextprotocol/protocolVersion") {
            &mut meta.protocol_version
        } else if key.is("io.modelcontextprotocol/clientCapabilities") {
            &mut meta.client_capabilities
        } else if key.is("io.modelcontextprotocol/clientInfo") {
            &mut meta.client_info
        } else if key.is("io.modelcontextprotocol/logLevel") {
            &mut meta.log_level
        } else if key.is("progressToken") {
            &mut meta.progress_token
        } else {
            self.is_ambiguous |= is_smuggled(Place::Meta, &key.name());
            return;
        };
        // A member that is null is absent.
        *member = (value.get() != "null").then_some(value);
    }

    fn record_parameter(&mut self, key: Text<'a>, value: Raw<'a>) {
        let known = ["name", "arguments", "_meta"].into_iter().find(|name| key.is(name));
        let name = known.map_or_else(|| key.name(), Cow::Borrowed);
        self.is_ambiguous |= known.is_none() && is_smuggled(Place::Params, &name);
        let members = &mut self.params.members;
        if members.capacity() == 0 {
            *members = Vec::with_capacity(4);
        }
        members.push((name, value));
    }
}

/// Why a text is no envelope.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoEnvelope {
    /// It is JSON, but no object.
    NoObject,
    /// It is no JSON.
    NoJson,
}

/// Reads an envelope.
pub(super) fn envelope(text: &str) -> Result<Envelope<'_>, NoEnvelope> {
    let bytes = text.as_bytes();
    let mut scan = Scan { text, keys: Keys::default(), envelope: Envelope::default() };
    let mut at = 0;
    let first = token(bytes, &mut at).ok_or(NoEnvelope::NoJson)?;
    at = scan.value(bytes, at, Place::Envelope, 0).ok_or(NoEnvelope::NoJson)?;
    if token(bytes, &mut at).is_some() {
        return Err(NoEnvelope::NoJson);
    }
    if first == b'{' { Ok(scan.envelope) } else { Err(NoEnvelope::NoObject) }
}

/// What was found so far. Where the pass is, `at`, goes from function to function, and so do the bytes: both stay in
/// registers then.
struct Scan<'a> {
    text: &'a str,
    keys: Keys<'a>,
    envelope: Envelope<'a>,
}

impl<'a> Scan<'a> {
    /// Passes the value that begins here, and says where it ends; `None` where the text is no JSON.
    #[inline]
    fn value(&mut self, bytes: &'a [u8], at: usize, place: Place, depth: usize) -> Option<usize> {
        match bytes.get(at)? {
            b'"' => string(bytes, at).map(|text| at + text.raw.len() + 2),
            b'{' => self.object(bytes, at, place, depth + 1),
            b'[' => self.array(bytes, at, depth + 1),
            b't' => word(bytes, at, b"true"),
            b'f' => word(bytes, at, b"false"),
            b'n' => word(bytes, at, b"null"),
            _ => number(bytes, at),
        }
    }

    #[inline(never)]
    fn object(&mut self, bytes: &'a [u8], mut at: usize, place: Place, depth: usize) -> Option<usize> {
        if depth > MAX_DEPTH {
            return self.pass_over(bytes, at);
        }
        at += 1;
        if token(bytes, &mut at)? == b'}' {
            return Some(at + 1);
        }
        let first_key = self.keys.len;
        let mut names = Names::default();
        loop {
            if token(bytes, &mut at)? != b'"' {
                return None;
            }
            let key = string(bytes, at)?;
            at += key.raw.len() + 2;
            if token(bytes, &mut at)? != b':' {
                return None;
            }
            at += 1;
            token(bytes, &mut at)?;
            if place == Place::Free {
                at = self.value(bytes, at, Place::Free, depth)?;
            } else {
                let start = at;
                at = self.value(bytes, at, place.inner(key), depth)?;
                self.record(place, key, Raw::scanned(self.text.get(start..at)?));
            }
            names.note(key);
            self.keys.push(key);
            match token(bytes, &mut at)? {
                b',' => at += 1,
                b'}' => break,
                _ => return None,
            }
        }
        self.envelope.is_ambiguous |= names.are_alike && self.keys.are_ambiguous(first_key);
        self.keys.forget(first_key);
        Some(at + 1)
    }

    #[inline(never)]
    fn array(&mut self, bytes: &'a [u8], mut at: usize, depth: usize) -> Option<usize> {
        if depth > MAX_DEPTH {
            return self.pass_over(bytes, at);
        }
        at += 1;
        if token(bytes, &mut at)? == b']' {
            return Some(at + 1);
        }
        loop {
            token(bytes, &mut at)?;
            at = self.value(bytes, at, Place::Free, depth)?;
            match token(bytes, &mut at)? {
                b',' => at += 1,
                b']' => return Some(at + 1),
                _ => return None,
            }
        }
    }

    /// Passes an array or object without a look into it, so that what stands behind it can still be read.
    #[cold]
    fn pass_over(&mut self, bytes: &[u8], mut at: usize) -> Option<usize> {
        self.envelope.is_deep = true;
        let mut open = 0_usize;
        loop {
            match bytes.get(at)? {
                b'"' => {
                    at += string(bytes, at)?.raw.len() + 2;
                    continue;
                }
                b'[' | b'{' => open += 1,
                b']' | b'}' => open -= 1,
                _ => {}
            }
            at += 1;
            if open == 0 {
                return Some(at);
            }
        }
    }

    /// Keeps a member that the protocol gives a name to, or that parameters have.
    #[inline(never)]
    fn record(&mut self, place: Place, key: Text<'a>, value: Raw<'a>) {
        match place {
            Place::Envelope => self.envelope.record(key, value),
            Place::Free => {}
            Place::Meta => self.envelope.record_meta(key, value),
            Place::Params => self.envelope.record_parameter(key, value),
        }
    }
}

/// The next byte that is no blank; `at` is where it stands.
#[inline]
fn token(bytes: &[u8], at: &mut usize) -> Option<u8> {
    let byte = *bytes.get(*at)?;
    if byte > b' ' {
        return Some(byte);
    }
    *at = after_blanks(bytes, *at);
    bytes.get(*at).copied()
}

#[cold]
#[inline(never)]
fn after_blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

fn word(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    bytes.get(at..)?.starts_with(word).then_some(at + word.len())
}

#[inline]
fn number(bytes: &[u8], mut at: usize) -> Option<usize> {
    if bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    at = match bytes.get(at)? {
        b'0' => at + 1,
        b'1'..=b'9' => digits(bytes, at),
        _ => return None,
    };
    if let Some(b'.' | b'e' | b'E') = bytes.get(at) { fraction_and_exponent(bytes, at) } else { Some(at) }
}

fn fraction_and_exponent(bytes: &[u8], mut at: usize) -> Option<usize> {
    if bytes.get(at) == Some(&b'.') {
        at = some_digits(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        at = some_digits(bytes, at)?;
    }
    Some(at)
}

fn some_digits(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at)?.is_ascii_digit().then(|| digits(bytes, at))
}

#[inline]
fn digits(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// The keys of all open objects: few at a time in nearly every message, so they lie on the stack.
struct Keys<'a> {
    near: [Text<'a>; NEAR],
    far: Vec<Text<'a>>,
    len: usize,
}

const NEAR: usize = 32;

impl Default for Keys<'_> {
    fn default() -> Self {
        Self { near: [Text { raw: b"", is_escaped: false, is_foreign: false }; NEAR], far: Vec::new(), len: 0 }
    }
}

impl<'a> Keys<'a> {
    fn push(&mut self, key: Text<'a>) {
        match self.near.get_mut(self.len) {
            Some(place) => *place = key,
            None => self.far.push(key),
        }
        self.len += 1;
    }

    /// Whether two keys of the object that begins here are the same, or the same but for case.
    fn are_ambiguous(&self, first: usize) -> bool {
        let near = self.near.get(first.min(NEAR)..self.len.min(NEAR)).unwrap_or_default();
        let far = self.far.get(first.saturating_sub(NEAR)..).unwrap_or_default();
        if far.is_empty() && near.len() <= FEW {
            near.iter()
                .enumerate()
                .any(|(position, key)| near.iter().take(position).any(|other| same_key(*other, *key)))
        } else {
            let mut folded: Vec<Cow<'_, [u8]>> = near.iter().chain(far).map(Text::folded).collect();
            folded.sort_unstable();
            folded.windows(2).any(|pair| pair.first() == pair.last())
        }
    }

    /// Forgets the keys of the object that begins here.
    fn forget(&mut self, first: usize) {
        self.far.truncate(first.saturating_sub(NEAR));
        self.len = first;
    }
}

/// Whether two keys of one object are alike enough for a closer look.
#[derive(Default)]
struct Names {
    /// One bit of 64 for each key. Keys that are the same but for case have the same.
    marks: u64,
    are_alike: bool,
}

impl Names {
    #[inline]
    fn note(&mut self, key: Text<'_>) {
        // Letters that differ in case only differ in this bit.
        let letter = key.raw.first().map_or(0, |byte| byte | 0x20);
        let mark = 1_u64 << ((usize::from(letter) ^ key.raw.len().wrapping_mul(7)) % 64);
        self.are_alike |= key.is_escaped || key.is_foreign || self.marks & mark != 0;
        self.marks |= mark;
    }
}

/// Keys that are compared one by one.
const FEW: usize = 16;

#[cfg(test)]
mod tests {
    use super::super::keys::check;
    use super::*;

    #[test]
    fn the_pass_finds_ambiguous_keys_where_the_slow_look_does() {
        let twins = [
            "",
            "a",
            "A",
            "\\u0061",
            "k",
            "\u{212a}",
            "key",
            "KEY",
            "keY1",
            "@ey",
            "`ey",
            "é",
            "É",
            "a_long_key_of_22",
        ];
        for (left, right) in twins.iter().flat_map(|left| twins.iter().map(move |right| (left, right))) {
            for fillers in [0, 1, 7, 15, 40, 100] {
                let fillers = (0..fillers).map(|number| format!("\"filler{number}\":[],")).collect::<Vec<_>>().concat();
                let object = format!("{{\"{left}\": 1,{fillers} \"{right}\":{{}}}}");
                for text in
                    [object.clone(), format!("{{\"x\":[{object}]}}"), format!("{{\"params\":{{\"y\":{object}}}}}")]
                {
                    let is_ambiguous = !matches!(check(&text), Ok(None));
                    assert_eq!(envelope(&text).unwrap().is_ambiguous, is_ambiguous, "{text}");
                }
            }
        }
    }
}
