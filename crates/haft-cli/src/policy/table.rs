//! `haft policy test`: a table of expected decisions.

use std::path::Path;
use std::process::ExitCode;

use haft_manifest::load_cases;
use haft_policy::{Case, Policy, RuleSet, Tier};

use super::files;
use crate::failure::Failure;
use crate::printer::{self, Printer};
use crate::sheet::Sheet;

/// Tries every case. The code is 1 when one comes out otherwise.
pub(super) fn run(file: &Path, policy: Option<&Path>, _printer: Printer) -> Result<ExitCode, Failure> {
    let cases = load_cases(file)?;
    let policy = match policy {
        Some(path) => Policy::default().with(Tier::User, files::read(path)?),
        None => files::load(RuleSet::default())?,
    };
    let failures = Case::check_all(&cases, &policy);
    let mut text = Sheet::default();
    for failure in &failures {
        text.add(&format!("failed: {failure}\n"));
    }
    let (count, failed) = (cases.len(), failures.len());
    text.add(&format!("{count} {}, {failed} failed\n", if count == 1 { "case" } else { "cases" }));
    printer::data(&text.to_string())?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
