//! The arguments of a call from the words of a command line, read by the schema of the tool's input.
//!
//! - `key=text` is read by the schema. Where it allows several types, the first that fits is taken, in this order:
//!   null (`null`), boolean (`true`, `false`), integer, number, string, array (of this one element), object (JSON). A
//!   number is passed digit by digit as it was written. Where the schema names no type, a text is a string. What
//!   fits no type is an error and never bent.
//! - `key:=JSON` is exact.
//! - `key=@file` and `key:=@file` take the text or the JSON from a file; a text that begins with `@` has two.
//! - A key that is given several times is an array, when the schema allows one.
//! - `a.b=text` sets `b` in the object `a`, when the schema knows `a` as an object and no `a.b`. In an object whose
//!   names are free, what is left of the key is one name.

mod exact;
mod key;
mod schema;
mod text;
mod tree;
mod word;

use std::fmt;
use std::io;

use haft_diag::escape;
use serde_json::Value;
use thiserror::Error;

use schema::Schemas;
use tree::Tree;
use word::Word;

/// The arguments as the text of a JSON object, members in the order of the words.
///
/// `file` gives the content of a file that a word names. Whether the object fits the schema as a whole (what is
/// required, bounds, patterns) is not checked here.
///
/// # Errors
///
/// Everything that is wrong with the words at once: keys that the schema does not know, texts that do not fit,
/// scalars given twice, files that cannot be read. No message holds a value.
pub fn read_arguments(
    schema: &Value,
    words: &[String],
    file: &dyn Fn(&str) -> io::Result<Vec<u8>>,
) -> Result<String, ArgumentsError> {
    if words.len() > MOST_WORDS {
        let problem = ArgumentProblem::new("", format!("there are more than {MOST_WORDS} arguments"));
        return Err(ArgumentsError { problems: vec![problem.hint("`--args @file` takes the whole object")] });
    }
    let mut problems = Vec::new();
    let mut tree = Tree::default();
    let top = Schemas::of(schema, schema);
    for word in words {
        let placed = Word::parse(word).and_then(|word| {
            let value = word.value(file)?;
            let (path, schemas) = key::locate(&top, word.key)?;
            tree.place(word.key, &path, schemas, value)
        });
        if let Err(problem) = placed {
            problems.push(problem);
        }
    }
    let text = tree.render(&mut problems);
    if problems.is_empty() { Ok(text) } else { Err(ArgumentsError { problems }) }
}

/// Words that are no arguments for the tool.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub struct ArgumentsError {
    /// All of them, in the order of the words.
    pub problems: Vec<ArgumentProblem>,
}

impl fmt::Display for ArgumentsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            write!(formatter, "{}{problem}", if index > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

/// What is wrong with one argument.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct ArgumentProblem {
    /// The key as it was given; empty when the word has none.
    pub key: String,
    /// What is wrong, escaped for a terminal.
    pub message: String,
    /// What to write instead, when that is known.
    pub hint: Option<String>,
}

impl ArgumentProblem {
    fn new(key: &str, message: impl Into<String>) -> Self {
        Self { key: key.to_owned(), message: message.into(), hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for ArgumentProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.key.is_empty() {
            write!(formatter, "`{}`: ", escape(&self.key))?;
        }
        formatter.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, " ({hint})"),
            None => Ok(()),
        }
    }
}

/// Each word is compared with those before it.
const MOST_WORDS: usize = 10_000;
