//! The function under `#[tool]`: what its signature says about the tool.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Attribute, FnArg, Ident, Pat, PatType, PathArguments, ReturnType, Signature, Type};

use crate::argument::{Argument, bare, named};
use crate::constraints::is_constraint;
use crate::description::{description, is_description};
use crate::item::Item;
use crate::keys::Faults;
use crate::options::Options;

/// A function that is a tool.
pub(crate) struct Function {
    pub(crate) name: String,
    /// An expression for the text.
    pub(crate) description: TokenStream,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output: Type,
    pub(crate) is_async: bool,
    /// The conditions under which the function is there at all.
    pub(crate) conditions: Vec<Attribute>,
}

/// What a parameter gets.
#[expect(clippy::large_enum_variant, reason = "a handful for each function, for a moment")]
pub(crate) enum Parameter {
    Argument(Argument),
    Context,
    ContextReference,
    /// The type with its `State`.
    State(Type),
}

impl Function {
    /// Reads the function and takes out of it what only the macro understands.
    pub(crate) fn read(item: &mut Item, options: &Options, faults: &mut Faults) -> Self {
        refuse_signature(&item.sig, faults);
        let name = tool_name(&item.sig.ident, options, faults);
        let description = description_of(item, options, faults);
        let parameters: Vec<Parameter> =
            item.sig.inputs.iter_mut().filter_map(|input| parameter(input, faults)).collect();
        refuse_twice(&parameters, faults);
        let output = match &item.sig.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        };
        if let Type::ImplTrait(opaque) = bare(&output) {
            faults.on(
                opaque,
                "the return type of a tool has to have a name, for its schema: write the type itself, such as `String`",
            );
        }
        let is_condition = |attribute: &&Attribute| attribute.path().is_ident("cfg");
        let conditions = item.attrs.iter().filter(is_condition).cloned().collect();
        Self { name, description, parameters, output, is_async: item.sig.asyncness.is_some(), conditions }
    }

    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Argument(argument) => Some(argument),
            Parameter::Context | Parameter::ContextReference | Parameter::State(_) => None,
        })
    }

    /// The argument that may be all of them: alone, and with nothing said that only fits an argument with a name.
    pub(crate) fn lone(&self) -> Option<&Argument> {
        let mut arguments = self.arguments();
        arguments.next().filter(|argument| !argument.is_constrained && arguments.next().is_none())
    }
}

/// What a tool cannot be.
fn refuse_signature(signature: &Signature, faults: &mut Faults) {
    if !signature.generics.params.is_empty() || signature.generics.where_clause.is_some() {
        let message = "a tool cannot be generic, for a call names no types: write a function for each type";
        match &signature.generics.lt_token {
            Some(_) => faults.on(&signature.generics, message),
            None => faults.on(&signature.generics.where_clause, message),
        }
    }
    if let Some(keyword) = &signature.unsafety {
        faults.on(keyword, "a tool cannot be `unsafe`, for a model keeps no promises: check what it needs inside");
    }
    if let Some(abi) = &signature.abi {
        faults.on(abi, "a tool cannot be `extern`: write a plain function that calls this one");
    }
    if let Some(dots) = &signature.variadic {
        faults.on(dots, "a tool has a fixed number of parameters");
    }
}

fn tool_name(ident: &Ident, options: &Options, faults: &mut Faults) -> String {
    let (name, span) = match &options.name {
        Some(literal) => (literal.value(), literal.span()),
        None => (ident.unraw().to_string(), ident.span()),
    };
    let problem = if name.chars().count() > LONGEST_NAME {
        format!("is longer than {LONGEST_NAME} characters")
    } else if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) {
        return name;
    } else {
        "has a character outside of `A-Z a-z 0-9 _ - .`".to_owned()
    };
    let how = if options.name.is_some() { "choose another" } else { "choose another with `#[tool(name = \"…\")]`" };
    faults.at(span, format!("no host accepts the tool name `{name}`: it {problem}; {how}"));
    name
}

fn description_of(item: &Item, options: &Options, faults: &mut Faults) -> TokenStream {
    if let Some(expression) = &options.description {
        return quote!(#expression);
    }
    let ident = &item.sig.ident;
    match faults.take(description(&item.attrs)).flatten() {
        Some((text, _)) if !text.is_empty() => return quote!(#text),
        Some((_, span)) => faults.at(
            span,
            format!("the description of `{ident}` is empty: a model decides by it when to call the tool and when not"),
        ),
        None => faults.at(
            ident.span(),
            format!(
                "`{ident}` has no description: write a doc comment above it that says when to call the tool and when not"
            ),
        ),
    }
    quote!("")
}

/// Reads one parameter; its doc comment and its `#[arg]` are the macro's and go.
fn parameter(input: &mut FnArg, faults: &mut Faults) -> Option<Parameter> {
    let typed = match input {
        FnArg::Typed(typed) => typed,
        FnArg::Receiver(receiver) => {
            faults.on(&*receiver, "a tool has no `self`: take what is shared as `State<_>`, or write a free function");
            return None;
        }
    };
    let attributes = std::mem::take(&mut typed.attrs);
    let (ours, others) =
        attributes.into_iter().partition(|attribute| is_description(attribute) || is_constraint(attribute));
    typed.attrs = others;
    for condition in typed.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg")) {
        faults.on(condition, "a parameter of a tool is always there: put `#[cfg]` on the whole function");
    }
    match special(typed) {
        Some(parameter) => {
            refuse_options(&ours, faults);
            Some(parameter)
        }
        None => argument(typed, &ours, faults).map(Parameter::Argument),
    }
}

/// `Context`, `&Context` and `State<_>`, which are known by their names.
fn special(typed: &PatType) -> Option<Parameter> {
    if let Type::Reference(reference) = bare(&typed.ty) {
        return (reference.mutability.is_none() && is_context(&reference.elem)).then_some(Parameter::ContextReference);
    }
    if is_context(&typed.ty) {
        return Some(Parameter::Context);
    }
    match named(&typed.ty)? {
        (name, PathArguments::AngleBracketed(_)) if name == "State" => Some(Parameter::State((*typed.ty).clone())),
        _ => None,
    }
}

fn is_context(ty: &Type) -> bool {
    matches!(named(ty), Some((name, PathArguments::None)) if name == "Context")
}

fn refuse_options(ours: &[Attribute], faults: &mut Faults) {
    for attribute in ours.iter().filter(|attribute| is_constraint(attribute)) {
        faults.on(attribute, "`Context` and `State<_>` are no arguments: leave out `#[arg]`");
    }
}

fn argument(typed: &PatType, ours: &[Attribute], faults: &mut Faults) -> Option<Argument> {
    let Pat::Ident(pattern) = &*typed.pat else {
        faults.on(
            &typed.pat,
            "an argument is named by its parameter: write a name here, and take the value apart in the body",
        );
        return None;
    };
    if pattern.by_ref.is_some() || pattern.subpat.is_some() {
        faults.on(pattern, "an argument is named by its parameter: write the name alone");
    }
    if let Some(message) = unfit(&typed.ty) {
        faults.on(&typed.ty, message);
        return None;
    }
    Some(Argument::read(&pattern.ident, &typed.ty, ours, faults))
}

/// Why nothing that comes out of JSON has this type.
fn unfit(ty: &Type) -> Option<&'static str> {
    match bare(ty) {
        Type::Reference(reference) => {
            let is_text = matches!(named(&reference.elem), Some((name, PathArguments::None)) if name == "str");
            let is_context = is_context(&reference.elem);
            Some(match () {
                () if is_context => "take `&Context`: its methods need no `&mut`",
                () if is_text => "an argument belongs to the call: take a `String`",
                () => "an argument belongs to the call: take it by value (only `&Context` may be a reference)",
            })
        }
        Type::ImplTrait(_) => Some("an argument has one type, for its schema: write the type itself"),
        Type::BareFn(_) | Type::Ptr(_) | Type::TraitObject(_) => Some("no JSON value has this type"),
        _ => None,
    }
}

fn refuse_twice(parameters: &[Parameter], faults: &mut Faults) {
    let mut names: Vec<&str> = Vec::new();
    for parameter in parameters {
        let Parameter::Argument(Argument { name, named_at, .. }) = parameter else { continue };
        if names.contains(&name.as_str()) {
            faults.on(named_at, format!("two arguments are named `{name}`"));
        }
        names.push(name);
    }
}

/// An identifier that nothing of the user's can clash with.
pub(crate) fn hidden(name: &str, index: usize) -> Ident {
    Ident::new(&format!("{name}_{index}"), Span::mixed_site())
}

/// As of the type for tool names in `haft-wire`; a test of `haft` holds the two together.
const LONGEST_NAME: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::Item;

    fn errors(item: &str) -> Vec<String> {
        let mut item = Item::read(item.parse().unwrap()).unwrap();
        let mut faults = Faults::default();
        Function::read(&mut item, &Options::default(), &mut faults);
        let errors = faults.into_error().into_iter().flatten();
        errors.map(|error| error.to_string()).collect()
    }

    #[test]
    fn a_function_that_asks_for_promises_is_refused() {
        assert_eq!(errors("/// A.\nasync fn a() {}"), Vec::<String>::new());
        assert_eq!(
            errors("/// A.\nunsafe fn a() {}"),
            ["a tool cannot be `unsafe`, for a model keeps no promises: check what it needs inside"]
        );
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        assert_eq!(errors("extern \"C\" fn a<T>(&self, b: &str, (c, d): (u8, u8)) -> impl Sized {}").len(), 7);
    }

    #[test]
    fn what_only_the_macro_understands_is_taken_out_of_the_function() {
        let text = "/// A.\nfn a(\n/// B.\n#[arg(nested)] #[allow(unused)] b: u8, r#type: Option<u8>) {}";
        let mut item = Item::read(text.parse().unwrap()).unwrap();
        let function = Function::read(&mut item, &Options::default(), &mut Faults::default());
        let inputs = &item.sig.inputs;
        let expected: TokenStream = "#[allow(unused)] b: u8, r#type: Option<u8>".parse().unwrap();
        assert_eq!(quote!(#inputs).to_string(), expected.to_string());
        let names: Vec<&str> = function.arguments().map(|argument| argument.name.as_str()).collect();
        assert_eq!(names, ["b", "type"]);
    }
}
