//! A parameter that is an argument, and what `#[arg(…)]` says of it.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Error, Expr, ExprRange, GenericArgument, Ident, LitInt, LitStr, PathArguments, RangeLimits, Result, Type,
};

use crate::description::description;
use crate::keys::{Faults, Key, Keys, ungrouped};
use crate::literal::{self, Literal};

/// A parameter that is an argument.
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) ty: Type,
    pub(crate) description: Option<String>,
    /// Whether the type is an `Option`.
    pub(crate) is_option: bool,
    /// Whether there is an `#[arg]`: then it is an argument with a name, even if it is alone.
    pub(crate) has_options: bool,
    options: Options,
}

/// The keys of `#[arg(…)]`.
#[derive(Default)]
struct Options {
    name: Option<LitStr>,
    default: Option<Expr>,
    range: Option<Range>,
    counts: Vec<(&'static str, LitInt)>,
    pattern: Option<LitStr>,
    one_of: Option<Vec<Literal>>,
    examples: Vec<Literal>,
}

/// Bounds of a number, with the literals among them.
struct Range {
    start: Option<Box<Expr>>,
    end: Option<Box<Expr>>,
    is_closed: bool,
    span: Span,
}

impl Argument {
    pub(crate) fn read(ident: &Ident, ty: &Type, attributes: &[Attribute], faults: &mut Faults) -> Self {
        let options = Options::read(attributes, faults);
        let name = match &options.name {
            Some(name) => name.value(),
            None => ident.unraw().to_string(),
        };
        let argument = Self {
            name,
            name_span: options.name.as_ref().map_or_else(|| ident.span(), LitStr::span),
            ty: ty.clone(),
            description: faults.take(description(attributes)).flatten().map(|(text, _)| text),
            is_option: option(ty).is_some(),
            has_options: attributes.iter().any(is_option_list),
            options,
        };
        argument.check(faults);
        argument
    }

    /// What the parameter becomes in `Declaration`.
    pub(crate) fn declaration(&self) -> TokenStream {
        let Self { name, ty, options, .. } = self;
        let mut calls = TokenStream::new();
        let mut keyword = |name: &str, value: TokenStream| calls.extend(quote!(.keyword(#name, #value)));
        if let Some(description) = self.description.as_deref().filter(|text| !text.is_empty()) {
            keyword("description", quote!(::haft::__private::Value::from(#description)));
        }
        if let Some(values) = &options.one_of {
            let values = values.iter().map(Literal::json);
            keyword("enum", quote!(::haft::__private::Value::from([#(#values),*].as_slice())));
        }
        if let Some(range) = &options.range {
            for (name, bound) in range.keywords() {
                keyword(name, json_of(bound));
            }
        }
        for (name, count) in &options.counts {
            let count = Literal::Integer(count.base10_parse().unwrap_or_default()).json();
            keyword(name, count);
        }
        if let Some(pattern) = &options.pattern {
            keyword("pattern", quote!(::haft::__private::Value::from(#pattern)));
        }
        if let Some(default) = &options.default {
            let value = if let Some(literal) = Literal::of(default) {
                literal.json()
            } else {
                quote!(::haft::__private::json::<#ty>(&#default))
            };
            keyword("default", value);
        }
        if !options.examples.is_empty() {
            let examples = options.examples.iter().map(Literal::json);
            keyword("examples", quote!(::haft::__private::Value::from([#(#examples),*].as_slice())));
        }
        if self.is_option || options.default.is_some() {
            calls.extend(quote!(.optional()));
        }
        quote!(::haft::__private::Parameter::new::<#ty>(#name) #calls)
    }

    /// How a call reads the value: an expression of type `Result<T, Problem>`.
    pub(crate) fn reading(&self, given: &Ident) -> TokenStream {
        let Self { name, ty, .. } = self;
        match &self.options.default {
            None => quote!(#given.read::<#ty>(#name)),
            Some(default) => {
                let default = if let Some(Literal::String(_)) = Literal::of(default) {
                    quote!(::core::convert::Into::into(#default))
                } else {
                    quote!(#default)
                };
                quote!(#given.read_or::<#ty>(#name, || #default))
            }
        }
    }

    fn check(&self, faults: &mut Faults) {
        if self.description.as_deref().is_some_and(str::is_empty) {
            faults.at(
                self.name_span,
                format!("the doc comment of `{}` is empty: say what it is for, or leave it out", self.name),
            );
        }
        if self.is_option
            && let Some(default) = &self.options.default
        {
            faults.at(
                default.span(),
                "an `Option` with a default is never `None`: take the type inside of it, or leave out the default",
            );
        }
        self.options.check_default(faults);
        self.check_kind(faults);
    }

    /// Keys that cannot go with the type, where the type is one that everybody knows.
    fn check_kind(&self, faults: &mut Faults) {
        let Some(kind) = kind(option(&self.ty).unwrap_or(&self.ty)) else { return };
        let mut refuse = |key: &str, span: Span, wanted: &str| {
            faults.at(span, format!("`{key}` is for {wanted}, and this argument is {kind}"));
        };
        if let Some(range) = &self.options.range
            && kind != "a number"
        {
            refuse("range", range.span, "numbers");
        }
        if let Some(pattern) = &self.options.pattern
            && kind != "a text"
        {
            refuse("pattern", pattern.span(), "texts");
        }
        for (keyword, count) in &self.options.counts {
            let (key, wanted, fits) = match *keyword {
                "minItems" => ("min_items", "lists", kind == "a list"),
                "maxItems" => ("max_items", "lists", kind == "a list"),
                "minLength" => ("min_length", "texts", kind == "a text"),
                _ => ("max_length", "texts", kind == "a text"),
            };
            if !fits {
                refuse(key, count.span(), wanted);
            }
        }
    }
}

impl Options {
    fn read(attributes: &[Attribute], faults: &mut Faults) -> Self {
        let mut options = Self::default();
        for attribute in attributes.iter().filter(|attribute| is_option_list(attribute)) {
            let Some(keys) = faults.take(attribute.parse_args::<Keys>()) else { continue };
            if let Some(twice) = keys.twice(&["example"]) {
                faults.add(twice);
            }
            for key in &keys.0 {
                faults.take(options.set(key));
            }
        }
        options
    }

    fn set(&mut self, key: &Key) -> Result<()> {
        let name = key.text();
        match name.as_str() {
            "default" => self.default = Some(key.expression("10")?.clone()),
            "example" => {
                let expression = key.expression("\"…\"")?;
                self.examples.push(Literal::of(expression).ok_or_else(|| {
                    Error::new(expression.span(), "an example is a literal: a text, a number, `true` or `false`")
                })?);
            }
            "max_items" => self.counts.push(("maxItems", key.count("10")?)),
            "max_length" => self.counts.push(("maxLength", key.count("200")?)),
            "min_items" => self.counts.push(("minItems", key.count("1")?)),
            "min_length" => self.counts.push(("minLength", key.count("1")?)),
            "name" => self.name = Some(key.string("query")?),
            "nested" => key.marker()?,
            "one_of" => self.one_of = Some(literal::list(key.expression("[\"a\", \"b\"]")?, "one_of")?),
            "pattern" => self.pattern = Some(key.string("^[a-z]+$")?),
            "range" => self.range = Some(Range::read(key.expression("1..=100")?)?),
            _ => return Err(key.unknown("arg", &KNOWN)),
        }
        Ok(())
    }

    /// A default that the argument's own bounds forbid.
    fn check_default(&self, faults: &mut Faults) {
        let Some(expression) = &self.default else { return };
        let Some(default) = Literal::of(expression) else { return };
        if let Some(values) = &self.one_of
            && !values.contains(&default)
        {
            faults.at(expression.span(), "the default is not among the values of `one_of`");
        }
        if let Some(range) = &self.range
            && range.excludes(&default)
        {
            faults.at(expression.span(), "the default lies outside of `range`");
        }
    }
}

impl Range {
    fn read(expression: &Expr) -> Result<Self> {
        let span = expression.span();
        let Expr::Range(ExprRange { start, limits, end, .. }) = ungrouped(expression) else {
            return Err(Error::new(span, "`range` wants a range: `1..=100`, `1..`, `..=100` or `0.0..1.0`"));
        };
        let is_closed = matches!(limits, RangeLimits::Closed(_));
        let range = Self { start: start.clone(), end: end.clone(), is_closed, span };
        let [start, end] = [&range.start, &range.end].map(|bound| bound.as_deref().and_then(Literal::of));
        if range.start.is_none() && range.end.is_none() {
            return Err(Error::new(span, "`range = ..` bounds nothing: leave it out"));
        }
        if [&start, &end].into_iter().flatten().any(|bound| !bound.is_number()) {
            return Err(Error::new(span, "`range` is for numbers; values that are texts stand in `one_of`"));
        }
        if let (Some(start), Some(end)) = (start, end)
            && (start > end || (start == end && !is_closed))
        {
            return Err(Error::new(span, "no number lies in this `range`"));
        }
        Ok(range)
    }

    /// The keywords of JSON Schema that say the same.
    fn keywords(&self) -> impl Iterator<Item = (&'static str, &Expr)> {
        let maximum = if self.is_closed { "maximum" } else { "exclusiveMaximum" };
        let bounds = [("minimum", &self.start), (maximum, &self.end)];
        bounds.into_iter().filter_map(|(keyword, bound)| Some((keyword, bound.as_deref()?)))
    }

    fn excludes(&self, value: &Literal) -> bool {
        let [start, end] = [&self.start, &self.end].map(|bound| bound.as_deref().and_then(Literal::of));
        start.is_some_and(|start| *value < start)
            || end.is_some_and(|end| *value > end || (*value == end && !self.is_closed))
    }
}

pub(crate) fn is_option_list(attribute: &Attribute) -> bool {
    attribute.path().is_ident("arg")
}

/// A type out of the invisible parentheses that `macro_rules!` puts around what it captured, and out of real ones.
pub(crate) fn bare(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            _ => return ty,
        };
    }
}

/// The last name of a path, and the types between its angle brackets.
pub(crate) fn named(ty: &Type) -> Option<(&Ident, &PathArguments)> {
    let Type::Path(path) = bare(ty) else { return None };
    path.path.segments.last().map(|segment| (&segment.ident, &segment.arguments))
}

/// The type inside of an `Option`, which is known by its name.
fn option(ty: &Type) -> Option<&Type> {
    let (name, PathArguments::AngleBracketed(arguments)) = named(ty)? else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) if name == "Option" => Some(inner),
        _ => None,
    }
}

/// What a type is to a model, where its name says it for sure.
fn kind(ty: &Type) -> Option<&'static str> {
    let (name, arguments) = named(ty)?;
    match (name.to_string().as_str(), arguments) {
        ("bool", PathArguments::None) => Some("true or false"),
        ("String", PathArguments::None) => Some("a text"),
        ("Vec", PathArguments::AngleBracketed(_)) => Some("a list"),
        (
            "f32" | "f64" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128"
            | "usize",
            PathArguments::None,
        ) => Some("a number"),
        _ => None,
    }
}

fn json_of(bound: &Expr) -> TokenStream {
    if let Some(literal) = Literal::of(bound) { literal.json() } else { quote!(::haft::__private::Value::from(#bound)) }
}

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
