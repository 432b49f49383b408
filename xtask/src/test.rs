//! `cargo xtask test`: every check of the project in one command, which is also what CI runs.

use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;

use crate::counts::{Counts, counts_in};
use crate::needs::{Need, NeedError, provide};
use crate::report::{Outcome, Record, Report, elapsed};
use crate::run::run;
use crate::steps::{PEERS_FOLDER, Peers, StepName, Surroundings, commands};

/// What `cargo xtask test` takes.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TestArguments {
    /// Leaves out what needs more than Rust: the peers (interoperation, conformance) and the budget
    #[arg(long, conflicts_with = "only")]
    fast: bool,
    /// Lists the steps and their commands, and runs nothing
    #[arg(long)]
    list: bool,
    /// Runs this step alone (may be given more than once)
    #[arg(long, value_name = "STEP")]
    only: Vec<StepName>,
}

/// How a run ended; the numbers are the exit codes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Ending {
    Done = 0,
    Failed = 1,
    NotPossible = 2,
}

/// Runs the chosen steps, each whether or not the ones before it failed, and reports.
pub(crate) fn test(arguments: &TestArguments, root: &Path) -> Ending {
    if arguments.list {
        list(arguments, root);
        return Ending::Done;
    }
    let mut report = Report::default();
    if let Err(error) = provide(&needs(arguments, root), root) {
        explain(&error);
        print_report(&report);
        return Ending::NotPossible;
    }
    let mut peers = peers_before(arguments, root);
    for step in StepName::ALL {
        let record = match left_out(arguments, step) {
            Some(Absence::Asked) => continue,
            Some(Absence::Fast) => not_run(step, "--fast".to_owned()),
            None => run_step(step, Surroundings { root, peers }),
        };
        if step == StepName::Peers {
            peers = match record.outcome {
                Outcome::Passed => Peers::With,
                Outcome::Failed { .. } | Outcome::LeftOut { .. } => Peers::Without,
            };
        }
        report.add(record);
    }
    print_report(&report);
    if report.has_failures() { Ending::Failed } else { Ending::Done }
}

/// Why a step does not run.
#[derive(Debug)]
enum Absence {
    /// It was not among those that `--only` names.
    Asked,
    Fast,
}

fn left_out(arguments: &TestArguments, step: StepName) -> Option<Absence> {
    if !arguments.only.is_empty() && !arguments.only.contains(&step) {
        Some(Absence::Asked)
    } else if arguments.fast && step.is_slow() {
        Some(Absence::Fast)
    } else {
        None
    }
}

fn needs(arguments: &TestArguments, root: &Path) -> Vec<Need> {
    let around = Surroundings { root, peers: Peers::Without };
    let runs = |step: &StepName| left_out(arguments, *step).is_none() && commands(*step, around).is_ok();
    StepName::ALL.into_iter().filter(runs).flat_map(StepName::needs).copied().collect()
}

/// The tests alone use the peers when an earlier run has set them up.
fn peers_before(arguments: &TestArguments, root: &Path) -> Peers {
    if !arguments.fast && root.join(PEERS_FOLDER).is_dir() { Peers::With } else { Peers::Without }
}

fn run_step(step: StepName, around: Surroundings<'_>) -> Record {
    let commands = match commands(step, around) {
        Ok(commands) => commands,
        Err(why) => return not_run(step, why),
    };
    let begin = Instant::now();
    let mut counts = Counts::default();
    let mut outcome = Outcome::Passed;
    for command in commands {
        println!("\n==> {}: {command}", step.as_str());
        let ended = run(&command, around.root, &mut |line| {
            if let Some(found) = counts_in(line) {
                counts += found;
            }
        });
        let why = match ended {
            Ok(status) if status.success() => continue,
            Ok(status) => status.to_string(),
            Err(error) => chain(&error),
        };
        outcome = Outcome::Failed { why };
        break;
    }
    let took = begin.elapsed();
    let word = if outcome == Outcome::Passed { "passed" } else { "FAILED" };
    println!("==> {}: {word} after {}", step.as_str(), elapsed(took));
    Record { step, outcome, took, counts }
}

fn not_run(step: StepName, why: String) -> Record {
    println!("\n==> {}: left out: {why}", step.as_str());
    Record { step, outcome: Outcome::LeftOut { why }, took: Duration::ZERO, counts: Counts::default() }
}

fn list(arguments: &TestArguments, root: &Path) {
    let peers = if arguments.fast { Peers::Without } else { Peers::With };
    for step in StepName::ALL {
        if matches!(left_out(arguments, step), Some(Absence::Asked)) {
            continue;
        }
        println!("{}: {}", step.as_str(), step.about());
        match commands(step, Surroundings { root, peers }) {
            _ if left_out(arguments, step).is_some() => println!("    left out: --fast"),
            Ok(commands) => commands.iter().for_each(|command| println!("    {command}")),
            Err(why) => println!("    left out: {why}"),
        }
        let needs: Vec<&str> = step.needs().iter().map(|need| need.name).collect();
        if !needs.is_empty() {
            println!("    needs {}", needs.join(", "));
        }
    }
}

fn explain(error: &NeedError) {
    eprintln!("error: {}", chain(error));
    let hints = error.hints();
    if !hints.is_empty() {
        eprintln!("\nhint: as root on Debian this command installs what it needs; here, bring it yourself:");
        for hint in hints {
            eprintln!("    {hint}");
        }
        eprintln!("hint: `cargo xtask test --fast` needs no more than Rust and git");
    }
}

fn print_report(report: &Report) {
    report.lines().iter().for_each(|line| println!("{line}"));
}

/// An error with what caused it, on one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
