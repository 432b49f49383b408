//! What a tool is, as `#[tool]` read it from the function.

use std::time::Duration;

use haft_core::{IntoOutcome, ToolLimits};
use haft_wire::model::{Annotations, ToolDefinition, ToolName};
use serde_json::value::RawValue;

use super::argument::Parameter;

/// A tool that is being declared.
#[derive(Debug)]
pub struct Declaration {
    name: &'static str,
    title: Option<&'static str>,
    description: &'static str,
    annotations: Annotations,
    limits: ToolLimits,
    parameters: Vec<Parameter>,
    /// The only argument may be all of them.
    may_be_whole: bool,
    output_schema: Option<Box<RawValue>>,
}

impl Declaration {
    /// A tool with a name and a description.
    pub fn new(name: &'static str, description: &'static str) -> Self {
        Self {
            name,
            title: None,
            description,
            annotations: Annotations::default(),
            limits: ToolLimits::none(),
            parameters: Vec::new(),
            may_be_whole: false,
            output_schema: None,
        }
    }

    /// A title for people.
    #[must_use]
    pub fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Whether the tool changes nothing.
    #[must_use]
    pub fn read_only(mut self, hint: bool) -> Self {
        self.annotations.read_only = Some(hint);
        self
    }

    /// Whether the tool may delete or overwrite.
    #[must_use]
    pub fn destructive(mut self, hint: bool) -> Self {
        self.annotations.destructive = Some(hint);
        self
    }

    /// Whether a second identical call changes nothing more.
    #[must_use]
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.annotations.idempotent = Some(hint);
        self
    }

    /// Whether the tool reaches things outside of a closed set.
    #[must_use]
    pub fn open_world(mut self, hint: bool) -> Self {
        self.annotations.open_world = Some(hint);
        self
    }

    /// How long a call may take.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = Some(timeout);
        self
    }

    /// Calls that run at the same time.
    #[must_use]
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.limits.concurrency = Some(calls);
        self
    }

    /// Calls that one caller may make in such a time.
    #[must_use]
    pub fn rate(mut self, calls: u32, within: Duration) -> Self {
        self.limits.rate = Some((calls, within));
        self
    }

    /// One more argument.
    #[must_use]
    pub fn parameter(mut self, parameter: Parameter) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// The only argument, of which nothing is said that needs a name: a struct is all of the arguments then.
    #[must_use]
    pub fn lone(mut self, parameter: Parameter) -> Self {
        self.may_be_whole = parameter.is_struct();
        self.parameter(parameter)
    }

    /// What the function returns.
    #[must_use]
    pub fn output<R: IntoOutcome>(mut self) -> Self {
        self.output_schema = R::output_schema();
        self
    }

    /// The definition, the bounds, and whether the only argument is all of them.
    pub(super) fn into_parts(self) -> (ToolDefinition, ToolLimits, bool) {
        #[expect(clippy::expect_used, reason = "the macro refuses every name that this refuses")]
        let name = ToolName::parse(self.name).expect("a name that the macro accepted");
        let input_schema = match &self.parameters[..] {
            [lone] if self.may_be_whole => (lone.whole)(),
            parameters => super::infer_meanwhile::object(parameters),
        };
        let mut definition = ToolDefinition::new(name, input_schema);
        definition.title = self.title.map(str::to_owned);
        definition.description = Some(self.description.to_owned());
        definition.annotations = self.annotations;
        definition.output_schema = self.output_schema;
        (definition, self.limits, self.may_be_whole)
    }
}
