//! A tree into a Rust type, with errors that say where.

mod access;

use std::fmt;

use haft_diag::nearest;
use serde::de::value::MapDeserializer;
use serde::de::{self, DeserializeOwned, Deserializer, Expected, Unexpected, Visitor};

use super::Tree;
use crate::pointer::Pointer;
use crate::problem::{Problem, UNKNOWN_PROPERTY};
use access::{Choice, Elements, Entries};

impl Tree<'_> {
    /// The value as a Rust type.
    ///
    /// A number without a fractional part is an integer wherever the type wants one, however it was written: `5.0` and
    /// `5e0` fill a `u32`.
    ///
    /// # Errors
    ///
    /// When the value does not fit the type; the problem names the place and, like all problems, never the value.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, Box<Problem>> {
        T::deserialize(Reader(self)).map_err(|fault| fault.0)
    }
}

/// A problem on its way out; the pointer grows at every level it leaves.
#[derive(Debug)]
struct Fault(Box<Problem>);

impl Fault {
    fn of(keyword: &'static str, expected: String, found: &'static str) -> Self {
        Self(Box::new(Problem::new(String::new(), keyword, expected, found)))
    }

    /// Puts the fault below the member `name`.
    #[cold]
    fn in_member(self, name: &str) -> Self {
        Self(Box::new(self.0.below(&Pointer::default().member(name))))
    }

    #[cold]
    fn in_element(self, index: usize) -> Self {
        Self(Box::new(self.0.below(&format!("/{index}"))))
    }

    /// Foreign deserializers may quote what they were given. Such a text is dropped: arguments never come back.
    #[cold]
    fn hide(mut self, value: &Tree<'_>) -> Self {
        if let Tree::String(text) = value
            && self.0.keyword == CUSTOM
            && !text.is_empty()
            && self.0.expected.contains(text.as_ref())
        {
            "a value that can be read".clone_into(&mut self.0.expected);
        }
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let mut fault = Self::of(CUSTOM, message.to_string(), "value");
        fault.0 = Box::new(fault.0.got("another value"));
        fault
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::of("type", in_words(expected), kind(&unexpected))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::of("value", in_words(expected), kind(&unexpected))
    }

    fn invalid_length(_length: usize, expected: &dyn Expected) -> Self {
        Self::of("length", in_words(expected), "array")
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let mut fault = Self::of("enum", format!("one of {}", quoted(expected)), "string");
        fault.0.suggestion = nearest(variant, expected.iter().copied()).map(str::to_owned);
        fault
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let mut fault = Self::of(UNKNOWN_PROPERTY, format!("only {}", quoted(expected)), "value");
        fault.0.suggestion = nearest(field, expected.iter().copied()).map(str::to_owned);
        fault
    }

    fn missing_field(field: &'static str) -> Self {
        Self(Box::new(Problem::missing(Pointer::default().member(field), "required", String::new())))
    }
}

/// Reads a tree for serde.
#[derive(Clone, Copy)]
struct Reader<'t, 'a>(&'t Tree<'a>);

impl<'de> Deserializer<'de> for Reader<'_, '_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Tree::Null => visitor.visit_unit(),
            Tree::Bool(value) => visitor.visit_bool(*value),
            Tree::Integer(value) => visitor.visit_i64(*value),
            Tree::Unsigned(value) => visitor.visit_u64(*value),
            Tree::Float(float) => match (self.0.as_i64(), self.0.as_u64(), float.finite()) {
                (Some(value), _, _) => visitor.visit_i64(value),
                (_, Some(value), _) => visitor.visit_u64(value),
                (_, _, Some(value)) => visitor.visit_f64(value),
                _ => Err(beyond("a number that fits `f64`", self.0)),
            },
            Tree::String(text) => visitor.visit_str(text).map_err(|fault: Fault| fault.hide(self.0)),
            Tree::Array(elements) => visitor.visit_seq(Elements::of(elements)),
            Tree::Object(object) => visitor.visit_map(Entries::of(object)),
        }
    }

    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.integer("i8", visitor)
    }

    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.integer("i16", visitor)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.integer("i32", visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.integer("i64", visitor)
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.integer("i128", visitor)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.integer("u8", visitor)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.integer("u16", visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.integer("u32", visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.integer("u64", visitor)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.integer("u128", visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match (self.0, self.0.as_f64()) {
            (_, Some(value)) => visitor.visit_f64(value),
            (Tree::Float(_), None) => Err(beyond("a number that fits `f64`", self.0)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Tree::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Fault> {
        // How `serde_json::value::RawValue` asks for text; its visitor takes a map of one entry with this name.
        if name == RAW_VALUE {
            let entry = std::iter::once((RAW_VALUE, self.0.to_json()));
            return visitor.visit_map(MapDeserializer::new(entry));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Tree::String(variant) => visitor.visit_enum(Choice { variant, content: None }),
            Tree::Object(object) => {
                let mut members = object.iter();
                match (members.next(), members.next()) {
                    (Some((variant, content)), None) => visitor
                        .visit_enum(Choice { variant, content: Some(content) })
                        .map_err(|fault| if fault.0.keyword == "enum" { fault } else { fault.in_member(variant) }),
                    _ => Err(Fault::of("type", format!("an object with one of {}", quoted(variants)), "object")),
                }
            }
            _ => Err(Fault::of("type", format!("one of {}", quoted(variants)), self.0.kind())),
        }
    }

    /// An object only: an array in the order of the fields is nothing that a schema offers.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Tree::Array(_) => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map identifier
    }
}

impl Reader<'_, '_> {
    fn integer<'de, V: Visitor<'de>>(self, target: &'static str, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Tree::Integer(value) => visitor.visit_i64(*value),
            Tree::Unsigned(value) => visitor.visit_u64(*value),
            Tree::Float(float) if float.is_integral() => match float.as_i128() {
                Some(value) => match (i64::try_from(value), u64::try_from(value)) {
                    (Ok(value), _) => visitor.visit_i64(value),
                    (_, Ok(value)) => visitor.visit_u64(value),
                    _ => visitor.visit_i128(value),
                },
                None => match float.text().parse() {
                    Ok(value) => visitor.visit_u128(value),
                    Err(_) => Err(beyond(&format!("an integer that fits `{target}`"), self.0)),
                },
            },
            _ => self.deserialize_any(visitor),
        }
    }
}

#[cold]
fn beyond(expected: &str, value: &Tree<'_>) -> Fault {
    Fault::of("value", expected.to_owned(), value.kind())
}

fn kind(unexpected: &Unexpected<'_>) -> &'static str {
    match unexpected {
        Unexpected::Bool(_) => "boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "integer",
        Unexpected::Float(_) => "number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "array",
        Unexpected::Map => "object",
        // Integers of 128 bits come as text in `Other`, like kinds that JSON does not have.
        _ => "value",
    }
}

/// What serde expects, with the names of Rust's numbers put into words.
fn in_words(expected: &dyn Expected) -> String {
    let text = expected.to_string();
    match text.as_str() {
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => {
            format!("an integer that fits `{text}`")
        }
        "f32" | "f64" => "a number".to_owned(),
        "a sequence" => "an array".to_owned(),
        "a map" => "an object".to_owned(),
        "unit" => "null".to_owned(),
        other if other.starts_with("struct ") => "an object".to_owned(),
        _ => text,
    }
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The name by which `serde_json` asks a deserializer for the text of a value.
const RAW_VALUE: &str = "$serde_json::private::RawValue";
/// The keyword of problems that a type's own deserializer reports.
const CUSTOM: &str = "custom";

#[cfg(test)]
mod tests;
