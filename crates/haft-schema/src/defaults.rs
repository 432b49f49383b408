//! Fills declared defaults into a text, and leaves every other byte of it alone.

use std::collections::HashMap;

use serde_json::Value;

use crate::document::{Document, Key, Place};
use crate::tree::{Object, Tree, write_string};
use crate::{Dialect, SchemaError, explain};

/// Which defaults belong where. Only schemas with defaults have it.
pub(crate) struct Defaults {
    objects: Vec<Plan>,
}

/// The defaults of one object.
#[derive(Default)]
struct Plan {
    /// The name, and the whole member as text.
    members: Vec<(Box<str>, Box<str>)>,
    /// Members that are objects with a plan of their own.
    nested: Vec<(Box<str>, usize)>,
}

impl Defaults {
    pub(crate) fn of(document: &Document<'_>) -> Option<Self> {
        let mut planner = Planner { document, known: HashMap::new(), objects: Vec::new(), any: false };
        planner.plan(Document::ROOT);
        planner.any.then(|| Self { objects: pruned(planner.objects) })
    }

    /// See [`Schema::fill_defaults`](crate::Schema::fill_defaults).
    pub(crate) fn fill(&self, text: &str, tree: &Tree<'_>) -> Option<String> {
        if !self.lacks(0, tree) {
            return None;
        }
        let mut filler =
            Filler { defaults: self, text, at: 0, filled: String::with_capacity(text.len() + 64), copied: 0 };
        filler.value(Some(0), tree)?;
        filler.filled.push_str(text.get(filler.copied..)?);
        Some(filler.filled)
    }

    /// Whether there is anything to add to an object or below it.
    fn lacks(&self, plan: usize, tree: &Tree<'_>) -> bool {
        let (Some(plan), Some(object)) = (self.objects.get(plan), tree.as_object()) else {
            return false;
        };
        plan.members.iter().any(|(name, _)| object.get(name).is_none())
            || plan.nested.iter().any(|(name, nested)| object.get(name).is_some_and(|value| self.lacks(*nested, value)))
    }
}

/// Refuses defaults that their own schema does not accept: filled in, they would hand a handler what it cannot take.
///
/// # Errors
///
/// Names the first such default.
pub(crate) fn refuse_unfit(document: &Document<'_>) -> Result<(), SchemaError> {
    for (place, node) in document.nodes().iter().enumerate() {
        let ignored = document.dialect == Dialect::Draft07 && node.value.get("$ref").is_some();
        let Some(default) = node.value.get("default").filter(|_| !ignored) else {
            continue;
        };
        let text = default.to_string();
        if let Ok(tree) = Tree::parse(&text)
            && let Some(problem) = explain::explain_at(document, place, &tree).list.into_iter().next()
        {
            return Err(SchemaError::Default { pointer: document.pointer(place), problem: problem.to_string() });
        }
    }
    Ok(())
}

struct Planner<'d, 's> {
    document: &'d Document<'s>,
    known: HashMap<Place, usize>,
    objects: Vec<Plan>,
    any: bool,
}

impl Planner<'_, '_> {
    /// The plan for values of a schema. Schemas that contain themselves share one, so this ends.
    fn plan(&mut self, place: Place) -> usize {
        if let Some(plan) = self.known.get(&place) {
            return *plan;
        }
        let index = self.objects.len();
        self.known.insert(place, index);
        self.objects.push(Plan::default());
        let mut plan = Plan::default();
        for place in self.with_targets(place) {
            for edge in self.document.under(place, "properties").collect::<Vec<_>>() {
                let Key::Name(name) = edge.key else {
                    continue;
                };
                if let Some(default) = self.default_of(edge.target) {
                    let mut member = String::new();
                    write_string(name, &mut member);
                    member.push(':');
                    member.push_str(&default.to_string());
                    plan.members.push((name.into(), member.into()));
                    self.any = true;
                }
                let nested = self.plan(edge.target);
                plan.nested.push((name.into(), nested));
            }
        }
        if let Some(slot) = self.objects.get_mut(index) {
            *slot = plan;
        }
        index
    }

    fn default_of(&self, place: Place) -> Option<&Value> {
        self.with_targets(place).into_iter().find_map(|place| self.document.keyword(place, "default"))
    }

    /// A schema and what it refers to. In draft-07 a reference stands for the whole schema.
    fn with_targets(&self, place: Place) -> Vec<Place> {
        let mut places = Vec::new();
        let mut next = Some(place);
        while let Some(place) = next.filter(|place| !places.contains(place)) {
            next = self.document.one(place, "$ref");
            if next.is_none() || self.document.dialect != Dialect::Draft07 {
                places.push(place);
            }
        }
        places
    }
}

/// Leaves out nested objects in which there is nothing to add at any depth.
fn pruned(mut objects: Vec<Plan>) -> Vec<Plan> {
    let mut useful: Vec<bool> = objects.iter().map(|plan| !plan.members.is_empty()).collect();
    let is_useful = |useful: &[bool], plan: usize| useful.get(plan).copied().unwrap_or(false);
    loop {
        let next: Vec<bool> = objects
            .iter()
            .enumerate()
            .map(|(index, plan)| {
                is_useful(&useful, index) || plan.nested.iter().any(|(_, nested)| is_useful(&useful, *nested))
            })
            .collect();
        if next == useful {
            break;
        }
        useful = next;
    }
    for plan in &mut objects {
        plan.nested.retain(|(_, nested)| is_useful(&useful, *nested));
    }
    objects
}

/// Walks over a text and the tree that was made of it in step, and copies the text with additions.
struct Filler<'f> {
    defaults: &'f Defaults,
    text: &'f str,
    at: usize,
    filled: String,
    copied: usize,
}

impl Filler<'_> {
    /// Goes past a value. `None` when the text is not that of the tree.
    fn value(&mut self, plan: Option<usize>, tree: &Tree<'_>) -> Option<()> {
        self.skip_space();
        let plan = plan.and_then(|plan| self.defaults.objects.get(plan));
        match (plan, tree) {
            (Some(plan), Tree::Object(object)) => self.object(plan, object),
            _ => self.skip_value(),
        }
    }

    fn object(&mut self, plan: &Plan, object: &Object<'_>) -> Option<()> {
        self.expect(b'{')?;
        let mut end = self.at;
        for (index, (name, value)) in object.iter().enumerate() {
            if index > 0 {
                self.expect(b',')?;
            }
            self.skip_space();
            self.skip_string()?;
            self.expect(b':')?;
            let nested = plan.nested.iter().find(|(known, _)| **known == *name).map(|(_, nested)| *nested);
            self.value(nested, value)?;
            end = self.at;
        }
        let mut first = object.is_empty();
        for (_, member) in plan.members.iter().filter(|(name, _)| object.get(name).is_none()) {
            self.filled.push_str(self.text.get(self.copied..end)?);
            self.copied = end;
            if !first {
                self.filled.push(',');
            }
            first = false;
            self.filled.push_str(member);
        }
        self.expect(b'}')
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.skip_space();
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    /// Stands on the opening quote.
    fn skip_string(&mut self) -> Option<()> {
        self.expect(b'"')?;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    fn skip_value(&mut self) -> Option<()> {
        let mut levels = 0_usize;
        loop {
            match self.peek() {
                Some(b'"') => self.skip_string()?,
                Some(b'{' | b'[') => {
                    levels += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') if levels > 0 => {
                    levels -= 1;
                    self.at += 1;
                }
                Some(b',' | b':' | b' ' | b'\t' | b'\n' | b'\r') if levels > 0 => self.at += 1,
                // A number or a word.
                Some(_) => {
                    while !matches!(self.peek(), None | Some(b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r')) {
                        self.at += 1;
                    }
                }
                None => return None,
            }
            if levels == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{CompileOptions, Schema, SchemaError, Tree};
    use serde_json::value::RawValue;

    fn compile(schema: &str) -> Result<Schema, SchemaError> {
        Schema::compile(&RawValue::from_string(schema.to_owned()).unwrap(), &CompileOptions::default())
    }

    fn check(schema: &str, text: &str, expected: Option<&str>) {
        let schema = compile(schema).unwrap();
        let filled = schema.fill_defaults(text, &Tree::parse(text).unwrap());
        assert_eq!(filled.as_deref(), expected, "{text}");
        if let Some(filled) = filled {
            let tree = Tree::parse(&filled).unwrap();
            assert_eq!(schema.fill_defaults(&filled, &tree), None, "filling twice changes nothing");
        }
    }

    const SEARCH: &str = r##"{"properties":{
        "query":{"type":"string"},
        "limit":{"type":"integer","default":10},
        "order":{"$ref":"#/$defs/order"},
        "page":{"type":"object","properties":{"size":{"default":20.5},"next":{"$ref":"#/properties/page"}}}
    },"$defs":{"order":{"enum":["up","down"],"default":"up"}}}"##;

    #[test]
    fn absent_members_are_added_and_nothing_else_changes() {
        check(SEARCH, "{}", Some(r#"{"limit":10,"order":"up"}"#));
        check(SEARCH, " { } ", Some(r#" {"limit":10,"order":"up" } "#));
        check(
            SEARCH,
            "{ \"query\" : \"\\u0041 }\\\"\" ,\n\"big\": 1180591620717411303424e0 }",
            Some(
                "{ \"query\" : \"\\u0041 }\\\"\" ,\n\"big\": 1180591620717411303424e0,\"limit\":10,\"order\":\"up\" }",
            ),
        );
        check(SEARCH, r#"{"limit":null}"#, Some(r#"{"limit":null,"order":"up"}"#));
        check(SEARCH, r#"{"order":"down","li\u006dit":1}"#, None);
    }

    #[test]
    fn objects_inside_are_filled_where_they_are() {
        check(
            SEARCH,
            r#"{"limit":1,"page":{"next":{"size":1,"next":{}}},"order":"up","x":[{}]}"#,
            Some(r#"{"limit":1,"page":{"next":{"size":1,"next":{"size":20.5}},"size":20.5},"order":"up","x":[{}]}"#),
        );
        check(SEARCH, r#"{"limit":1,"order":"up"}"#, None);
        check(SEARCH, r#"{"limit":1,"order":"up","page":[]}"#, None);
        check(SEARCH, "[]", None);
        check(r#"{"properties":{"a":{"type":"string"}}}"#, "{}", None);
    }

    #[test]
    fn in_draft_07_a_default_beside_a_reference_does_not_count() {
        let schema = r##"{"$schema":"http://json-schema.org/draft-07/schema#","properties":{
            "a":{"$ref":"#/definitions/n","default":1},"b":{"$ref":"#/definitions/m"}},
            "definitions":{"n":{"type":"integer"},"m":{"default":2}}}"##;
        check(schema, "{}", Some(r#"{"b":2}"#));
    }

    #[test]
    fn a_default_that_does_not_fit_is_refused() {
        let error = compile(r#"{"properties":{"a":{"type":"integer","default":"ten"}}}"#).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the default at `/properties/a` does not fit its own schema: \
             the whole value: expected an integer, got a string"
        );
    }
}
