//! What a tool is, as `#[tool]` read it from the function.

use std::time::Duration;

use haft_core::{CallFuture, Context, FunctionTool, IntoOutcome, ToolLimits};
use haft_schema::infer::{self, Property};
use haft_wire::model::{Annotations, ToolDefinition, ToolName};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::argument::Argument;
use super::given::Given;

/// A tool that is being declared.
#[derive(Debug)]
pub struct Declaration {
    name: &'static str,
    title: Option<&'static str>,
    description: &'static str,
    annotations: Annotations,
    limits: ToolLimits,
    properties: Vec<Property>,
    /// The schema of the only argument, where it is all of them.
    whole: Option<Box<RawValue>>,
    output_schema: Option<Box<RawValue>>,
    call: Call,
}

/// Reads the arguments and begins a call.
type Call = fn(Context, Given<'_>) -> CallFuture;

impl Declaration {
    /// A tool with a name, a description and how it is called.
    pub fn new(name: &'static str, description: &'static str, call: Call) -> Self {
        Self {
            name,
            title: None,
            description,
            annotations: Annotations::default(),
            limits: ToolLimits::none(),
            properties: Vec::new(),
            whole: None,
            output_schema: None,
            call,
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

    /// One more argument, and what is said of it.
    #[must_use]
    pub fn parameter<T: Argument>(mut self, name: &str, say: impl FnOnce(Property) -> Property) -> Self {
        self.properties.push(say(Property::new(name, infer::property::<T>())));
        self
    }

    /// The only argument, of which nothing is said that needs a name: a struct is all of the arguments then.
    #[must_use]
    pub fn lone<T: Argument>(mut self, name: &str, say: impl FnOnce(Property) -> Property) -> Self {
        let property = say(Property::new(name, infer::property::<T>()));
        if is_struct(&property.schema) {
            self.whole = Some(described(infer::input_schema::<T>(), property.description));
        } else {
            self.properties.push(property);
        }
        self
    }

    /// What the function returns.
    #[must_use]
    pub fn output<R: IntoOutcome>(mut self) -> Self {
        self.output_schema = R::output_schema();
        self
    }

    pub(super) fn into_tool(self) -> FunctionTool {
        #[expect(clippy::expect_used, reason = "the macro refuses every name that this refuses")]
        let name = ToolName::parse(self.name).expect("a name that the macro accepted");
        let is_whole = self.whole.is_some();
        let input_schema = self.whole.unwrap_or_else(|| infer::object(self.properties));
        let mut definition = ToolDefinition::new(name, input_schema);
        definition.title = self.title.map(str::to_owned);
        definition.description = Some(self.description.to_owned());
        definition.annotations = self.annotations;
        definition.output_schema = self.output_schema;
        let begin = self.call;
        FunctionTool::from_parts(definition, self.limits, move |arguments, context| {
            begin(context, Given::new(arguments.tree(), is_whole))
        })
    }
}

/// Whether a type is a struct to its schema. A map is not: it names no properties and is open.
fn is_struct(schema: &Value) -> bool {
    let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let has_choice = ["anyOf", "oneOf"].iter().any(|keyword| schema.get(keyword).is_some());
    schema.get("type").and_then(Value::as_str) == Some("object")
        && (schema.get("properties").is_some() || (is_closed && !has_choice))
}

/// The schema with what a doc comment says of the arguments as a whole.
fn described(schema: Box<RawValue>, description: Option<String>) -> Box<RawValue> {
    let Some(description) = description else { return schema };
    let Ok(mut keywords) = serde_json::from_str::<Map<String, Value>>(schema.get()) else { return schema };
    keywords.insert("description".to_owned(), Value::String(description));
    serde_json::value::to_raw_value(&keywords).unwrap_or(schema)
}
