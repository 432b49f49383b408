//! References inside a document: pointers, anchors, and schemas with an identity of their own.

use std::collections::HashMap;

use serde_json::Value;

use super::{Applies, Document, Edge, Key, Origin, Place};
use crate::{Dialect, SchemaError};

/// A schema that references can start from: the root, or one with an `$id`.
pub(super) struct Resource<'s> {
    uri: String,
    root: &'s Value,
    anchors: HashMap<&'s str, Place>,
    dynamic: HashMap<&'s str, Place>,
}

impl<'s> Document<'s> {
    /// The resource that the schema at `place` belongs to: that of its parent, or a new one if it has an `$id`.
    pub(super) fn enter_resource(&mut self, place: Place, parent: usize) -> Result<usize, SchemaError> {
        let value = self.value(place);
        let text = |keyword: &str| value.get(keyword).and_then(Value::as_str);
        let ignored = self.dialect == Dialect::Draft07 && value.get("$ref").is_some();
        let id = text("$id").filter(|_| !ignored);
        let mut current = parent;
        if self.resources.is_empty() || id.is_some_and(|id| !id.starts_with('#')) {
            let base = self.resources.get(parent).map_or("", |resource| resource.uri.as_str());
            let uri = join(base, id.unwrap_or_default().trim_end_matches('#'));
            current = self.resources.len();
            self.resources.push(Resource { uri, root: value, anchors: HashMap::new(), dynamic: HashMap::new() });
        }
        if place != Self::ROOT
            && let Some(declared) = value.get("$schema")
            && Dialect::of(value).ok() != Some(self.dialect)
        {
            let declared = declared.as_str().unwrap_or("something else");
            let reason = format!("the document is {}, and this part of it `{declared}`", self.dialect.name());
            return Err(SchemaError::invalid(self.pointer(place), reason));
        }
        if let Some(resource) = self.resources.get_mut(current) {
            match self.dialect {
                Dialect::Draft07 => {
                    if let Some(anchor) = id.and_then(|id| id.strip_prefix('#')) {
                        resource.anchors.insert(anchor, place);
                    }
                }
                Dialect::Draft202012 => {
                    resource.anchors.extend(text("$anchor").map(|anchor| (anchor, place)));
                    resource.anchors.extend(text("$dynamicAnchor").map(|anchor| (anchor, place)));
                    resource.dynamic.extend(text("$dynamicAnchor").map(|anchor| (anchor, place)));
                }
            }
        }
        Ok(current)
    }

    /// Turns every reference into an edge. Targets that no keyword holds are collected on the way.
    pub(super) fn resolve_all(&mut self) -> Result<(), SchemaError> {
        let mut place = 0;
        while place < self.nodes.len() {
            let value = self.value(place);
            self.places.insert(std::ptr::from_ref(value).addr(), place);
            place += 1;
        }
        place = 0;
        while place < self.nodes.len() {
            for keyword in ["$ref", "$dynamicRef"] {
                let dynamic = keyword == "$dynamicRef";
                if dynamic && self.dialect == Dialect::Draft07 {
                    continue;
                }
                let Some(Value::String(reference)) = self.keyword(place, keyword) else {
                    continue;
                };
                let mut targets = vec![self.resolve(place, reference)?];
                if dynamic {
                    targets.extend(self.overrides(reference, &targets));
                }
                if let Some(node) = self.nodes.get_mut(place) {
                    let edge = |target| Edge { applies: Applies::InPlace, keyword, key: Key::Alone, target };
                    node.edges.extend(targets.into_iter().map(edge));
                }
            }
            place += 1;
        }
        Ok(())
    }

    /// Where else a dynamic reference may lead: which of these it is depends on the way there, so all count.
    fn overrides(&self, reference: &str, known: &[Place]) -> Vec<Place> {
        let anchor = reference.rsplit('#').next().unwrap_or_default();
        let all = self.resources.iter().filter_map(|resource| resource.dynamic.get(anchor));
        all.copied().filter(|place| !known.contains(place)).collect()
    }

    fn resolve(&mut self, from: Place, reference: &str) -> Result<Place, SchemaError> {
        let unresolved = |document: &Self| SchemaError::Unresolved {
            pointer: document.pointer(from),
            reference: reference.to_owned(),
        };
        // The validator passes over an empty reference, so it would mean "anything".
        if reference.is_empty() {
            return Err(unresolved(self));
        }
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let here = self.nodes.get(from).map_or(0, |node| node.resource);
        let resource = if base.is_empty() {
            here
        } else {
            let uri = join(self.resources.get(here).map_or("", |resource| resource.uri.as_str()), base);
            let found = self.resources.iter().position(|resource| resource.uri == uri || resource.uri == base);
            found
                .ok_or_else(|| SchemaError::External { pointer: self.pointer(from), reference: reference.to_owned() })?
        };
        let Some(fragment) = percent_decoded(fragment) else {
            return Err(unresolved(self));
        };
        let Some(start) = self.resources.get(resource) else {
            return Err(unresolved(self));
        };
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return start.anchors.get(fragment.as_str()).copied().ok_or_else(|| unresolved(self));
        }
        let Some(target) = start.root.pointer(&fragment) else {
            return Err(unresolved(self));
        };
        if !target.is_object() && !target.is_boolean() {
            return Err(unresolved(self));
        }
        if let Some(place) = self.places.get(&std::ptr::from_ref(target).addr()) {
            return Ok(*place);
        }
        self.collect_elsewhere(target, fragment, resource)
    }

    /// Adds a schema that stands where no keyword expects one, as `#/components/schemas/Item`.
    fn collect_elsewhere(&mut self, target: &'s Value, pointer: String, resource: usize) -> Result<Place, SchemaError> {
        let place = self.nodes.len();
        self.collect(target, Origin::Elsewhere(pointer, resource), 1)?;
        for added in place..self.nodes.len() {
            let address = std::ptr::from_ref(self.value(added)).addr();
            self.places.entry(address).or_insert(added);
        }
        Ok(place)
    }
}

/// Puts a relative reference onto a base (RFC 3986, section 5.2, without dot segments).
fn join(base: &str, reference: &str) -> String {
    let has_scheme = |uri: &str| {
        uri.split_once(':').is_some_and(|(scheme, _)| {
            scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
        })
    };
    if base.is_empty() || has_scheme(reference) {
        return reference.to_owned();
    }
    if reference.is_empty() {
        return base.to_owned();
    }
    let path = base.find("//").map_or(0, |slashes| {
        let authority = slashes + 2;
        base.get(authority..).and_then(|rest| rest.find('/')).map_or(base.len(), |slash| authority + slash)
    });
    let kept = if reference.starts_with('/') {
        base.get(..path)
    } else {
        base.rfind('/').filter(|slash| *slash >= path).and_then(|slash| base.get(..=slash))
    };
    format!("{}{reference}", kept.unwrap_or_default())
}

/// The text with `%41` read as `A`; `None` when that is no text.
fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high << 4 | low).ok()?);
    }
    String::from_utf8(bytes).ok()
}
