//! `haft policy explain`: what becomes of a call, and why.

use std::process::ExitCode;

use haft_policy::Explanation;
use haft_schema::Tree;

use super::{Judge, load};
use crate::arguments::Explain;
use crate::call::{Given, completed, words};
use crate::failure::Failure;
use crate::printer::{self, Printer};
use crate::{person, server};

/// Prints the explanation. Nothing but the list is asked for.
pub(super) fn run(explain: &Explain, printer: Printer) -> Result<ExitCode, Failure> {
    let words = words("policy explain", &explain.words, !explain.command.is_empty())?;
    let given = Given::read(words.arguments, explain.args.as_deref())?;
    let named = server::resolve(words.target.as_deref(), &explain.command, &explain.reach)?;
    let prepared = server::prepare(named, &explain.reach)?;
    printer.warnings(&prepared.warnings);
    let policy = load(prepared.rules.clone())?;
    let judge = Judge::new(policy, prepared.named.source(), prepared.belief, person::is_here());
    let options = server::options(&prepared.named, &explain.reach);
    server::with_client(&prepared, options, async |connected| {
        let tool = connected.client.tool(&words.tool).await;
        let tool = tool.map_err(|error| server::explain(&error, &prepared.named))?;
        let explanation = if given.is_empty() {
            judge.explain(&tool, None)
        } else {
            let arguments = completed(&tool, &given.arguments(&tool)?, prepared.belief);
            let tree = Tree::parse(&arguments).map_err(|error| haft_diag::Diagnostic::from_error(&error))?;
            judge.explain(&tool, Some(&tree))
        };
        printer::data(&text(&explanation, given.is_empty()))?;
        Ok(ExitCode::SUCCESS)
    })
}

fn text(explanation: &Explanation, is_of_any_arguments: bool) -> String {
    let note = if is_of_any_arguments { "whatever the arguments are:\n" } else { "" };
    format!("{note}{explanation}")
}
