//! What `#[tool(…)]` says.

use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Lit, LitStr};

use crate::bounds;
use crate::keys::{Faults, Key, Keys, ungrouped};

/// The keys of `#[tool(…)]`.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    title: Option<LitStr>,
    read_only: Option<Claim>,
    destructive: Option<Claim>,
    idempotent: Option<Claim>,
    open_world: Option<Claim>,
    timeout: Option<Duration>,
    concurrency: Option<usize>,
    rate: Option<(u32, Duration)>,
}

/// A hint with where it stands.
#[derive(Clone, Copy)]
struct Claim {
    holds: bool,
    span: Span,
}

impl Options {
    pub(crate) fn read(attribute: TokenStream, faults: &mut Faults) -> Self {
        let mut options = Self::default();
        let Some(keys) = faults.take(syn::parse2::<Keys>(attribute)) else { return options };
        if let Some(twice) = keys.twice(&[]) {
            faults.add(twice);
        }
        for key in &keys.0 {
            options.set(key, faults);
        }
        options.contradictions(faults);
        options
    }

    fn set(&mut self, key: &Key, faults: &mut Faults) {
        let span = key.name.span();
        match key.text().as_str() {
            "concurrency" => self.concurrency = faults.take(concurrency(key)),
            "description" => {
                self.description = faults.take(key.expression("\"…\"").cloned());
                if let Some(Expr::Lit(ExprLit { lit: Lit::Str(_), .. })) = self.description.as_ref().map(ungrouped) {
                    faults.take(key.string("…"));
                }
            }
            "destructive" => self.destructive = claim(key, span, faults),
            "idempotent" => self.idempotent = claim(key, span, faults),
            "name" => self.name = faults.take(key.string("search_tickets")),
            "open_world" => self.open_world = claim(key, span, faults),
            "rate" => self.rate = faults.take(key.string("10/1s").and_then(|literal| bounds::rate(&literal))),
            "read_only" => self.read_only = claim(key, span, faults),
            "timeout" => self.timeout = faults.take(key.string("5s").and_then(|literal| bounds::time(&literal))),
            "title" => self.title = faults.take(key.string("Search tickets")),
            _ => faults.add(key.unknown("tool", &KNOWN, &[])),
        }
    }

    fn contradictions(&self, faults: &mut Faults) {
        let Some(Claim { holds: true, .. }) = self.read_only else { return };
        if let Some(Claim { holds: true, span }) = self.destructive {
            faults.at(
                span,
                "`destructive` contradicts `read_only`: what changes nothing cannot destroy; keep the one that is true",
            );
        }
        if let Some(Claim { holds: false, span }) = self.idempotent {
            faults.at(
                span,
                "`idempotent = false` contradicts `read_only`: what changes nothing changes nothing the second time; \
                 leave it out (it is about effects, not about equal results)",
            );
        }
    }

    /// The method calls that say all this to a `Declaration`.
    pub(crate) fn calls(&self) -> TokenStream {
        let mut calls = TokenStream::new();
        if let Some(title) = &self.title {
            calls.extend(quote!(.title(#title)));
        }
        if let Some(Claim { holds, .. }) = self.read_only {
            calls.extend(quote!(.read_only(#holds)));
        }
        if let Some(Claim { holds, .. }) = self.destructive {
            calls.extend(quote!(.destructive(#holds)));
        }
        if let Some(Claim { holds, .. }) = self.idempotent {
            calls.extend(quote!(.idempotent(#holds)));
        }
        if let Some(Claim { holds, .. }) = self.open_world {
            calls.extend(quote!(.open_world(#holds)));
        }
        if let Some(timeout) = self.timeout {
            let timeout = duration(timeout);
            calls.extend(quote!(.timeout(#timeout)));
        }
        if let Some(concurrency) = self.concurrency {
            calls.extend(quote!(.concurrency(#concurrency)));
        }
        if let Some((rate, within)) = self.rate {
            let within = duration(within);
            calls.extend(quote!(.rate(#rate, #within)));
        }
        calls
    }

    /// A check, at compile time, of a description that is no literal.
    pub(crate) fn description_check(&self) -> Option<TokenStream> {
        let description = self.description.as_ref()?;
        let is_literal = matches!(ungrouped(description), Expr::Lit(ExprLit { lit: Lit::Str(_), .. }));
        let message = "the description of a tool is empty: a model decides by it when to call the tool";
        let check = quote_spanned! {description.span().resolved_at(Span::mixed_site())=>
            const _: () = ::core::assert!(!::core::primitive::str::is_empty(#description), #message);
        };
        (!is_literal).then_some(check)
    }
}

fn claim(key: &Key, span: Span, faults: &mut Faults) -> Option<Claim> {
    faults.take(key.claim()).map(|holds| Claim { holds, span })
}

fn concurrency(key: &Key) -> syn::Result<usize> {
    let literal = key.count("4")?;
    match literal.base10_parse()? {
        0 => {
            Err(syn::Error::new(literal.span(), "with `concurrency = 0` no call could run: leave it out for no bound"))
        }
        calls => Ok(calls),
    }
}

fn duration(duration: Duration) -> TokenStream {
    let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    quote!(::core::time::Duration::from_millis(#milliseconds))
}

const KNOWN: [&str; 10] = [
    "concurrency",
    "description",
    "destructive",
    "idempotent",
    "name",
    "open_world",
    "rate",
    "read_only",
    "timeout",
    "title",
];
