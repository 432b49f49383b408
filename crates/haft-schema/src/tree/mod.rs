//! A JSON value that borrows from the text it was parsed from.

mod compare;
mod deserialize;
mod number;
mod parse;
mod text;

use std::borrow::Cow;
use std::fmt;

pub(crate) use compare::{all_different, number_as_i128};
pub use number::Float;
pub use parse::TreeError;
pub(crate) use text::write_string;

/// A JSON value, borrowed from its text where possible.
///
/// [`Tree::parse`] refuses what two parsers could read differently (a key that stands twice, half of a surrogate pair)
/// and what is nested deeper than [`Tree::MAX_DEPTH`]. Members keep their order, and a number that does not fit a
/// 64-bit integer keeps its text, so nothing is lost before a schema has had its say.
#[derive(Clone)]
#[expect(clippy::exhaustive_enums, reason = "JSON has these kinds of values and no more")]
pub enum Tree<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number written as an integer that fits `i64`.
    Integer(i64),
    /// A number written as an integer above `i64::MAX` that fits `u64`.
    Unsigned(u64),
    /// Any other number: with a fraction, with an exponent, or too large for 64 bits.
    Float(Float<'a>),
    /// A string.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Self>),
    /// An object.
    Object(Object<'a>),
}

/// The members of a JSON object in the order of the text, each name once.
#[derive(Clone, Default)]
pub struct Object<'a> {
    members: Vec<(Cow<'a, str>, Tree<'a>)>,
    /// Positions sorted by name; only large objects have it, for small ones a walk is faster.
    order: Option<Box<Order>>,
}

/// One pointer wide behind a box, so that [`Tree`] stays at four words.
#[derive(Clone)]
struct Order(Vec<u32>);

impl<'a> Tree<'a> {
    /// How many arrays and objects may stand inside each other.
    pub const MAX_DEPTH: usize = 128;

    /// The name of this value's kind: `null`, `boolean`, `integer`, `number`, `string`, `array` or `object`.
    ///
    /// As in JSON Schema, a number without a fractional part is an integer however it is written.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Integer(_) | Self::Unsigned(_) => "integer",
            Self::Float(float) if float.is_integral() => "integer",
            Self::Float(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// The object, if this is one.
    pub fn as_object(&self) -> Option<&Object<'a>> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, if this is a number without a fractional part that fits. `1.0` and `1e3` are integers.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_i128().and_then(|value| value.try_into().ok())
    }

    /// The integer, if this is a number without a fractional part that is not negative and fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_i128().and_then(|value| value.try_into().ok())
    }

    /// The number as the nearest double; `None` for what is no number or lies beyond all doubles.
    #[expect(clippy::cast_precision_loss, reason = "the nearest double is what is asked for")]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Unsigned(value) => Some(*value as f64),
            Self::Float(float) => float.finite(),
            _ => None,
        }
    }

    pub(crate) fn as_i128(&self) -> Option<i128> {
        match self {
            Self::Integer(value) => Some((*value).into()),
            Self::Unsigned(value) => Some((*value).into()),
            Self::Float(float) => float.as_i128(),
            _ => None,
        }
    }

    /// The member `name`, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    /// How many values there are in this one, itself included.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Self::Array(elements) => 1 + elements.iter().map(Self::count).sum::<u64>(),
            Self::Object(object) => 1 + object.iter().map(|(_, value)| value.count()).sum::<u64>(),
            _ => 1,
        }
    }

    /// How many arrays and objects stand inside each other, this one included.
    pub(crate) fn depth(&self) -> u64 {
        match self {
            Self::Array(elements) => 1 + elements.iter().map(Self::depth).max().unwrap_or(0),
            Self::Object(object) => 1 + object.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }
}

impl<'a> Object<'a> {
    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The member `name`.
    pub fn get(&self, name: &str) -> Option<&Tree<'a>> {
        let Some(order) = &self.order else {
            return self.members.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        };
        let found = order.0.binary_search_by(|&index| self.name_at(index).cmp(name)).ok()?;
        let index = *order.0.get(found)?;
        self.members.get(index as usize).map(|(_, value)| value)
    }

    /// The members in the order of the text.
    pub fn iter(&self) -> Members<'_, 'a> {
        Members(self.members.iter())
    }

    fn name_at(&self, index: u32) -> &str {
        self.members.get(index as usize).map_or("", |(name, _)| name)
    }

    /// Takes members as they were read; the error is the first name that stands twice.
    fn of(members: Vec<(Cow<'a, str>, Tree<'a>)>) -> Result<Self, String> {
        if members.len() <= WALKED {
            for (index, (name, _)) in members.iter().enumerate() {
                if members.iter().take(index).any(|(earlier, _)| earlier == name) {
                    return Err(name.clone().into_owned());
                }
            }
            return Ok(Self { members, order: None });
        }
        let mut object = Self { members, order: None };
        // A text of 4 GB is refused long before it gets here; more members would only leave the rest unindexed.
        let mut order: Vec<u32> = (0..u32::try_from(object.members.len()).unwrap_or(u32::MAX)).collect();
        order.sort_unstable_by(|&left, &right| object.name_at(left).cmp(object.name_at(right)));
        for pair in order.windows(2) {
            if let [left, right] = *pair
                && object.name_at(left) == object.name_at(right)
            {
                return Err(object.name_at(left).to_owned());
            }
        }
        object.order = Some(Box::new(Order(order)));
        Ok(object)
    }
}

/// The members of an [`Object`], in the order of the text.
#[derive(Clone, Debug)]
pub struct Members<'t, 'a>(std::slice::Iter<'t, (Cow<'a, str>, Tree<'a>)>);

impl<'t, 'a> Iterator for Members<'t, 'a> {
    type Item = (&'t str, &'t Tree<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, value)| (name.as_ref(), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Members<'_, '_> {}

impl<'t, 'a> IntoIterator for &'t Object<'a> {
    type Item = (&'t str, &'t Tree<'a>);
    type IntoIter = Members<'t, 'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

// Arguments may carry secrets, and `{:?}` ends up in logs: only the shape is shown.
impl fmt::Debug for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array(elements) => f.debug_list().entries(elements).finish(),
            Self::Object(object) => object.fmt(f),
            _ => f.write_str(self.kind()),
        }
    }
}

impl fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// Objects up to this size are searched from the front: the keys are short and lie side by side.
const WALKED: usize = 12;

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn a_tree_takes_four_words() {
        assert_eq!(size_of::<Tree<'static>>(), 32);
    }

    #[test]
    fn members_are_found_in_small_and_large_objects() {
        for size in [0, 1, 12, 13, 300] {
            let text: Vec<String> = (0..size).map(|index| format!("\"k{index}\":{index}")).collect();
            let text = format!("{{{}}}", text.join(","));
            let tree = Tree::parse(&text).unwrap();
            for index in 0..size {
                assert_eq!(tree.get(&format!("k{index}")).unwrap().as_i64(), Some(index));
            }
            assert_eq!(tree.get("k"), None);
            assert_eq!(tree.get(&format!("k{size}")), None);
            let names: Vec<&str> = tree.as_object().unwrap().iter().map(|(name, _)| name).collect();
            assert_eq!(names.len(), usize::try_from(size).unwrap());
            assert!(names.iter().enumerate().all(|(index, name)| *name == format!("k{index}")));
        }
    }

    #[test]
    fn debug_shows_the_shape_and_no_value() {
        let tree = Tree::parse(r#"{"token":"s3cret","n":[1,null,true]}"#).unwrap();
        assert_eq!(format!("{tree:?}"), r#"{"token": string, "n": [integer, null, boolean]}"#);
    }

    #[test]
    fn count_and_depth_see_every_value() {
        let tree = Tree::parse(r#"{"a":[1,[2]],"b":{}}"#).unwrap();
        assert_eq!((tree.count(), tree.depth()), (6, 3));
    }
}
