//! One text for all notations of a JSON value: for digests, and for a person to read.
//!
//! Two texts that differ only in the order of members, in spaces or in how a character of a string is spelled have the
//! same canonical text. Numbers stay as they were written: `1` and `1.0` are different to a program that reads them
//! so, and whoever compares may ask once too often but never once too little.

use haft_diag::escape;

use crate::tree::{Tree, TreeError, write_string};

/// The canonical text of a JSON value: compact, members sorted by the code points of their names at every depth.
///
/// # Errors
///
/// When [`Tree::parse`] refuses the text: it is no JSON, a name stands twice, half of a surrogate pair, too deep.
///
/// # Example
///
/// ```
/// let text = haft_schema::canonical(r#"{ "b": "\u0078", "a": [1.0, 2] }"#)?;
/// assert_eq!(text, r#"{"a":[1.0,2],"b":"x"}"#);
/// # Ok::<(), haft_schema::TreeError>(())
/// ```
pub fn canonical(json: &str) -> Result<String, TreeError> {
    let tree = Tree::parse(json)?;
    let mut text = String::with_capacity(json.len());
    Writer { text: &mut text, layout: Layout::Compact }.value(&tree, 0);
    Ok(text)
}

/// The canonical text over several lines, with every character written out that could deceive a reader.
///
/// Line breaks are those of the layout only: what a string holds cannot end a line, move the cursor or turn the
/// direction of the text.
///
/// # Errors
///
/// As [`canonical`].
pub fn canonical_for_people(json: &str) -> Result<String, TreeError> {
    let tree = Tree::parse(json)?;
    let mut text = String::with_capacity(json.len() * 2);
    Writer { text: &mut text, layout: Layout::Lines }.value(&tree, 0);
    Ok(text)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Compact,
    Lines,
}

struct Writer<'t> {
    text: &'t mut String,
    layout: Layout,
}

impl Writer<'_> {
    fn value(&mut self, tree: &Tree<'_>, depth: usize) {
        match tree {
            Tree::Null => self.text.push_str("null"),
            Tree::Bool(true) => self.text.push_str("true"),
            Tree::Bool(false) => self.text.push_str("false"),
            Tree::Integer(value) => self.text.push_str(&value.to_string()),
            Tree::Unsigned(value) => self.text.push_str(&value.to_string()),
            Tree::Float(float) => self.text.push_str(float.text()),
            Tree::String(string) => self.string(string),
            Tree::Array(elements) => {
                self.text.push('[');
                for (index, element) in elements.iter().enumerate() {
                    self.item(index, depth);
                    self.value(element, depth + 1);
                }
                self.close(']', elements.is_empty(), depth);
            }
            Tree::Object(object) => {
                let mut members: Vec<(&str, &Tree<'_>)> = object.iter().collect();
                members.sort_unstable_by_key(|(name, _)| *name);
                self.text.push('{');
                for (index, (name, value)) in members.into_iter().enumerate() {
                    self.item(index, depth);
                    self.string(name);
                    self.text.push_str(if self.layout == Layout::Compact { ":" } else { ": " });
                    self.value(value, depth + 1);
                }
                self.close('}', object.is_empty(), depth);
            }
        }
    }

    fn string(&mut self, string: &str) {
        if self.layout == Layout::Compact {
            write_string(string, self.text);
            return;
        }
        let mut written = String::with_capacity(string.len() + 2);
        write_string(string, &mut written);
        // JSON has doubled each backslash of the value, so `\u{…}` can only come from here.
        self.text.push_str(&escape(&written));
    }

    fn item(&mut self, index: usize, depth: usize) {
        if index > 0 {
            self.text.push(',');
        }
        self.line(depth + 1);
    }

    fn close(&mut self, bracket: char, is_empty: bool, depth: usize) {
        if !is_empty {
            self.line(depth);
        }
        self.text.push(bracket);
    }

    fn line(&mut self, depth: usize) {
        if self.layout == Layout::Lines {
            self.text.push('\n');
            // Deeper than this, a reader gains nothing and the text would grow with the square of the depth.
            for _ in 0..depth.min(DEEPEST_INDENT) {
                self.text.push_str("  ");
            }
        }
    }
}

/// Levels of indentation in the text for people.
const DEEPEST_INDENT: usize = 16;

#[cfg(test)]
mod tests {
    use super::{canonical, canonical_for_people};

    #[test]
    fn notations_of_one_value_have_one_text() {
        for (text, expected) in [
            (r#" { "b" : "\u0078\/", "a":[ 1, 2 ] } "#, r#"{"a":[1,2],"b":"x/"}"#),
            (r#"{"z":{"b":1,"a":{"d":null,"c":true}}}"#, r#"{"z":{"a":{"c":true,"d":null},"b":1}}"#),
            (r#"{"\u00fc":1,"u":2,"":3}"#, r#"{"":3,"u":2,"ü":1}"#),
            (r#"["\u000a","\b","\u001f"]"#, r#"["\n","\u0008","\u001f"]"#),
            ("[1e2,1.0,-0,123456789012345678901234567890]", "[1e2,1.0,-0,123456789012345678901234567890]"),
            ("{}", "{}"),
            ("\"😀\"", "\"😀\""),
            (r#""\ud83d\ude00""#, "\"😀\""),
        ] {
            let found = canonical(text).unwrap();
            assert_eq!(found, expected);
            assert_eq!(canonical(&found).unwrap(), expected, "it is its own canonical text");
        }
    }

    #[test]
    fn different_values_have_different_texts() {
        let texts = [
            r#"{"a":[1,2]}"#,
            r#"{"a":[2,1]}"#,
            r#"{"a":[12]}"#,
            r#"{"a":[1,2.0]}"#,
            r#"{"a":"[1,2]"}"#,
            r#"{"a\":[1,2]}":0}"#,
        ];
        let found: std::collections::BTreeSet<String> = texts.iter().map(|text| canonical(text).unwrap()).collect();
        assert_eq!(found.len(), texts.len());
    }

    #[test]
    fn what_two_readers_could_read_differently_has_none() {
        let deep = "[".repeat(100_000);
        for text in ["", "{", "{\"a\":1,\"a\":1}", r#""\ud800""#, "[1]x", &deep] {
            assert!(canonical(text).is_err());
            assert!(canonical_for_people(text).is_err());
        }
    }

    #[test]
    fn a_person_sees_one_member_a_line_and_no_character_that_deceives() {
        let text = "{\"b\":\"x\\u202ey\\nz\\u001b[2J\u{9b}\",\"a\":[],\"c\":[1,{\"d\":\"\\\\u{202e}\"}]}";
        let expected = r#"{
  "a": [],
  "b": "x\u{202e}y\nz\u001b[2J\u{9b}",
  "c": [
    1,
    {
      "d": "\\u{202e}"
    }
  ]
}"#;
        assert_eq!(canonical_for_people(text).unwrap(), expected);
    }
}
