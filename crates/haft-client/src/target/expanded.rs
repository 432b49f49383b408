//! A text after its variables were replaced, which still knows what is the person's in it.

use std::ops::Range;

use haft_diag::escape;

/// A text, and where in it values of the person stand that no message may hold.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Expanded {
    text: String,
    /// In the order of the text, none over another.
    lent: Vec<(Range<usize>, String)>,
}

/// A part of a text that anybody may see.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Piece<'a> {
    /// As it stands in the file.
    Text(&'a str),
    /// The name of a variable or an input, in place of its value.
    Variable(&'a str),
}

impl Expanded {
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds the value of the person's variable `name`.
    pub(super) fn push_lent(&mut self, value: &str, name: String) {
        let start = self.text.len();
        self.text.push_str(value);
        self.lent.push((start..self.text.len(), name));
    }

    /// The text with all values.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// What stands in a part of the text. A variable that reaches into it is there with its name, and no part of its
    /// value is.
    pub(super) fn pieces(&self, part: Range<usize>) -> Vec<Piece<'_>> {
        let mut pieces = Vec::new();
        let mut from = part.start;
        for (value, name) in &self.lent {
            let reaches_in = if value.is_empty() {
                part.start <= value.start && value.end <= part.end
            } else {
                value.start < part.end && value.end > part.start
            };
            if !reaches_in {
                continue;
            }
            pieces.extend(self.text.get(from..value.start).filter(|text| !text.is_empty()).map(Piece::Text));
            pieces.push(Piece::Variable(name));
            from = value.end.max(from);
        }
        pieces.extend(self.text.get(from..part.end).filter(|text| !text.is_empty()).map(Piece::Text));
        pieces
    }
}

impl Piece<'_> {
    /// For a person, escaped.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Text(text) => escape(text).into_owned(),
            Self::Variable(name) => format!("${{{}}}", escape(name)),
        }
    }

    /// For a digest: no two lists of pieces are the same bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let (kind, text) = match self {
            Self::Text(text) => (0, text),
            Self::Variable(name) => (1, name),
        };
        let mut bytes = vec![kind];
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes
    }
}

impl From<String> for Expanded {
    fn from(text: String) -> Self {
        Self { text, lent: Vec::new() }
    }
}
