//! How a tool fails: what the model is told, and what only the log sees.

use std::error::Error;
use std::fmt;

use haft_wire::model::ToolResult;

use crate::question::Questions;

/// The failure of a tool. It always reaches the model as a result with `isError`, never as a protocol error.
///
/// Its text reaches the model only when it was said on purpose, with [`ToolError::tell`]. Every other error, by `?`,
/// goes to the log under a reference, and the model gets the reference: foreign errors carry URLs, queries and secrets.
#[derive(Debug)]
pub struct ToolError(pub(crate) Failure);

#[derive(Debug)]
pub(crate) enum Failure {
    /// For the log; the model gets a reference.
    Hidden(Box<dyn Error + Send + Sync>),
    /// Not a failure: the call waits for the client.
    Needs(Questions),
    /// For the model, with more than text.
    Result(Box<ToolResult>),
    /// For the model.
    Tell(String),
}

impl ToolError {
    /// A failure that the model is told of, in words that help it to do better.
    pub fn tell(message: impl fmt::Display) -> Self {
        Self(Failure::Tell(message.to_string()))
    }

    /// A failure that the model is told of with content or data.
    pub fn with_result(mut result: ToolResult) -> Self {
        result.is_error = true;
        Self(Failure::Result(Box::new(result)))
    }

    /// A failure for the log alone.
    pub fn hidden(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(Failure::Hidden(error.into()))
    }

    pub(crate) const fn needs(questions: Questions) -> Self {
        Self(Failure::Needs(questions))
    }

    /// The text that the model gets, when it was said on purpose.
    pub fn told(&self) -> Option<&str> {
        match &self.0 {
            Failure::Tell(text) => Some(text),
            Failure::Hidden(_) | Failure::Needs(_) | Failure::Result(_) => None,
        }
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(Failure::Hidden(Box::new(error)))
    }
}
