//! `haft audit`: what is on record, and whether it is as it was written.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use haft_diag::Diagnostic;
use haft_store::audit::{AuditError, Entry, read, verify};

use crate::arguments::{AuditCommand, Log};
use crate::failure::Failure;
use crate::printer::{self, Printer};
use crate::state;

/// Shows, or verifies.
pub(crate) fn run(command: &AuditCommand, printer: Printer) -> Result<ExitCode, Failure> {
    match command {
        AuditCommand::Show { log, json, tool } => show(&place(log, "audit show --file")?, *json, tool.as_deref()),
        AuditCommand::Verify { log } => check(&place(log, "audit verify --file")?, printer),
    }
}

/// The folder of a log; `command` is for the hint.
fn place(log: &Log, command: &str) -> Result<PathBuf, Failure> {
    if let Some(folder) = &log.folder {
        return Ok(folder.clone());
    }
    Ok(state::of(&log.place, command)?.join(state::AUDIT))
}

fn show(folder: &Path, as_json: bool, tool: Option<&str>) -> Result<ExitCode, Failure> {
    for entry in read(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if tool.is_some_and(|tool| entry.tool.as_deref() != Some(tool)) {
            continue;
        }
        let line = if as_json {
            let mut value = serde_json::to_value(&entry).unwrap_or_default();
            if let Some(object) = value.as_object_mut() {
                object.insert("seq".to_owned(), entry.seq.into());
            }
            format!("{value}\n")
        } else {
            line(&entry)
        };
        printer::data(&line)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A record on one line. The log has escaped its texts.
fn line(entry: &Entry) -> String {
    let mut line = format!("{} {}-{} {}", entry.time, entry.writer, entry.seq, entry.event);
    let mut add = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            line.push(' ');
            line.push_str(name);
            line.push_str(value);
        }
    };
    let tool = entry.tool.as_ref().map(|tool| format!("{}.{tool}", entry.source.as_deref().unwrap_or_default()));
    add("", tool.as_deref());
    add("", entry.verdict.as_deref());
    add("", entry.step.as_deref());
    add("", entry.outcome.as_deref());
    add("rule=", entry.rule.as_deref());
    add("ticket=", entry.ticket.as_deref());
    add("by=", entry.by.as_deref());
    add("caller=", entry.principal.as_deref());
    add("call=", entry.call.as_deref());
    add("arguments=", entry.arguments.as_deref());
    add("values=", entry.values.as_deref());
    add("", entry.text.as_deref());
    line.push('\n');
    line
}

fn check(folder: &Path, printer: Printer) -> Result<ExitCode, Failure> {
    let report = verify(folder).map_err(failed)?;
    for writer in &report.writers {
        let open = if writer.is_open { ", being written" } else { "" };
        printer::data(&format!(
            "{}: {} records in {} batches and {} files{open}\n",
            writer.writer, writer.records, writer.batches, writer.segments
        ))?;
        if writer.torn > 0 {
            let message =
                format!("a crash left {} unfinished parts of `{}`, which are set aside", writer.torn, writer.writer);
            printer.diagnostic(&Diagnostic::warning(message));
        }
        if let Some(broken) = &writer.broken {
            printer.diagnostic(&Diagnostic::error(format!("the log is not as it was written: {broken}")));
        }
    }
    Ok(if report.is_intact() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`")]
fn failed(error: AuditError) -> Failure {
    Diagnostic::from_error(&error).hint("`haft serve --audit` writes a log").into()
}
