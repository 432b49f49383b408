//! The public conformance suite against the fixture server, once for each revision that it has requirements for. What haft does
//! not offer is listed in `tests/peers/conformance-baseline-REVISION.yml`; a line there that no longer holds fails too.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use haft_tests::{Ended, Running, peer_program, repository, run_to_end};
use serde::Deserialize;
use tempfile::TempDir;

#[test]
fn the_suite_finds_nothing_but_the_baseline_in_2025_11_25() {
    conforms("2025-11-25");
}

#[test]
fn the_suite_finds_nothing_but_the_baseline_in_2026_07_28() {
    conforms("2026-07-28");
}

/// The suite passes over lines that name none of its scenarios, so they are checked here.
#[test]
fn every_line_of_a_baseline_names_a_required_scenario_once() {
    for (revision, required, expected) in [("2025-11-25", 30, 15), ("2026-07-28", 37, 13)] {
        let scenarios = required_scenarios(revision);
        assert_eq!(scenarios.len(), required, "{revision}: {scenarios:?}");
        let lines = baseline_lines(revision);
        let distinct: BTreeSet<_> = lines.iter().collect();
        assert_eq!((lines.len(), distinct.len()), (expected, expected), "{revision}: {lines:?}");
        let unknown: Vec<_> = lines.iter().filter(|line| !scenarios.contains(*line)).collect();
        assert!(unknown.is_empty(), "{revision}: the suite has no scenarios {unknown:?}");
    }
}

fn conforms(revision: &str) {
    let mut server = Running::start(&mut Command::new(env!("CARGO_BIN_EXE_conformance_fixture")));
    let url = server.url();
    let results = TempDir::new().unwrap();
    let (baseline, folder) = (baseline(revision), results.path().display().to_string());
    let ended = suite(&[
        "server",
        "--url",
        &url,
        "--requirements",
        revision,
        "--expected-failures",
        &baseline.display().to_string(),
        "--output-dir",
        &folder,
    ]);
    let summary = ended.stdout.split_once("=== SUMMARY ===").map_or(ended.stdout.as_str(), |(_, summary)| summary);
    println!("{summary}");
    if !ended.status.success() {
        let expected: BTreeSet<_> = baseline_lines(revision).into_iter().collect();
        let wanted = required_scenarios(revision).difference(&expected).cloned().collect();
        let findings = findings(results.path(), &wanted);
        panic!("{revision}: the suite does not find what is expected\n{findings}{}", ended.stderr);
    }
}

fn suite(arguments: &[&str]) -> Ended {
    run_to_end(Command::new(peer_program("conformance")).args(arguments), LIMIT)
}

/// The suite itself gives each scenario 30 seconds; a whole run takes about ten.
const LIMIT: Duration = Duration::from_mins(10);

fn baseline(revision: &str) -> PathBuf {
    repository().join(format!("tests/peers/conformance-baseline-{revision}.yml"))
}

fn required_scenarios(revision: &str) -> BTreeSet<String> {
    let listed = suite(&["list", "--requirements", revision]);
    assert!(listed.status.success(), "{}", listed.stderr);
    scenarios_for_servers(&listed.stdout)
}

fn baseline_lines(revision: &str) -> Vec<String> {
    lines_of_list(&fs::read_to_string(baseline(revision)).unwrap())
}

/// The scenarios under `server:`, which is a list of plain names.
fn lines_of_list(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| line.trim_start().strip_prefix("- ")).map(str::to_owned).collect()
}

/// `list` prints a heading for each role, and the names under it.
fn scenarios_for_servers(printed: &str) -> BTreeSet<String> {
    let under_heading = printed.lines().skip_while(|line| !line.starts_with("Server scenarios")).skip(1);
    under_heading.map_while(|line| line.trim().strip_prefix("- ")).map(str::to_owned).collect()
}

/// What the suite says of a single check.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    id: String,
    status: String,
    error_message: Option<String>,
}

/// Every check that did not pass in the scenarios that should have, with its reason: one folder per scenario, one file in it.
fn findings(results: &Path, wanted: &BTreeSet<String>) -> String {
    let mut folders: Vec<_> = fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let mut text = String::new();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(scenario) = wanted.iter().find(|scenario| is_folder_of(&name, scenario)) else {
            continue;
        };
        let checks = fs::read_to_string(folder.join("checks.json")).unwrap_or_else(|_| "[]".to_owned());
        let checks: Vec<Check> = serde_json::from_str(&checks).unwrap();
        for check in checks.iter().filter(|check| ["FAILURE", "WARNING"].contains(&check.status.as_str())) {
            let why = check.error_message.as_deref().unwrap_or_default();
            writeln!(text, "{scenario}: {} {}: {why}", check.status, check.id).unwrap();
        }
    }
    text
}

/// The suite names a folder `server-SCENARIO-2026-11-30T14-52-38-364Z`.
fn is_folder_of(name: &str, scenario: &str) -> bool {
    let time = name.strip_prefix("server-").and_then(|rest| rest.strip_prefix(scenario));
    time.is_some_and(|time| time.len() == "-2026-11-30T14-52-38-364Z".len() && time.starts_with("-2"))
}

mod samples {
    use super::{is_folder_of, lines_of_list, scenarios_for_servers};

    #[test]
    fn results_of_one_scenario_are_told_from_those_of_another() {
        let name = "server-server-stateless-2026-11-30T14-52-38-364Z";
        assert!(is_folder_of(name, "server-stateless"));
        assert!(!is_folder_of(name, "server") && !is_folder_of(name, "stateless"));
    }

    #[test]
    fn scenarios_are_read_from_a_baseline_and_from_the_suite() {
        assert_eq!(lines_of_list("# why\nserver:\n  # x\n  - one\n  - two:check\n"), ["one", "two:check"]);
        let printed = "Required (3):\n\nServer scenarios (test against a server):\n  - ping\n  - caching\n\nClient scenarios:\n  - x\n";
        assert_eq!(scenarios_for_servers(printed).into_iter().collect::<Vec<_>>(), ["caching", "ping"]);
    }
}
