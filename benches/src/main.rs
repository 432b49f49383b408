//! Measures what haft costs, beside a bare hyper server that does the same parse and gives the same answer.
//!
//! `bench --quick` runs both in paired rounds, `bench budget` counts instructions and allocations against
//! `budget.toml`, `bench load` drives any server, and `bench serve` is either server alone. Nothing here is timed by a test:
//! clocks are for people, counts are for CI.

mod budget;
mod callgrind;
mod case;
mod comparison;
mod cores;
mod floor;
mod load;
mod pipes;
mod report;
mod server;
mod statistics;
mod subject;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What fails here is told to the person who measures, and nobody acts on its kind.
type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

#[derive(Parser)]
#[command(about = "Measures haft beside a bare server", args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    comparison: comparison::Options,
}

#[derive(Subcommand)]
enum Task {
    /// Counts instructions and allocations per call under callgrind and holds them to the committed budget
    Budget(budget::Options),
    /// Drives a running HTTP server with `tools/call`
    Load(load::Options),
    /// Serves the measured tools until stdin ends
    Serve(server::ServeOptions),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.task {
        None => comparison::run(&arguments.comparison),
        Some(Task::Budget(options)) => budget::run(&options),
        Some(Task::Load(options)) => load::run(&options).map(|()| ExitCode::SUCCESS),
        Some(Task::Serve(options)) => server::serve(&options).map(|()| ExitCode::SUCCESS),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}
