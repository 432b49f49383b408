//! `haft trust`: programs that a file names are looked at once.

use std::process::ExitCode;

use haft_client::target::{Target, TrustStore, trust::Standing, trust::TrustError};
use haft_diag::{Diagnostic, escape};

use crate::arguments::Trust;
use crate::failure::Failure;
use crate::printer::{self, Printer};
use crate::sheet::Sheet;
use crate::{environment, person, server};

/// Shows what would be started and asks; or lists, or forgets.
pub(crate) fn run(trust: &Trust, printer: Printer) -> Result<ExitCode, Failure> {
    let store = server::grants(trust.state.as_deref())?;
    if trust.list {
        return list(&store);
    }
    if trust.forget
        && let Some(digest) = trust.target.as_deref().filter(|target| is_digest(target))
    {
        told(store.forget_digest(digest).map_err(failed)?);
        return Ok(ExitCode::SUCCESS);
    }
    let here = environment::current_directory().unwrap_or_default();
    let surroundings = server::surroundings(&here, &trust.input);
    let loaded = match &trust.target {
        Some(target) => Target::parse(target, &surroundings),
        None => Target::discover(&surroundings),
    };
    let target = loaded.map_err(|error| server::unusable(&error))?.target;
    if trust.forget {
        told(store.forget(&target).map_err(failed)?);
        return Ok(ExitCode::SUCCESS);
    }
    ask(&store, &target, printer)
}

fn ask(store: &TrustStore, target: &Target, printer: Printer) -> Result<ExitCode, Failure> {
    let Standing::NeedsTrust(question) = store.check(target).map_err(failed)? else {
        printer::tell("there is nothing to ask: it is trusted\n");
        return Ok(ExitCode::SUCCESS);
    };
    for line in &question.lines {
        printer::tell(&format!("{}\n", escape(line)));
    }
    printer::tell(&format!("digest {}\n", question.digest));
    if !person::is_here() {
        let diagnostic = Diagnostic::error("nobody is here to ask whether to trust this");
        return Err(diagnostic.hint("run `haft trust` in a terminal").into());
    }
    if !person::agrees("trust it?") {
        printer.diagnostic(&Diagnostic::error("it was not agreed to"));
        return Ok(ExitCode::FAILURE);
    }
    store.trust(target).map_err(failed)?;
    printer::tell("trusted until it changes\n");
    Ok(ExitCode::SUCCESS)
}

fn list(store: &TrustStore) -> Result<ExitCode, Failure> {
    let mut text = Sheet::default();
    for grant in store.list().map_err(failed)? {
        let entry = grant.entry.map(|entry| format!("#{}", escape(&entry))).unwrap_or_default();
        let program = grant.program.map(|program| format!("  {}", escape(&program))).unwrap_or_default();
        text.add(&format!("{}  {}{entry}{program}\n", grant.digest, escape(&grant.file)));
    }
    printer::data(&text.to_string())?;
    Ok(ExitCode::SUCCESS)
}

fn told(was_trusted: bool) {
    printer::tell(if was_trusted { "forgotten\n" } else { "it was not trusted\n" });
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`")]
fn failed(error: TrustError) -> Failure {
    Diagnostic::from_error(&error).into()
}
