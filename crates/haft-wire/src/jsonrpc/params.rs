//! The parameters of a message: its members by name, each value left as it came.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::raw::Raw;
use crate::model::MetaFields;
use crate::write::Object;

/// The `params` of a message, one level deep: names with raw values, and what the protocol knows of `_meta`.
#[derive(Clone, Debug, Default)]
pub struct Params<'a> {
    pub(super) members: Vec<(Cow<'a, str>, Raw<'a>)>,
    pub(super) meta: MetaFields<'a>,
    pub(super) is_misshapen: bool,
}

impl<'a> Params<'a> {
    /// The raw value of a member.
    pub fn get(&self, name: &str) -> Option<Raw<'a>> {
        self.members.iter().find(|(member, _)| member == name).map(|(_, value)| *value)
    }

    /// Whether `params` was there but was no object.
    pub const fn is_misshapen(&self) -> bool {
        self.is_misshapen
    }

    /// The members in the order in which they came.
    pub fn members(&self) -> impl Iterator<Item = (&str, Raw<'a>)> {
        self.members.iter().map(|(name, value)| (name.as_ref(), *value))
    }

    /// The parameters as an object again, for whoever keeps them.
    pub fn to_raw(&self) -> Box<RawValue> {
        let mut out = Vec::new();
        let mut object = Object::open(&mut out);
        for (name, value) in self.members() {
            object.raw(name, value.get());
        }
        object.close();
        // Keys are written here, and the values were found valid when the message was read.
        let text = String::from_utf8(out).unwrap_or_default();
        RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
    }

    /// The members of `_meta` that the protocol defines; none, where it is absent or no object.
    pub const fn meta(&self) -> &MetaFields<'a> {
        &self.meta
    }
}
