//! The parts of a tree for serde: elements, members and their names, and variants of enums.

use serde::de::value::StringDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::{Fault, Reader};
use crate::tree::{Members, Object, Tree};

/// The elements of an array.
pub(super) struct Elements<'t, 'a> {
    elements: &'t [Tree<'a>],
    index: usize,
}

impl<'t, 'a> Elements<'t, 'a> {
    pub(super) fn of(elements: &'t [Tree<'a>]) -> Self {
        Self { elements, index: 0 }
    }
}

impl<'de> SeqAccess<'de> for Elements<'_, '_> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let Some(element) = self.elements.get(self.index) else {
            return Ok(None);
        };
        let value = seed.deserialize(Reader(element)).map_err(|fault| fault.in_element(self.index))?;
        self.index += 1;
        Ok(Some(value))
    }

    fn size_hint(&self) -> Option<usize> {
        self.elements.len().checked_sub(self.index)
    }
}

/// The members of an object.
pub(super) struct Entries<'t, 'a> {
    members: Members<'t, 'a>,
    current: Option<(&'t str, &'t Tree<'a>)>,
}

impl<'t, 'a> Entries<'t, 'a> {
    pub(super) fn of(object: &'t Object<'a>) -> Self {
        Self { members: object.iter(), current: None }
    }
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        self.current = self.members.next();
        let Some((name, _)) = self.current else {
            return Ok(None);
        };
        seed.deserialize(Name(name)).map(Some).map_err(|fault| fault.in_member(name))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        match self.current.take() {
            Some((name, value)) => seed.deserialize(Reader(value)).map_err(|fault| fault.in_member(name)),
            None => Err(de::Error::custom("a member name before its value")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// A member name as a value: maps may have numbers and booleans as keys.
struct Name<'t>(&'t str);

impl Name<'_> {
    fn parsed<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match Tree::parse(self.0) {
            Ok(tree @ (Tree::Integer(_) | Tree::Unsigned(_) | Tree::Float(_) | Tree::Bool(_))) => {
                Reader(&tree).deserialize_any(visitor)
            }
            _ => visitor.visit_str(self.0),
        }
    }
}

macro_rules! parsed_names {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.parsed(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Name<'_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_str(self.0)
    }

    parsed_names! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_enum(Choice { variant: self.0, content: None })
    }

    serde::forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A variant of an enum: its name alone, or with what it carries.
pub(super) struct Choice<'t, 'a> {
    pub(super) variant: &'t str,
    pub(super) content: Option<&'t Tree<'a>>,
}

impl<'de, 't, 'a> EnumAccess<'de> for Choice<'t, 'a> {
    type Error = Fault;
    type Variant = Content<'t, 'a>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Content<'t, 'a>), Fault> {
        let name: StringDeserializer<Fault> = self.variant.to_owned().into_deserializer();
        Ok((seed.deserialize(name)?, Content(self.content)))
    }
}

/// What a variant carries.
pub(super) struct Content<'t, 'a>(Option<&'t Tree<'a>>);

impl<'de> VariantAccess<'de> for Content<'_, '_> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.0 {
            None | Some(Tree::Null) => Ok(()),
            Some(content) => Err(Fault::of("type", "null".to_owned(), content.kind())),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Fault> {
        match self.0 {
            Some(content) => seed.deserialize(Reader(content)),
            None => Err(bare("a value")),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Some(content) => Reader(content).deserialize_any(visitor),
            None => Err(bare("an array")),
        }
    }

    fn struct_variant<V: Visitor<'de>>(self, _fields: &'static [&'static str], visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Some(Tree::Object(object)) => visitor.visit_map(Entries::of(object)),
            Some(content) => Err(Fault::of("type", "an object".to_owned(), content.kind())),
            None => Err(bare("an object")),
        }
    }
}

#[cold]
fn bare(content: &str) -> Fault {
    Fault::of("type", format!("an object that names the variant and has {content} for it"), "string")
}
