//! Instructions and allocations per call, counted under callgrind and held to `budget.toml`.
//!
//! The counts do not depend on how busy the machine is, so CI may fail on them. Each case runs twice, the second time with
//! more calls; the difference is what the additional calls cost, and the start of the program drops out.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Deserialize;

use crate::Result;
use crate::callgrind::Counts;
use crate::case::{CASES, Case};
use crate::cores::{Cores, pin};
use crate::load::{Load, Until};
use crate::server::{Role, Server, Transport};

#[derive(Args)]
pub struct Options {
    /// What is counted
    #[arg(long, value_enum, default_value = "haft")]
    subject: Role,
    /// The budget
    #[arg(long, value_name = "FILE", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/budget.toml"))]
    budget: PathBuf,
    /// Calls whose cost is counted
    #[arg(long, default_value_t = 2_000)]
    calls: u64,
    /// Writes what was counted into the budget, for the next reader to compare with
    #[arg(long)]
    record: bool,
    /// Keeps the profiles in this folder, for `callgrind_annotate`
    #[arg(long, value_name = "FOLDER")]
    profiles: Option<PathBuf>,
}

/// The committed file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    limit: PerCall,
    #[serde(default)]
    measured: BTreeMap<String, PerCall>,
}

/// What a call costs, or may cost.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PerCall {
    instructions: f64,
    allocations: f64,
}

/// `bench budget`: exit code 1 when a call costs more than the budget allows.
pub fn run(options: &Options) -> Result<ExitCode> {
    let text =
        fs::read_to_string(&options.budget).map_err(|error| format!("`{}`: {error}", options.budget.display()))?;
    let Budget { limit, mut measured } = toml::from_str(&text)?;
    let folder = match &options.profiles {
        Some(folder) => folder.clone(),
        None => std::env::temp_dir().join(format!("haft-budget-{}", std::process::id())),
    };
    fs::create_dir_all(&folder)?;
    let cores = Cores::choose()?;
    pin(cores.client)?;
    println!("{:<36} {:>22} {:>19}", "per call", "instructions", "allocations");
    let mut over = Vec::new();
    for case in CASES {
        let counted = count(options, case, cores.server, &folder)?;
        let name = match options.subject {
            Role::Floor => format!("floor: {case}"),
            Role::Haft => case.to_string(),
        };
        let before = measured.get(&name).map(|before| drift(*before, counted)).unwrap_or_default();
        println!(
            "{name:<36} {:>12.0} of {:>6} {:>12.1} of {:>3}   {before}",
            counted.instructions, limit.instructions, counted.allocations, limit.allocations
        );
        if counted.instructions > limit.instructions || counted.allocations > limit.allocations {
            over.push(name.clone());
        }
        measured.insert(name, counted);
    }
    if options.profiles.is_none() {
        fs::remove_dir_all(&folder)?;
    }
    if options.record {
        fs::write(&options.budget, with_measured(&text, &measured)?)?;
    }
    if over.is_empty() {
        println!("ok: every call is within the budget");
        return Ok(ExitCode::SUCCESS);
    }
    println!("over the budget: {}", over.join(", "));
    Ok(ExitCode::from(1))
}

/// What one call costs.
fn count(options: &Options, case: Case, core: usize, folder: &Path) -> Result<PerCall> {
    let less = profile(options.subject, case, core, WARM_UP, &folder.join("less"))?;
    let file = folder.join(case.to_string().replace(' ', "-"));
    let more = profile(options.subject, case, core, WARM_UP + options.calls, &file)?;
    let Counts { instructions, allocations } = more - less;
    let calls = options.calls as f64;
    Ok(PerCall { instructions: instructions as f64 / calls, allocations: allocations as f64 / calls })
}

/// What a whole run with `calls` calls over one connection costs.
fn profile(role: Role, case: Case, core: usize, calls: u64, file: &Path) -> Result<Counts> {
    let mut output = std::ffi::OsString::from("--callgrind-out-file=");
    output.push(file);
    let wrapper: [&OsStr; 4] = ["valgrind".as_ref(), "--quiet".as_ref(), "--tool=callgrind".as_ref(), &output];
    let mut server = Server::start(role, Transport::Http, case, core, &wrapper)
        .map_err(|error| format!("valgrind does not start ({error}); on Debian it is the package `valgrind`"))?;
    let mut load = Load::open(server.address()?, case, 1)?;
    load.run(Until::Calls(calls))?;
    server.stop()?;
    Counts::read(&fs::read_to_string(file)?)
}

/// How far a count is from the recorded one, where that is more than callgrind's own spread.
fn drift(before: PerCall, now: PerCall) -> String {
    let change = (now.instructions / before.instructions - 1.0) * 100.0;
    if change.abs() < 2.0 && (now.allocations - before.allocations).abs() < 0.5 {
        return String::new();
    }
    format!("recorded {:.0} and {:.1} ({change:+.1} %)", before.instructions, before.allocations)
}

/// The budget's text with its last part written anew.
fn with_measured(text: &str, measured: &BTreeMap<String, PerCall>) -> Result<String> {
    let kept = text.find("[measured]").and_then(|start| text.get(..start)).unwrap_or(text);
    let mut written = kept.trim_end().to_owned() + "\n\n[measured]\n";
    for (name, PerCall { instructions, allocations }) in measured {
        writeln!(written, "\"{name}\" = {{ instructions = {instructions:.0}, allocations = {allocations:.1} }}")?;
    }
    Ok(written)
}

/// Calls that fill caches and pools, and are in both runs.
const WARM_UP: u64 = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_budget_is_one_and_survives_being_recorded() {
        let text = include_str!("../budget.toml");
        let measured = BTreeMap::from([("x 1".to_owned(), PerCall { instructions: 27_900.4, allocations: 16.0 })]);
        let recorded = with_measured(text, &measured).expect("a text");
        let before: Budget = toml::from_str(text).expect("a budget");
        let after: Budget = toml::from_str(&recorded).expect("a budget");
        assert_eq!(format!("{:?}", before.limit), format!("{:?}", after.limit));
        assert_eq!(after.measured.keys().collect::<Vec<_>>(), ["x 1"]);
        assert_eq!(with_measured(&recorded, &measured).ok(), Some(recorded));
    }
}
