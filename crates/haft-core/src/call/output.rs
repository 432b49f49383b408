//! From what a handler came to, to what the caller gets.

use haft_wire::Fault;
use haft_wire::model::ToolResult;

use super::offload::offload;
use crate::context::CallShared;
use crate::tool_error::{Failure, ToolError};

/// Checks a result against the output schema: what does not conform is this server's fault and never goes out.
pub(crate) fn finished(call: &CallShared, result: ToolResult) -> Result<ToolResult, Fault> {
    let Some(schema) = call.entry.output.as_ref().filter(|_| !result.is_error) else {
        return Ok(offload(call, result));
    };
    let problem = match &result.structured {
        None => "the result has no structured content, but the tool has an output schema".to_owned(),
        Some(value) => match haft_schema::Tree::parse(value.get()) {
            Err(error) => error.to_string(),
            Ok(tree) if schema.is_valid(&tree) => return Ok(offload(call, result)),
            Ok(tree) => match schema.check(&tree) {
                Ok(()) => return Ok(offload(call, result)),
                Err(problems) => problems.to_string(),
            },
        },
    };
    let reference = reference();
    tracing::error!(tool = %call.entry.shown.name, reference, problem, "the result does not fit the output schema");
    Err(Fault::Internal { reference })
}

/// What the model gets of a failure: what was said on purpose, or a reference to the log.
pub(crate) fn failure(call: &CallShared, error: ToolError) -> ToolResult {
    match error.0 {
        Failure::Tell(text) => ToolResult::error(text),
        Failure::Result(result) => *result,
        Failure::Hidden(error) => {
            let reference = reference();
            tracing::warn!(
                tool = %call.entry.shown.name,
                reference,
                error = &*error as &(dyn std::error::Error + 'static),
                "the tool failed"
            );
            let name = &call.entry.shown.name;
            ToolResult::error(format!("`{name}` failed. The server's log explains it under reference {reference}."))
        }
        // Questions are not failures and take another way.
        Failure::Needs(_) => ToolResult::error("the call waits for an answer"),
    }
}

/// A short name under which the log explains a failure.
pub(crate) fn reference() -> String {
    let mut random = [0_u8; 5];
    // Without randomness the reference is less unique, and the log still has it.
    if getrandom::fill(&mut random).is_err() {
        random = [0; 5];
    }
    random.iter().fold(String::with_capacity(10), |text, byte| text + &format!("{byte:02x}"))
}
