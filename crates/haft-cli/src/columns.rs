//! Text in columns of a terminal, measured as it is shown.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// How many columns a text takes.
pub(crate) fn width_of(text: &str) -> usize {
    text.width()
}

/// The text with blanks up to a width.
pub(crate) fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(width_of(text))))
}

/// As much of a text as fits, with a sign that it goes on.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if width_of(text) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut columns = 0;
    for character in text.chars() {
        columns += character.width().unwrap_or_default();
        if columns + 1 > width {
            break;
        }
        kept.push(character);
    }
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_fits_however_wide_its_characters_are() {
        for (text, width, expected) in [
            ("short", 5, "short"),
            ("longer", 5, "long…"),
            ("世界世界", 5, "世界…"),
            ("世界世界", 4, "世…"),
            ("one two", 5, "one…"),
            ("x", 1, "x"),
            ("xy", 1, "…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ] {
            let cut = cut(text, width);
            assert_eq!(cut, expected);
            assert!(width_of(&cut) <= width);
        }
    }
}
