//! One word: `key=text`, `key:=JSON`, `key=@file`, `key:=@file`.

use std::io;

use haft_diag::escape;

use super::ArgumentProblem;
use super::exact::compact;

/// A word, taken apart.
pub(super) struct Word<'w> {
    pub(super) key: &'w str,
    is_exact: bool,
    text: &'w str,
}

/// What a word says that its key is to be.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Given {
    /// JSON, as it goes out.
    Exact(String),
    /// A text, to be read by the schema.
    Text(String),
    /// The content of a file, to be read by the schema; editors end it with a line break that no number has.
    TextOfFile(String),
}

impl<'w> Word<'w> {
    pub(super) fn parse(word: &'w str) -> Result<Self, ArgumentProblem> {
        let Some((key, text)) = word.split_once('=') else {
            return Err(ArgumentProblem::new("", "an argument is written `key=value`, `key:=JSON` or `key=@file`"));
        };
        let (key, is_exact) = key.strip_suffix(':').map_or((key, false), |key| (key, true));
        if key.is_empty() {
            return Err(ArgumentProblem::new("", "an argument begins with its key: `key=value`"));
        }
        Ok(Self { key, is_exact, text })
    }

    pub(super) fn value(&self, file: &dyn Fn(&str) -> io::Result<Vec<u8>>) -> Result<Given, ArgumentProblem> {
        let exact = |text: &str| compact(text).map_err(|reason| ArgumentProblem::new(self.key, reason));
        let literal = match self.text.strip_prefix('@') {
            None => self.text,
            Some(literal) if literal.starts_with('@') => literal,
            Some(path) => {
                let text = self.content(path, file)?;
                return if self.is_exact { exact(&text).map(Given::Exact) } else { Ok(Given::TextOfFile(text)) };
            }
        };
        if !self.is_exact {
            return Ok(Given::Text(literal.to_owned()));
        }
        exact(literal)
            .map(Given::Exact)
            .map_err(|problem| problem.hint(format!("`{}=…` takes a text as it is", escape(self.key))))
    }

    fn content(&self, path: &str, file: &dyn Fn(&str) -> io::Result<Vec<u8>>) -> Result<String, ArgumentProblem> {
        if path.is_empty() {
            let problem = ArgumentProblem::new(self.key, "`@` is followed by the name of a file");
            return Err(problem.hint("a text that begins with `@` has two of them"));
        }
        let bytes = file(path).map_err(|error| {
            let message = format!("cannot read the file `{}`: {}", escape(path), escape(&error.to_string()));
            ArgumentProblem::new(self.key, message).hint("a text that begins with `@` has two of them")
        })?;
        if bytes.len() > LARGEST {
            return Err(ArgumentProblem::new(self.key, format!("the file is larger than {} MiB", LARGEST >> 20)));
        }
        String::from_utf8(bytes).map_err(|_| ArgumentProblem::new(self.key, "the file is not UTF-8 text"))
    }
}

/// More than any server takes in one message.
const LARGEST: usize = 16 << 20;

#[cfg(test)]
mod tests {
    use super::{Given, Word};

    #[test]
    fn a_word_is_a_key_and_what_it_is_to_be() {
        let cases = [
            ("a=b", Ok(("a", Given::Text("b".to_owned())))),
            ("a=", Ok(("a", Given::Text(String::new())))),
            ("a=b=c", Ok(("a", Given::Text("b=c".to_owned())))),
            ("a:b=c:=d", Ok(("a:b", Given::Text("c:=d".to_owned())))),
            ("a:= [1, 2]", Ok(("a", Given::Exact("[1,2]".to_owned())))),
            ("a=@@user", Ok(("a", Given::Text("@user".to_owned())))),
            ("a=@f", Ok(("a", Given::TextOfFile("f's 1\n".to_owned())))),
            ("a:=@1", Ok(("a", Given::Exact("\"1\"".to_owned())))),
            ("a", Err("an argument is written `key=value`, `key:=JSON` or `key=@file`")),
            ("=b", Err("an argument begins with its key: `key=value`")),
            (":=1", Err("an argument begins with its key: `key=value`")),
            ("a=@", Err("`a`: `@` is followed by the name of a file (a text that begins with `@` has two of them)")),
            ("a:=b", Err("`a`: this is not JSON (`a=…` takes a text as it is)")),
        ];
        for (word, expected) in cases {
            let file = |path: &str| Ok(if path == "1" { b" \"1\"\n".to_vec() } else { format!("{path}'s 1\n").into() });
            let read = Word::parse(word).and_then(|word| Ok((word.key, word.value(&file)?)));
            assert_eq!(read.map_err(|problem| problem.to_string()), expected.map_err(str::to_owned), "{word}");
        }
    }
}
