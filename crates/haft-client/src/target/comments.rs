//! JSON as editors write it: with comments and commas before a closing bracket.

/// `text` with comments and trailing commas turned into spaces, so that lines and columns stay what they were.
pub(crate) fn blank(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    // Where a comma stands in the output that nothing but space and comments follow so far.
    let mut comma = None;
    // The last character that counts.
    let mut last = '\0';
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('/', Some('/')) => {
                output.push(' ');
                while let Some(inside) = characters.next_if(|next| *next != '\n') {
                    output.extend(std::iter::repeat_n(' ', inside.len_utf8()));
                }
            }
            ('/', Some('*')) => {
                output.push(' ');
                // The star of the opening is not the one of the end.
                let mut before = '\0';
                characters.next();
                output.push(' ');
                for inside in characters.by_ref() {
                    let blank = if inside == '\n' { '\n' } else { ' ' };
                    output.extend(std::iter::repeat_n(blank, inside.len_utf8()));
                    if before == '*' && inside == '/' {
                        break;
                    }
                    before = inside;
                }
            }
            ('"', _) => {
                output.push('"');
                let mut is_escaped = false;
                for inside in characters.by_ref() {
                    output.push(inside);
                    if inside == '"' && !is_escaped {
                        break;
                    }
                    is_escaped = inside == '\\' && !is_escaped;
                }
                (comma, last) = (None, '"');
            }
            (',', _) => {
                // `[,]` stays the mistake that it is.
                comma = (!matches!(last, '[' | '{' | ',' | ':' | '\0')).then_some(output.len());
                output.push(',');
                last = ',';
            }
            (']' | '}', _) => {
                if let Some(place) = comma.take() {
                    output.replace_range(place..=place, " ");
                }
                output.push(character);
                last = character;
            }
            _ => {
                output.push(character);
                if !character.is_whitespace() {
                    (comma, last) = (None, character);
                }
            }
        }
    }
    output
}

#[cfg(test)]
mod tests {
    use super::blank;

    #[test]
    fn comments_and_trailing_commas_become_spaces() {
        let cases = [
            (r#"{"a": 1}"#, r#"{"a": 1}"#),
            ("[1, 2, ]", "[1, 2  ]"),
            ("{\"a\": 1,// x\n}", "{\"a\": 1     \n}"),
            ("[1,/* ,] \n é */2]", "[1,      \n      2]"),
            (r#"["// no", "/* no */", "\",]"]"#, r#"["// no", "/* no */", "\",]"]"#),
            ("[1,,]", "[1,,]"),
            ("[,]", "[,]"),
            ("[/*/ 1 */]", "[        ]"),
            ("[1 /* never closed", "[1                "),
            (r#"["never closed,]"#, r#"["never closed,]"#),
            ("/", "/"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(blank(text), expected, "{text}");
            assert_eq!(blank(text).len(), text.len());
        }
    }
}
