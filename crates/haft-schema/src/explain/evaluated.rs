//! `unevaluatedProperties` and `unevaluatedItems`: what no schema in place has spoken of.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Explainer, Found};
use crate::Tree;
use crate::document::{Edge, Key, Place};

impl<'s> Explainer<'_, 's> {
    pub(super) fn check_unevaluated(&mut self, place: Place, tree: &Tree<'_>, found: &mut Found) {
        match tree {
            Tree::Object(object) => {
                let Some(others) = self.document.one(place, "unevaluatedProperties") else {
                    return;
                };
                let mut evaluated = BTreeSet::new();
                let all = self.evaluated_properties(place, tree, &mut evaluated, true);
                for (name, value) in object.iter().filter(|(name, _)| !all && !evaluated.contains(name)) {
                    if found.refused || self.is_spent() {
                        return;
                    }
                    let mark = found.at.mark();
                    found.at.push(name);
                    if self.document.value(others) == &Value::Bool(false) {
                        found.add(self.unknown(place, object, (name, value), found));
                    } else {
                        self.check(others, value, found);
                    }
                    found.at.truncate(mark);
                }
            }
            Tree::Array(elements) => {
                let Some(others) = self.document.one(place, "unevaluatedItems") else {
                    return;
                };
                let mut evaluated = vec![false; elements.len()];
                self.evaluated_items(place, tree, &mut evaluated, true);
                for (index, element) in elements.iter().enumerate() {
                    if evaluated.get(index) == Some(&true) {
                        continue;
                    }
                    if found.refused || self.is_spent() {
                        return;
                    }
                    let mark = found.at.mark();
                    found.at.push_index(index);
                    if self.document.value(others) == &Value::Bool(false) {
                        let problem = found.problem("unevaluatedItems", "no further items", element);
                        found.add(problem.got("another item"));
                    } else {
                        self.check(others, element, found);
                    }
                    found.at.truncate(mark);
                }
            }
            _ => {}
        }
    }

    /// Collects the names that are evaluated; true when all are. The `unevaluated…` of the schema `itself` is left out.
    fn evaluated_properties<'o>(
        &mut self,
        place: Place,
        tree: &'o Tree<'_>,
        names: &mut BTreeSet<&'o str>,
        itself: bool,
    ) -> bool {
        let Some(object) = tree.as_object() else {
            return false;
        };
        for edge in self.document.edges(place).to_vec() {
            if !self.step(1) {
                return true;
            }
            match edge.keyword {
                "properties" => {
                    names.extend(object.iter().map(|(name, _)| name).filter(|name| edge.key == Key::Name(name)));
                }
                "patternProperties" => {
                    names.extend(object.iter().map(|(name, _)| name).filter(|name| self.name_matches(edge, name)));
                }
                "additionalProperties" => return true,
                "unevaluatedProperties" if !itself => return true,
                _ => {}
            }
        }
        let places = self.successful_in_place(place, tree);
        places.into_iter().any(|place| self.evaluated_properties(place, tree, names, false))
    }

    /// Marks the elements that are evaluated.
    fn evaluated_items(&mut self, place: Place, tree: &Tree<'_>, marks: &mut [bool], itself: bool) {
        if !itself && self.document.one(place, "unevaluatedItems").is_some() {
            marks.fill(true);
            return;
        }
        let elements = tree.as_array().unwrap_or_default();
        let contains = self.document.one(place, "contains");
        for (index, mark) in marks.iter_mut().enumerate() {
            if *mark || !self.step(1) {
                continue;
            }
            *mark = self.schema_of_element(place, index).is_some();
            if let (false, Some(contains), Some(element)) = (*mark, contains, elements.get(index)) {
                *mark = self.fits(contains, element);
            }
        }
        for place in self.successful_in_place(place, tree) {
            self.evaluated_items(place, tree, marks, false);
        }
    }

    /// The schemas applied in place whose word counts: those that have to fit, and of the others those that do.
    fn successful_in_place(&mut self, place: Place, tree: &Tree<'_>) -> Vec<Place> {
        let edges: Vec<Edge<'s>> = self.document.edges(place).to_vec();
        let condition = self.document.one(place, "if");
        let holds = condition.is_some_and(|condition| self.fits(condition, tree));
        let mut places = Vec::new();
        for edge in edges {
            let counts = match edge.keyword {
                "$ref" | "$dynamicRef" | "allOf" => true,
                "anyOf" | "oneOf" => self.fits(edge.target, tree),
                "if" | "then" => holds,
                "else" => condition.is_some() && !holds,
                "dependentSchemas" => edge.key.name().is_some_and(|name| tree.get(name).is_some()),
                _ => false,
            };
            if counts {
                places.push(edge.target);
            }
        }
        places
    }
}
