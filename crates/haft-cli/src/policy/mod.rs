//! `haft policy`, and the policy that calls are decided by.

mod explain;
mod files;
mod judge;
mod table;

use std::process::ExitCode;

use crate::arguments::PolicyCommand;
use crate::failure::Failure;
use crate::printer::Printer;

pub(crate) use files::{load, user_file};
pub(crate) use judge::{Judge, effect, origin, unheeded};

/// Explains, or tries.
pub(crate) fn run(command: &PolicyCommand, printer: Printer) -> Result<ExitCode, Failure> {
    match command {
        PolicyCommand::Explain(explain) => explain::run(explain, printer),
        PolicyCommand::Test { file, policy } => table::run(file, policy.as_deref(), printer),
    }
}
