//! A schema document as a graph: its schemas, and which leads to which.

mod circles;
mod draft07;
mod keywords;
mod reference;

use std::collections::HashMap;

use serde_json::{Map, Value};

pub(crate) use circles::Circles;
pub(crate) use draft07::refuse_draft07_forms;
pub(crate) use keywords::{Applies, Key};

use crate::pointer::Pointer;
use crate::{Dialect, SchemaError};
use keywords::each_subschema;
use reference::Resource;

/// Names a schema of a [`Document`].
pub(crate) type Place = usize;

/// All schemas of a document, the root first.
pub(crate) struct Document<'s> {
    pub(crate) dialect: Dialect,
    nodes: Vec<Node<'s>>,
    resources: Vec<Resource<'s>>,
    /// Where schemas stand in memory; only filled for documents with references.
    places: HashMap<usize, Place>,
}

/// One schema.
pub(crate) struct Node<'s> {
    pub(crate) value: &'s Value,
    /// The subschemas, and the targets of references, in the order of the text.
    pub(crate) edges: Vec<Edge<'s>>,
    /// How many schemas it stands inside of, itself included; definitions stand inside of none.
    pub(crate) level: u64,
    origin: Origin<'s>,
    resource: usize,
}

/// How a schema was found.
enum Origin<'s> {
    Root,
    Under(Place, &'static str, Key<'s>),
    /// By a reference, where no keyword expects a schema: its pointer, and the resource it starts from.
    Elsewhere(String, usize),
}

/// Leads from a schema to another that it applies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'s> {
    pub(crate) applies: Applies,
    pub(crate) keyword: &'static str,
    pub(crate) key: Key<'s>,
    pub(crate) target: Place,
}

impl<'s> Document<'s> {
    pub(crate) const ROOT: Place = 0;

    /// Finds all schemas and resolves all references.
    ///
    /// # Errors
    ///
    /// When a reference leads out of the document or nowhere, or the dialect changes inside.
    pub(crate) fn read(root: &'s Value, dialect: Dialect) -> Result<Self, SchemaError> {
        let mut document = Self { dialect, nodes: Vec::new(), resources: Vec::new(), places: HashMap::new() };
        let refers = document.collect(root, Origin::Root, 1)?;
        if refers {
            document.resolve_all()?;
        }
        Ok(document)
    }

    pub(crate) fn nodes(&self) -> &[Node<'s>] {
        &self.nodes
    }

    pub(crate) fn value(&self, place: Place) -> &'s Value {
        self.nodes.get(place).map_or(&Value::Null, |node| node.value)
    }

    /// The keywords of a schema; none for `true` and `false`.
    pub(crate) fn keywords(&self, place: Place) -> Option<&'s Map<String, Value>> {
        self.value(place).as_object()
    }

    pub(crate) fn keyword(&self, place: Place, keyword: &str) -> Option<&'s Value> {
        self.keywords(place)?.get(keyword)
    }

    pub(crate) fn edges(&self, place: Place) -> &[Edge<'s>] {
        self.nodes.get(place).map_or(&[], |node| &node.edges)
    }

    /// The subschemas under one keyword.
    pub(crate) fn under<'d>(&'d self, place: Place, keyword: &'d str) -> impl Iterator<Item = Edge<'s>> + 'd {
        self.edges(place).iter().copied().filter(move |edge| edge.keyword == keyword)
    }

    /// The one subschema under a keyword, or the target of a reference.
    pub(crate) fn one(&self, place: Place, keyword: &str) -> Option<Place> {
        self.under(place, keyword).next().map(|edge| edge.target)
    }

    /// The JSON Pointer of a schema.
    pub(crate) fn pointer(&self, place: Place) -> String {
        let mut steps = Vec::new();
        let mut next = self.nodes.get(place);
        let mut pointer = Pointer::default();
        while let Some(node) = next {
            next = match &node.origin {
                Origin::Root => None,
                Origin::Elsewhere(start, _) => {
                    pointer = Pointer::at(start);
                    None
                }
                Origin::Under(parent, keyword, key) => {
                    steps.push((*keyword, *key));
                    self.nodes.get(*parent)
                }
            };
        }
        for (keyword, key) in steps.iter().rev() {
            pointer.push(keyword);
            match key {
                Key::Alone => {}
                Key::Index(index) => pointer.push_index(*index),
                Key::Name(name) => pointer.push(name),
            }
        }
        pointer.into_string()
    }

    /// Adds a schema and all below it; tells whether any of them has a reference.
    ///
    /// The recursion is bounded, for the text was parsed with bounded nesting.
    fn collect(&mut self, value: &'s Value, origin: Origin<'s>, level: u64) -> Result<bool, SchemaError> {
        let place = self.nodes.len();
        let around = match origin {
            Origin::Root => 0,
            Origin::Under(parent, ..) => self.nodes.get(parent).map_or(0, |node| node.resource),
            Origin::Elsewhere(_, resource) => resource,
        };
        self.nodes.push(Node { value, edges: Vec::new(), level, origin, resource: around });
        let resource = self.enter_resource(place, around)?;
        let Some(schema) = value.as_object() else {
            return Ok(false);
        };
        if let Some(node) = self.nodes.get_mut(place) {
            node.resource = resource;
        }
        let mut refers = schema.contains_key("$ref") || schema.contains_key("$dynamicRef");
        let mut subschemas = Vec::new();
        each_subschema(schema, self.dialect, |applies, keyword, key, value| {
            subschemas.push((applies, keyword, key, value));
        });
        let mut edges = Vec::with_capacity(subschemas.len());
        for (applies, keyword, key, value) in subschemas {
            edges.push(Edge { applies, keyword, key, target: self.nodes.len() });
            let level = if applies == Applies::Nowhere { 1 } else { level + 1 };
            refers |= self.collect(value, Origin::Under(place, keyword, key), level)?;
        }
        if let Some(node) = self.nodes.get_mut(place) {
            node.edges = edges;
        }
        Ok(refers)
    }
}
