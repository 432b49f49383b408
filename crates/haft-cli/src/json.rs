//! JSON for people and terminals; what it says stays what it is, digit by digit.

use std::fmt::Write as _;

use haft_diag::is_deceptive;

/// The same JSON over several lines. What stands in strings and numbers is not touched.
pub(crate) fn pretty(json: &str) -> String {
    let mut output = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut characters = json.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                output.push('"');
                let mut is_escaped = false;
                for inside in characters.by_ref() {
                    output.push(inside);
                    if inside == '"' && !is_escaped {
                        break;
                    }
                    is_escaped = inside == '\\' && !is_escaped;
                }
            }
            '{' | '[' => {
                output.push(character);
                while characters.next_if(char::is_ascii_whitespace).is_some() {}
                if let Some(close) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    output.push(close);
                } else {
                    depth += 1;
                    line(&mut output, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut output, depth);
                output.push(character);
            }
            ',' => {
                output.push(',');
                line(&mut output, depth);
            }
            ':' => output.push_str(": "),
            _ if character.is_ascii_whitespace() => {}
            _ => output.push(character),
        }
    }
    output
}

fn line(output: &mut String, depth: usize) {
    output.push('\n');
    for _ in 0..depth {
        output.push_str("  ");
    }
}

/// The same JSON with every character written out that a terminal would obey or nobody could see.
pub(crate) fn harmless(json: &str) -> String {
    let mut output = String::with_capacity(json.len());
    for character in json.chars() {
        // Between its parts JSON has no other character of that kind than these.
        if matches!(character, '\n' | '\r' | '\t') || !is_deceptive(character) {
            output.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                // Writing to a String cannot fail.
                let _written = write!(output, "\\u{unit:04x}");
            }
        }
    }
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pretty_json_says_the_same() {
        let json = r#"{"a":[1.0,12345678901234567890123,{}, [ ] ],"b":"x,{}[]\":\\","c":null}"#;
        let expected = "{\n  \"a\": [\n    1.0,\n    12345678901234567890123,\n    {},\n    []\n  ],\n  \"b\": \"x,{}[]\\\":\\\\\",\n  \"c\": null\n}";
        assert_eq!(pretty(json), expected);
        assert_eq!(pretty(expected), expected);
        for odd in ["]]]", "\"", "{", ""] {
            drop(pretty(odd));
        }
    }

    #[test]
    fn harmless_json_says_the_same() {
        let json = "{\"a\u{9b}\":\"\u{202e}\u{e0041}x\"}\n";
        assert_eq!(harmless(json), "{\"a\\u009b\":\"\\u202e\\udb40\\udc41x\"}\n");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&harmless(json)), value(json));
    }
}
