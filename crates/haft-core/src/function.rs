//! The builder: a tool from a function of typed arguments, without macros.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use haft_wire::model::{Annotations, ToolDefinition, ToolName};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::build::BuildError;
use crate::context::Context;
use crate::limits::ToolLimits;
use crate::outcome::{CallOutcome, IntoOutcome};
use crate::tool::{Arguments, CallFuture, Tool};
use crate::tool_error::ToolError;

/// A tool from a function.
pub struct FunctionTool {
    definition: ToolDefinition,
    limits: ToolLimits,
    handler: Arc<dyn Fn(Arguments<'_>, Context) -> CallFuture + Send + Sync>,
}

impl fmt::Debug for FunctionTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionTool").field("definition", &self.definition).finish_non_exhaustive()
    }
}

impl Tool for FunctionTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call(&self, context: Context, arguments: Arguments<'_>) -> CallFuture {
        (self.handler)(arguments, context)
    }

    fn limits(&self) -> ToolLimits {
        self.limits.clone()
    }
}

impl FunctionTool {
    /// A tool from its parts; what `#[tool]` comes down to.
    pub fn from_parts(
        definition: ToolDefinition,
        limits: ToolLimits,
        handler: impl Fn(Arguments<'_>, Context) -> CallFuture + Send + Sync + 'static,
    ) -> Self {
        Self { definition, limits, handler: Arc::new(handler) }
    }
}

/// A tool that is being described.
#[derive(Clone, Debug)]
pub struct ToolBuilder {
    name: String,
    title: Option<String>,
    description: Option<String>,
    annotations: Annotations,
    limits: ToolLimits,
    input_schema: Option<Box<RawValue>>,
    output_schema: Option<Box<RawValue>>,
    meta: Option<Box<RawValue>>,
}

impl ToolBuilder {
    /// A tool of this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            annotations: Annotations::default(),
            limits: ToolLimits::none(),
            input_schema: None,
            output_schema: None,
            meta: None,
        }
    }

    /// A title for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What the model decides by: when to use the tool and when not.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Whether the tool changes nothing.
    #[must_use]
    pub const fn read_only(mut self, hint: bool) -> Self {
        self.annotations.read_only = Some(hint);
        self
    }

    /// Whether the tool may delete or overwrite.
    #[must_use]
    pub const fn destructive(mut self, hint: bool) -> Self {
        self.annotations.destructive = Some(hint);
        self
    }

    /// Whether a second identical call changes nothing more.
    #[must_use]
    pub const fn idempotent(mut self, hint: bool) -> Self {
        self.annotations.idempotent = Some(hint);
        self
    }

    /// Whether the tool reaches things outside of a closed set.
    #[must_use]
    pub const fn open_world(mut self, hint: bool) -> Self {
        self.annotations.open_world = Some(hint);
        self
    }

    /// All hints at once.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// How long a call may take.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = Some(timeout);
        self
    }

    /// Calls that run at the same time.
    #[must_use]
    pub const fn concurrency(mut self, calls: usize) -> Self {
        self.limits.concurrency = Some(calls);
        self
    }

    /// Calls that one caller may make in such a time.
    #[must_use]
    pub const fn rate(mut self, calls: u32, within: Duration) -> Self {
        self.limits.rate = Some((calls, within));
        self
    }

    /// A schema of the arguments, in place of the one that their type has.
    #[must_use]
    pub fn input_schema(mut self, schema: Box<RawValue>) -> Self {
        self.input_schema = Some(schema);
        self
    }

    /// A schema of the structured result, in place of the one that the return type has.
    #[must_use]
    pub fn output_schema(mut self, schema: Box<RawValue>) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// `_meta` of the tool, an object.
    #[must_use]
    pub fn meta(mut self, meta: Box<RawValue>) -> Self {
        self.meta = Some(meta);
        self
    }

    /// The tool that this function is. Its arguments come as one type, whose schema is the tool's.
    ///
    /// # Errors
    ///
    /// When no host accepts the name. Schemas are compiled when the server is built.
    pub fn handler<A, H, F>(self, handler: H) -> Result<FunctionTool, BuildError>
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        H: Fn(A, Context) -> F + Send + Sync + 'static,
        F: Future + Send + 'static,
        F::Output: IntoOutcome,
    {
        let definition = self.definition(haft_schema::infer::input_schema::<A>, F::Output::output_schema)?;
        Ok(FunctionTool::from_parts(definition, self.limits, move |arguments, context| {
            match arguments.tree().deserialize::<A>() {
                Ok(arguments) => {
                    let run = handler(arguments, context);
                    Box::pin(async move { run.await.into_outcome() })
                }
                Err(problem) => ready(ToolError::tell(problem).into_outcome()),
            }
        }))
    }

    /// The tool that this blocking function is; it runs on a bounded pool of threads.
    ///
    /// # Errors
    ///
    /// As for [`Self::handler`].
    pub fn blocking_handler<A, H, R>(self, handler: H) -> Result<FunctionTool, BuildError>
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        H: Fn(A, Context) -> R + Send + Sync + 'static,
        R: IntoOutcome + Send + 'static,
    {
        let handler = Arc::new(handler);
        let output_schema = match self.output_schema.clone() {
            Some(schema) => Some(schema),
            None => R::output_schema(),
        };
        let mut builder = self;
        builder.output_schema = output_schema;
        builder.handler(move |arguments: A, context: Context| {
            let handler = Arc::clone(&handler);
            async move {
                let inner = context.clone();
                context.blocking(move || handler(arguments, inner).into_outcome()).await
            }
        })
    }

    fn definition(
        &self,
        input_schema: impl FnOnce() -> Box<RawValue>,
        output_schema: impl FnOnce() -> Option<Box<RawValue>>,
    ) -> Result<ToolDefinition, BuildError> {
        let schema = self.input_schema.clone().unwrap_or_else(input_schema);
        let mut definition = ToolDefinition::new(ToolName::parse(&self.name)?, schema);
        definition.title.clone_from(&self.title);
        definition.description.clone_from(&self.description);
        definition.annotations = self.annotations.clone();
        definition.output_schema = self.output_schema.clone().or_else(output_schema);
        definition.meta.clone_from(&self.meta);
        Ok(definition)
    }
}

fn ready(outcome: CallOutcome) -> CallFuture {
    Box::pin(std::future::ready(outcome))
}
