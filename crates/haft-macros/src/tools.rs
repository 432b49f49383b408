//! What `tools!` expands to.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Error, Path, PathArguments, Result, Token};

use crate::keys::Faults;

/// The functions between the brackets.
struct Tools(Vec<Path>);

impl Parse for Tools {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let paths = Punctuated::<Path, Token![,]>::parse_terminated(input).map_err(|error| {
            Error::new(
                error.span(),
                "`tools!` takes the names of functions under `#[tool]`: `tools![search_tickets, files::read]`",
            )
        })?;
        Ok(Self(paths.into_iter().collect()))
    }
}

/// Expands `tools!`.
pub(crate) fn tools(input: TokenStream) -> TokenStream {
    let Tools(paths) = match syn::parse2(input) {
        Ok(tools) => tools,
        Err(error) => return error.into_compile_error(),
    };
    let mut faults = Faults::default();
    refuse(&paths, &mut faults);
    if let Some(error) = faults.into_error() {
        return error.into_compile_error();
    }
    let checks = paths.iter().enumerate().map(|(index, path)| {
        let earlier = paths.iter().take(index).map(name);
        let name = name(path);
        // At the place of the path, so that the error is there.
        let place = path.segments.last().map_or_else(|| path.span(), |segment| segment.ident.span());
        quote_spanned! {place.resolved_at(Span::mixed_site())=>
            const _: () = ::haft::__private::assert_new(#name, &[#(#earlier),*]);
        }
    });
    quote! {{
        #(#checks)*
        ::haft::ToolSet::new(
            ::core::env!("CARGO_PKG_NAME"),
            ::core::env!("CARGO_PKG_VERSION"),
            ::std::vec::Vec::from([#(<#paths as ::haft::__private::Declared>::tool()),*]),
        )
    }}
}

fn name(path: &Path) -> TokenStream {
    quote!(<#path as ::haft::__private::Declared>::NAME)
}

fn refuse(paths: &[Path], faults: &mut Faults) {
    let mut seen: Vec<String> = Vec::new();
    for path in paths {
        let text = path.to_token_stream().to_string();
        if path.segments.iter().any(|segment| !matches!(segment.arguments, PathArguments::None)) {
            faults.at(path.span(), "a tool is named without types: `tools![search_tickets]`");
        } else if seen.contains(&text) {
            faults.at(path.span(), format!("`{text}` stands twice: leave one out"));
        }
        seen.push(text);
    }
}
