//! Makes text from elsewhere harmless where a person reads it.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` with every character written out that a terminal would obey or a reader could not see.
///
/// Control characters (so no escape sequence survives), newlines, bidirectional controls, zero-width and other
/// invisible characters become `\n`, `\t`, `\r` or `\u{…}`. The result is one line. Text without such characters is
/// returned as it is; escaping twice changes nothing.
///
/// # Example
///
/// ```
/// assert_eq!(haft_diag::escape("two\nlines \u{1b}[31m"), r"two\nlines \u{1b}[31m");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_deceptive) else {
        return Cow::Borrowed(text);
    };
    let (clean, rest) = text.split_at(first);
    let mut escaped = String::with_capacity(text.len() + 16);
    escaped.push_str(clean);
    for character in rest.chars() {
        match character {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            _ if is_deceptive(character) => {
                // Writing to a String cannot fail.
                let _written = write!(escaped, "\\u{{{:x}}}", u32::from(character));
            }
            _ => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

/// Whether a terminal would act on this character, or show nothing where something stands.
///
/// True for all control characters (newline and tab among them), line separators, bidirectional controls, and
/// characters without a glyph of their own that can hide text in text. Joiners and selectors that only shape a
/// visible neighbour in common scripts and emoji (U+FE00 to U+FE0F) are left alone.
pub fn is_deceptive(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    matches!(character,
        '\u{80}'..='\u{9f}' // C1 controls; U+009B begins an escape sequence like ESC [
        | '\u{ad}' | '\u{34f}' | '\u{61c}'
        | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' // zero width, and the left-to-right and right-to-left marks
        | '\u{2028}'..='\u{202e}' // line and paragraph separators, embeddings and overrides
        | '\u{2060}'..='\u{206f}' // word joiner, invisible operators, isolates
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{e000}'..='\u{f8ff}' // private use: whatever the font of the reader makes of it
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' // tags and more variation selectors: whole texts hide there
        | '\u{f0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::{escape, is_deceptive};
    use std::borrow::Cow;

    fn check(text: &str, expected: &str) {
        assert_eq!(escape(text), expected);
        assert_eq!(escape(expected), expected, "escaping twice changes nothing");
    }

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        check("\u{1b}]0;owned\u{7}", r"\u{1b}]0;owned\u{7}");
        check("\u{9b}2J", r"\u{9b}2J");
        check("a\r\nb\tc", r"a\r\nb\tc");
        check("\0\u{7f}", r"\u{0}\u{7f}");
        check("safe\u{202e}exe.txt", r"safe\u{202e}exe.txt");
        check("\u{2066}x\u{2069}", r"\u{2066}x\u{2069}");
        check("ad\u{200b}min\u{feff}", r"ad\u{200b}min\u{feff}");
        check("\u{e0041}\u{e0042}", r"\u{e0041}\u{e0042}");
    }

    #[test]
    fn plain_text_is_borrowed() {
        for text in ["", "C:\\temp", "Grüße, 世界 ❤\u{fe0f}", "`limit`"] {
            assert!(matches!(escape(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn no_control_character_survives() {
        for code in (0..=0x0010_ffff).filter_map(char::from_u32).filter(|character| character.is_control()) {
            assert!(is_deceptive(code), "{code:?}");
        }
    }
}
