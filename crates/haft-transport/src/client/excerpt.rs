//! Text of a peer's, cut to a bound and harmless where it is shown.

use std::fmt;

/// The first bytes of something that a peer wrote.
///
/// What it holds is as it came, except that what is no UTF-8 became U+FFFD. What it displays is one line in which
/// nothing is left that a terminal would obey.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    text: String,
    is_cut: bool,
}

impl Excerpt {
    /// The first bytes, as many as fit.
    pub fn of(bytes: &[u8]) -> Self {
        let head = bytes.get(..MOST).unwrap_or(bytes);
        Self { text: lossy(head), is_cut: head.len() < bytes.len() }
    }

    /// The last bytes, which somebody else bounded already.
    pub(crate) fn tail(bytes: &[u8], is_cut: bool) -> Self {
        Self { text: lossy(bytes), is_cut }
    }

    /// The same, known to be only a part of the whole.
    pub(crate) fn cut(mut self, is_cut: bool) -> Self {
        self.is_cut |= is_cut;
        self
    }

    /// The text, not escaped.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether there was nothing.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether there was more.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&haft_diag::escape(self.text.trim_end()))?;
        if self.is_cut { formatter.write_str("…") } else { Ok(()) }
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Excerpt({self})")
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a person can take in, and what is small enough to be kept for each error.
pub(crate) const MOST: usize = 2048;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_bounded_and_shows_nothing_that_a_terminal_obeys() {
        let long = Excerpt::of(&[b'x'; MOST + 1]);
        assert!(long.is_cut() && long.as_str().len() == MOST && long.to_string().ends_with("x…"));
        let nasty = Excerpt::of(b"a\x1b[2J\nb\xff\n");
        assert_eq!(nasty.to_string(), "a\\u{1b}[2J\\nb\u{fffd}");
        assert!(!nasty.is_cut());
    }
}
