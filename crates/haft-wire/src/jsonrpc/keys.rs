//! The keys of a message at every depth: none twice, none that hides behind another case, none too deep.
//!
//! Two readers of one message must see the same message. A key that stands twice, or `Name` beside `name`, is read
//! one way by this library and another way by a peer in another language, so it is refused before anybody reads it.

use std::borrow::Cow;
use std::fmt;

use super::text::Text;

/// A key that makes a message ambiguous, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyFault {
    /// JSON Pointer of the object or array.
    pub pointer: String,
    /// What is wrong there.
    pub problem: KeyProblem,
}

/// What is wrong with a key or with the nesting.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyProblem {
    /// The key differs from one of the protocol, or from another of the same object, only in case.
    Case(String),
    /// More than 128 levels of arrays and objects.
    Depth,
    /// The key stands twice.
    Duplicate(String),
}

impl KeyFault {
    /// Whether a member of the envelope is the one that is ambiguous.
    pub(super) fn is_about(&self, member: &str) -> bool {
        let (KeyProblem::Case(key) | KeyProblem::Duplicate(key)) = &self.problem else { return false };
        self.pointer.is_empty() && key.eq_ignore_ascii_case(member)
    }
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = &self.pointer;
        match &self.problem {
            KeyProblem::Case(key) => write!(f, "key `{key}` at `{pointer}` differs from another only in case"),
            KeyProblem::Depth => write!(f, "more than {MAX_DEPTH} levels of nesting"),
            KeyProblem::Duplicate(key) => write!(f, "key `{key}` stands twice at `{pointer}`"),
        }
    }
}

/// Levels of arrays and objects that a message may have.
pub(super) const MAX_DEPTH: usize = 128;

/// Finds the first ambiguous key in `text`, which has to be valid JSON, and says where it stands. One inside of `params.arguments` does not end
/// the search: it is returned only when there is none elsewhere.
pub(super) fn check(text: &str) -> Result<Option<KeyFault>, KeyFault> {
    Scan { text, at: 0, keys: Vec::with_capacity(16), frames: Vec::with_capacity(8), argument: None }.run()
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    keys: Vec<Cow<'a, str>>,
    frames: Vec<Frame>,
    /// The first fault inside of the arguments.
    argument: Option<KeyFault>,
}

/// An open array or object.
#[derive(Clone, Copy)]
struct Frame {
    place: Place,
    /// Where the keys of this object begin; for an array, how many commas were seen lies in `index`.
    first_key: usize,
    index: usize,
    is_object: bool,
}

/// Which names the protocol gives to an object's members.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Envelope,
    Free,
    Meta,
    Params,
}

impl Place {
    /// The place of a member's value.
    #[inline]
    pub(super) fn inner(self, key: Text<'_>) -> Self {
        match self {
            Self::Envelope if key.is("params") => Self::Params,
            Self::Params if key.is("_meta") => Self::Meta,
            _ => Self::Free,
        }
    }
}

impl Scan<'_> {
    fn run(mut self) -> Result<Option<KeyFault>, KeyFault> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'{' | b'[' => self.open(*byte == b'{')?,
                b'}' | b']' => self.close()?,
                b',' => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.index += 1;
                    }
                    self.at += 1;
                }
                b'"' => self.string()?,
                _ => self.at += 1,
            }
        }
        Ok(self.argument)
    }

    fn open(&mut self, is_object: bool) -> Result<(), KeyFault> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(KeyFault { pointer: String::new(), problem: KeyProblem::Depth });
        }
        let place = match (self.frames.last(), self.keys.last().map(AsRef::as_ref)) {
            (None, _) => Place::Envelope,
            (Some(Frame { place: Place::Envelope, is_object: true, .. }), Some("params")) => Place::Params,
            (Some(Frame { place: Place::Params, is_object: true, .. }), Some("_meta")) => Place::Meta,
            // The members of a batch are envelopes.
            (Some(Frame { place: Place::Envelope, is_object: false, .. }), _) => Place::Envelope,
            _ => Place::Free,
        };
        self.frames.push(Frame { place, first_key: self.keys.len(), index: 0, is_object });
        self.at += 1;
        Ok(())
    }

    fn close(&mut self) -> Result<(), KeyFault> {
        if let Some(frame) = self.frames.last().copied() {
            if frame.is_object {
                let fault = ambiguous(self.keys.get(frame.first_key..).unwrap_or_default());
                if let Some(problem) = fault {
                    self.keys.truncate(frame.first_key);
                    self.frames.pop();
                    let fault = KeyFault { pointer: self.pointer(), problem };
                    let rest = fault.pointer.strip_prefix("/params/arguments");
                    if !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
                        return Err(fault);
                    }
                    self.argument.get_or_insert(fault);
                    self.at += 1;
                    return Ok(());
                }
            }
            self.keys.truncate(frame.first_key);
            self.frames.pop();
        }
        self.at += 1;
        Ok(())
    }

    /// Passes a string; where a colon follows inside an object, it is a key.
    fn string(&mut self) -> Result<(), KeyFault> {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let mut end = start;
        let mut escaped = false;
        loop {
            match bytes.get(end) {
                Some(b'"') | None => break,
                Some(b'\\') => {
                    escaped = true;
                    end += 2;
                }
                Some(_) => end += 1,
            }
        }
        self.at = end + 1;
        let Some(frame) = self.frames.last().copied().filter(|frame| frame.is_object) else { return Ok(()) };
        let mut next = self.at;
        while bytes.get(next).is_some_and(u8::is_ascii_whitespace) {
            next += 1;
        }
        if bytes.get(next) != Some(&b':') {
            return Ok(());
        }
        self.at = next + 1;
        let raw = self.text.get(start..end).unwrap_or_default();
        let key = if escaped { Cow::Owned(unescaped(raw)) } else { Cow::Borrowed(raw) };
        if let Some(problem) = smuggled(frame.place, &key) {
            self.frames.pop();
            return Err(KeyFault { pointer: self.pointer(), problem });
        }
        self.keys.push(key);
        Ok(())
    }

    /// JSON Pointer of the innermost open place.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for (depth, frame) in self.frames.iter().enumerate() {
            pointer.push('/');
            if frame.is_object {
                let after = self.frames.get(depth + 1).map_or(self.keys.len(), |inner| inner.first_key);
                let key = after.checked_sub(1).and_then(|last| self.keys.get(last)).map_or("", AsRef::as_ref);
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
            } else {
                pointer.push_str(&frame.index.to_string());
            }
        }
        pointer
    }
}

/// A key as JSON means it; one that is no Unicode string stays as written.
fn unescaped(raw: &str) -> String {
    serde_json::from_str(&format!("\"{raw}\"")).unwrap_or_else(|_| raw.to_owned())
}

/// A key of the protocol in another case.
fn smuggled(place: Place, key: &str) -> Option<KeyProblem> {
    is_smuggled(place, key).then(|| KeyProblem::Case(key.to_owned()))
}

/// Whether a key is one of the protocol in another case.
pub(super) fn is_smuggled(place: Place, key: &str) -> bool {
    let names: &[&str] = match place {
        Place::Envelope => &["id", "error", "method", "params", "result", "jsonrpc"],
        Place::Params => &["uri", "name", "_meta", "cursor", "arguments", "requestState", "inputResponses"],
        Place::Meta => &[
            "progressToken",
            "io.modelcontextprotocol/logLevel",
            "io.modelcontextprotocol/clientInfo",
            "io.modelcontextprotocol/protocolVersion",
            "io.modelcontextprotocol/clientCapabilities",
        ],
        Place::Free => return false,
    };
    !names.contains(&key) && names.iter().any(|name| same_ignoring_case(name, key))
}

/// Whether two keys are the same, or the same but for case.
#[inline]
pub(super) fn same_key(left: Text<'_>, right: Text<'_>) -> bool {
    let is_plain = !(left.is_escaped | left.is_foreign | right.is_escaped | right.is_foreign);
    if is_plain && left.raw.len() != right.raw.len() {
        return false;
    }
    if left.is_escaped || left.is_foreign || right.is_escaped || right.is_foreign {
        return fold(&left.name()) == fold(&right.name());
    }
    left.raw.eq_ignore_ascii_case(right.raw)
}

/// Two keys of one object that are the same, or the same but for case.
fn ambiguous(keys: &[Cow<'_, str>]) -> Option<KeyProblem> {
    const FEW: usize = 16;
    if keys.len() <= FEW {
        for (position, key) in keys.iter().enumerate() {
            for earlier in keys.iter().take(position) {
                if same_ignoring_case(earlier, key) {
                    return Some(problem(earlier, key));
                }
            }
        }
        return None;
    }
    let mut folded: Vec<(String, &str)> = keys.iter().map(|key| (fold(key), key.as_ref())).collect();
    folded.sort_unstable();
    folded.windows(2).find_map(|pair| match pair {
        [(left, earlier), (right, key)] if left == right => Some(problem(earlier, key)),
        _ => None,
    })
}

fn problem(earlier: &str, key: &str) -> KeyProblem {
    if earlier == key { KeyProblem::Duplicate(key.to_owned()) } else { KeyProblem::Case(key.to_owned()) }
}

fn same_ignoring_case(left: &str, right: &str) -> bool {
    // Equal in case or not, plain names have one length; only foreign letters change theirs.
    if left.len() == right.len() && left.eq_ignore_ascii_case(right) {
        return true;
    }
    !(left.is_ascii() && right.is_ascii()) && fold(left) == fold(right)
}

/// Upper case first, so that letters with two lower cases (`s` and `ſ`, `k` and the Kelvin sign) meet.
pub(super) fn fold(key: &str) -> String {
    key.to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<String> {
        serde_json::from_str::<serde_json::Value>(text).unwrap();
        check(text).unwrap_or_else(Some).map(|fault| fault.to_string())
    }

    #[test]
    fn keys_that_stand_twice_are_found_at_every_depth() {
        for (text, pointer) in [
            (r#"{"a":1,"a":2}"#, "key `a` stands twice at ``"),
            (r#"{"x":[0,{"y":{"a":1,"\u0061":2}}]}"#, "key `a` stands twice at `/x/1/y`"),
            (r#"{"a/b":{"c":1 , "d":{}, "c" : []}}"#, "key `c` stands twice at `/a~1b`"),
        ] {
            assert_eq!(fault(text).as_deref(), Some(pointer), "{text}");
        }
    }

    #[test]
    fn keys_that_differ_in_case_only_are_found() {
        assert_eq!(
            fault(r#"{"params":{"arguments":{"path":1,"Path":2}}}"#).as_deref(),
            Some("key `Path` at `/params/arguments` differs from another only in case")
        );
        for text in [
            r#"{"Method":"ping"}"#,
            r#"{"params":{"NAME":"x"}}"#,
            r#"{"params":{"_meta":{"IO.modelcontextprotocol/protocolVersion":"x"}}}"#,
            r#"{"paramſ":{}}"#,
            "{\"\u{212a}ey\":1,\"key\":2}",
        ] {
            assert!(fault(text).is_some(), "{text}");
        }
    }

    #[test]
    fn ordinary_messages_pass() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"ID":1,"a":{"a":"a","b":["a","a"]}}}}"#,
            r#"[{"id":1},{"id":2}]"#,
            r#"{"a":"b\"c:","d":"{\"d\":1,\"d\":2}"}"#,
            r#""x""#,
            "17",
        ] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn a_wide_object_is_checked_in_reasonable_time() {
        let mut text: String =
            (0..100_000).fold(String::from("{"), |text, number| text + &format!("\"key{number}\":0,"));
        text.push_str("\"KEY77\":1}");
        assert_eq!(fault(&text).map(|fault| fault.contains("only in case")), Some(true));
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(check(&deep(MAX_DEPTH)), Ok(None));
        assert!(check(&deep(MAX_DEPTH + 1)).is_err());
        assert!(check(&deep(1_000_000)).is_err());
    }
}
