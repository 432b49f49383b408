//! A Rust file as words with line numbers: comments are gone, strings are one word, tests are marked.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

/// A token.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) line: usize,
    last_line: usize,
    /// It stands in an item under `#[cfg(test)]`.
    pub(super) is_test: bool,
}

/// A Rust file.
#[derive(Debug)]
pub(super) struct Source {
    /// Relative to the top of the repository.
    pub(super) path: String,
    pub(super) lines: Vec<String>,
    pub(super) words: Vec<Word>,
    /// A `#[cfg(test)] mod name;` elsewhere declares it.
    pub(super) is_test_file: bool,
}

impl Source {
    pub(super) fn parse(path: &str, text: &str) -> Result<Self, String> {
        let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| error.to_string())?;
        let mut source = Self {
            path: path.to_owned(),
            lines: text.lines().map(str::to_owned).collect(),
            words: Vec::new(),
            is_test_file: false,
        };
        source.read(tokens, false);
        Ok(source)
    }

    /// How many lines hold code that is not under `#[cfg(test)]`.
    pub(super) fn code_lines(&self) -> usize {
        let words = self.words.iter().filter(|word| !word.is_test);
        words.flat_map(|word| word.line..=word.last_line).collect::<BTreeSet<_>>().len()
    }

    /// The words outside of tests.
    pub(super) fn product_words(&self) -> impl Iterator<Item = &Word> {
        self.words.iter().filter(|word| !word.is_test && !self.is_test_file)
    }

    /// The paths, without `.rs`, of the modules that `#[cfg(test)] mod name;` declares here.
    pub(super) fn modules_of_tests(&self) -> Vec<String> {
        let (folder, file) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        let folder = match file {
            "lib.rs" | "main.rs" | "mod.rs" => folder.to_owned(),
            file => format!("{folder}/{}", file.trim_end_matches(".rs")),
        };
        let declared = self.words.windows(3).filter_map(|words| match words {
            [keyword, name, end] if keyword.is_test && keyword.text == "mod" && end.text == ";" => Some(&name.text),
            _ => None,
        });
        declared.map(|name| format!("{folder}/{name}")).collect()
    }

    /// The names of the functions that a test runner runs.
    pub(super) fn names_of_tests(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for (index, words) in self.words.windows(2).enumerate() {
            if words[0].text == "fn" && self.is_under_test_attribute(index) {
                names.push(words[1].text.as_str());
            }
        }
        names
    }

    /// Whether one of the attributes before the `fn` at `index` is a path that ends in `test`.
    fn is_under_test_attribute(&self, index: usize) -> bool {
        let before: Vec<&str> = self.words[..index].iter().map(|word| word.text.as_str()).collect();
        let mut end = before.len();
        while end > 0 && ["async", "const", "crate", "pub", "(", ")"].contains(&before[end - 1]) {
            end -= 1;
        }
        while end > 0 && before[end - 1] == "]" {
            let Some(start) = before[..end].iter().rposition(|word| *word == "#") else { return false };
            let path = before[start..end].iter().take_while(|word| **word != "(");
            if path.filter(|word| **word != "]").last() == Some(&"test") {
                return true;
            }
            end = start;
        }
        false
    }

    fn read(&mut self, tokens: TokenStream, mut is_test: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut index = 0;
        // Between `#[cfg(test)]` and the end of the item that it stands over.
        let mut is_item_of_tests = false;
        while let Some(token) = tokens.get(index) {
            index += 1;
            if let Some((attribute, length)) = attribute_at(&tokens, index - 1) {
                let is_inner = length == 3;
                if !self.is_comment(token.span()) {
                    if is_test_condition(attribute) {
                        is_test |= is_inner;
                        is_item_of_tests |= !is_inner;
                    }
                    for token in &tokens[index - 1..index - 1 + length] {
                        self.read_token(token, is_test || is_item_of_tests);
                    }
                }
                index += length - 1;
                continue;
            }
            self.read_token(token, is_test || is_item_of_tests);
            let ends_item = match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    // `use a::{b};` goes on after its braces.
                    !matches!(tokens.get(index), Some(TokenTree::Punct(next)) if next.as_char() == ';')
                }
                TokenTree::Punct(punct) => punct.as_char() == ';',
                _ => false,
            };
            is_item_of_tests &= !ends_item;
        }
    }

    fn read_token(&mut self, token: &TokenTree, is_test: bool) {
        let TokenTree::Group(group) = token else {
            self.add(token.to_string(), token.span(), is_test);
            return;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
            Delimiter::Parenthesis => ("(", ")"),
        };
        self.add(open.to_owned(), group.span_open(), is_test);
        self.read(group.stream(), is_test);
        self.add(close.to_owned(), group.span_close(), is_test);
    }

    fn add(&mut self, text: String, span: Span, is_test: bool) {
        self.words.push(Word { text, line: span.start().line, last_line: span.end().line, is_test });
    }

    /// A doc comment comes as the attribute it stands for, at the place of its slashes.
    fn is_comment(&self, span: Span) -> bool {
        let line = &self.lines[span.start().line - 1];
        line.chars().nth(span.start().column) == Some('/')
    }
}

/// The bracket of the attribute that begins at `index`, and of how many tokens the attribute is.
fn attribute_at(tokens: &[TokenTree], index: usize) -> Option<(&Group, usize)> {
    let is =
        |at: usize, character| matches!(&tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == character);
    let length = if is(index + 1, '!') { 3 } else { 2 };
    match tokens.get(index + length - 1) {
        Some(TokenTree::Group(group)) if is(index, '#') && group.delimiter() == Delimiter::Bracket => {
            Some((group, length))
        }
        _ => None,
    }
}

/// `cfg(test)`, `cfg(all(test, unix))`; not `cfg(not(test))` nor `cfg(any(test, feature = "x"))`.
fn is_test_condition(attribute: &Group) -> bool {
    let text: String = attribute.stream().to_string().split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

mod samples {
    use super::Source;

    fn parse(text: &str) -> Source {
        Source::parse("crates/a/src/b.rs", text).unwrap()
    }

    #[test]
    fn only_lines_with_code_outside_of_tests_are_counted() {
        let cases = [
            ("//! Head.\n\n// Comment.\nfn a() {\n    /* x */\n}\n", 2),
            ("/// Doc.\n#[inline]\nfn a() {}\n", 2),
            ("/** Doc\n * more */\nfn a() {}\n", 1),
            ("const A: &str = \"one\n\n// no comment\n\";\n", 4),
            ("fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n", 1),
            ("#[cfg(test)]\n#[path = \"x.rs\"]\nmod tests;\nfn a() {}\n", 1),
            ("#[cfg(test)]\nuse a::{b, c};\nfn a() {}\n", 1),
            ("#[cfg(all(test, unix))]\nmod tests {}\nfn a() {}\n", 1),
            ("#[cfg(not(test))]\nfn a() {}\n", 2),
            ("#![cfg(test)]\nfn a() {}\nfn b() {}\n", 0),
            ("/// Ä\u{308}rger.\nfn a() {}\n", 1),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).code_lines(), expected, "{text}");
        }
    }

    #[test]
    fn a_test_module_in_a_file_of_its_own_is_found() {
        let text = "#[cfg(test)] mod tests; mod other; #[cfg(test)] mod inline {}";
        assert_eq!(parse(text).modules_of_tests(), ["crates/a/src/b/tests"]);
        assert_eq!(Source::parse("crates/a/src/lib.rs", text).unwrap().modules_of_tests(), ["crates/a/src/tests"]);
    }

    #[test]
    fn functions_under_a_test_attribute_are_tests() {
        let text = "#[test] fn a() {} #[tokio::test(flavor = \"current_thread\")] async fn b() {}
            #[test] #[cfg(unix)] pub(crate) fn c() {} #[inline] fn d() {} fn e() {} #[cfg(test)] fn f() {}
            mod tests { #[cfg(unix)] #[test] fn g() {} }";
        assert_eq!(parse(text).names_of_tests(), ["a", "b", "c", "g"]);
    }

    #[test]
    fn words_in_comments_and_strings_are_not_words() {
        let source = parse("//! Era\n/// Era\nfn a() { let x = \"Era\"; /* Era */ }");
        assert!(source.product_words().all(|word| word.text != "Era"));
        assert!(Source::parse("a.rs", "fn a( {").is_err());
    }
}
