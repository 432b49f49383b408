//! A tree as JSON text, and as the value that other libraries take.

use serde_json::{Number, Value};

use super::Tree;

impl Tree<'_> {
    /// The value as compact JSON text: members in their order, numbers as they were written.
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Null => text.push_str("null"),
            Self::Bool(true) => text.push_str("true"),
            Self::Bool(false) => text.push_str("false"),
            Self::Integer(value) => text.push_str(&value.to_string()),
            Self::Unsigned(value) => text.push_str(&value.to_string()),
            Self::Float(float) => text.push_str(float.text()),
            Self::String(string) => write_string(string, text),
            Self::Array(elements) => {
                text.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    element.write(text);
                }
                text.push(']');
            }
            Self::Object(object) => {
                text.push('{');
                for (index, (name, value)) in object.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    write_string(name, text);
                    text.push(':');
                    value.write(text);
                }
                text.push('}');
            }
        }
    }

    /// The value for `serde_json`; the error is the text of a number that lies beyond all doubles.
    pub(crate) fn to_value(&self) -> Result<Value, String> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Integer(value) => Value::from(*value),
            Self::Unsigned(value) => Value::from(*value),
            Self::Float(float) => {
                let number = float.finite().and_then(Number::from_f64);
                Value::Number(number.ok_or_else(|| float.text().to_owned())?)
            }
            Self::String(string) => Value::String(string.clone().into_owned()),
            Self::Array(elements) => Value::Array(elements.iter().map(Self::to_value).collect::<Result<_, _>>()?),
            Self::Object(object) => Value::Object(
                object
                    .iter()
                    .map(|(name, value)| Ok((name.to_owned(), value.to_value()?)))
                    .collect::<Result<_, String>>()?,
            ),
        })
    }
}

/// Appends `string` as a JSON string.
pub(crate) fn write_string(string: &str, text: &mut String) {
    text.push('"');
    let mut plain = 0;
    for (index, character) in string.char_indices() {
        let escape: &str = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\0'..='\u{1f}' => "",
            _ => continue,
        };
        text.push_str(string.get(plain..index).unwrap_or_default());
        plain = index + character.len_utf8();
        if escape.is_empty() {
            let code = u32::from(character);
            text.push_str("\\u00");
            text.extend([char::from_digit(code >> 4, 16), char::from_digit(code & 15, 16)].into_iter().flatten());
        } else {
            text.push_str(escape);
        }
    }
    text.push_str(string.get(plain..).unwrap_or_default());
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn text_survives_a_round_trip() {
        for text in [
            "null",
            r#"{"b":1,"a":[true,false,null],"c":{"d":""}}"#,
            "[1e999999,-0,18446744073709551616,0.10]",
            r#""\"\\\n\r\t\u0001\u001f/ü""#,
        ] {
            assert_eq!(Tree::parse(text).unwrap().to_json(), text);
        }
    }
}
