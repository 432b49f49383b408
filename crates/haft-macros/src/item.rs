//! A function with its body as it was written, for the body is none of the macro's business.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Result, Signature, Token, Visibility, token};

/// A function with a body.
pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    body: TokenStream,
}

impl Item {
    pub(crate) fn read(tokens: TokenStream) -> Result<Self> {
        syn::parse2(tokens)
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        if !begins_a_function(input) {
            return Err(Error::new(input.span(), "`#[tool]` goes on a function"));
        }
        let sig = input.parse()?;
        if !input.peek(token::Brace) {
            return Err(Error::new(input.span(), "`#[tool]` goes on a function with a body"));
        }
        Ok(Self { attrs, vis, sig, body: input.parse()? })
    }
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for attribute in &self.attrs {
            attribute.to_tokens(tokens);
        }
        self.vis.to_tokens(tokens);
        self.sig.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// Looks ahead over what may stand before `fn`.
fn begins_a_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let qualifier =
        |ahead: ParseStream<'_>| ahead.peek(Token![const]) || ahead.peek(Token![async]) || ahead.peek(Token![unsafe]);
    while qualifier(&ahead) || ahead.peek(Token![extern]) || ahead.peek(syn::LitStr) {
        if ahead.parse::<proc_macro2::TokenTree>().is_err() {
            return false;
        }
    }
    ahead.peek(Token![fn])
}
