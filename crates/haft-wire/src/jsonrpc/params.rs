//! The parameters of a message: its members by name, each value left as it came.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The `params` of a message, one level deep: names with raw values.
#[derive(Clone, Debug, Default)]
pub struct Params<'a> {
    members: Vec<(Cow<'a, str>, &'a RawValue)>,
    shape: Shape,
}

impl<'a> Params<'a> {
    /// The raw value of a member.
    pub fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.members.iter().find(|(member, _)| member == name).map(|(_, value)| *value)
    }

    /// Whether `params` was there but was no object.
    pub fn is_misshapen(&self) -> bool {
        self.shape == Shape::Other
    }

    /// The members in the order in which they came.
    pub fn members(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.members.iter().map(|(name, value)| (name.as_ref(), *value))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Params<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParamsVisitor)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shape {
    #[default]
    Absent,
    Object,
    Other,
}

/// A member's name; borrowed unless it was written with escapes.
pub(super) struct Key<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

struct ParamsVisitor;

impl<'de> Visitor<'de> for ParamsVisitor {
    type Value = Params<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Params<'de>, A::Error> {
        let mut members = Vec::with_capacity(4);
        while let Some(Key(name)) = map.next_key()? {
            members.push((name, map.next_value()?));
        }
        Ok(Params { members, shape: Shape::Object })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Params<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(other())
    }

    fn visit_unit<E>(self) -> Result<Params<'de>, E> {
        // Some clients write null where they mean absent.
        Ok(Params::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Params<'de>, E> {
        Ok(other())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Params<'de>, E> {
        Ok(other())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Params<'de>, E> {
        Ok(other())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Params<'de>, E> {
        Ok(other())
    }

    fn visit_str<E>(self, _: &str) -> Result<Params<'de>, E> {
        Ok(other())
    }
}

fn other<'a>() -> Params<'a> {
    Params { members: Vec::new(), shape: Shape::Other }
}
