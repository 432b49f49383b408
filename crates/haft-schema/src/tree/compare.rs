//! Equality as JSON Schema sees it: numbers by value, members in any order.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use serde_json::{Number, Value};

use super::{Object, Tree};

impl Tree<'_> {
    /// Whether this equals a value of a schema.
    pub(crate) fn equals(&self, other: &Value) -> bool {
        match (self, other) {
            (Self::Null, Value::Null) => true,
            (Self::Bool(left), Value::Bool(right)) => left == right,
            (Self::String(left), Value::String(right)) => left == right,
            (Self::Integer(_) | Self::Unsigned(_) | Self::Float(_), Value::Number(right)) => self.equals_number(right),
            (Self::Array(left), Value::Array(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.equals(right))
            }
            (Self::Object(left), Value::Object(right)) => {
                left.len() == right.len()
                    && left.iter().all(|(name, value)| right.get(name).is_some_and(|right| value.equals(right)))
            }
            _ => false,
        }
    }

    /// A number of a schema that is no 64-bit integer has become the nearest double, so only that can be compared.
    fn equals_number(&self, other: &Number) -> bool {
        match (self, number_as_i128(other)) {
            (Self::Float(float), _) if other.is_f64() => float.finite() == other.as_f64(),
            (_, exact) => exact.is_some() && self.as_i128() == exact,
        }
    }
}

/// The exact integer that a number of a schema stands for, if it is one.
#[expect(clippy::cast_possible_truncation, reason = "the bounds are checked, and fractions are excluded")]
pub(crate) fn number_as_i128(number: &Number) -> Option<i128> {
    if let Some(value) = number.as_i64() {
        return Some(value.into());
    }
    if let Some(value) = number.as_u64() {
        return Some(value.into());
    }
    let value = number.as_f64()?;
    (value.fract() == 0.0 && value.abs() < 1e38).then_some(value as i128)
}

/// Equal by value: `1` and `1.0` are equal, and so are objects with the same members in another order.
impl PartialEq for Tree<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(left), Self::Bool(right)) => left == right,
            (Self::Integer(left), Self::Integer(right)) => left == right,
            (Self::Unsigned(left), Self::Unsigned(right)) => left == right,
            (Self::Float(left), Self::Float(right)) => left == right,
            (Self::Float(float), integer @ (Self::Integer(_) | Self::Unsigned(_)))
            | (integer @ (Self::Integer(_) | Self::Unsigned(_)), Self::Float(float)) => {
                float.as_i128() == integer.as_i128()
            }
            (Self::String(left), Self::String(right)) => left == right,
            (Self::Array(left), Self::Array(right)) => left == right,
            (Self::Object(left), Self::Object(right)) => left == right,
            _ => false,
        }
    }
}

impl PartialEq for Object<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(name, value)| other.get(name) == Some(value))
    }
}

/// Whether no two elements are equal; otherwise the positions of two that are.
pub(crate) fn all_different(elements: &[Tree<'_>]) -> Result<(), (usize, usize)> {
    if elements.len() <= COMPARED {
        for (later, element) in elements.iter().enumerate() {
            if let Some(earlier) = elements.iter().take(later).position(|earlier| earlier == element) {
                return Err((earlier, later));
            }
        }
        return Ok(());
    }
    // Random keys: nobody can send elements that all collide.
    let keys = RandomState::new();
    let mut seen: HashMap<u64, Vec<usize>> = HashMap::with_capacity(elements.len());
    for (later, element) in elements.iter().enumerate() {
        let alike = seen.entry(digest(element, &keys)).or_default();
        if let Some(&earlier) = alike.iter().find(|&&index| elements.get(index) == Some(element)) {
            return Err((earlier, later));
        }
        alike.push(later);
    }
    Ok(())
}

/// A number that equal trees share.
fn digest(tree: &Tree<'_>, keys: &RandomState) -> u64 {
    match tree {
        Tree::Null => 0,
        Tree::Bool(value) => keys.hash_one((1_u8, value)),
        // Equal numbers have the same nearest double; adding zero makes -0 and 0 one.
        Tree::Integer(_) | Tree::Unsigned(_) | Tree::Float(_) => {
            keys.hash_one((2_u8, (tree.as_f64().unwrap_or(f64::INFINITY) + 0.0).to_bits()))
        }
        Tree::String(text) => keys.hash_one((3_u8, text)),
        Tree::Array(elements) => elements.iter().fold(4, |sum, element| keys.hash_one((sum, digest(element, keys)))),
        // A sum, for the order of members does not count.
        Tree::Object(object) => {
            let members = object.iter().map(|(name, value)| keys.hash_one((name, digest(value, keys))));
            members.fold(5, u64::wrapping_add)
        }
    }
}

/// Up to here comparing each with each is faster than hashing.
const COMPARED: usize = 12;

#[cfg(test)]
mod tests {
    use super::all_different;
    use crate::Tree;
    use serde_json::Value;

    fn check(left: &str, right: &str, equal: bool) {
        let (left, right) = (Tree::parse(left).unwrap(), Tree::parse(right).unwrap());
        assert_eq!(left == right, equal, "{} = {}", left.to_json(), right.to_json());
        assert_eq!(right == left, equal, "{} = {}", right.to_json(), left.to_json());
        if let Ok(value) = right.to_value() {
            assert_eq!(left.equals(&value), equal, "{} = {value}", left.to_json());
        }
    }

    #[test]
    fn equality_is_by_value() {
        check("1", "1.0", true);
        check("0", "-0.0", true);
        check("1e30", "1e30", true);
        check("1180591620717411303424", "1180591620717411303424", true);
        check("9007199254740993", "9007199254740992.0", false);
        check("1", "true", false);
        check("null", "0", false);
        check(r#"{"a":1,"b":[2]}"#, r#"{"b":[2.0],"a":1e0}"#, true);
        check(r#"{"a":1}"#, r#"{"a":1,"b":2}"#, false);
        check(r#"{"a":1}"#, r#"{"b":1}"#, false);
        check("[1,2]", "[2,1]", false);
        check(r#""a""#, r#""\u0061""#, true);
        check("1e400", "1e400", true);
    }

    #[test]
    fn equal_elements_are_found_in_small_and_large_arrays() {
        let numbers: Vec<String> = (0..500).map(|number| number.to_string()).collect();
        for size in [0, 1, 12, 13, 500] {
            let kept = numbers[..size].join(",");
            let text = format!("[{kept}]");
            assert_eq!(all_different(Tree::parse(&text).unwrap().as_array().unwrap()), Ok(()));
            if size > 0 {
                let text = format!("[{kept},0.0]");
                assert_eq!(all_different(Tree::parse(&text).unwrap().as_array().unwrap()), Err((0, size)));
            }
        }
    }

    #[test]
    fn many_elements_that_differ_deep_inside_are_told_apart_in_linear_time() {
        let elements: Vec<String> = (0..50_000).map(|index| format!(r#"{{"a":{{"b":[{index}]}}}}"#)).collect();
        let text = format!("[{}]", elements.join(","));
        assert_eq!(all_different(Tree::parse(&text).unwrap().as_array().unwrap()), Ok(()));
    }

    #[test]
    fn an_integer_beyond_the_doubles_equals_none() {
        assert!(!Tree::parse("1e400").unwrap().equals(&Value::from(f64::MAX)));
    }
}
