//! JSON text to [`Tree`]: strict, bounded, and borrowing.

use std::borrow::Cow;

use super::{Float, Object, Tree};
use crate::pointer::Pointer;

/// Why a text is no [`Tree`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// A name stands twice in one object; parsers differ in which one counts.
    #[error("`{pointer}` stands twice")]
    DuplicateKey {
        /// The JSON Pointer of the member.
        pointer: String,
    },
    /// A string has half of a surrogate pair, which no Unicode text can hold.
    #[error("half of a surrogate pair at byte {offset}")]
    LoneSurrogate {
        /// Where the escape begins.
        offset: usize,
    },
    /// The text is not JSON.
    #[error("not JSON at byte {offset}: expected {expected}")]
    Syntax {
        /// Where the text stops being JSON.
        offset: usize,
        /// What could have stood there.
        expected: &'static str,
    },
    /// Arrays and objects are nested too deeply.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// How many levels are allowed.
        limit: usize,
    },
}

impl<'a> Tree<'a> {
    /// Parses JSON text.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, a name stands twice in an object, a string has half of a surrogate pair, or arrays
    /// and objects are nested deeper than [`Tree::MAX_DEPTH`].
    pub fn parse(text: &'a str) -> Result<Self, TreeError> {
        let mut parser = Parser { text, bytes: text.as_bytes(), at: 0, levels: Self::MAX_DEPTH };
        parser.skip_space();
        let tree = parser.value().map_err(Fault::finish)?;
        parser.skip_space();
        if parser.at < parser.bytes.len() {
            return Err(parser.syntax("the end").finish());
        }
        Ok(tree)
    }
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    levels: usize,
}

/// An error on its way out, boxed so that the good path moves little; the pointer grows at every level it leaves.
struct Fault(Box<(TreeError, Vec<Step>)>);

enum Step {
    Name(String),
    Index(usize),
}

impl Fault {
    #[cold]
    fn of(error: TreeError) -> Self {
        Self(Box::new((error, Vec::new())))
    }

    #[cold]
    fn below(mut self, step: Step) -> Self {
        self.0.1.push(step);
        self
    }

    fn finish(self) -> TreeError {
        let (mut error, steps) = *self.0;
        if let TreeError::DuplicateKey { pointer } = &mut error {
            let mut path = Pointer::default();
            for step in steps.iter().rev() {
                match step {
                    Step::Name(name) => path.push(name),
                    Step::Index(index) => path.push_index(*index),
                }
            }
            *pointer = path.into_string();
        }
        error
    }
}

impl<'a> Parser<'a> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    #[cold]
    fn syntax(&self, expected: &'static str) -> Fault {
        Fault::of(TreeError::Syntax { offset: self.at, expected })
    }

    fn value(&mut self) -> Result<Tree<'a>, Fault> {
        match self.peek() {
            Some(b'"') => Ok(Tree::String(self.string()?)),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Tree::Bool(true)),
            Some(b'f') => self.word("false", Tree::Bool(false)),
            Some(b'n') => self.word("null", Tree::Null),
            _ => Err(self.syntax("a value")),
        }
    }

    fn word(&mut self, word: &'static str, value: Tree<'a>) -> Result<Tree<'a>, Fault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            return Err(self.syntax("a value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Tree<'a>, Fault>) -> Result<Tree<'a>, Fault> {
        if self.levels == 0 {
            return Err(Fault::of(TreeError::TooDeep { limit: Tree::MAX_DEPTH }));
        }
        self.levels -= 1;
        self.at += 1;
        let value = read(self);
        self.levels += 1;
        value
    }

    fn object(&mut self) -> Result<Tree<'a>, Fault> {
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Tree::Object(Object::default()));
        }
        let mut members = Vec::with_capacity(4);
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.syntax("a member name"));
            }
            let name = self.string()?;
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.syntax("`:`"));
            }
            self.at += 1;
            self.skip_space();
            match self.value() {
                Ok(value) => members.push((name, value)),
                Err(fault) => return Err(fault.below(Step::Name(name.into_owned()))),
            }
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.syntax("`,` or `}`")),
            }
            self.skip_space();
        }
        self.at += 1;
        match Object::of(members) {
            Ok(object) => Ok(Tree::Object(object)),
            Err(name) => {
                let twice = TreeError::DuplicateKey { pointer: String::new() };
                Err(Fault::of(twice).below(Step::Name(name)))
            }
        }
    }

    fn array(&mut self) -> Result<Tree<'a>, Fault> {
        self.skip_space();
        let mut elements = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Tree::Array(elements));
        }
        loop {
            match self.value() {
                Ok(value) => elements.push(value),
                Err(fault) => return Err(fault.below(Step::Index(elements.len()))),
            }
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.syntax("`,` or `]`")),
            }
            self.skip_space();
        }
        self.at += 1;
        Ok(Tree::Array(elements))
    }

    /// RFC 8259, section 6: no leading zero, no bare point, no `+`.
    fn number(&mut self) -> Result<Tree<'a>, Fault> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        if negative {
            self.at += 1;
        }
        let mut whole = Some(0_u64);
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => {
                while let Some(digit @ b'0'..=b'9') = self.peek() {
                    whole = whole
                        .and_then(|value| value.checked_mul(10))
                        .and_then(|value| value.checked_add(u64::from(digit - b'0')));
                    self.at += 1;
                }
            }
            _ => return Err(self.syntax("a digit")),
        }
        let plain = !matches!(self.peek(), Some(b'.' | b'e' | b'E'));
        if !plain {
            self.fraction_and_exponent()?;
        }
        match whole {
            Some(value) if plain && !negative => Ok(match i64::try_from(value) {
                Ok(value) => Tree::Integer(value),
                Err(_) => Tree::Unsigned(value),
            }),
            // Not zero: `-0` is a float, for an integer has no sign to lose.
            Some(value) if plain && value > 0 && value <= i64::MIN.unsigned_abs() => {
                Ok(Tree::Integer(0_i64.wrapping_sub_unsigned(value)))
            }
            _ => {
                let text = self.text.get(start..self.at).and_then(Float::of);
                text.map(Tree::Float).ok_or_else(|| self.syntax("a number"))
            }
        }
    }

    fn fraction_and_exponent(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Fault> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.syntax("a digit"));
        }
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        Ok(())
    }

    /// Stands on the opening quote.
    fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        self.at += 1;
        let start = self.at;
        self.skip_plain();
        match self.peek() {
            Some(b'"') => {
                let text = self.slice(start)?;
                self.at += 1;
                Ok(Cow::Borrowed(text))
            }
            Some(b'\\') => self.escaped_string(start).map(Cow::Owned),
            _ => Err(self.syntax("the end of a string")),
        }
    }

    /// The text from `start` to here; both ends stand beside ASCII, so they are character borders.
    fn slice(&self, start: usize) -> Result<&'a str, Fault> {
        self.text.get(start..self.at).ok_or_else(|| self.syntax("a string"))
    }

    #[cold]
    #[inline(never)]
    fn escaped_string(&mut self, start: usize) -> Result<String, Fault> {
        let mut text = String::from(self.slice(start)?);
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                _ => return Err(self.syntax("the end of a string")),
            }
            let start = self.at;
            self.skip_plain();
            text.push_str(self.slice(start)?);
        }
    }

    /// Stands on the backslash.
    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 2;
        match self.bytes.get(start + 1) {
            Some(b'"') => Ok('"'),
            Some(b'\\') => Ok('\\'),
            Some(b'/') => Ok('/'),
            Some(b'b') => Ok('\u{8}'),
            Some(b'f') => Ok('\u{c}'),
            Some(b'n') => Ok('\n'),
            Some(b'r') => Ok('\r'),
            Some(b't') => Ok('\t'),
            Some(b'u') => self.unicode_escape(start),
            _ => {
                self.at = start;
                Err(self.syntax("an escape"))
            }
        }
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, Fault> {
        let lone = || Fault::of(TreeError::LoneSurrogate { offset: start });
        let unit = self.four_hex_digits()?;
        if !(0xd800..0xe000).contains(&unit) {
            return char::from_u32(unit).ok_or_else(lone);
        }
        if unit >= 0xdc00 || self.bytes.get(self.at..self.at + 2) != Some(b"\\u") {
            return Err(lone());
        }
        self.at += 2;
        let low = self.four_hex_digits()?;
        if !(0xdc00..0xe000).contains(&low) {
            return Err(lone());
        }
        char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)).ok_or_else(lone)
    }

    fn four_hex_digits(&mut self) -> Result<u32, Fault> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.syntax("four hexadecimal digits"));
            };
            value = value << 4 | digit;
            self.at += 1;
        }
        Ok(value)
    }

    /// Moves to the next quote, backslash or control character, eight bytes at a time where there are as many.
    #[inline]
    fn skip_plain(&mut self) {
        while let Some(chunk) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk::<8>) {
            let found = ends_plain(u64::from_le_bytes(*chunk));
            if found != 0 {
                self.at += found.trailing_zeros() as usize / 8;
                return;
            }
            self.at += 8;
        }
        while let Some(byte) = self.peek() {
            if byte < 0x20 || byte == b'"' || byte == b'\\' {
                return;
            }
            self.at += 1;
        }
    }
}

/// Marks, with the top bit of its byte, the first of eight bytes that is a quote, a backslash or a control character.
///
/// Subtracting in all bytes at once borrows upwards, so bytes behind the first hit may be marked wrongly; none is
/// before it.
#[inline]
fn ends_plain(bytes: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let is_zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let quote = is_zero(bytes ^ (ONES * u64::from(b'"')));
    let backslash = is_zero(bytes ^ (ONES * u64::from(b'\\')));
    let control = bytes.wrapping_sub(ONES * 0x20) & !bytes;
    (quote | backslash | control) & TOPS
}

#[cfg(test)]
mod tests;
