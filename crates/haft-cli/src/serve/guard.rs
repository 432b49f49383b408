//! What stands before the tools that are served: the policy of this machine, this user and this manifest; approvals; a log.

use std::path::Path;
use std::sync::Arc;

use haft_core::Guard;
use haft_diag::Diagnostic;
use haft_policy::RuleSet;
use haft_store::audit::{AuditLog, Options};

use crate::arguments::Serve;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::{moment, policy, state};

/// Reads the policy and opens what approvals and records are kept in.
pub(super) fn guard(serve: &Serve, project: RuleSet, manifest: &Path, printer: Printer) -> Result<Guard, Failure> {
    let mut guard = Guard::new(policy::load(project)?);
    match state::folder(serve.state.as_deref(), manifest) {
        // What lies there already and cannot be used may hold a no: that is an error.
        Ok(folder) => guard = guard.with_approvals(Arc::new(state::approvals(&folder)?)),
        Err(failure) if serve.state.is_some() => return Err(failure),
        Err(_) => {
            let warning = Diagnostic::warning("no place to keep approvals, so what a person has to allow is refused");
            printer.diagnostic(&warning.hint("name a folder with `--state DIR`"));
        }
    }
    if serve.audit || serve.audit_dir.is_some() {
        let folder = match &serve.audit_dir {
            Some(folder) => folder.clone(),
            None => state::folder(serve.state.as_deref(), manifest)?.join(state::AUDIT),
        };
        let log = AuditLog::open(&folder, Options::default(), moment::now())
            .map_err(|error| Failure::from(Diagnostic::from_error(&error).in_file(folder.display().to_string())))?;
        guard = guard.with_audit(Arc::new(log));
    }
    Ok(guard)
}
