//! The project's tasks: `cargo xtask test` runs every check, `cargo xtask docs` writes what is generated.

mod counts;
mod docs;
mod needs;
mod report;
mod run;
mod steps;
mod test;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use run::run;
use steps::bench;
use test::{Ending, TestArguments, chain, test};

/// Tasks of the haft project
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Runs every check: format, clippy, docs, tests, real clients, conformance, budget
    ///
    /// On a Debian machine as root it installs what is missing. The last line is `N passed, N failed`; the exit code is 0
    /// when all passed, 1 when something failed, 2 when it could not run.
    Test(TestArguments),
    /// What CI runs: the same as `test`
    Ci,
    /// Writes the files that are generated from the sources (docs/api)
    Docs,
    /// Checks instructions and allocations of a call against the committed budget
    Budget(BenchArguments),
    /// Measures throughput and latency beside the floor
    Bench(BenchArguments),
}

#[derive(Args, Debug)]
struct BenchArguments {
    /// Passed on to the program
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

fn main() -> ExitCode {
    let root = root();
    let ending = match Arguments::parse().task {
        Task::Test(arguments) => test(&arguments, &root),
        Task::Ci => test(&TestArguments::default(), &root),
        Task::Docs => match docs::docs(&root) {
            Ok(()) => Ending::Done,
            Err(error) => not_possible(&chain(&error)),
        },
        Task::Budget(arguments) => measure(Some("budget"), arguments, &root),
        Task::Bench(arguments) => measure(None, arguments, &root),
    };
    ExitCode::from(ending as u8)
}

/// Runs the program of the benches.
fn measure(task: Option<&str>, arguments: BenchArguments, root: &Path) -> Ending {
    let mut command = bench();
    command.argv.extend(task.map(str::to_owned));
    command.argv.extend(arguments.arguments);
    println!("==> {command}");
    match run(&command, root, &mut |_| {}) {
        Ok(status) if status.success() => Ending::Done,
        Ok(status) if status.code() == Some(1) => Ending::Failed,
        Ok(_) => Ending::NotPossible,
        Err(error) => not_possible(&chain(&error)),
    }
}

fn not_possible(why: &str) -> Ending {
    eprintln!("error: {why}");
    Ending::NotPossible
}

/// The repository, which is the folder above this package.
fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}
