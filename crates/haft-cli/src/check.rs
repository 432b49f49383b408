//! `haft check`: whether a manifest can be served.

use std::process::ExitCode;

use haft_core::{Server, ToolSet};
use haft_diag::escape;
use haft_manifest::Manifest;

use crate::arguments::Check;
use crate::failure::Failure;
use crate::printer::{self, Printer};
use crate::{environment, locate, serve};

/// Prints the tools, or everything that is wrong. The code is 1 when something is.
pub(crate) fn run(check: &Check, printer: Printer) -> Result<ExitCode, Failure> {
    let path = locate::manifest(check.file.as_deref(), "check")?;
    let manifest = match Manifest::load(&path, &environment::variable) {
        Ok(manifest) => manifest,
        Err(errors) if errors.is_of_contents() => {
            printer.diagnostics(errors.diagnostics(), errors.path());
            return Ok(ExitCode::FAILURE);
        }
        Err(errors) => return Err(errors.into()),
    };
    let tools = describe(&manifest);
    let info = manifest.server().clone();
    let set = ToolSet::new(info.name.clone(), info.version.clone(), manifest.into_tools());
    let count = set.tools.len();
    if let Err(error) = Server::builder(set).build() {
        printer.diagnostic(&serve::refused(&error, &path));
        return Ok(ExitCode::FAILURE);
    }
    let tool = if count == 1 { "tool" } else { "tools" };
    printer::data(&format!("{} {}: {count} {tool}\n{tools}", escape(&info.name), escape(&info.version)))?;
    Ok(ExitCode::SUCCESS)
}

/// A line for each tool: its name, what it claims, its title.
pub(crate) fn describe(manifest: &Manifest) -> String {
    let width = manifest.definitions().map(|tool| tool.name.as_str().len()).max().unwrap_or(0);
    let line = |tool: &haft_wire::model::ToolDefinition| {
        let annotations = &tool.annotations;
        let claim = match (annotations.read_only, annotations.destructive) {
            (Some(true), _) => "read-only",
            (_, Some(false)) => "additive",
            _ => "may destroy",
        };
        let title = tool.title.as_ref().or(annotations.title.as_ref()).or(tool.description.as_ref());
        let title = title.map_or("", |title| title.lines().next().unwrap_or_default());
        format!("  {:width$}  {claim:11}  {}\n", tool.name.as_str(), escape(&shortened(title)))
    };
    manifest.definitions().map(line).collect()
}

/// As much of a text as a line has room for, up to the end of a word.
fn shortened(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MOST_TITLE) else { return text.to_owned() };
    let kept = text.get(..end).unwrap_or_default();
    format!("{} …", kept.rsplit_once(' ').map_or(kept, |(words, _)| words))
}

/// Characters of a title on one line of a terminal.
const MOST_TITLE: usize = 60;
