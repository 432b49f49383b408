//! What can be wrong with the members of an object.

use haft_diag::nearest;
use serde_json::Value;

use super::words::{self, phrase, phrase_of_kind};
use super::{Explainer, Found};
use crate::document::{Edge, Key, Place};
use crate::problem::UNKNOWN_PROPERTY;
use crate::tree::Object;
use crate::{Problem, Tree};

impl<'s> Explainer<'_, 's> {
    pub(super) fn check_object(&mut self, place: Place, object: &Object<'_>, found: &mut Found) {
        let properties: Vec<Edge<'s>> = self.document.under(place, "properties").collect();
        let patterns: Vec<Edge<'s>> = self.document.under(place, "patternProperties").collect();
        let others = self.document.one(place, "additionalProperties");
        let looked_at = u32::try_from(1 + (properties.len() + patterns.len()) / 16).unwrap_or(u32::MAX);
        for (name, value) in object {
            if found.refused || !self.step(looked_at) {
                return;
            }
            let mark = found.at.mark();
            found.at.push(name);
            let mut known = false;
            if let Some(edge) = properties.iter().find(|edge| edge.key == Key::Name(name)) {
                known = true;
                self.check(edge.target, value, found);
            }
            for edge in &patterns {
                if self.name_matches(*edge, name) {
                    known = true;
                    self.check(edge.target, value, found);
                }
            }
            match others {
                Some(others) if !known && self.document.value(others) == &Value::Bool(false) => {
                    found.add(self.unknown(place, object, (name, value), found));
                }
                Some(others) if !known => self.check(others, value, found),
                _ => {}
            }
            found.at.truncate(mark);
        }
        self.check_names(place, object, found);
        self.check_required(place, object, found);
    }

    /// Whether a name matches the pattern of an edge under `patternProperties`.
    pub(super) fn name_matches(&mut self, edge: Edge<'s>, name: &str) -> bool {
        let Some(pattern) = edge.key.name() else {
            return false;
        };
        // The pattern is a name in the schema and no value; it is remembered by the schema that stands under it.
        let address = std::ptr::from_ref(self.document.value(edge.target)).addr();
        let pattern = Value::String(pattern.to_owned());
        self.satisfies_at(address, "pattern", &pattern, &Tree::String(name.into()))
    }

    /// The problem of a member that no schema knows. The walk is at the member.
    pub(super) fn unknown(
        &self,
        place: Place,
        object: &Object<'_>,
        member: (&str, &Tree<'_>),
        found: &Found,
    ) -> Problem {
        let (name, value) = member;
        let mut known = Vec::new();
        let mut patterns = Vec::new();
        self.names_in_place(place, &mut known, &mut patterns, MOST_NESTED);
        let absent = known.iter().copied().filter(|known| object.get(known).is_none());
        let meant = nearest(name, absent);
        let mut expected = Vec::new();
        if !known.is_empty() {
            expected.push(words::names(known.into_iter().map(str::to_owned)));
        }
        if !patterns.is_empty() {
            expected.push(format!("names that match {}", words::names(patterns.into_iter().map(str::to_owned))));
        }
        let expected = match expected.as_slice() {
            [] => "no properties".to_owned(),
            expected => format!("only {}", expected.join(" or ")),
        };
        found.problem(UNKNOWN_PROPERTY, expected, value).suggest(meant)
    }

    /// The properties that a schema speaks of, and those of the schemas it applies in place if these count for it.
    fn names_in_place(&self, place: Place, names: &mut Vec<&'s str>, patterns: &mut Vec<&'s str>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        // `additionalProperties` sees the properties beside it only.
        let closed = self.document.one(place, "additionalProperties").is_some();
        for edge in self.document.edges(place) {
            let list = match edge.keyword {
                "properties" => &mut *names,
                "patternProperties" => &mut *patterns,
                "$ref" | "$dynamicRef" | "allOf" | "anyOf" | "oneOf" | "if" | "then" | "else" | "dependentSchemas"
                    if !closed =>
                {
                    self.names_in_place(edge.target, names, patterns, depth);
                    continue;
                }
                _ => continue,
            };
            if let Some(name) = edge.key.name().filter(|name| !list.contains(name)) {
                list.push(name);
            }
        }
    }

    fn check_names(&mut self, place: Place, object: &Object<'_>, found: &mut Found) {
        let Some(names) = self.document.one(place, "propertyNames") else {
            return;
        };
        for (name, _) in object {
            if found.refused || self.is_spent() {
                return;
            }
            if !self.fits(names, &Tree::String(name.into())) {
                let expected = format!("a name that is {}", phrase_of_kind(self.document, names, "string"));
                let problem = Problem::new(found.at.member(name), "propertyNames", expected, "string");
                found.add(problem.got("another name"));
            }
        }
    }

    fn check_required(&mut self, place: Place, object: &Object<'_>, found: &mut Found) {
        if let Some(Value::Array(required)) = self.keyword(place, "required") {
            for name in required.iter().filter_map(Value::as_str) {
                if object.get(name).is_none() && self.step(1) {
                    found.add(self.missing(place, name, "required", None, found));
                }
            }
        }
        for keyword in ["dependentRequired", "dependencies"] {
            let Some(Value::Object(dependencies)) = self.keyword(place, keyword) else {
                continue;
            };
            for (present, required) in dependencies {
                let Some(required) = required.as_array().filter(|_| object.get(present).is_some()) else {
                    continue;
                };
                for name in required.iter().filter_map(Value::as_str) {
                    if object.get(name).is_none() && self.step(1) {
                        found.add(self.missing(place, name, "dependentRequired", Some(present), found));
                    }
                }
            }
        }
    }

    fn missing(
        &self,
        place: Place,
        name: &str,
        keyword: &'static str,
        because: Option<&str>,
        found: &Found,
    ) -> Problem {
        let property = self.document.under(place, "properties").find(|edge| edge.key == Key::Name(name));
        let mut expected = property.map_or(String::new(), |edge| phrase(self.document, edge.target));
        if let Some(present) = because {
            let because = format!("because `{}` is there", words::shortened(present));
            expected = if expected.is_empty() { because } else { format!("{expected}, {because}") };
        }
        let mut problem = Problem::missing(found.at.member(name), keyword, expected);
        if let Some(edge) = property {
            let value = self.keyword(edge.target, "const").map(std::slice::from_ref);
            let values = value.or_else(|| self.keyword(edge.target, "enum")?.as_array().map(Vec::as_slice));
            problem.allowed = values.unwrap_or_default().iter().map(words::plain).collect();
        }
        problem
    }
}

/// How far schemas in place are followed to find names.
const MOST_NESTED: usize = 8;
