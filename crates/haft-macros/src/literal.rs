//! Literals in attributes: what JSON they are, and how they compare.

use std::cmp::Ordering;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Expr, ExprArray, ExprLit, ExprUnary, Lit, Result, UnOp};

use crate::argument::Kind;
use crate::keys::ungrouped;

/// A value that JSON has too.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Bool(bool),
    Float(f64),
    Integer(i128),
    String(String),
}

impl Literal {
    /// Reads a literal, or a number with a minus before it; `None` for every other expression.
    pub(crate) fn of(expression: &Expr) -> Option<Self> {
        match ungrouped(expression) {
            Expr::Lit(ExprLit { lit: Lit::Bool(literal), .. }) => Some(Self::Bool(literal.value)),
            Expr::Lit(ExprLit { lit: Lit::Float(literal), .. }) => literal.base10_parse().ok().map(Self::Float),
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => literal.base10_parse().ok().map(Self::Integer),
            Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) => Some(Self::String(literal.value())),
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match Self::of(expr)? {
                Self::Float(value) => Some(Self::Float(-value)),
                Self::Integer(value) => Some(Self::Integer(-value)),
                Self::Bool(_) | Self::String(_) => None,
            },
            _ => None,
        }
    }

    pub(crate) const fn kind(&self) -> Kind {
        match self {
            Self::Bool(_) => Kind::Boolean,
            Self::Float(_) | Self::Integer(_) => Kind::Number,
            Self::String(_) => Kind::Text,
        }
    }

    /// An expression for the JSON value.
    pub(crate) fn json(&self) -> TokenStream {
        let literal = match self {
            Self::Bool(value) => quote!(#value),
            Self::Float(value) => quote!(#value),
            Self::Integer(value) => match i64::try_from(*value) {
                Ok(value) => quote!(#value),
                // What fits neither is refused by the compiler, at this literal.
                Err(_) => u64::try_from(*value).map_or_else(|_| quote!(#value), |value| quote!(#value)),
            },
            Self::String(value) => quote!(#value),
        };
        quote!(::haft::__private::Value::from(#literal))
    }
}

impl PartialOrd for Literal {
    /// Numbers compare by what they mean, texts not at all.
    #[expect(clippy::cast_precision_loss, reason = "bounds between which doubles cannot tell are not worth an error")]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(right),
            (Self::Float(left), Self::Integer(right)) => left.partial_cmp(&(*right as f64)),
            (Self::Integer(left), Self::Float(right)) => (*left as f64).partial_cmp(right),
            (Self::Integer(left), Self::Integer(right)) => left.partial_cmp(right),
            _ => None,
        }
    }
}

/// A literal with the place where it stands.
pub(crate) struct Written {
    pub(crate) literal: Literal,
    pub(crate) expression: Expr,
}

impl Written {
    /// Reads a literal, or fails with this message.
    pub(crate) fn of(expression: &Expr, message: &str) -> Result<Self> {
        match Literal::of(expression) {
            Some(literal) => Ok(Self { literal, expression: expression.clone() }),
            None => Err(Error::new_spanned(expression, message)),
        }
    }
}

/// Literals between brackets.
pub(crate) fn list(expression: &Expr, key: &str) -> Result<Vec<Written>> {
    let wanted = format!("`{key}` wants a list of literals: `{key} = [\"a\", \"b\"]`");
    let Expr::Array(ExprArray { elems, .. }) = ungrouped(expression) else {
        return Err(Error::new_spanned(expression, wanted));
    };
    let mut list: Vec<Written> = Vec::new();
    for element in elems {
        let value = Written::of(element, &wanted)?;
        if list.iter().any(|earlier| earlier.literal == value.literal) {
            return Err(Error::new_spanned(element, format!("this value stands twice in `{key}`")));
        }
        list.push(value);
    }
    if list.is_empty() {
        return Err(Error::new_spanned(expression, format!("`{key}` is empty, so no value would do")));
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> Option<Literal> {
        Literal::of(&syn::parse_str(text).unwrap())
    }

    #[test]
    fn literals_are_told_from_other_expressions() {
        assert_eq!(literal("10"), Some(Literal::Integer(10)));
        assert_eq!(literal("-1_000u8"), Some(Literal::Integer(-1000)));
        assert_eq!(literal("-0.5"), Some(Literal::Float(-0.5)));
        assert_eq!(literal("1."), Some(Literal::Float(1.0)));
        assert_eq!(literal("\"a\""), Some(Literal::String("a".to_owned())));
        assert_eq!(literal("true"), Some(Literal::Bool(true)));
        for other in ["-\"a\"", "!true", "LIMIT", "[1]", "b\"a\"", "'a'", "1 + 1"] {
            assert_eq!(literal(other), None, "{other}");
        }
    }

    #[test]
    fn numbers_compare_across_kinds_and_nothing_else_does() {
        let compare = |left, right| literal(left).unwrap().partial_cmp(&literal(right).unwrap());
        assert_eq!(compare("1", "2.5"), Some(Ordering::Less));
        assert_eq!(compare("2.5", "1"), Some(Ordering::Greater));
        assert_eq!(compare("3", "3"), Some(Ordering::Equal));
        assert_eq!(compare("\"a\"", "\"b\""), None);
        assert_eq!(compare("1", "\"b\""), None);
    }

    #[test]
    fn a_list_has_each_value_once() {
        let check = |text: &str| match list(&syn::parse_str(text).unwrap(), "one_of") {
            Ok(values) => format!("{} values", values.len()),
            Err(error) => error.to_string(),
        };
        assert_eq!(check("[1, 2]"), "2 values");
        assert_eq!(check("[]"), "`one_of` is empty, so no value would do");
        assert_eq!(check("[1, 1]"), "this value stands twice in `one_of`");
        assert!(check("1..2").starts_with("`one_of` wants a list of literals"));
        assert!(check("[A]").starts_with("`one_of` wants a list of literals"));
    }
}
