//! Keywords that look at a value as a whole: `enum` and `const`, and the bounds of numbers, strings and sizes.

use haft_diag::nearest;
use serde_json::{Number, Value};

use super::words::{self, phrase_of_kind};
use super::{Explainer, Found};
use crate::document::Place;
use crate::problem::article;
use crate::tree::number_as_i128;
use crate::{Problem, Tree};

impl Explainer<'_, '_> {
    /// The first such keyword that a value does not satisfy. One is enough: the problem names all bounds together.
    pub(super) fn scalar_problem(&mut self, place: Place, tree: &Tree<'_>, found: &Found) -> Option<Problem> {
        if let Some(problem) = self.choice_problem(place, tree, found) {
            return Some(problem);
        }
        let keyword = match tree {
            Tree::Integer(_) | Tree::Unsigned(_) | Tree::Float(_) => self.number_fault(place, tree),
            Tree::String(text) => self.string_fault(place, text, tree),
            Tree::Array(elements) => self.size_fault(place, elements.len(), "minItems", "maxItems"),
            Tree::Object(object) => self.size_fault(place, object.len(), "minProperties", "maxProperties"),
            _ => None,
        }?;
        let expected = phrase_of_kind(self.document, place, tree.kind());
        Some(found.problem(keyword, expected, tree))
    }

    fn choice_problem(&self, place: Place, tree: &Tree<'_>, found: &Found) -> Option<Problem> {
        let (keyword, allowed) = match (self.keyword(place, "const"), self.keyword(place, "enum")) {
            (Some(value), _) if !tree.equals(value) => ("const", std::slice::from_ref(value)),
            (_, Some(Value::Array(values))) if !values.iter().any(|value| tree.equals(value)) => {
                ("enum", values.as_slice())
            }
            _ => return None,
        };
        let expected = words::phrase(self.document, place);
        // A value of another kind is better told by its kind than as "another string".
        let same_kind = allowed.iter().any(|value| kind_of(value) == tree.kind());
        let mut problem = found.problem(keyword, expected, tree);
        if !same_kind {
            problem = problem.got(article(tree.kind()));
        }
        let names = allowed.iter().filter_map(Value::as_str);
        let meant = tree.as_str().filter(|_| allowed.len() > 1).and_then(|sent| nearest(sent, names));
        problem.allowed = allowed.iter().take(MOST_ALLOWED).map(words::plain).collect();
        Some(problem.suggest(meant))
    }

    fn number_fault(&mut self, place: Place, tree: &Tree<'_>) -> Option<&'static str> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        for (keyword, wrong) in [
            ("minimum", &[Less][..]),
            ("maximum", &[Greater]),
            ("exclusiveMinimum", &[Less, Equal]),
            ("exclusiveMaximum", &[Greater, Equal]),
        ] {
            if let Some(Value::Number(limit)) = self.keyword(place, keyword)
                && compare(tree, limit).is_some_and(|order| wrong.contains(&order))
            {
                return Some(keyword);
            }
        }
        let factor = self.keyword(place, "multipleOf")?;
        (!self.satisfies("multipleOf", factor, tree)).then_some("multipleOf")
    }

    fn string_fault(&mut self, place: Place, text: &str, tree: &Tree<'_>) -> Option<&'static str> {
        if self.keyword(place, "minLength").is_some() || self.keyword(place, "maxLength").is_some() {
            let length = text.chars().count();
            if let Some(keyword) = self.size_fault(place, length, "minLength", "maxLength") {
                return Some(keyword);
            }
        }
        for keyword in ["format", "pattern"] {
            if let Some(value) = self.keyword(place, keyword)
                && !self.satisfies(keyword, value, tree)
            {
                return Some(keyword);
            }
        }
        None
    }

    fn size_fault(&self, place: Place, size: usize, least: &'static str, most: &'static str) -> Option<&'static str> {
        let size = u64::try_from(size).unwrap_or(u64::MAX);
        let limit = |keyword| self.keyword(place, keyword).and_then(whole);
        if limit(least).is_some_and(|limit| size < limit) {
            return Some(least);
        }
        limit(most).is_some_and(|limit| size > limit).then_some(most)
    }
}

/// A size in a schema; `2.0` is one as well.
pub(super) fn whole(value: &Value) -> Option<u64> {
    let number = value.as_number()?;
    number_as_i128(number).and_then(|value| value.try_into().ok())
}

fn compare(tree: &Tree<'_>, limit: &Number) -> Option<std::cmp::Ordering> {
    if let (Some(left), Some(right)) = (tree.as_i128(), number_as_i128(limit)) {
        return Some(left.cmp(&right));
    }
    match tree.as_f64() {
        Some(value) => value.partial_cmp(&limit.as_f64()?),
        // Beyond the doubles, and so beyond every limit on its side.
        None if tree.to_json().starts_with('-') => Some(std::cmp::Ordering::Less),
        None => Some(std::cmp::Ordering::Greater),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Enough to tell alternatives apart.
const MOST_ALLOWED: usize = 50;
