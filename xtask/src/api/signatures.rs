//! Signatures, generics and implementations as text, without what only their author sees.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{FnArg, Generics, ImplItem, Item, ItemImpl, Meta, Pat, Signature};

use super::forest::attributes;
use super::tokens::one_line;

pub(super) fn derives(item: &Item) -> Vec<String> {
    let mut names = Vec::new();
    for attribute in attributes(item) {
        if let Meta::List(list) = &attribute.meta
            && list.path.is_ident("derive")
        {
            let parser = syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
            let paths = syn::parse::Parser::parse2(parser, list.tokens.clone()).unwrap_or_default();
            names.extend(paths.iter().filter_map(|path| path.segments.last()).map(|last| last.ident.to_string()));
        }
    }
    names
}

/// The line of a trait implementation, with the public path in place of the type's or the trait's own name.
pub(super) fn implemented(block: &ItemImpl, path: &str, is_own_trait: bool) -> String {
    let trait_path = block.trait_.as_ref().map(|(bang, trait_path, _)| quote!(#bang #trait_path)).unwrap_or_default();
    let self_type = &block.self_ty;
    let (trait_text, self_text) = if is_own_trait {
        let arguments = block.trait_.as_ref().map(|(_, path, _)| last_arguments(path)).unwrap_or_default();
        (format!("{path}{arguments}"), text(self_type))
    } else {
        let arguments = match self_type.as_ref() {
            syn::Type::Path(self_type) => last_arguments(&self_type.path),
            _ => String::new(),
        };
        (one_line(trait_path), format!("{path}{arguments}"))
    };
    let types = block.items.iter().filter_map(|member| match member {
        ImplItem::Type(associated) => Some(format!("{} = {}", associated.ident, text(&associated.ty))),
        _ => None,
    });
    let types: Vec<String> = types.collect();
    let types = if types.is_empty() { String::new() } else { format!(" ({})", types.join(", ")) };
    let of = &block.generics;
    format!("impl{} {trait_text} for {self_text}{}{types}", parameters(of), conditions(of))
}

fn last_arguments(path: &syn::Path) -> String {
    path.segments.last().map(|last| text(&last.arguments)).unwrap_or_default()
}

/// A function's signature under its public path, without what only its author sees (patterns, attributes, lines).
pub(super) fn signature(of: &Signature, path: &str) -> String {
    let Signature { constness, asyncness, unsafety, abi, .. } = of;
    let before = one_line(quote!(#constness #asyncness #unsafety #abi fn));
    let mut inputs = Vec::new();
    for input in &of.inputs {
        let mut input = input.clone();
        match &mut input {
            FnArg::Receiver(receiver) => {
                receiver.attrs.clear();
                if receiver.reference.is_none() {
                    receiver.mutability = None;
                }
            }
            FnArg::Typed(typed) => {
                typed.attrs.clear();
                if let Pat::Ident(name) = typed.pat.as_mut() {
                    name.mutability = None;
                }
            }
        }
        inputs.push(text(&input));
    }
    let output = text(&of.output);
    let arrow = if output.is_empty() { "" } else { " " };
    let (of, inputs) = (&of.generics, inputs.join(", "));
    format!("{before} {path}{}({inputs}){arrow}{output}{}", parameters(of), conditions(of))
}

pub(super) fn declared(generics: &Generics) -> String {
    parameters(generics) + &conditions(generics)
}

pub(super) fn parameters(generics: &Generics) -> String {
    if generics.params.is_empty() {
        return String::new();
    }
    let mut generics = generics.clone();
    generics.where_clause = None;
    text(&generics)
}

pub(super) fn conditions(generics: &Generics) -> String {
    match &generics.where_clause {
        Some(clause) if !clause.predicates.is_empty() => format!(" {}", text(clause)),
        _ => String::new(),
    }
}

pub(super) fn text(of: &impl ToTokens) -> String {
    let mut tokens = TokenStream::new();
    of.to_tokens(&mut tokens);
    one_line(tokens)
}
