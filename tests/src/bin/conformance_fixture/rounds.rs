//! Tools that ask the client for something before they answer.

use std::sync::Arc;

use haft_core::{Answered, BuildError, Context, Question, Questions, RawTool, Tool, ToolError};
use serde_json::{Value, json};

use crate::content::with;

pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, BuildError> {
    let mut tools = rounds()?;
    tools.extend(forms()?);
    Ok(tools)
}

/// Tools for 2026-07-28, where a call ends with its questions.
fn rounds() -> Result<Vec<Arc<dyn Tool>>, BuildError> {
    Ok(vec![
        with("test_missing_capability", "Needs a client that samples.", |context| async move {
            let answer = context.ask("sample", sampling())?;
            Ok::<_, ToolError>(format!("The client sampled: {}", shown(&answer)))
        })?,
        with("test_streaming_elicitation", "Asks for a name.", |context| async move {
            let answer = context.ask("user_name", name_form())?;
            Ok::<_, ToolError>(format!("The answer is {}.", shown(&answer)))
        })?,
        with("test_input_required_result_elicitation", "Asks for a name.", |context| async move {
            let answer = context.ask("user_name", name_form())?;
            Ok::<_, ToolError>(format!("Hello, {}.", shown(&answer)))
        })?,
        with("test_input_required_result_sampling", "Asks for a sample.", |context| async move {
            let answer = context.ask("sample", sampling())?;
            Ok::<_, ToolError>(format!("The client sampled: {}", shown(&answer)))
        })?,
        with("test_input_required_result_list_roots", "Asks for the roots.", |context| async move {
            let answer = context.ask("roots", roots())?;
            Ok::<_, ToolError>(format!("The roots are {}.", shown(&answer)))
        })?,
        with("test_input_required_result_request_state", "Asks, and needs its state back.", |context| async move {
            context.ask("confirm", open_elicitation("Is it all right?"))?;
            Ok::<_, ToolError>("state-ok")
        })?,
        with(
            "test_input_required_result_tampered_state",
            "Asks, and refuses a changed state.",
            |context| async move {
                context.ask("confirm", open_elicitation("Is it all right?"))?;
                Ok::<_, ToolError>("state-ok")
            },
        )?,
        with("test_input_required_result_multiple_inputs", "Asks three things at once.", |context| async move {
            let questions = Questions::one("name", open_elicitation("What is your name?"))
                .and("sample", sampling())
                .and("roots", roots());
            let answers = context.ask_all(questions)?;
            Ok::<_, ToolError>(format!("{} answers came.", answers.len()))
        })?,
        with("test_input_required_result_multi_round", "Asks twice, one after the other.", |context| async move {
            let name = context.ask("step1", open_elicitation("What is your name?"))?;
            let color = context.ask("step2", open_elicitation("Which colour do you like?"))?;
            Ok::<_, ToolError>(format!("{} and {}", shown(&name), shown(&color)))
        })?,
        with("test_input_required_result_capabilities", "Asks only what the client can do.", |context| async move {
            let mut questions = Questions::default();
            let can = context.client_capabilities();
            if can.sampling {
                questions = questions.and("sample", sampling());
            }
            if can.elicitation_form {
                questions = questions.and("user_name", name_form());
            }
            let answers = context.ask_all(questions)?;
            Ok::<_, ToolError>(format!("{} answers came.", answers.len()))
        })?,
    ])
}

/// Tools for 2025-11-25, where a server asks in the middle of a call.
fn forms() -> Result<Vec<Arc<dyn Tool>>, BuildError> {
    let asks_what_it_is_told = RawTool::new(
        r#"{"name":"test_elicitation","description":"Asks what it is told to ask.","inputSchema":{"type":"object","properties":{"message":{"type":"string","description":"What to ask. Example: `Who are you?`"}},"required":["message"]}}"#,
        |arguments, context: Context| async move {
            let arguments: Value = serde_json::from_str(arguments.get())?;
            let message = arguments.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
            let schema = json!({
                "type": "object",
                "properties": { "username": { "type": "string" }, "email": { "type": "string" } },
                "required": ["username", "email"],
            });
            let answer = context.ask("user", Question::form(message, schema))?;
            Ok::<_, ToolError>(format!("User response: {}", shown(&answer)))
        },
    )?;
    Ok(vec![
        Arc::new(asks_what_it_is_told),
        with("test_elicitation_sep1034_defaults", "Asks with a form that has defaults.", |context| async move {
            let schema = json!({
                "type": "object",
                "properties": {
                    "name": { "type": "string", "default": "John Doe" },
                    "age": { "type": "integer", "default": 30 },
                    "score": { "type": "number", "default": 95.5 },
                    "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
                    "verified": { "type": "boolean", "default": true },
                },
            });
            let answer = context.ask("form", Question::form("Please check these values.", schema))?;
            Ok::<_, ToolError>(format!("Elicitation completed: {}", shown(&answer)))
        })?,
        with("test_elicitation_sep1330_enums", "Asks with every form of choice.", |context| async move {
            let answer = context.ask("form", Question::form("Please choose.", choices()))?;
            Ok::<_, ToolError>(format!("Elicitation completed: {}", shown(&answer)))
        })?,
    ])
}

fn choices() -> Value {
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": ["option1", "option2", "option3"] },
            "titledSingle": { "type": "string", "oneOf": [
                { "const": "value1", "title": "First Option" },
                { "const": "value2", "title": "Second Option" },
                { "const": "value3", "title": "Third Option" },
            ] },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": ["option1", "option2", "option3"] } },
            "titledMulti": { "type": "array", "items": { "anyOf": [
                { "const": "value1", "title": "First Choice" },
                { "const": "value2", "title": "Second Choice" },
                { "const": "value3", "title": "Third Choice" },
            ] } },
        },
    })
}

fn name_form() -> Question {
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    Question::form("What is your name?", schema)
}

/// The suite answers some forms in a shape of its own; those answers are taken as they come.
fn open_elicitation(message: &str) -> Question {
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    Question::open("elicitation/create", json!({ "message": message, "requestedSchema": schema }))
}

fn sampling() -> Question {
    let messages = json!([{ "role": "user", "content": { "type": "text", "text": "Say something." } }]);
    Question::open("sampling/createMessage", json!({ "messages": messages, "maxTokens": 100 }))
}

fn roots() -> Question {
    Question::open("roots/list", json!({}))
}

fn shown(answer: &Answered) -> String {
    match answer {
        Answered::Accepted(content) => format!("action=accept, content={content}"),
        Answered::Cancelled => "action=cancel".to_owned(),
        Answered::Declined => "action=decline".to_owned(),
        Answered::Open(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}
