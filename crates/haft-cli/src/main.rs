//! The `haft` binary: arguments, configuration, printing; the work is done by libraries.

#[cfg(panic = "abort")]
compile_error!("haft answers a panic in a tool; build it without `panic = \"abort\"`");

mod approvals;
mod arguments;
mod audit;
mod call;
mod check;
mod columns;
mod environment;
mod failure;
mod inspect;
mod json;
mod list;
mod locate;
mod log;
mod moment;
mod person;
mod policy;
mod printer;
mod serve;
mod server;
mod sheet;
mod signals;
mod state;
mod trust;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use crate::arguments::{Arguments, Command};
use crate::failure::Failure;
use crate::printer::Printer;

fn main() -> ExitCode {
    let printer = Printer::new();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return printer.usage(&error),
    };
    match run(&arguments, printer) {
        Ok(code) => code,
        Err(failure) => printer.failure(&failure),
    }
}

fn run(arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    log::begin(arguments.verbose, printer)?;
    match &arguments.command {
        Command::Approvals(approvals) => approvals::run(approvals, printer),
        Command::Audit(audit) => audit::run(audit, printer),
        Command::Call(call) => call::run(call, printer),
        Command::Check(check) => check::run(check, printer),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "haft", &mut script);
            printer::data(&String::from_utf8_lossy(&script))?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Inspect(inspect) => inspect::run(inspect, printer),
        Command::List(list) => list::run(list, printer),
        Command::Policy(policy) => policy::run(policy, printer),
        Command::Serve(serve) => serve::run(serve, printer),
        Command::Trust(trust) => trust::run(trust, printer),
    }
}
