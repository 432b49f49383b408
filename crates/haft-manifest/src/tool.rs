//! `[[tool]]`: a tool that runs a command.

use std::sync::Arc;
use std::time::Duration;

use haft_child::StartError;
use haft_core::{Arguments, CallFuture, CallOutcome, Context, Tool, ToolError, ToolLimits};
use haft_diag::Diagnostic;
use haft_schema::{CompileOptions, Schema, Tree};
use haft_wire::model::{ToolDefinition, ToolName};
use serde_json::value::RawValue;

use crate::argument::{self, Argument, Kind};
use crate::command::{self, Command, Form};
use crate::manifest::Origin;
use crate::quantity::duration;
use crate::report::Report;
use crate::table::{Fields, Keys, Value, string, table};
use crate::values::{self, Fault};
use crate::{annotations, json, outcome};

/// A tool that starts a program for each call.
#[derive(Clone, Debug)]
pub(crate) struct CommandTool {
    definition: ToolDefinition,
    limits: ToolLimits,
    plan: Arc<Plan>,
}

/// What a call needs of its tool.
#[derive(Debug)]
struct Plan {
    name: ToolName,
    arguments: Vec<Argument>,
    command: Command,
}

impl CommandTool {
    /// Reads one tool.
    pub(crate) fn read(value: &Value<'_>, origin: &Origin<'_>, report: &mut Report) -> Option<Self> {
        let fields = Fields::open(table("tool", value, report)?, value.span(), &KEYS, report);
        let name = read_name(&fields, report);
        fields.require("description", report);
        let description = fields.text("description", report).map(str::to_owned);
        let arguments = argument::read_all(&fields, origin, report);
        let annotations = annotations::read(&fields, report);
        let output_schema = read_output_schema(&fields, report);
        if !KEYS.later.iter().any(|later| fields.find(later).is_some()) {
            fields.require("command", report);
        }
        let mut command = command::read(&fields, &arguments, origin, report)?;
        command.is_read_only = annotations.read_only == Some(true);
        if output_schema.is_some() {
            if command.form == Some(Form::Text) {
                report.error(fields.place(), "an `output_schema` is for `output = \"json\"`");
            }
            command.form = Some(Form::Json);
        }
        let name = name?;
        let schema = RawValue::from_string(argument::object_schema(&arguments)).ok()?;
        let mut definition = ToolDefinition::new(name.clone(), schema);
        definition.title = fields.text("title", report).map(str::to_owned);
        definition.description = description;
        definition.output_schema = output_schema;
        definition.annotations = annotations;
        let limits = read_limits(&fields, command.limits.timeout, report);
        Some(Self { definition, limits, plan: Arc::new(Plan { name, arguments, command }) })
    }

    pub(crate) const fn name(&self) -> &ToolName {
        &self.definition.name
    }
}

impl Tool for CommandTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call(&self, context: Context, arguments: Arguments<'_>) -> CallFuture {
        let plan = Arc::clone(&self.plan);
        let text = arguments.text().to_owned();
        Box::pin(async move { plan.run(&context, text).await })
    }

    fn limits(&self) -> ToolLimits {
        self.limits.clone()
    }
}

impl Plan {
    async fn run(self: Arc<Self>, context: &Context, arguments: String) -> CallOutcome {
        let follows_paths = self.arguments.iter().any(|argument| matches!(argument.kind, Kind::Path(_)));
        let prepared = if follows_paths {
            // The file system may make us wait.
            let plan = Arc::clone(&self);
            context.blocking(move || plan.prepare(&arguments)).await
        } else {
            self.prepare(&arguments)
        };
        let program = match prepared {
            Ok(program) => program,
            Err(error) => return CallOutcome::Failed(error),
        };
        tracing::debug!(tool = %self.name, program = %program.path.display(), "the command starts");
        match haft_child::run(program).await {
            Ok(finished) => {
                tracing::debug!(tool = %self.name, ending = ?finished.ending, elapsed = ?finished.elapsed, "the command ended");
                outcome::outcome(&self.command, &finished)
            }
            Err(error) => CallOutcome::Failed(not_started(error)),
        }
    }

    fn prepare(&self, arguments: &str) -> Result<haft_child::Program, ToolError> {
        let tree = Tree::parse(arguments)?;
        values::place(&self.arguments, &tree, &self.command.directory)
            .and_then(|values| self.command.start(&self.arguments, &values))
            .map_err(|faults| self.refusal(&faults))
    }

    fn refusal(&self, faults: &[Fault]) -> ToolError {
        let faults: Vec<String> = faults.iter().map(|fault| format!("\n- {fault}")).collect();
        ToolError::tell(format!("The arguments cannot be handed to `{}`.{}", self.name, faults.concat()))
    }
}

/// Too many arguments are the caller's fault, everything else is for the log.
fn not_started(error: StartError) -> ToolError {
    match &error {
        StartError::Program { source, .. } if source.kind() == std::io::ErrorKind::ArgumentListTooLong => {
            ToolError::tell("The arguments are too long for a command; send less.")
        }
        _ => error.into(),
    }
}

fn read_name(fields: &Fields<'_, '_>, report: &mut Report) -> Option<ToolName> {
    let value = fields.require("name", report)?;
    let name = string("name", value, report)?;
    match ToolName::parse(name) {
        Ok(name) => Some(name),
        Err(error) => {
            report.error(value.span(), error.to_string());
            None
        }
    }
}

fn read_output_schema(fields: &Fields<'_, '_>, report: &mut Report) -> Option<Box<RawValue>> {
    let value = fields.find("output_schema")?;
    table("output_schema", value, report)?;
    let schema = RawValue::from_string(json::from_toml(value, report)?).ok()?;
    if let Err(error) = Schema::compile(&schema, &CompileOptions::default()) {
        let diagnostic = Diagnostic::error("the `output_schema` cannot be served").cause(error.to_string());
        report.add(value.span(), diagnostic);
        return None;
    }
    Some(schema)
}

fn read_limits(fields: &Fields<'_, '_>, run: Duration, report: &mut Report) -> ToolLimits {
    let concurrency = fields.count("concurrency", 1, report).and_then(|count| usize::try_from(count).ok());
    let limits = ToolLimits::none().timeout(run + WAIT).concurrency(concurrency.unwrap_or(CONCURRENCY));
    let Some(rate) = fields.table("rate", &RATE_KEYS, report) else { return limits };
    rate.require("calls", report);
    rate.require("per", report);
    match (rate.count("calls", 1, report), duration(&rate, "per", report)) {
        (Some(calls), Some(per)) => limits.rate(calls, per),
        _ => limits,
    }
}

const KEYS: Keys = Keys {
    what: "a tool",
    known: &["name", "title", "description", "annotations", "args", "command", "output_schema", "concurrency", "rate"],
    later: &["http"],
    below: Some(("command", command::KNOWN)),
};

const RATE_KEYS: Keys = Keys::new("`rate`", &["calls", "per"]);

/// How long a call may wait for its turn, beside the time that its program has.
const WAIT: Duration = Duration::from_secs(30);
/// More programs of one tool at a time would only take each other's time.
const CONCURRENCY: usize = 16;
