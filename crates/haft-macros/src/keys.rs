//! What stands between the parentheses of an attribute: keys, some with a value.

use haft_diag::nearest;
use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitInt, LitStr, Result, Token};

/// `name` or `name = value`.
pub(crate) struct Key {
    /// Also a keyword of Rust, so that the message about it is ours.
    pub(crate) name: Ident,
    pub(crate) value: Option<Expr>,
}

/// The keys of one attribute, in their order.
pub(crate) struct Keys(pub(crate) Vec<Key>);

impl Parse for Key {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = Ident::parse_any(input)?;
        let value = if input.parse::<Option<Token![=]>>()?.is_some() { Some(input.parse()?) } else { None };
        Ok(Self { name, value })
    }
}

impl Parse for Keys {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let keys = Punctuated::<Key, Token![,]>::parse_terminated(input)?;
        Ok(Self(keys.into_iter().collect()))
    }
}

impl Keys {
    /// The first key that stands twice, but for those that may.
    pub(crate) fn twice(&self, repeatable: &[&str]) -> Option<Error> {
        let mut keys = self.0.iter().enumerate();
        let (_, key) = keys.find(|(index, key)| {
            let name = key.text();
            !repeatable.contains(&name.as_str()) && self.0.iter().take(*index).any(|earlier| earlier.text() == name)
        })?;
        Some(Error::new(key.name.span(), format!("`{}` stands twice: leave one out", key.text())))
    }
}

impl Key {
    /// The name without `r#`.
    pub(crate) fn text(&self) -> String {
        self.name.unraw().to_string()
    }

    /// An error with what was probably meant: `other_words` are what the same thing is called elsewhere.
    pub(crate) fn unknown(&self, attribute: &str, known: &[&str], other_words: &[(&str, &str)]) -> Error {
        let name = self.text();
        let same = other_words.iter().find(|(other, _)| *other == name).map(|(_, own)| *own);
        let hint = match same.or_else(|| nearest(&name, known.iter().copied())) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("there are {}", quoted(known)),
        };
        Error::new(self.name.span(), format!("`#[{attribute}]` has no key `{name}`; {hint}"))
    }

    /// A claim: `name` alone, `name = true` or `name = false`.
    pub(crate) fn claim(&self) -> Result<bool> {
        match &self.value {
            None => Ok(true),
            Some(value) => match ungrouped(value) {
                Expr::Lit(ExprLit { lit: Lit::Bool(literal), .. }) => Ok(literal.value),
                _ => Err(self.wants(&format!("write `{0}` or `{0} = false`", self.text()))),
            },
        }
    }

    /// A key that is there or not.
    pub(crate) fn marker(&self) -> Result<()> {
        match self.value {
            None => Ok(()),
            Some(_) => Err(self.wants(&format!("write `{}` alone", self.text()))),
        }
    }

    pub(crate) fn expression(&self, example: &str) -> Result<&Expr> {
        self.value.as_ref().ok_or_else(|| self.wants(&format!("write `{} = {example}`", self.text())))
    }

    /// A text between quotes that is not empty.
    pub(crate) fn string(&self, example: &str) -> Result<LitStr> {
        match self.value.as_ref().map(ungrouped) {
            Some(Expr::Lit(ExprLit { lit: Lit::Str(literal), .. })) if literal.value().trim().is_empty() => {
                Err(Error::new(literal.span(), format!("`{}` is empty: write some text or leave it out", self.text())))
            }
            Some(Expr::Lit(ExprLit { lit: Lit::Str(literal), .. })) => Ok(literal.clone()),
            _ => Err(self.wants(&format!("write `{} = \"{example}\"`", self.text()))),
        }
    }

    /// A number of things.
    pub(crate) fn count(&self, example: &str) -> Result<LitInt> {
        match self.value.as_ref().map(ungrouped) {
            Some(Expr::Lit(ExprLit { lit: Lit::Int(literal), .. })) => Ok(literal.clone()),
            _ => Err(self.wants(&format!("write `{} = {example}`", self.text()))),
        }
    }

    fn wants(&self, how: &str) -> Error {
        let message = format!("`{}` wants another value: {how}", self.text());
        match &self.value {
            Some(value) => Error::new_spanned(value, message),
            None => Error::new(self.name.span(), message),
        }
    }
}

/// An expression out of the invisible parentheses that `macro_rules!` puts around what it captured.
pub(crate) fn ungrouped(mut expression: &Expr) -> &Expr {
    while let Expr::Group(group) = expression {
        expression = &group.expr;
    }
    expression
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Gathers errors, so that one compilation shows them all.
#[derive(Default)]
pub(crate) struct Faults(Option<Error>);

impl Faults {
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add(Error::new(span, message));
    }

    /// An error that underlines all of this.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.add(Error::new_spanned(tokens, message));
    }

    /// The value, or nothing with its error noted.
    pub(crate) fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    pub(crate) fn into_error(self) -> Option<Error> {
        self.0
    }
}
