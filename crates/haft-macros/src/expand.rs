//! What `#[tool]` expands to: the function as it was, a type of its name, and how the type makes a tool.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, Ident};

use crate::function::{Function, Parameter, hidden};
use crate::item::Item;
use crate::keys::Faults;
use crate::options::Options;

/// Expands `#[tool]`. With errors, the function and its type are still there, so that only the errors are shown.
pub(crate) fn tool(attribute: TokenStream, tokens: &TokenStream) -> TokenStream {
    let mut item = match Item::read(tokens.clone()) {
        Ok(item) => item,
        Err(error) => {
            let error = error.into_compile_error();
            return quote!(#error #tokens);
        }
    };
    let mut faults = Faults::default();
    let options = Options::read(attribute, &mut faults);
    let function = Function::read(&mut item, &options, &mut faults);
    let is_method = item.sig.inputs.iter().any(|input| matches!(input, FnArg::Receiver(_)));
    match faults.into_error().map(syn::Error::into_compile_error) {
        None => {
            let call = call(&function, &item.sig.ident);
            let stands = stands(&function, &item, &declaration(&function, &options, &call));
            let check = options.description_check();
            let allowance = allowance(&function);
            quote!(#allowance #item #check #stands)
        }
        Some(error) if is_method => quote!(#error #item),
        Some(error) => {
            let stands = stands(&function, &item, &quote!(loop {}));
            quote!(#error #item #stands)
        }
    }
}

/// Lints that know nothing of tools: `async` decides where a tool runs, so it means something without an `await`; an argument
/// belongs to the call, so it is taken by value; and a section on errors would be for the model.
fn allowance(function: &Function) -> TokenStream {
    let own = if function.is_async { quote!(clippy::unused_async) } else { quote!(clippy::needless_pass_by_value) };
    quote! {
        #[allow(
            #own,
            clippy::missing_errors_doc,
            clippy::missing_panics_doc,
            clippy::too_many_arguments,
            reason = "the signature and the doc comment of a tool are for those who call it"
        )]
    }
}

/// The type, and what it is to `tools!`.
fn stands(function: &Function, item: &Item, declaration: &TokenStream) -> TokenStream {
    let Function { name, conditions, .. } = function;
    let Item { vis, sig, .. } = item;
    let ident = &sig.ident;
    let about = format!("The tool that the function `{ident}` is; it is for `tools!` and has no values.");
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #[doc = #about]
        #[allow(non_camel_case_types, reason = "a tool is named as its function is")]
        #[derive(::core::fmt::Debug)]
        #[non_exhaustive]
        #vis enum #ident {}

        #(#conditions)*
        impl ::haft::__private::Declared for #ident {
            const NAME: &'static str = #name;

            fn declaration() -> ::haft::__private::Declaration {
                #declaration
            }
        }
    }
}

/// All in one function, so that the compiler says only once what it has against a type.
fn declaration(function: &Function, options: &Options, call: &TokenStream) -> TokenStream {
    let Function { name, description, output, .. } = function;
    let options = options.calls();
    let method = Ident::new(if function.lone().is_some() { "lone" } else { "parameter" }, Span::mixed_site());
    let arguments: TokenStream = function.arguments().map(|argument| argument.declaration(&method)).collect();
    quote!(::haft::__private::Declaration::new(#name, #description, #call) #options #arguments .output::<#output>())
}

/// A closure that reads the arguments, then makes the future that calls the function.
fn call(function: &Function, ident: &Ident) -> TokenStream {
    let given = given(function);
    let readings: Vec<TokenStream> = function
        .arguments()
        .map(|argument| {
            if function.lone().is_some() {
                let (ty, name) = (&argument.ty, &argument.name);
                quote!(#given.read_lone::<#ty>(#name))
            } else {
                argument.reading(&given)
            }
        })
        .collect();
    let values: Vec<Ident> = (0..readings.len()).map(|index| hidden("argument", index)).collect();
    let read = (!readings.is_empty()).then(|| {
        quote! {
            let (#(#values,)*) = match (#(#readings,)*) {
                (#(::core::result::Result::Ok(#values),)*) => (#(#values,)*),
                (#(#values,)*) => return ::haft::__private::refuse(<Self as ::haft::__private::Declared>::NAME, [#(#values.err()),*]),
            };
        }
    });
    let (context, run) = (context(function), run(function, ident, values));
    // Here the compiler says why a future cannot move between threads.
    let future = quote_spanned!(at(ident.span())=> ::std::boxed::Box::pin(async move { #run }));
    quote!(|#context, #given| { #read #future })
}

/// The body of the future.
fn run(function: &Function, ident: &Ident, values: Vec<Ident>) -> TokenStream {
    let context = context(function);
    let mut values = values.into_iter();
    let (mut before, mut passed) = (TokenStream::new(), Vec::new());
    for (index, parameter) in function.parameters.iter().enumerate() {
        let own = hidden("shared", index);
        match parameter {
            Parameter::Argument(_) => passed.extend(values.next().map(|value| quote!(#value))),
            Parameter::Context | Parameter::ContextReference => {
                before.extend(quote!(let #own = ::core::clone::Clone::clone(&#context);));
                let is_reference = matches!(parameter, Parameter::ContextReference);
                passed.push(if is_reference { quote!(&#own) } else { quote!(#own) });
            }
            Parameter::State(ty) => {
                before.extend(quote! {
                    let #own = match <#ty>::from_context(&#context) {
                        ::core::result::Result::Ok(state) => state,
                        ::core::result::Result::Err(error) => return ::haft::IntoOutcome::into_outcome(error),
                    };
                });
                passed.push(quote!(#own));
            }
        }
    }
    let output = &function.output;
    let (call, outcome) = (quote!(#ident(#(#passed),*)), quote!(::haft::__private::outcome::<#output>));
    if function.is_async {
        quote!(#before #outcome(#call.await))
    } else {
        quote!(#before #context.blocking(move || #outcome(#call)).await)
    }
}

/// A name for the context of a call, or one that says that nothing needs it.
fn context(function: &Function) -> Ident {
    let is_needed = |parameter: &Parameter| !matches!(parameter, Parameter::Argument(_));
    let is_used = !function.is_async || function.parameters.iter().any(is_needed);
    Ident::new(if is_used { "context" } else { "_context" }, Span::mixed_site())
}

/// A name for the arguments of a call, or one that says that there are none.
fn given(function: &Function) -> Ident {
    let has_arguments = function.arguments().next().is_some();
    Ident::new(if has_arguments { "given" } else { "_given" }, Span::mixed_site())
}

/// The place of something of the user's, with names of the macro's.
fn at(span: Span) -> Span {
    span.resolved_at(Span::mixed_site())
}
