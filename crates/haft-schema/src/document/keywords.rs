//! Which keywords hold schemas, and to which part of a value each applies its own.

use serde_json::{Map, Value};

use crate::Dialect;

/// To which part of a value a subschema applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applies {
    /// To the same value.
    InPlace,
    /// To the elements of an array: one of several schemas with this mark applies to each.
    Element,
    /// To elements as well, beside those of [`Applies::Element`].
    ElementToo,
    /// To the members of an object: one of several schemas with this mark applies to each.
    Member,
    /// To members as well, beside those of [`Applies::Member`].
    MemberToo,
    /// To the names of members.
    Name,
    /// To nothing, unless a reference leads there.
    Nowhere,
}

/// Where a subschema stands under its keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key<'s> {
    Alone,
    Index(usize),
    Name(&'s str),
}

impl<'s> Key<'s> {
    pub(crate) fn name(self) -> Option<&'s str> {
        match self {
            Key::Name(name) => Some(name),
            Key::Alone | Key::Index(_) => None,
        }
    }
}

/// Calls `visit` with every subschema of `schema` in the order of the text.
pub(crate) fn each_subschema<'s>(
    schema: &'s Map<String, Value>,
    dialect: Dialect,
    mut visit: impl FnMut(Applies, &'static str, Key<'s>, &'s Value),
) {
    // Draft-07, section 8.3: beside a reference everything else is ignored.
    let only_reference = dialect == Dialect::Draft07 && schema.contains_key("$ref");
    for (keyword, value) in schema {
        let Some((keyword, shape, applies)) = known(keyword, dialect) else {
            continue;
        };
        if only_reference && applies != Applies::Nowhere {
            continue;
        }
        match (shape, value) {
            (Shape::Schemas, Value::Object(named)) => {
                for (name, value) in named {
                    if value.is_object() || value.is_boolean() {
                        visit(applies, keyword, Key::Name(name), value);
                    }
                }
            }
            (Shape::List | Shape::OneOrList, Value::Array(list)) => {
                for (index, value) in list.iter().enumerate() {
                    visit(applies, keyword, Key::Index(index), value);
                }
            }
            (Shape::One | Shape::OneOrList, Value::Object(_) | Value::Bool(_)) => {
                visit(applies, keyword, Key::Alone, value);
            }
            _ => {}
        }
    }
}

#[derive(Clone, Copy)]
enum Shape {
    List,
    One,
    OneOrList,
    Schemas,
}

fn known(keyword: &str, dialect: Dialect) -> Option<(&'static str, Shape, Applies)> {
    let new = dialect == Dialect::Draft202012;
    let old = dialect == Dialect::Draft07;
    Some(match keyword {
        "properties" => ("properties", Shape::Schemas, Applies::Member),
        "items" if new => ("items", Shape::One, Applies::Element),
        "items" => ("items", Shape::OneOrList, Applies::Element),
        "additionalProperties" => ("additionalProperties", Shape::One, Applies::Member),
        "allOf" => ("allOf", Shape::List, Applies::InPlace),
        "anyOf" => ("anyOf", Shape::List, Applies::InPlace),
        "oneOf" => ("oneOf", Shape::List, Applies::InPlace),
        "not" => ("not", Shape::One, Applies::InPlace),
        "if" => ("if", Shape::One, Applies::InPlace),
        "then" => ("then", Shape::One, Applies::InPlace),
        "else" => ("else", Shape::One, Applies::InPlace),
        "dependentSchemas" if new => ("dependentSchemas", Shape::Schemas, Applies::InPlace),
        // 2020-12 has no such keyword any more, but the validator enforces it there as well.
        "dependencies" => ("dependencies", Shape::Schemas, Applies::InPlace),
        "patternProperties" => ("patternProperties", Shape::Schemas, Applies::MemberToo),
        "unevaluatedProperties" if new => ("unevaluatedProperties", Shape::One, Applies::Member),
        "propertyNames" => ("propertyNames", Shape::One, Applies::Name),
        "prefixItems" if new => ("prefixItems", Shape::List, Applies::Element),
        "additionalItems" if old => ("additionalItems", Shape::One, Applies::Element),
        "unevaluatedItems" if new => ("unevaluatedItems", Shape::One, Applies::Element),
        "contains" => ("contains", Shape::One, Applies::ElementToo),
        "contentSchema" if new => ("contentSchema", Shape::One, Applies::Nowhere),
        "$defs" => ("$defs", Shape::Schemas, Applies::Nowhere),
        "definitions" => ("definitions", Shape::Schemas, Applies::Nowhere),
        _ => return None,
    })
}
