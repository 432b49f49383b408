//! The raw tier: a definition of one's own, JSON in, anything out.

use std::fmt;

use haft_wire::model::ToolDefinition;
use serde_json::value::RawValue;

use crate::build::BuildError;
use crate::context::Context;
use crate::limits::ToolLimits;
use crate::outcome::IntoOutcome;
use crate::tool::{Arguments, CallFuture, Tool};

/// A tool from a definition as `tools/list` has it and a function of raw arguments.
///
/// The schemas are enforced as they are written: an argument that the schema does not forbid gets through.
pub struct RawTool {
    definition: ToolDefinition,
    limits: ToolLimits,
    handler: Box<dyn Fn(Box<RawValue>, Context) -> CallFuture + Send + Sync>,
}

impl fmt::Debug for RawTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawTool").field("definition", &self.definition).finish_non_exhaustive()
    }
}

impl RawTool {
    /// A tool from the JSON text of its definition.
    ///
    /// # Errors
    ///
    /// When the text is no definition of a tool. Its schemas are compiled when the server is built.
    pub fn new<H, F>(definition: &str, handler: H) -> Result<Self, BuildError>
    where
        H: Fn(Box<RawValue>, Context) -> F + Send + Sync + 'static,
        F: Future + Send + 'static,
        F::Output: IntoOutcome,
    {
        let definition = ToolDefinition::from_json(definition).map_err(BuildError::Definition)?;
        Ok(Self::with_definition(definition, handler))
    }

    /// A tool from a definition that is already there.
    pub fn with_definition<H, F>(definition: ToolDefinition, handler: H) -> Self
    where
        H: Fn(Box<RawValue>, Context) -> F + Send + Sync + 'static,
        F: Future + Send + 'static,
        F::Output: IntoOutcome,
    {
        let handler = move |arguments, context| -> CallFuture {
            let run = handler(arguments, context);
            Box::pin(async move { run.await.into_outcome() })
        };
        Self { definition, limits: ToolLimits::none(), handler: Box::new(handler) }
    }

    /// The same with bounds.
    #[must_use]
    pub fn limits(mut self, limits: ToolLimits) -> Self {
        self.limits = limits;
        self
    }
}

impl Tool for RawTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call(&self, context: Context, arguments: Arguments<'_>) -> CallFuture {
        match RawValue::from_string(arguments.text().to_owned()) {
            Ok(arguments) => (self.handler)(arguments, context),
            // Checked arguments are JSON.
            Err(error) => Box::pin(std::future::ready(crate::ToolError::from(error).into_outcome())),
        }
    }

    fn limits(&self) -> ToolLimits {
        self.limits.clone()
    }
}
