//! A parameter that is an argument.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Attribute, GenericArgument, Ident, PathArguments, Type};

use crate::constraints::{Constraints, is_constraint};
use crate::description::description;
use crate::keys::Faults;
use crate::literal::Literal;

/// A parameter that is an argument.
pub(crate) struct Argument {
    pub(crate) name: String,
    /// Where the name stands.
    pub(crate) named_at: TokenStream,
    pub(crate) ty: Type,
    description: Option<String>,
    /// Whether there is an `#[arg]`: then it is an argument with a name, even if it is alone.
    pub(crate) is_constrained: bool,
    constraints: Constraints,
}

/// What a type is to a model, where its name says it for sure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Boolean,
    List,
    Number,
    Text,
}

impl Argument {
    pub(crate) fn read(ident: &Ident, ty: &Type, attributes: &[Attribute], faults: &mut Faults) -> Self {
        let constraints = Constraints::read(attributes, faults);
        let (name, named_at) = match &constraints.name {
            Some(name) => (name.value(), quote!(#name)),
            None => (ident.unraw().to_string(), quote!(#ident)),
        };
        let description = faults.take(description(attributes)).flatten().map(|(text, _)| text);
        if description.as_deref().is_some_and(str::is_empty) {
            let message = format!("the doc comment of `{name}` is empty: say what it is for, or leave it out");
            faults.on(&named_at, message);
        }
        constraints.check(option(ty).is_some(), kind(option(ty).unwrap_or(ty)), faults);
        let is_constrained = attributes.iter().any(is_constraint);
        Self { name, named_at, ty: ty.clone(), description, is_constrained, constraints }
    }

    /// What the parameter becomes in `Declaration`, by the method `parameter` or `lone`.
    pub(crate) fn declaration(&self, method: &Ident) -> TokenStream {
        let Self { name, ty, constraints, .. } = self;
        let mut calls = TokenStream::new();
        if let Some(description) = self.description.as_deref() {
            calls.extend(quote!(.description(#description)));
        }
        for (keyword, value) in constraints.keywords() {
            calls.extend(quote!(.constrain(#keyword, #value)));
        }
        if let Some(default) = &constraints.default {
            let written = Literal::of(default).map(|literal| literal.json());
            let value = written.unwrap_or_else(|| quote!(::haft::__private::json::<#ty>(&#default)));
            calls.extend(quote!(.default(#value)));
        } else if option(ty).is_some() {
            calls.extend(quote!(.optional()));
        }
        quote!(.#method::<#ty>(#name, |property| property #calls))
    }

    /// How a call reads the value: an expression for its `Result`.
    pub(crate) fn reading(&self, given: &Ident) -> TokenStream {
        let Self { name, ty, .. } = self;
        let Some(default) = &self.constraints.default else { return quote!(#given.read::<#ty>(#name)) };
        let is_text = matches!(Literal::of(default), Some(Literal::String(_)));
        let default = if is_text { quote!(::core::convert::Into::into(#default)) } else { quote!(#default) };
        quote!(#given.read_or::<#ty>(#name, || #default))
    }
}

impl Kind {
    /// With its article.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Boolean => "true or false",
            Self::List => "a list",
            Self::Number => "a number",
            Self::Text => "a text",
        }
    }
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

fn kind(ty: &Type) -> Option<Kind> {
    let (name, arguments) = named(ty)?;
    match (name.to_string().as_str(), arguments) {
        ("bool", PathArguments::None) => Some(Kind::Boolean),
        ("String", PathArguments::None) => Some(Kind::Text),
        ("Vec", PathArguments::AngleBracketed(_)) => Some(Kind::List),
        (
            "f32" | "f64" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128"
            | "usize",
            PathArguments::None,
        ) => Some(Kind::Number),
        _ => None,
    }
}
