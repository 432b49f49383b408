//! Lets the validator read a [`Tree`] where it stands, without a copy.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity};
use serde_json::{Number, Value};

use crate::tree::{self, Members, Object, Tree};

/// Names the representation: trees that borrow from the request.
pub(crate) struct Borrowed;

impl Json for Borrowed {
    type Node<'a> = &'a Tree<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = ();

    /// Members lie in one block; passing over two costs less than one search from the front.
    const KEYS_PER_LOOKUP: usize = 2;
    /// A tree owns its parts, so none contains itself.
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>(_buffer: &mut (), string: &str, read: impl FnOnce(Self::Node<'_>) -> T) -> T {
        read(&Tree::String(Cow::Borrowed(string)))
    }
}

impl<'a> Node<'a, Borrowed> for &'a Tree<'a> {
    type Object = &'a Object<'a>;
    type Array = &'a [Tree<'a>];
    type Number = &'a Tree<'a>;

    #[inline]
    fn as_object(&self) -> Option<&'a Object<'a>> {
        match self {
            Tree::Object(object) => Some(object),
            _ => None,
        }
    }

    #[inline]
    fn as_array(&self) -> Option<&'a [Tree<'a>]> {
        match self {
            Tree::Array(elements) => Some(elements),
            _ => None,
        }
    }

    #[inline]
    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            Tree::String(text) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    #[inline]
    fn as_number(&self) -> Option<&'a Tree<'a>> {
        Node::is_number(self).then_some(*self)
    }

    #[inline]
    fn as_boolean(&self) -> Option<bool> {
        match self {
            Tree::Bool(value) => Some(*value),
            _ => None,
        }
    }

    #[inline]
    fn is_null(&self) -> bool {
        matches!(self, Tree::Null)
    }

    #[inline]
    fn is_number(&self) -> bool {
        matches!(self, Tree::Integer(_) | Tree::Unsigned(_) | Tree::Float(_))
    }

    #[inline]
    fn is_string(&self) -> bool {
        matches!(self, Tree::String(_))
    }

    #[inline]
    fn json_type(&self) -> JsonType {
        match self {
            Tree::Null => JsonType::Null,
            Tree::Bool(_) => JsonType::Boolean,
            Tree::Integer(_) | Tree::Unsigned(_) | Tree::Float(_) => JsonType::Number,
            Tree::String(_) => JsonType::String,
            Tree::Array(_) => JsonType::Array,
            Tree::Object(_) => JsonType::Object,
        }
    }

    /// A character has one to four bytes, so the number of bytes alone decides most cases.
    #[inline]
    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        let Tree::String(text) = self else {
            return None;
        };
        let bytes = text.len() as u64;
        let fewest = bytes.div_ceil(4);
        if bytes < min || fewest > max {
            return Some(false);
        }
        if fewest >= min && bytes <= max {
            return Some(true);
        }
        Some((min..=max).contains(&(text.chars().count() as u64)))
    }

    fn equals_value(&self, expected: &Value) -> bool {
        self.equals(expected)
    }

    /// Only errors read this, and ours never show a value; comparing has its own ways above and below.
    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(Tree::to_value(self).unwrap_or_default())
    }

    #[inline]
    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref::<Tree<'a>>(self).addr()))
    }
}

impl JsonNumber for &Tree<'_> {
    #[inline]
    fn as_u64(&self) -> Option<u64> {
        match self {
            Tree::Integer(value) => u64::try_from(*value).ok(),
            Tree::Unsigned(value) => Some(*value),
            _ => None,
        }
    }

    #[inline]
    fn as_i64(&self) -> Option<i64> {
        match self {
            Tree::Integer(value) => Some(*value),
            _ => None,
        }
    }

    #[inline]
    fn as_f64(&self) -> Option<f64> {
        Tree::as_f64(self)
    }

    fn as_str(&self) -> Cow<'_, str> {
        match self {
            Tree::Integer(value) => Cow::Owned(value.to_string()),
            Tree::Unsigned(value) => Cow::Owned(value.to_string()),
            Tree::Float(float) => Cow::Borrowed(float.text()),
            _ => Cow::Borrowed("0"),
        }
    }

    fn to_number(&self) -> Cow<'_, Number> {
        let number = match self {
            Tree::Integer(value) => Some(Number::from(*value)),
            Tree::Unsigned(value) => Some(Number::from(*value)),
            // Beyond the doubles: the largest stands in, for messages that nobody reads.
            Tree::Float(float) => Number::from_f64(float.finite().unwrap_or(f64::MAX)),
            _ => None,
        };
        Cow::Owned(number.unwrap_or_else(|| Number::from(0)))
    }

    #[inline]
    fn is_integer(&self) -> bool {
        match self {
            Tree::Float(float) => float.is_integral(),
            _ => true,
        }
    }

    #[inline]
    fn is_written_as_integer(&self) -> bool {
        !matches!(self, Tree::Float(float) if float.text().contains(['.', 'e', 'E']))
    }
}

impl<'a> jsonschema::json::Object<'a, Borrowed> for &'a Object<'a> {
    type Node = &'a Tree<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a, 'a>;

    #[inline]
    fn len(&self) -> usize {
        Object::len(self)
    }

    #[inline]
    fn get(&self, key: &Box<str>) -> Option<&'a Tree<'a>> {
        Object::get(self, key)
    }

    #[inline]
    fn members(&self) -> Members<'a, 'a> {
        self.iter()
    }
}

impl<'a> Array<'a, Borrowed> for &'a [Tree<'a>] {
    type Node = &'a Tree<'a>;
    type ElementsIter = std::slice::Iter<'a, Tree<'a>>;

    #[inline]
    fn len(&self) -> usize {
        <[Tree<'a>]>::len(self)
    }

    #[inline]
    fn elements(&self) -> std::slice::Iter<'a, Tree<'a>> {
        self.iter()
    }

    fn is_unique(&self) -> bool {
        tree::all_different(self).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Borrowed;
    use crate::Tree;

    #[test]
    fn the_validator_can_rely_on_trees() {
        let text = jsonschema::json::conformance::document().to_string();
        let tree = Tree::parse(&text).unwrap();
        jsonschema::json::conformance::assert_conformance::<Borrowed>(&&tree);
    }
}
