//! Finds everything that is wrong with a value and says it in words.
//!
//! The validator has already judged; this walk only explains. It does a bounded amount of work and reports a bounded
//! number of problems, whatever value and schema are put before it.

mod alternatives;
mod arrays;
mod evaluated;
mod objects;
mod scalars;
mod words;

use std::collections::HashMap;

use jsonschema::Validator;
use serde_json::Value;

pub(crate) use words::{is_of_type, types};

use crate::document::{Document, Place};
use crate::pointer::Pointer;
use crate::representation::Borrowed;
use crate::{Dialect, Problem, Problems, Tree, validator};

/// Everything that is wrong with a value under the root schema. At least one problem, for the value was refused.
pub(crate) fn explain(document: &Document<'_>, tree: &Tree<'_>) -> Problems {
    let problems = explain_at(document, Document::ROOT, tree);
    if problems.list.is_empty() { unexplained(tree) } else { problems }
}

/// What is wrong with a value under one schema; maybe nothing.
pub(crate) fn explain_at(document: &Document<'_>, place: Place, tree: &Tree<'_>) -> Problems {
    let mut explainer = Explainer { document, single: HashMap::new(), steps: steps_for(tree), levels: 0 };
    let mut found = Found::at_most(Problem::MOST);
    explainer.check(place, tree, &mut found);
    let more = found.refused || explainer.is_spent();
    Problems { list: found.list, more, example: None }
}

/// The answer for a value whose problems cannot be told.
pub(crate) fn unexplained(tree: &Tree<'_>) -> Problems {
    let expected = "a value that fits the schema".to_owned();
    let problem = Problem::new(String::new(), "schema", expected, tree.kind());
    Problems { list: vec![problem], more: true, example: None }
}

/// Problems of one value, up to a limit.
struct Found {
    /// Where in the value the walk is.
    at: Pointer,
    list: Vec<Problem>,
    most: usize,
    refused: bool,
}

impl Found {
    fn at_most(most: usize) -> Self {
        Self { at: Pointer::default(), list: Vec::new(), most, refused: false }
    }

    /// Nothing found yet, at the same place.
    fn fork(&self, most: usize) -> Self {
        Self { at: self.at.clone(), ..Self::at_most(most) }
    }

    /// A problem of the value that the walk is at.
    fn problem(&self, keyword: &'static str, expected: impl Into<String>, tree: &Tree<'_>) -> Problem {
        Problem::new(self.at.as_str().to_owned(), keyword, expected.into(), tree.kind())
    }

    fn add(&mut self, problem: Problem) {
        if self.list.contains(&problem) {
            return;
        }
        if self.is_full() {
            self.refused = true;
        } else {
            self.list.push(problem);
        }
    }

    fn is_full(&self) -> bool {
        self.list.len() >= self.most
    }
}

struct Explainer<'d, 's> {
    document: &'d Document<'s>,
    /// Validators of single keywords, by where the value of the keyword lies.
    single: HashMap<usize, Option<Validator<Borrowed>>>,
    /// How many steps are left.
    steps: u32,
    /// How many schemas this one stands inside of.
    levels: u32,
}

impl<'s> Explainer<'_, 's> {
    /// Adds what is wrong with a value under a schema.
    fn check(&mut self, place: Place, tree: &Tree<'_>, found: &mut Found) {
        if found.refused || !self.step(1) {
            return;
        }
        if self.levels == MOST_LEVELS {
            self.steps = 0;
            return;
        }
        self.levels += 1;
        match self.document.value(place) {
            Value::Bool(false) => {
                found.add(found.problem("false", "nothing here", tree));
            }
            Value::Object(_) => self.check_keywords(place, tree, found),
            _ => {}
        }
        self.levels -= 1;
    }

    fn check_keywords(&mut self, place: Place, tree: &Tree<'_>, found: &mut Found) {
        let refers = self.document.one(place, "$ref");
        if let Some(target) = refers {
            self.check(target, tree, found);
        }
        if refers.is_some() && self.document.dialect == Dialect::Draft07 {
            return;
        }
        if let Some(types) = self.document.keyword(place, "type")
            && !is_of_type(tree, types)
        {
            let expected = words::phrase(self.document, place);
            found.add(found.problem("type", expected, tree));
            return;
        }
        if let Some(problem) = self.scalar_problem(place, tree, found) {
            found.add(problem);
        }
        match tree {
            Tree::Array(_) => self.check_array(place, tree, found),
            Tree::Object(object) => self.check_object(place, object, found),
            _ => {}
        }
        self.check_unevaluated(place, tree, found);
        // Which target is meant depends on the way here; the outermost, so the first, wins.
        let dynamic = self.document.under(place, "$dynamicRef").map(|edge| edge.target).min();
        if let Some(target) = dynamic {
            self.check(target, tree, found);
        }
        self.check_combined(place, tree, found);
    }

    /// Whether a value fits a schema, as far as the steps suffice: once they are used up, everything seems to fit.
    fn fits(&mut self, place: Place, tree: &Tree<'_>) -> bool {
        let mut found = Found::at_most(1);
        self.check(place, tree, &mut found);
        found.list.is_empty()
    }

    /// Whether a value satisfies one keyword, asked of the validator.
    fn satisfies(&mut self, keyword: &str, value: &Value, tree: &Tree<'_>) -> bool {
        self.satisfies_at(std::ptr::from_ref(value).addr(), keyword, value, tree)
    }

    /// The same for a value that is made up, and remembered by an address in the schema.
    fn satisfies_at(&mut self, address: usize, keyword: &str, value: &Value, tree: &Tree<'_>) -> bool {
        if !self.single.contains_key(&address) {
            if !self.step(STEPS_TO_COMPILE) {
                return true;
            }
            self.single.insert(address, validator::of_keyword(self.document.dialect, keyword, value));
        }
        match self.single.get(&address) {
            Some(Some(validator)) => validator.is_valid(tree),
            _ => true,
        }
    }

    /// Uses up steps; false when there are not enough left.
    fn step(&mut self, steps: u32) -> bool {
        let left = self.steps.checked_sub(steps);
        self.steps = left.unwrap_or(0);
        left.is_some()
    }

    /// Whether what seems to fit may not have been looked at.
    fn is_spent(&self) -> bool {
        self.steps == 0
    }

    fn keyword(&self, place: Place, keyword: &str) -> Option<&'s Value> {
        self.document.keyword(place, keyword)
    }
}

/// How much work an explanation may be: so much that a long list with one mistake is read to its end, and so little that
/// a small value never costs more than some milliseconds.
fn steps_for(tree: &Tree<'_>) -> u32 {
    let by_size = tree.count().saturating_mul(STEPS_PER_VALUE).saturating_add(FEWEST_STEPS);
    u32::try_from(by_size).unwrap_or(MOST_STEPS).min(MOST_STEPS)
}

const FEWEST_STEPS: u64 = 20_000;
const STEPS_PER_VALUE: u64 = 24;
const MOST_STEPS: u32 = 400_000;
/// Building a validator takes as long as this many comparisons.
const STEPS_TO_COMPILE: u32 = 100;
/// Levels of schema on the stack.
const MOST_LEVELS: u32 = 300;

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod tests;
