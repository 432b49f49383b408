//! Patterns that name tools.

use std::fmt;

use crate::facts::Origin;

/// A pattern for tools: `source.tool` or `tool`, where `*` stands for any text and `?` for one character.
///
/// A pattern without a dot is matched with the name of the tool, whatever its source. One with a dot is split at its
/// first dot: what stands before is matched with the source, what stands behind with the tool. So `*` finds every tool,
/// `files.*` every tool of the source `files`, `*.read_*` reading ones of every source, and no name that a peer gives its
/// tool makes it one of another source. An own tool with a dot in its name is `local.fs.read`. Case counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolPattern {
    text: String,
    /// What stands before the first dot.
    source: Option<Glob>,
    tool: Glob,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern `{}` {reason}", haft_diag::escape(.pattern))]
pub struct InvalidPattern {
    pattern: String,
    reason: &'static str,
}

impl ToolPattern {
    /// Bytes that a pattern may have at most.
    pub const MAX_LENGTH: usize = 256;

    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// When it is empty or longer than [`Self::MAX_LENGTH`], when a side of its dot is empty, or when it has a character
    /// that means something in other kinds of patterns and could only be meant so.
    pub fn parse(text: &str) -> Result<Self, InvalidPattern> {
        let refuse = |reason| {
            // A long one is not repeated.
            let pattern = text.chars().take(64).collect();
            Err(InvalidPattern { pattern, reason })
        };
        if text.is_empty() {
            return refuse("is empty");
        }
        if text.len() > Self::MAX_LENGTH {
            return refuse("is longer than 256 bytes");
        }
        if text.contains(['[', ']', '{', '}', ',', '|', '!', '^', '$', '\\', '(', ')']) {
            return refuse("has a character that means nothing in it: there are `*` and `?`, and arrays of patterns");
        }
        if text.contains(|character: char| character.is_whitespace() || haft_diag::is_deceptive(character)) {
            return refuse("has a blank or a character that cannot be seen");
        }
        if text.split_once('.').is_some_and(|(source, tool)| source.is_empty() || tool.is_empty()) {
            return refuse("has nothing on one side of its dot");
        }
        let (source, tool) = text.split_once('.').map_or((None, text), |(source, tool)| (Some(source), tool));
        Ok(Self { text: text.to_owned(), source: source.map(Glob::new), tool: Glob::new(tool) })
    }

    /// The pattern that finds every tool.
    pub fn every() -> Self {
        Self { text: "*".to_owned(), source: None, tool: Glob::new("*") }
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it finds this tool.
    pub fn matches(&self, origin: Origin<'_>) -> bool {
        self.source.as_ref().is_none_or(|source| source.matches(origin.source)) && self.tool.matches(origin.tool)
    }

    /// Whether somebody who meant this tool could have written this pattern.
    pub(crate) fn almost_matches(&self, origin: Origin<'_>) -> bool {
        let whole = format!("{}.{}", origin.source, origin.tool);
        let meant = |name: &str| haft_diag::nearest(&self.text, [name]).is_some();
        // A literal is near by its letters; a pattern is when the tool is named in the same words, but for case.
        glob(&self.text.to_lowercase(), &whole.to_lowercase()) || meant(&whole) || meant(origin.tool)
    }
}

impl fmt::Display for ToolPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// One side of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Glob {
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing but `*`.
    Every,
    /// No wildcard.
    Literal,
    Wild,
}

impl Glob {
    fn new(text: &str) -> Self {
        let kind = match text {
            "*" => Kind::Every,
            _ if text.contains(['*', '?']) => Kind::Wild,
            _ => Kind::Literal,
        };
        Self { text: text.to_owned(), kind }
    }

    #[inline]
    fn matches(&self, text: &str) -> bool {
        match self.kind {
            Kind::Every => true,
            Kind::Literal => self.text == text,
            Kind::Wild => glob(&self.text, text),
        }
    }
}

/// Whether the whole text matches: at most the product of both lengths in steps, as only the last `*` is ever tried anew.
fn glob(pattern: &str, text: &str) -> bool {
    let (mut wanted, mut rest) = (pattern.chars(), text.chars());
    let mut retry = None;
    loop {
        let mut following = wanted.clone();
        match following.next() {
            Some('*') => {
                retry = Some((following.clone(), rest.clone()));
                wanted = following;
                continue;
            }
            Some(expected) => {
                let mut behind = rest.clone();
                if behind.next().is_some_and(|found| expected == '?' || expected == found) {
                    (wanted, rest) = (following, behind);
                    continue;
                }
            }
            None if rest.as_str().is_empty() => return true,
            None => {}
        }
        let Some((after_star, swallowed)) = &mut retry else { return false };
        if swallowed.next().is_none() {
            return false;
        }
        (wanted, rest) = (after_star.clone(), swallowed.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_find_tools_by_source_and_name() {
        let cases = [
            ("*", "files", "read", true),
            ("read", "files", "read", true),
            ("read", "other", "read", true),
            ("read", "files", "Read", false),
            ("read", "files", "read_file", false),
            ("read_*", "files", "read_file", true),
            ("read_*", "files", "read_", true),
            ("*_file", "files", "read_file", true),
            ("r?ad", "files", "read", true),
            ("r?ad", "files", "rad", false),
            ("re??", "files", "reäd", true),
            ("files.*", "files", "read", true),
            ("files.*", "files2", "read", false),
            ("files.*", "evil", "files.read", false),
            ("*.read", "files", "read", true),
            ("*.read", "files", "x.read", false),
            ("local.fs.read", "local", "fs.read", true),
            ("fs.read", "local", "fs.read", false),
            ("f*s.r*d", "files", "read", true),
            ("f*s.r*d", "files", "reading", false),
            ("**", "files", "read", true),
            ("a*b*c", "x", "aXbXbXc", true),
            ("a*b*c", "x", "aXbXbX", false),
            ("*", "", "", true),
            ("?", "", "", false),
        ];
        for (pattern, source, tool, expected) in cases {
            let found = ToolPattern::parse(pattern).unwrap().matches(Origin::new(source, tool));
            assert_eq!(found, expected, "{pattern} on {source}.{tool}");
        }
    }

    #[test]
    fn patterns_of_other_languages_and_broken_ones_are_refused() {
        for text in
            ["", ".", "a.", ".a", "files.{a,b}", "[ab]", "!a", "^a$", "a|b", "a\\*", "a b", " a", "a\u{200b}b", "a\n"]
        {
            assert!(ToolPattern::parse(text).is_err(), "{text:?}");
        }
        assert!(ToolPattern::parse(&"a".repeat(256)).is_ok());
        let long = ToolPattern::parse(&"a".repeat(257)).unwrap_err().to_string();
        assert!(long.len() < 120, "{long}");
    }

    #[test]
    fn the_worst_pattern_on_a_long_name_ends_soon() {
        let pattern = ToolPattern::parse(&("*a".repeat(127) + "b")).unwrap();
        let name = "a".repeat(200_000);
        let start = std::time::Instant::now();
        assert!(!pattern.matches(Origin::local(&name)));
        assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    }
}
