//! Text with places for values: `--include={glob}`; `{{` and `}}` are braces.

use std::ffi::OsString;
use std::ops::Range;

use haft_diag::{Diagnostic, nearest};

use crate::argument::Argument;
use crate::report::Report;
use crate::table::Value;

/// A text with places for values of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    /// The number of an argument of the tool.
    Value(usize),
}

impl Template {
    /// Reads a template; a fault in it is reported at its place.
    pub(crate) fn read(value: &Value<'_>, text: &str, arguments: &[Argument], report: &mut Report) -> Option<Self> {
        Self::parse(text, arguments)
            .map_err(|fault| {
                let place = report.place_within(&value.span(), text, &fault.part);
                report.add(place, *fault.diagnostic);
            })
            .ok()
    }

    fn parse(text: &str, arguments: &[Argument]) -> Result<Self, Fault> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut characters = text.char_indices().peekable();
        while let Some((start, character)) = characters.next() {
            match character {
                '{' | '}' if characters.next_if(|(_, next)| *next == character).is_some() => literal.push(character),
                '{' => {
                    let rest = text.get(start + 1..).unwrap_or_default();
                    let Some(length) = rest.find('}') else {
                        return Err(Fault::new(start..text.len(), "`{` without `}`; a brace is written `{{`"));
                    };
                    let end = start + 1 + length + 1;
                    let index = find(rest.get(..length).unwrap_or_default(), start..end, arguments)?;
                    if !literal.is_empty() {
                        pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                    }
                    pieces.push(Piece::Value(index));
                    while characters.next_if(|(at, _)| *at < end).is_some() {}
                }
                '}' => return Err(Fault::new(start..start + 1, "`}` without `{`; a brace is written `}}`")),
                _ => literal.push(character),
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
        Ok(Self { pieces })
    }

    /// The text, if no value goes into it.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The text before the first value.
    pub(crate) fn leading_literal(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Literal(text)) => text,
            Some(Piece::Value(_)) | None => "",
        }
    }

    /// The arguments whose values go into the text.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = usize> + '_ {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Literal(_) => None,
            Piece::Value(index) => Some(*index),
        })
    }

    /// The argument that the text begins with, so that its value decides what a program takes the text for.
    pub(crate) fn leading_argument(&self) -> Option<usize> {
        match self.pieces.first() {
            Some(Piece::Value(index)) => Some(*index),
            Some(Piece::Literal(_)) | None => None,
        }
    }

    /// The text with values in their places.
    pub(crate) fn fill<'v>(&self, value: impl Fn(usize) -> &'v std::ffi::OsStr) -> OsString {
        let mut filled = OsString::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => filled.push(text),
                Piece::Value(index) => filled.push(value(*index)),
            }
        }
        filled
    }
}

struct Fault {
    part: Range<usize>,
    diagnostic: Box<Diagnostic>,
}

impl Fault {
    fn new(part: Range<usize>, message: impl Into<String>) -> Self {
        Self { part, diagnostic: Box::new(Diagnostic::error(message)) }
    }
}

fn find(name: &str, part: Range<usize>, arguments: &[Argument]) -> Result<usize, Fault> {
    if let Some(index) = arguments.iter().position(|argument| argument.name == name) {
        return Ok(index);
    }
    let diagnostic = no_argument(name, arguments);
    Err(Fault { part, diagnostic: Box::new(diagnostic.note("a brace is written `{{`")) })
}

/// Nothing has this name; something may have a name like it.
pub(crate) fn no_argument(name: &str, arguments: &[Argument]) -> Diagnostic {
    let diagnostic = Diagnostic::error(format!("no argument named `{name}`"));
    match nearest(name, arguments.iter().map(|argument| argument.name.as_str())) {
        Some(meant) => diagnostic.label(format!("did you mean `{meant}`?")),
        None => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    fn arguments() -> Vec<Argument> {
        ["query", "n"].into_iter().map(|name| Argument::unknown(name, 0..0)).collect()
    }

    fn check(text: &str, expected: &str) {
        let shown = match Template::parse(text, &arguments()) {
            Ok(template) => {
                template.fill(|index| OsStr::new(if index == 0 { "Q" } else { "N" })).into_string().unwrap()
            }
            Err(fault) => format!("{}: {}", text.get(fault.part).unwrap(), fault.diagnostic.message),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn values_stand_where_their_names_stood() {
        check("", "");
        check("plain", "plain");
        check("{query}", "Q");
        check("--q={query}:{n}!", "--q=Q:N!");
        check("{query}{query}", "QQ");
        check("ü{n}ü", "üNü");
    }

    #[test]
    fn a_doubled_brace_is_a_brace() {
        check("{{print ${{1}}}}", "{print ${1}}");
        check("{{query}}", "{query}");
        check("{{{query}}}", "{Q}");
    }

    #[test]
    fn what_names_no_argument_is_a_fault_with_its_place() {
        check("a{", "{: `{` without `}`; a brace is written `{{`");
        check("a}b", "}: `}` without `{`; a brace is written `}}`");
        check("a{}", "{}: no argument named ``");
        check("x{qurey}y", "{qurey}: no argument named `qurey`");
        check("${HOME}", "{HOME}: no argument named `HOME`");
        check("{ n }", "{ n }: no argument named ` n `");
    }
}
