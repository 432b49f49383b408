//! `command`: the program of a tool, and how its output is read.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use haft_child::{Limits, MARKER, Program, Stdin, resolve};
use haft_diag::Diagnostic;

use crate::argument::Argument;
use crate::argv::Argv;
use crate::manifest::Origin;
use crate::quantity::{duration, size};
use crate::report::Report;
use crate::script;
use crate::table::{Fields, Keys, Value, entries, expected, integer, string, table};
use crate::template::Template;
use crate::values::{Fault, Placed};
use crate::variables::expand;

/// A program that is started for each call.
#[derive(Clone)]
pub(crate) struct Command {
    pub(crate) program: PathBuf,
    pub(crate) argv: Argv,
    /// Where it runs; absolute and free of links.
    pub(crate) directory: PathBuf,
    pub(crate) environment: Vec<(OsString, OsString)>,
    pub(crate) stdin: Option<Template>,
    pub(crate) limits: Limits,
    /// `None` where the manifest leaves it to the tool.
    pub(crate) form: Option<Form>,
    /// The exit statuses that are no failure.
    pub(crate) ok_exit: Vec<i32>,
    /// What the model is told when there is no output.
    pub(crate) empty: String,
    /// Values that no result shows.
    pub(crate) secrets: Vec<String>,
    /// Whether the tool says that it only reads.
    pub(crate) is_read_only: bool,
}

// The environment may hold secrets, and `{:?}` ends up in logs.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command").field("program", &self.program).finish_non_exhaustive()
    }
}

/// What the output of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Text,
}

impl Command {
    /// The program for the values of one call.
    pub(crate) fn start(&self, arguments: &[Argument], values: &[Placed]) -> Result<Program, Vec<Fault>> {
        let mut program = Program::new(&self.program, &self.directory);
        program.arguments = self.argv.fill(arguments, values)?;
        program.environment.clone_from(&self.environment);
        program.limits = self.limits;
        program.stdin = self.stdin.as_ref().map_or(Stdin::Null, |template| fill_stdin(template, values));
        Ok(program)
    }

    /// An output without what is known to be secret. A net, no boundary: a program can write a secret in another form.
    pub(crate) fn conceal(&self, output: &[u8]) -> Vec<u8> {
        let mut shown = output.to_vec();
        for secret in &self.secrets {
            shown = replace(&shown, secret.as_bytes());
        }
        shown
    }
}

fn fill_stdin(template: &Template, values: &[Placed]) -> Stdin {
    let value = |index: usize| values.get(index);
    if template.arguments().any(|index| matches!(value(index), None | Some(Placed::Absent))) {
        return Stdin::Null;
    }
    let filled = template.fill(|index| value(index).map_or(OsStr::new(""), |value| value.in_round(0)));
    Stdin::Bytes(filled.into_encoded_bytes())
}

fn replace(bytes: &[u8], secret: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(found) = rest.windows(secret.len()).position(|window| window == secret) {
        replaced.extend_from_slice(rest.get(..found).unwrap_or_default());
        replaced.extend_from_slice(CONCEALED);
        rest = rest.get(found + secret.len()..).unwrap_or_default();
    }
    replaced.extend_from_slice(rest);
    replaced
}

/// Reads `command`.
pub(crate) fn read(
    tool: &Fields<'_, '_>,
    arguments: &[Argument],
    origin: &Origin<'_>,
    report: &mut Report,
) -> Option<Command> {
    let fields = tool.table("command", &KEYS, report)?;
    let (environment, secrets) = read_environment(&fields, origin, report);
    let directory = match fields.find("directory") {
        Some(value) => origin.directory("directory", value, report),
        None => Some(origin.folder.clone()),
    };
    let stdin = fields.find("stdin").and_then(|value| read_stdin(value, arguments, report));
    let form = read_form(&fields, report);
    let ok_exit = read_ok_exit(&fields, report);
    let limits = read_limits(&fields, report);
    let empty = fields.text("empty", report).unwrap_or("The command ended without output.").to_owned();
    fields.require("argv", report);
    let (program, argv) = read_argv(&fields, arguments, origin, report)?;
    report_unused(arguments, &argv, stdin.as_ref(), report);
    Some(Command {
        program,
        argv,
        directory: directory?,
        environment,
        stdin,
        limits,
        form,
        ok_exit,
        empty,
        secrets,
        is_read_only: false,
    })
}

fn read_argv(
    fields: &Fields<'_, '_>,
    arguments: &[Argument],
    origin: &Origin<'_>,
    report: &mut Report,
) -> Option<(PathBuf, Argv)> {
    let values = fields.array("argv", report)?;
    let Some((first, rest)) = values.split_first() else {
        report.error(fields.find("argv").map_or_else(|| fields.place(), Value::span), "`argv` is empty");
        return None;
    };
    let argv = Argv::read(rest, arguments, report);
    let Some(name) = first.get_ref().as_str() else {
        report.error(first.span(), "the name of the program has to be a string");
        return None;
    };
    let template = Template::read(first, name, arguments, report)?;
    let Some(name) = template.literal() else {
        report.error(first.span(), "no value is placed into the name of the program");
        return None;
    };
    script::refuse_values(name, &argv, arguments, report);
    let search_path = (origin.environment)("PATH").unwrap_or_default();
    match resolve(OsStr::new(name), OsStr::new(&search_path), &origin.folder) {
        Ok(program) => Some((program, argv)),
        Err(error) => {
            let diagnostic = Diagnostic::error(format!("program `{name}` is missing")).cause(error.to_string());
            report.add(first.span(), diagnostic);
            None
        }
    }
}

/// An argument that goes nowhere is a mistake: a model would set it for nothing.
fn report_unused(arguments: &[Argument], argv: &Argv, stdin: Option<&Template>, report: &mut Report) {
    let templates = argv.slots().map(|slot| &slot.template).chain(stdin);
    let mut used: Vec<usize> = templates.flat_map(Template::arguments).collect();
    used.extend(argv.flags());
    for (index, argument) in arguments.iter().enumerate() {
        if !used.contains(&index) {
            report.error(argument.place.clone(), format!("no part of the command uses `{}`", argument.name));
        }
    }
}

/// What every program may know of its surroundings, and what the manifest adds.
fn read_environment(
    fields: &Fields<'_, '_>,
    origin: &Origin<'_>,
    report: &mut Report,
) -> (Vec<(OsString, OsString)>, Vec<String>) {
    let mut environment: Vec<(OsString, OsString)> = Vec::new();
    let mut secrets = Vec::new();
    for name in PASSED_ON {
        environment.extend((origin.environment)(name).map(|value| (name.into(), value.into())));
    }
    let own = fields.find("env").and_then(|value| table("env", value, report));
    for (name, place, value) in own.map(entries).unwrap_or_default() {
        if name.is_empty() || name.contains(['=', '\0']) || name == MARKER {
            report.error(place, format!("`{name}` cannot be set for a program"));
            continue;
        }
        let Some(expanded) = expand(name, value, origin.environment, report) else { continue };
        if expanded.text.contains('\0') {
            report.error(value.span(), format!("`{name}` has the character U+0000"));
            continue;
        }
        secrets.extend(expanded.secrets.into_iter().filter(|secret| secret.len() >= SHORTEST_SECRET));
        environment.retain(|(known, _)| known != name);
        environment.push((name.into(), expanded.text.into()));
    }
    // A secret that holds another one is concealed first.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    (environment, secrets)
}

fn read_stdin(value: &Value<'_>, arguments: &[Argument], report: &mut Report) -> Option<Template> {
    let template = Template::read(value, string("stdin", value, report)?, arguments, report)?;
    if template.arguments().any(|index| arguments.get(index).is_some_and(|argument| argument.is_array)) {
        report.error(value.span(), "`stdin` takes no array");
    }
    Some(template)
}

fn read_form(fields: &Fields<'_, '_>, report: &mut Report) -> Option<Form> {
    let value = fields.find("output")?;
    match string("output", value, report)? {
        "json" => Some(Form::Json),
        "text" => Some(Form::Text),
        _ => {
            report.error(value.span(), "`output` has to be `text` or `json`");
            None
        }
    }
}

fn read_ok_exit(fields: &Fields<'_, '_>, report: &mut Report) -> Vec<i32> {
    let Some(values) = fields.array("ok_exit", report) else { return vec![0] };
    let mut statuses = Vec::new();
    for value in values {
        match integer(value.get_ref()).and_then(|status| u8::try_from(status).ok()) {
            Some(status) => statuses.push(status.into()),
            None => expected("ok_exit", "exit statuses from 0 to 255", value, report),
        }
    }
    if values.is_empty() {
        report.error(fields.find("ok_exit").map_or_else(|| fields.place(), Value::span), "`ok_exit` is empty");
    }
    statuses
}

fn read_limits(fields: &Fields<'_, '_>, report: &mut Report) -> Limits {
    let mut limits = Limits::default();
    limits.timeout = duration(fields, "timeout", report).unwrap_or(TIMEOUT);
    limits.stdout = size(fields, "max_output", report).unwrap_or(OUTPUT);
    limits.stderr = STDERR;
    limits
}

/// The keys of `command`.
pub(crate) const KNOWN: &[&str] =
    &["argv", "timeout", "stdin", "env", "directory", "max_output", "ok_exit", "empty", "output"];

const KEYS: Keys = Keys::new("`command`", KNOWN);

/// Variables that say where and in which language a program runs, and nothing that could be secret.
const PASSED_ON: [&str; 18] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "TZ",
    "TMPDIR",
    "LC_ADDRESS",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TIME",
];

const TIMEOUT: Duration = Duration::from_secs(30);
const OUTPUT: usize = 1_000_000;
const STDERR: usize = 16 << 10;
/// Something shorter occurs in harmless output, too.
const SHORTEST_SECRET: usize = 6;
const CONCEALED: &[u8] = b"[secret]";
