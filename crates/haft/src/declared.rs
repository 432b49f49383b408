//! What `#[tool]` expands to: a declaration of the tool, and how a call reads its arguments.
//!
//! Only generated code uses this, through `__private`; nothing here is promised to stay.

mod argument;
mod declaration;
mod given;
mod names;

use std::sync::Arc;

use haft_core::ToolError;
use haft_core::{CallFuture, CallOutcome, IntoOutcome, Tool};
use haft_schema::Problem;

pub use argument::{Argument, json};
pub use declaration::Declaration;
pub use given::Given;
pub use names::assert_new;

/// A function under `#[tool]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a function under `#[tool]`",
    note = "put `#[tool]` on the function; tools of other kinds are added with `Server::tool`"
)]
pub trait Declared: 'static {
    /// The name of the tool.
    const NAME: &'static str;

    /// What the tool is.
    fn declaration() -> Declaration;

    /// The tool.
    fn tool() -> Arc<dyn Tool> {
        Arc::new(Self::declaration().into_tool())
    }
}

/// What a function returned.
pub fn outcome<R: IntoOutcome>(returned: R) -> CallOutcome {
    returned.into_outcome()
}

/// A call whose arguments fit the schema and not the types: all problems at once, for the model.
pub fn refuse<const N: usize>(name: &str, problems: [Option<Box<Problem>>; N]) -> CallFuture {
    let mut text = format!("The arguments do not fit the parameters of `{name}`.");
    for problem in problems.into_iter().flatten() {
        text.push_str("\n- ");
        text.push_str(&problem.to_string());
    }
    Box::pin(std::future::ready(ToolError::tell(text).into_outcome()))
}
