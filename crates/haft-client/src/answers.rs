//! Who answers what servers ask of the person, in either era: one handler, with its answers checked.

use std::future::Future;
use std::pin::Pin;

use haft_schema::{CompileOptions, Ownership, Schema, Tree};
use haft_wire::model::InputRequest;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// Something that a server asks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Asked {
    /// Who asks: the name that the server gives itself, text of a stranger.
    pub server: String,
    /// `elicitation/create`, or what else the client declared.
    pub method: String,
    /// The parameters, as they came.
    pub params: Value,
}

impl Asked {
    /// What the server says, where it says something; text of a stranger.
    pub fn message(&self) -> &str {
        self.params.get("message").and_then(Value::as_str).unwrap_or_default()
    }

    /// Where the server wants to send the person; only in that mode.
    pub fn url(&self) -> Option<&str> {
        // Absent means a form (2025-11-25, elicitation: requests).
        let is_url = self.params.get("mode").and_then(Value::as_str) == Some("url");
        if is_url { self.params.get("url").and_then(Value::as_str) } else { None }
    }

    /// The schema of the form.
    pub fn schema(&self) -> Option<&Value> {
        self.params.get("requestedSchema")
    }
}

/// What is answered.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// The person agrees; a form has content.
    Accept(Map<String, Value>),
    /// The person closed the question.
    Cancel,
    /// The person says no.
    Decline,
    /// The answer to something else than an elicitation, as it is to be sent.
    Other(Value),
}

/// Answers for the person behind the client.
pub trait Answers: Send + Sync {
    /// Answers one question. Nothing bounds the time but the call that waits for it.
    fn answer<'a>(&'a self, asked: &'a Asked) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;
}

/// Asks the handler and writes its answer the way a server reads it.
///
/// # Errors
///
/// What is wrong with an answer that its own form does not accept.
pub(crate) async fn answered(answers: &dyn Answers, server: &str, request: &InputRequest) -> Result<Value, String> {
    let params = serde_json::from_str(request.params.get()).unwrap_or_default();
    let asked = Asked { server: server.to_owned(), method: request.method.clone(), params };
    match answers.answer(&asked).await {
        Answer::Accept(content) if asked.url().is_some() => {
            drop(content);
            Ok(json!({ "action": "accept" }))
        }
        Answer::Accept(content) => Ok(json!({ "action": "accept", "content": completed(asked.schema(), content)? })),
        Answer::Cancel => Ok(json!({ "action": "cancel" })),
        Answer::Decline => Ok(json!({ "action": "decline" })),
        Answer::Other(value) => Ok(value),
    }
}

/// The content with the form's defaults, if the form accepts it (2025-11-25, elicitation: defaults).
fn completed(schema: Option<&Value>, mut content: Map<String, Value>) -> Result<Value, String> {
    let Some(schema) = schema else { return Ok(Value::Object(content)) };
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (name, property) in properties {
            if let Some(default) = property.get("default")
                && !content.contains_key(name)
            {
                content.insert(name.clone(), default.clone());
            }
        }
    }
    let content = Value::Object(content);
    let text = content.to_string();
    let raw = RawValue::from_string(schema.to_string()).map_err(|error| error.to_string())?;
    let schema = Schema::compile(&raw, &CompileOptions::of(Ownership::Foreign))
        .map_err(|error| format!("the form's schema cannot be used: {error}"))?;
    let tree = Tree::parse(&text).map_err(|error| error.to_string())?;
    schema.check(&tree).map_err(|problems| format!("the form does not accept the answer:\n{problems}"))?;
    Ok(content)
}
