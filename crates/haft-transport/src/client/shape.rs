//! What a text is on the outside: whether it can be a message at all, and whether it answers a request.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A JSON object, or an array of whatever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// It says that it is JSON-RPC.
    pub(super) is_rpc: bool,
    /// It is a result or an error, or holds one.
    pub(super) is_answer: bool,
}

impl Shape {
    /// `None` for what is no JSON, or neither an object nor an array.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        // Most of what is no message need not be looked at any further.
        if !matches!(text.trim_ascii_start().first(), Some(b'{' | b'[')) {
            return None;
        }
        let mut deserializer = serde_json::Deserializer::from_slice(text);
        let shape = Look { is_outside: true }.deserialize(&mut deserializer).ok()?;
        deserializer.end().ok()?;
        Some(shape)
    }
}

struct Look {
    is_outside: bool,
}

impl<'de> DeserializeSeed<'de> for Look {
    type Value = Shape;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Shape, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look {
    type Value = Shape;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shape, A::Error> {
        let (mut shape, mut has_outcome, mut has_method) = (Shape::default(), false, false);
        while let Some(key) = map.next_key()? {
            map.next_value::<IgnoredAny>()?;
            match key {
                Key::Error | Key::Result => has_outcome = true,
                Key::Jsonrpc => shape.is_rpc = true,
                Key::Method => has_method = true,
                Key::Other => {}
            }
        }
        shape.is_answer = has_outcome && !has_method;
        Ok(shape)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Shape, A::Error> {
        let mut all = Shape::default();
        if self.is_outside {
            while let Some(shape) = items.next_element_seed(Self { is_outside: false })? {
                all = Shape { is_rpc: all.is_rpc || shape.is_rpc, is_answer: all.is_answer || shape.is_answer };
            }
        } else {
            while items.next_element::<IgnoredAny>()?.is_some() {}
        }
        Ok(all)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Shape, E> {
        Ok(Shape::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Shape, E> {
        Ok(Shape::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Shape, E> {
        Ok(Shape::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Shape, E> {
        Ok(Shape::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Shape, E> {
        Ok(Shape::default())
    }

    fn visit_unit<E>(self) -> Result<Shape, E> {
        Ok(Shape::default())
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Key {
    Error,
    Jsonrpc,
    Method,
    Result,
    #[serde(other)]
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(bool, bool)>) {
        let shape = Shape::of(text.as_bytes());
        assert_eq!(shape.map(|shape| (shape.is_rpc, shape.is_answer)), expected, "{text}");
    }

    #[test]
    fn messages_are_told_from_text_and_answers_from_questions() {
        check(r#"{"jsonrpc":"2.0","id":1,"result":null}"#, Some((true, true)));
        check(r#" {"error":{},"id":null} "#, Some((false, true)));
        check(r#"{"jsonrpc":"2.0","method":"result","params":{"result":1}}"#, Some((true, false)));
        check(r#"[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","result":{}}]"#, Some((true, true)));
        check(r#"[1,-1,1.5,1e99,"a",null,true,[[{"result":1}]],{}]"#, Some((false, false)));
        check("{}", Some((false, false)));
        for text in ["", " ", "1", "\"{}\"", "null", "[INFO] up", "{", "{}{}", "{'a':1}", "[1,]", "{\"a\":1", "<html>"]
        {
            check(text, None);
        }
    }

    #[test]
    fn depth_costs_nothing() {
        let deep = format!("{{\"result\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
        check(&deep, Some((false, true)));
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        check(&deep, Some((false, false)));
    }
}
