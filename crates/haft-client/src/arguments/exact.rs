//! JSON as a person wrote it: checked, on one line, numbers and strings byte by byte.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The same JSON without space between its parts.
///
/// What a receiver could read in two ways is refused: keys that stand twice in an object, and escapes that stand for
/// no character.
pub(super) fn compact(text: &str) -> Result<String, &'static str> {
    let mut output = String::with_capacity(text.len());
    let value: &RawValue = serde_json::from_str(text).map_err(|_| NOT_JSON)?;
    write(value.get(), 0, &mut output)?;
    Ok(output)
}

fn write(text: &str, depth: usize, output: &mut String) -> Result<(), &'static str> {
    if depth > DEEPEST {
        return Err("this JSON is nested too deep");
    }
    match text.as_bytes().first() {
        Some(b'{') => {
            let Members(members) = serde_json::from_str(text).map_err(|_| NOT_JSON)?;
            let mut keys = HashSet::new();
            output.push('{');
            for (index, (key, value)) in members.iter().enumerate() {
                if !keys.insert(key.as_ref()) {
                    return Err("an object in this JSON has the same key twice");
                }
                if index > 0 {
                    output.push(',');
                }
                output.push_str(&quote(key));
                output.push(':');
                write(value.get(), depth + 1, output)?;
            }
            output.push('}');
        }
        Some(b'[') => {
            let elements: Vec<&RawValue> = serde_json::from_str(text).map_err(|_| NOT_JSON)?;
            output.push('[');
            for (index, value) in elements.iter().enumerate() {
                if index > 0 {
                    output.push(',');
                }
                write(value.get(), depth + 1, output)?;
            }
            output.push(']');
        }
        Some(b'"') => {
            // Half of a surrogate pair passes for JSON until somebody reads it.
            serde_json::from_str::<Cow<'_, str>>(text).map_err(|_| "a string in this JSON holds half a character")?;
            output.push_str(text);
        }
        _ => output.push_str(text),
    }
    Ok(())
}

/// A string as JSON text.
pub(super) fn quote(text: &str) -> String {
    // A string always encodes.
    serde_json::to_string(text).unwrap_or_default()
}

/// The members of an object as they stand, those that stand twice included.
struct Members<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reading;
        impl<'t> Visitor<'t> for Reading {
            type Value = Members<'t>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut members: A) -> Result<Members<'t>, A::Error> {
                let mut read = Vec::new();
                while let Some(member) = members.next_entry()? {
                    read.push(member);
                }
                Ok(Members(read))
            }
        }
        deserializer.deserialize_map(Reading)
    }
}

const NOT_JSON: &str = "this is not JSON";
/// Each level is scanned once more for the ones above it.
const DEEPEST: usize = 64;

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn json_is_passed_byte_by_byte_but_for_the_space() {
        let cases = [
            (" {\"b\" : 1.0 ,\n \"a\" : [ ] } ", Ok(r#"{"b":1.0,"a":[]}"#)),
            ("123456789012345678901234567890", Ok("123456789012345678901234567890")),
            ("1e999", Ok("1e999")),
            (r#""\u0041 \/ b""#, Ok(r#""\u0041 \/ b""#)),
            ("null", Ok("null")),
            (r#"{"a":1,"\u0061":2}"#, Err("an object in this JSON has the same key twice")),
            (r#"[{"a":{"b":1,"b":2}}]"#, Err("an object in this JSON has the same key twice")),
            (r#"["\ud800"]"#, Err("a string in this JSON holds half a character")),
            ("[1,]", Err("this is not JSON")),
            ("", Err("this is not JSON")),
            ("1 2", Err("this is not JSON")),
            ("NaN", Err("this is not JSON")),
        ];
        for (text, expected) in cases {
            assert_eq!(compact(text).as_deref(), expected.as_ref().copied(), "{text}");
        }
        for depth in [100, 10_000] {
            assert!(compact(&format!("{}{}", "[".repeat(depth), "]".repeat(depth))).is_err());
        }
    }
}
