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
    fn record(&mut self, name: &str, value: Raw<'a>) {
        match name {
            "jsonrpc" => self.jsonrpc = Some(value),
            "id" => self.id = Some(value),
            "method" => self.method = Some(value),
            "result" => self.result = Some(value),
            "error" => self.error = Some(value),
            // Some clients write null where they mean absent.
            "params" => self.params.is_misshapen = !value.get().starts_with('{') && value.get() != "null",
            other => self.is_ambiguous |= is_smuggled(Place::Envelope, other),
        }
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
    let mut scan = Scan { text, bytes: text.as_bytes(), at: 0, keys: Keys::default(), envelope: Envelope::default() };
    scan.blank();
    let is_object = scan.peek() == Some(b'{');
    scan.value(Place::Envelope, 0).ok_or(NoEnvelope::NoJson)?;
    scan.blank();
    if scan.at != scan.bytes.len() {
        return Err(NoEnvelope::NoJson);
    }
    if is_object { Ok(scan.envelope) } else { Err(NoEnvelope::NoObject) }
}

struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    keys: Keys<'a>,
    envelope: Envelope<'a>,
}

impl<'a> Scan<'a> {
    /// Passes a value; `None` where the text is no JSON.
    fn value(&mut self, place: Place, depth: usize) -> Option<()> {
        match self.peek()? {
            b'"' => self.string().map(drop),
            b'{' => self.object(place, depth + 1),
            b'[' => self.array(depth + 1),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.number(),
        }
    }

    fn object(&mut self, place: Place, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return self.pass_over();
        }
        self.at += 1;
        let first = self.keys.len;
        self.blank();
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            if self.peek()? != b'"' {
                return None;
            }
            let key = self.string()?;
            self.blank();
            if self.next()? != b':' {
                return None;
            }
            self.blank();
            let start = self.at;
            self.value(place.inner(&key.decoded()), depth)?;
            if place != Place::Free {
                let value = Raw::scanned(self.text.get(start..self.at)?);
                self.record(place, key, value);
            }
            self.keys.push(key);
            self.blank();
            match self.next()? {
                b',' => self.blank(),
                b'}' => break,
                _ => return None,
            }
        }
        self.envelope.is_ambiguous |= self.keys.close(first);
        Some(())
    }

    fn array(&mut self, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return self.pass_over();
        }
        self.at += 1;
        self.blank();
        if self.peek()? == b']' {
            self.at += 1;
            return Some(());
        }
        loop {
            self.value(Place::Free, depth)?;
            self.blank();
            match self.next()? {
                b',' => self.blank(),
                b']' => return Some(()),
                _ => return None,
            }
        }
    }

    /// Passes an array or object without a look into it, so that what stands behind it can still be read.
    fn pass_over(&mut self) -> Option<()> {
        self.envelope.is_deep = true;
        let mut open = 0_usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'[' | b'{' => open += 1,
                b']' | b'}' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Some(());
            }
        }
    }

    /// Keeps a member that the protocol gives a name to, or that parameters have.
    fn record(&mut self, place: Place, key: Text<'a>, value: Raw<'a>) {
        let name = key.decoded();
        match place {
            Place::Envelope => self.envelope.record(&name, value),
            Place::Free => {}
            Place::Meta => {
                let meta = &mut self.envelope.params.meta;
                let member = match name.as_ref() {
                    "io.modelcontextprotocol/protocolVersion" => &mut meta.protocol_version,
                    "io.modelcontextprotocol/clientCapabilities" => &mut meta.client_capabilities,
                    "io.modelcontextprotocol/clientInfo" => &mut meta.client_info,
                    "io.modelcontextprotocol/logLevel" => &mut meta.log_level,
                    "progressToken" => &mut meta.progress_token,
                    other => {
                        self.envelope.is_ambiguous |= is_smuggled(place, other);
                        return;
                    }
                };
                // A member that is null is absent.
                *member = (value.get() != "null").then_some(value);
            }
            Place::Params => {
                let members = &mut self.envelope.params.members;
                if members.capacity() == 0 {
                    members.reserve(4);
                }
                self.envelope.is_ambiguous |= is_smuggled(place, &name);
                members.push((name, value));
            }
        }
    }

    fn string(&mut self) -> Option<Text<'a>> {
        let text = string(self.text, self.at + 1)?;
        self.at += text.raw.len() + 2;
        Some(text)
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.bytes.get(self.at..)?.starts_with(word).then(|| self.at += word.len())
    }

    fn number(&mut self) -> Option<()> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.next()? {
            b'0' => {}
            b'1'..=b'9' => self.digits(),
            _ => return None,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Some(())
    }

    fn some_digits(&mut self) -> Option<()> {
        self.peek()?.is_ascii_digit().then(|| self.digits())
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }
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
        Self { near: [Text { raw: "", is_escaped: false, is_foreign: false }; NEAR], far: Vec::new(), len: 0 }
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

    /// Forgets the keys of an object; whether two of them are the same, or the same but for case.
    fn close(&mut self, first: usize) -> bool {
        let near = self.near.get(first.min(NEAR)..self.len.min(NEAR)).unwrap_or_default();
        let far = self.far.get(first.saturating_sub(NEAR)..).unwrap_or_default();
        let is_ambiguous = if far.is_empty() && near.len() <= FEW {
            near.iter()
                .enumerate()
                .any(|(position, key)| near.iter().take(position).any(|other| same_key(*other, *key)))
        } else {
            let mut folded: Vec<Cow<'_, str>> = near.iter().chain(far).map(Text::folded).collect();
            folded.sort_unstable();
            folded.windows(2).any(|pair| pair.first() == pair.last())
        };
        self.far.truncate(first.saturating_sub(NEAR));
        self.len = first;
        is_ambiguous
    }
}

/// Keys that are compared one by one.
const FEW: usize = 16;
