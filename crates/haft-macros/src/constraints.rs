//! What `#[arg(…)]` says of an argument.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Attribute, Error, Expr, ExprRange, LitInt, LitStr, RangeLimits, Result};

use crate::argument::Kind;
use crate::keys::{Faults, Key, Keys, ungrouped};
use crate::literal::{Literal, Written, list};

/// The keys of `#[arg(…)]`.
#[derive(Default)]
pub(crate) struct Constraints {
    pub(crate) name: Option<LitStr>,
    pub(crate) default: Option<Expr>,
    range: Option<Range>,
    counts: Vec<(&'static Count, LitInt)>,
    pattern: Option<LitStr>,
    one_of: Vec<Written>,
    examples: Vec<Written>,
}

/// A bound of how long a text or a list is.
struct Count {
    key: &'static str,
    keyword: &'static str,
    kind: Kind,
}

/// Bounds of a number.
struct Range {
    expression: Expr,
    start: Option<Expr>,
    end: Option<Expr>,
    is_closed: bool,
}

pub(crate) fn is_constraint(attribute: &Attribute) -> bool {
    attribute.path().is_ident("arg")
}

impl Constraints {
    pub(crate) fn read(attributes: &[Attribute], faults: &mut Faults) -> Self {
        let mut constraints = Self::default();
        for attribute in attributes.iter().filter(|attribute| is_constraint(attribute)) {
            let Some(keys) = faults.take(attribute.parse_args::<Keys>()) else { continue };
            if let Some(twice) = keys.twice(&["example"]) {
                faults.add(twice);
            }
            for key in &keys.0 {
                faults.take(constraints.set(key));
            }
        }
        constraints
    }

    fn set(&mut self, key: &Key) -> Result<()> {
        let name = key.text();
        if let Some(count) = COUNTS.iter().find(|count| count.key == name) {
            self.counts.push((count, key.count("10")?));
            return Ok(());
        }
        match name.as_str() {
            "default" => self.default = Some(key.expression("10")?.clone()),
            "example" => {
                let message = "an example is a literal: a text, a number, `true` or `false`";
                self.examples.push(Written::of(key.expression("\"…\"")?, message)?);
            }
            "name" => self.name = Some(key.string("query")?),
            "nested" => key.marker()?,
            "one_of" => self.one_of = list(key.expression("[\"a\", \"b\"]")?, "one_of")?,
            "pattern" => self.pattern = Some(key.string("^[a-z]+$")?),
            "range" => self.range = Some(Range::read(key.expression("1..=100")?)?),
            _ => return Err(key.unknown("arg", &KNOWN, &OTHER_WORDS)),
        }
        Ok(())
    }

    /// Refuses what cannot go together.
    pub(crate) fn check(&self, is_option: bool, kind: Option<Kind>, faults: &mut Faults) {
        if let Some(kind) = kind {
            self.check_kind(kind, faults);
        }
        let Some(expression) = &self.default else { return };
        if is_option {
            faults.on(
                expression,
                "an `Option` with a default is never `None`: take the type inside of it, or leave out the default",
            );
        }
        let Some(default) = Literal::of(expression) else { return };
        if !self.one_of.is_empty() && !self.one_of.iter().any(|value| value.literal == default) {
            faults.on(expression, "the default is not among the values of `one_of`");
        }
        if self.range.as_ref().is_some_and(|range| range.excludes(&default)) {
            faults.on(expression, "the default lies outside of `range`");
        }
    }

    /// Keys and values that cannot go with the type.
    fn check_kind(&self, kind: Kind, faults: &mut Faults) {
        let mut refuse = |key: &str, place: TokenStream, wanted: Kind| {
            let whose = match wanted {
                Kind::Boolean => "truth values",
                Kind::List => "lists",
                Kind::Number => "numbers",
                Kind::Text => "texts",
            };
            if kind != wanted {
                faults.on(place, format!("`{key}` is for {whose}, and this argument is {}", kind.as_str()));
            }
        };
        if let Some(range) = &self.range {
            refuse("range", range.expression.to_token_stream(), Kind::Number);
        }
        if let Some(pattern) = &self.pattern {
            refuse("pattern", pattern.to_token_stream(), Kind::Text);
        }
        for (count, literal) in &self.counts {
            refuse(count.key, literal.to_token_stream(), count.kind);
        }
        let default = self.default.as_ref().and_then(|default| Written::of(default, "").ok());
        for value in default.iter().chain(&self.one_of).chain(&self.examples) {
            let found = value.literal.kind();
            if kind != found {
                let message = format!("this value is {}, and the argument is {}", found.as_str(), kind.as_str());
                faults.on(&value.expression, message);
            }
        }
    }

    /// Keywords of JSON Schema and expressions for their values.
    pub(crate) fn keywords(&self) -> Vec<(&'static str, TokenStream)> {
        let mut keywords = Vec::new();
        if !self.one_of.is_empty() {
            keywords.push(("enum", json_list(&self.one_of)));
        }
        if let Some(range) = &self.range {
            keywords.extend(range.bounds().map(|(keyword, bound)| (keyword, json(bound))));
        }
        for (count, literal) in &self.counts {
            keywords.push((count.keyword, json(&syn::parse_quote!(#literal))));
        }
        if let Some(pattern) = &self.pattern {
            keywords.push(("pattern", quote!(#pattern)));
        }
        if !self.examples.is_empty() {
            keywords.push(("examples", json_list(&self.examples)));
        }
        keywords
    }
}

impl Range {
    fn read(expression: &Expr) -> Result<Self> {
        let refuse = |message: &str| Err(Error::new_spanned(expression, message));
        let Expr::Range(ExprRange { start, limits, end, .. }) = ungrouped(expression) else {
            return refuse("`range` wants a range: `1..=100`, `1..`, `..=100` or `0.0..1.0`");
        };
        let is_closed = matches!(limits, RangeLimits::Closed(_));
        let [start, end] = [start, end].map(|bound| bound.as_deref().cloned());
        let range = Self { expression: expression.clone(), start, end, is_closed };
        let literals = range.literals();
        if range.start.is_none() && range.end.is_none() {
            return refuse("`range = ..` bounds nothing: leave it out");
        }
        if literals.iter().flatten().any(|bound| bound.kind() != Kind::Number) {
            return refuse("`range` is for numbers; values that are texts stand in `one_of`");
        }
        if let [Some(start), Some(end)] = &literals
            && (start > end || (start == end && !is_closed))
        {
            return refuse("no number lies in this `range`");
        }
        Ok(range)
    }

    /// The keywords of JSON Schema that say the same.
    fn bounds(&self) -> impl Iterator<Item = (&'static str, &Expr)> {
        let maximum = if self.is_closed { "maximum" } else { "exclusiveMaximum" };
        let bounds = [("minimum", &self.start), (maximum, &self.end)];
        bounds.into_iter().filter_map(|(keyword, bound)| Some((keyword, bound.as_ref()?)))
    }

    fn excludes(&self, value: &Literal) -> bool {
        let [start, end] = self.literals();
        start.is_some_and(|start| *value < start)
            || end.is_some_and(|end| *value > end || (*value == end && !self.is_closed))
    }

    fn literals(&self) -> [Option<Literal>; 2] {
        [&self.start, &self.end].map(|bound| bound.as_ref().and_then(Literal::of))
    }
}

fn json_list(values: &[Written]) -> TokenStream {
    let values = values.iter().map(|value| value.literal.json());
    quote!(::haft::__private::Value::from([#(#values),*].as_slice()))
}

fn json(bound: &Expr) -> TokenStream {
    let written = Literal::of(bound).map(|literal| literal.json());
    written.unwrap_or_else(|| quote!(::haft::__private::Value::from(#bound)))
}

const COUNTS: [Count; 4] = [
    Count { key: "max_items", keyword: "maxItems", kind: Kind::List },
    Count { key: "max_length", keyword: "maxLength", kind: Kind::Text },
    Count { key: "min_items", keyword: "minItems", kind: Kind::List },
    Count { key: "min_length", keyword: "minLength", kind: Kind::Text },
];

const KNOWN: [&str; 11] = [
    "default",
    "example",
    "max_items",
    "max_length",
    "min_items",
    "min_length",
    "name",
    "nested",
    "one_of",
    "pattern",
    "range",
];

/// What the same is called by JSON Schema and others.
const OTHER_WORDS: [(&str, &str); 8] = [
    ("enum", "one_of"),
    ("max", "range"),
    ("maximum", "range"),
    ("min", "range"),
    ("minimum", "range"),
    ("regex", "pattern"),
    ("rename", "name"),
    ("values", "one_of"),
];
