//! `haft list`: the tools of any server.

mod json;
mod long;
mod provider;
mod table;

use std::process::ExitCode;
use std::sync::Arc;

use haft_client::Tools;
use haft_client::target::Target;
use haft_diag::escape;
use haft_policy::{Belief, RuleSet};
use haft_wire::model::SetAside;

use crate::arguments::List;
use crate::failure::Failure;
use crate::person;
use crate::policy::{Judge, load};
use crate::printer::{self, Printer};
use crate::server::{self, Prepared};
use crate::sheet::Sheet;

/// Prints the tools. The code is 1 when the list is not whole.
pub(crate) fn run(list: &List, printer: Printer) -> Result<ExitCode, Failure> {
    let named = server::resolve(list.target.as_deref(), &list.command, &list.reach)?;
    if let Target::Tools(path) = &named.target {
        let tools = Tools::saved(path).map_err(|error| server::unusable(&error))?;
        let policy = load(RuleSet::default())?;
        let judge = Judge::new(policy, named.source(), Belief::Untrusted, person::is_here());
        return print(list, &tools, &judge, None, printer);
    }
    let prepared = server::prepare(named, &list.reach)?;
    printer.warnings(&prepared.warnings);
    let options = server::options(&prepared.named, &list.reach);
    let judge = judge(&prepared)?;
    server::with_client(&prepared, options, async |connected| {
        let explain = |error| server::explain(&error, &prepared.named);
        let tools: Arc<Tools> = connected.client.tools().await.map_err(explain)?;
        let known = connected.client.server().await.map_err(explain)?;
        if prepared.belief == Belief::Own {
            return print(list, &as_served(&tools, &judge), &judge, Some(&known), printer);
        }
        print(list, &tools, &judge, Some(&known), printer)
    })
}

/// The tools of a manifest as `haft serve` lists them. Whoever runs this owns the rules, so what is hidden is named.
fn as_served(all: &Tools, judge: &Judge) -> Tools {
    let (seen, hidden) = all.list.iter().cloned().partition::<Vec<_>, _>(|tool| judge.sees(tool));
    let mut tools = Tools::default();
    (tools.missing, tools.pages) = (all.missing.clone(), all.pages);
    tools.list = seen;
    tools.set_aside.clone_from(&all.set_aside);
    tools.set_aside.extend(hidden.iter().map(|tool| {
        let name = tool.definition().name.clone();
        SetAside::new(Some(name), "the policy denies every call of it, so `haft serve` does not list it")
    }));
    tools
}

fn judge(prepared: &Prepared) -> Result<Judge, Failure> {
    let policy = load(prepared.rules.clone())?;
    Ok(Judge::new(policy, prepared.named.source(), prepared.belief, person::is_here()))
}

fn print(
    list: &List,
    tools: &Tools,
    judge: &Judge,
    server: Option<&haft_client::Server>,
    printer: Printer,
) -> Result<ExitCode, Failure> {
    if let Some(api) = list.api {
        provider::print(api, tools)?;
    } else if list.json {
        printer::json(&json::listing(tools, server))?;
    } else {
        let text = if list.long { long::text(tools, judge) } else { table::text(tools, judge, printer::width()) };
        printer::data(&format!("{text}{}\n", count(tools)))?;
    }
    for aside in &tools.set_aside {
        let name =
            aside.name.as_deref().map_or_else(|| "an entry without a name".to_owned(), |name| format!("`{name}`"));
        printer::tell(&format!("set aside: {}: {}\n", escape(&name), escape(&aside.reason)));
    }
    let Some(missing) = &tools.missing else { return Ok(ExitCode::SUCCESS) };
    printer.diagnostic(&haft_diag::Diagnostic::error("the list is not whole").cause(missing.clone()));
    Ok(ExitCode::FAILURE)
}

/// How many there are.
pub(crate) fn count(tools: &Tools) -> String {
    let number = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let mut text = Sheet::new(number(tools.list.len(), "tool", "tools"));
    if tools.pages > 1 {
        text.add(&format!(" in {} pages", tools.pages));
    }
    if !tools.set_aside.is_empty() {
        text.add(&format!(", {} set aside", tools.set_aside.len()));
    }
    text.into()
}
