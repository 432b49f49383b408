//! `#[tool]` and `tools!`: functions as tools.
//!
//! The two are documented where users meet them, in the crate `haft`; what they expand to names nothing but `::haft`.

mod argument;
mod bounds;
mod constraints;
mod description;
mod expand;
mod function;
mod item;
mod keys;
mod literal;
mod options;
mod tools;

use proc_macro::TokenStream;

/// Makes a tool of a function. The function stays what it is: it can be called and tested like any other.
///
/// The macro adds a type of the same name, in the other namespace, that [`tools!`](macro@tools) takes. So a module of
/// the same name cannot stand beside it.
///
/// An `async` function runs where the call is; any other may block, and runs on a bounded pool of threads.
///
/// # Description
///
/// The doc comment of the function is what a model decides by: say when to use the tool and when not. The doc comment of
/// a parameter describes the argument. The lines of a paragraph are joined, so it does not matter where a comment is
/// wrapped. `description = "…"` takes the place of a doc comment that is for readers of the code.
///
/// # Keys
///
/// | key | meaning |
/// |---|---|
/// | `read_only`, `destructive`, `idempotent`, `open_world` | hints about what the tool does; `= false` says the opposite, and absent says nothing |
/// | `name = "…"` | the name, where it is not the function's: 1 to 64 of `A-Z a-z 0-9 _ - .` |
/// | `title = "…"` | a title for people |
/// | `description = "…"` | the description, or a constant expression for it such as `include_str!("…")` |
/// | `timeout = "5s"` | how long a call may take (`ms`, `s`, `m`, `h`) |
/// | `concurrency = 4` | how many calls run at the same time; more of them wait |
/// | `rate = "10/1s"` | how many calls one caller may make in such a time |
///
/// # Parameters
///
/// Every parameter is an argument but `Context` (or `&Context`) and `State<_>`, which the macro knows by these names.
/// The type gives the schema; it needs `serde::Deserialize` and `schemars::JsonSchema`. A parameter of type `Option<_>`
/// may be left out. `#[arg(…)]` says more:
///
/// | key | meaning |
/// |---|---|
/// | `default = 10` | the value of an argument that was left out; a literal, or an expression of the parameter's type |
/// | `range = 1..=100` | bounds of a number |
/// | `min_length`, `max_length` | bounds of a text, in characters |
/// | `min_items`, `max_items` | bounds of a list |
/// | `pattern = "…"` | a regular expression that a text has to match somewhere; `^…$` for the whole of it |
/// | `one_of = ["a", "b"]` | the values that there are |
/// | `example = "…"` | a value as it may be; may stand more than once |
/// | `name = "…"` | the name of the argument, where it is not the parameter's |
/// | `nested` | see below |
///
/// A lone parameter without `#[arg]` whose type is a struct *is* the arguments: each field is an argument. `#[arg(nested)]`,
/// or any other `#[arg]`, makes it one argument with a name and fields inside. What is no struct to JSON Schema (an
/// object with `properties`), such as a map, an enum or an `Option`, is always one argument with a name.
///
/// # Returns
///
/// Anything that is `IntoOutcome`: `String`, `Json<T>`, `Image`, `Audio`, `ResourceLink`, `Vec<Content>`, and a `Result`
/// of one of them. With `Json<T>` the tool has an output schema.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(attribute.into(), &item.into()).into()
}

/// A set of tools from functions under `#[tool]`: `tools![search_tickets, files::read]`.
///
/// It takes the name and the version of the crate that it stands in. Two tools of one name do not compile.
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    tools::tools(input.into()).into()
}
