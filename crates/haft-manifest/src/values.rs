//! The values of one call, as texts that a program can be given.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;

use haft_diag::escape;
use haft_schema::Tree;

use crate::argument::{Argument, Kind};
use crate::within::Refusal;

/// What an argument comes to in one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Placed {
    /// The call came without.
    Absent,
    /// An array.
    Many(Vec<OsString>),
    /// A single value.
    One(OsString),
}

/// What is wrong with a value although it fits the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The place in the arguments, a JSON Pointer.
    pointer: String,
    what: &'static str,
}

impl Fault {
    pub(crate) fn new(name: &str, element: Option<usize>, what: &'static str) -> Self {
        let pointer = match element {
            // Names of arguments have no character that a pointer would write in another way.
            Some(index) => format!("/{name}/{index}"),
            None => format!("/{name}"),
        };
        Self { pointer, what }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", escape(&self.pointer), self.what)
    }
}

impl Placed {
    /// How often an item with this value stands in the program's arguments.
    pub(crate) const fn rounds(&self) -> usize {
        match self {
            Self::Absent => 0,
            Self::Many(texts) => texts.len(),
            Self::One(_) => 1,
        }
    }

    /// The text in such a round.
    pub(crate) fn in_round(&self, round: usize) -> &OsStr {
        match self {
            Self::Absent => OsStr::new(""),
            Self::Many(texts) => texts.get(round).map_or(OsStr::new(""), OsString::as_os_str),
            Self::One(text) => text,
        }
    }

    pub(crate) const fn is_many(&self) -> bool {
        matches!(self, Self::Many(_))
    }

    /// Whether it is the value of a flag that is set.
    pub(crate) fn is_on(&self) -> bool {
        matches!(self, Self::One(text) if text == "true")
    }
}

/// The values of a call in the order of the arguments; `working` is the directory that the program runs in.
///
/// The error is everything that is wrong with them.
pub(crate) fn place(arguments: &[Argument], tree: &Tree<'_>, working: &Path) -> Result<Vec<Placed>, Vec<Fault>> {
    let mut values = Vec::with_capacity(arguments.len());
    let mut faults = Vec::new();
    for argument in arguments {
        let mut one = |value: &Tree<'_>, element| match text(&argument.kind, value, working) {
            Ok(text) => text,
            Err(what) => {
                faults.push(Fault::new(&argument.name, element, what));
                OsString::new()
            }
        };
        values.push(match tree.get(&argument.name) {
            None => Placed::Absent,
            Some(Tree::Array(elements)) => {
                Placed::Many(elements.iter().enumerate().map(|(index, value)| one(value, Some(index))).collect())
            }
            Some(value) => Placed::One(one(value, None)),
        });
    }
    if faults.is_empty() { Ok(values) } else { Err(faults) }
}

fn text(kind: &Kind, value: &Tree<'_>, working: &Path) -> Result<OsString, &'static str> {
    let text = value.as_str().unwrap_or_default();
    match kind {
        Kind::Path(within) => within.confine(text, working).map_err(Refusal::expected),
        Kind::Text if text.contains('\0') => Err("expected a text without the character U+0000, got one with it"),
        Kind::Text => Ok(text.into()),
        Kind::Boolean => Ok(if value.as_bool() == Some(true) { "true" } else { "false" }.into()),
        Kind::Integer => Ok(integer(value).into()),
        Kind::Number => Ok(number(value).into()),
    }
}

/// An integer in digits, however it was written: `2.0` is `2`.
fn integer(value: &Tree<'_>) -> String {
    match value {
        Tree::Float(float) => float.as_i128().map_or_else(|| float.text().to_owned(), |integer| integer.to_string()),
        _ => value.to_json(),
    }
}

/// A number as it was written.
fn number(value: &Tree<'_>) -> String {
    value.to_json()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_is_placed_in_digits_however_it_was_written() {
        for (json, expected) in [
            ("2", "2"),
            ("2.0", "2"),
            ("2e3", "2000"),
            ("-0", "0"),
            ("18446744073709551615", "18446744073709551615"),
            ("100000000000000000000", "100000000000000000000"),
        ] {
            assert_eq!(text(&Kind::Integer, &Tree::parse(json).unwrap(), Path::new("/")).unwrap(), expected, "{json}");
        }
    }
}
