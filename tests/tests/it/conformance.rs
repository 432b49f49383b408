//! The public conformance suite in both roles, once for each revision that it has requirements for: against the fixture server,
//! and with the fixture client. What haft does not offer is listed in `tests/peers/conformance-baseline-REVISION.yml`; a line there
//! that no longer holds fails too.

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
fn as_a_server_of_2025_11_25_nothing_fails_but_the_baseline() {
    conforms_as_server("2025-11-25");
}

#[test]
fn as_a_server_of_2026_07_28_nothing_fails_but_the_baseline() {
    conforms_as_server("2026-07-28");
}

#[test]
fn as_a_client_of_2025_11_25_nothing_fails_but_the_baseline() {
    conforms_as_client("2025-11-25");
}

#[test]
fn as_a_client_of_2026_07_28_nothing_fails_but_the_baseline() {
    conforms_as_client("2026-07-28");
}

/// The suite runs this one beside both sets and does not score it.
#[test]
fn as_a_client_every_keyword_of_a_schema_is_kept() {
    for revision in REVISIONS {
        let scenario = ["client", "--scenario", "json-schema-2020-12-preservation", "--spec-version", revision];
        let ended = suite(&[&scenario[..], &["--command", env!("CARGO_BIN_EXE_conformance_client")]].concat());
        assert!(ended.status.success(), "{revision}:\n{}", ended.stderr);
    }
}

/// The suite passes over lines that name none of its scenarios, so they are checked here.
#[test]
fn every_line_of_a_baseline_names_a_required_scenario_once() {
    let expected = [
        ("2025-11-25", Role::Client, 18, 14),
        ("2025-11-25", Role::Server, 30, 15),
        ("2026-07-28", Role::Client, 32, 25),
        ("2026-07-28", Role::Server, 37, 13),
    ];
    for (revision, role, required, expected) in expected {
        let scenarios = required_scenarios(revision, role);
        assert_eq!(scenarios.len(), required, "{revision}, {role:?}: {scenarios:?}");
        let lines = baseline_lines(revision, role);
        let distinct: BTreeSet<_> = lines.iter().collect();
        assert_eq!((lines.len(), distinct.len()), (expected, expected), "{revision}, {role:?}: {lines:?}");
        let unknown: Vec<_> = lines.iter().filter(|line| !scenarios.contains(*line)).collect();
        assert!(unknown.is_empty(), "{revision}, {role:?}: the suite has no scenarios {unknown:?}");
    }
}

/// The client is complete but for authorization.
#[test]
fn the_baseline_of_the_client_holds_authorization_and_nothing_else() {
    for revision in REVISIONS {
        let scenarios = required_scenarios(revision, Role::Client);
        let authorization: BTreeSet<_> = scenarios.into_iter().filter(|name| name.starts_with("auth/")).collect();
        let lines: BTreeSet<_> = baseline_lines(revision, Role::Client).into_iter().collect();
        assert_eq!(lines, authorization, "{revision}");
    }
}

const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// What is tested.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Role {
    Client,
    Server,
}

impl Role {
    /// What the suite calls it.
    const fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }

    /// How the heading of its scenarios begins.
    const fn heading(self) -> &'static str {
        match self {
            Self::Client => "Client scenarios",
            Self::Server => "Server scenarios",
        }
    }
}

fn conforms_as_server(revision: &str) {
    let mut server = Running::start(&mut Command::new(env!("CARGO_BIN_EXE_conformance_fixture")));
    drop(conforms(revision, Role::Server, &["--url", &server.url()]));
}

/// What it cannot do is said by its name, too.
fn conforms_as_client(revision: &str) {
    let results = conforms(revision, Role::Client, &["--command", env!("CARGO_BIN_EXE_conformance_client")]);
    let folders = fs::read_dir(results.path().join("auth")).unwrap();
    for folder in folders.map(|folder| folder.unwrap().path()) {
        let told = fs::read_to_string(folder.join("stderr.txt")).unwrap();
        assert!(told.starts_with("error: the server wants authorization"), "{}: {told}", folder.display());
    }
}

fn conforms(revision: &str, role: Role, subject: &[&str]) -> TempDir {
    let results = TempDir::new().unwrap();
    let (baseline, folder) = (baseline(revision).display().to_string(), results.path().display().to_string());
    let bounds = [role.name(), "--requirements", revision, "--expected-failures", &baseline, "--output-dir", &folder];
    let ended = suite(&[&bounds, subject].concat());
    // The server's summary is on one output, the client's on the other.
    let printed = format!("{}{}", ended.stdout, ended.stderr);
    println!("{}", printed.split_once("SUMMARY ===").map_or(printed.as_str(), |(_, summary)| summary));
    if !ended.status.success() {
        let expected: BTreeSet<_> = baseline_lines(revision, role).into_iter().collect();
        let wanted = required_scenarios(revision, role).difference(&expected).cloned().collect();
        let findings = findings(results.path(), &wanted);
        panic!("{revision}, {role:?}: the suite does not find what is expected\n{findings}{}", ended.stderr);
    }
    results
}

fn suite(arguments: &[&str]) -> Ended {
    run_to_end(Command::new(peer_program("conformance")).args(arguments), LIMIT)
}

/// The suite itself gives each scenario 30 seconds; a whole run takes about ten.
const LIMIT: Duration = Duration::from_mins(10);

fn baseline(revision: &str) -> PathBuf {
    repository().join(format!("tests/peers/conformance-baseline-{revision}.yml"))
}

fn required_scenarios(revision: &str, role: Role) -> BTreeSet<String> {
    let listed = suite(&["list", "--requirements", revision]);
    assert!(listed.status.success(), "{}", listed.stderr);
    scenarios_of(&listed.stdout, role)
}

fn baseline_lines(revision: &str, role: Role) -> Vec<String> {
    lines_under(&fs::read_to_string(baseline(revision)).unwrap(), role)
}

/// A baseline has a list of plain names under `client:` and one under `server:`, with comments between them.
fn lines_under(text: &str, role: Role) -> Vec<String> {
    let heading = format!("{}:", role.name());
    let under_heading = text.lines().skip_while(|line| *line != heading).skip(1);
    let section = under_heading.take_while(|line| line.starts_with(' '));
    section.filter_map(|line| line.trim_start().strip_prefix("- ")).map(str::to_owned).collect()
}

/// `list` prints a heading for each role, and the names under it.
fn scenarios_of(printed: &str, role: Role) -> BTreeSet<String> {
    let under_heading = printed.lines().skip_while(|line| !line.starts_with(role.heading())).skip(1);
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

/// The suite names a folder `server-SCENARIO-2026-11-30T14-52-38-364Z`, and leaves out the role of a client.
fn is_folder_of(name: &str, scenario: &str) -> bool {
    let time = name.strip_prefix("server-").unwrap_or(name).strip_prefix(scenario);
    time.is_some_and(|time| time.len() == "-2026-11-30T14-52-38-364Z".len() && time.starts_with("-2"))
}

mod samples {
    use super::{Role, is_folder_of, lines_under, scenarios_of};

    #[test]
    fn results_of_one_scenario_are_told_from_those_of_another() {
        for (name, is_its_own) in [
            ("server-sse-retry-2026-11-30T14-52-38-364Z", true),
            ("sse-retry-2026-11-30T14-52-38-364Z", true),
            ("sse-retry-more-2026-11-30T14-52-38-364Z", false),
            ("sse-2026-11-30T14-52-38-364Z", false),
        ] {
            assert_eq!(is_folder_of(name, "sse-retry"), is_its_own, "{name}");
        }
    }

    #[test]
    fn scenarios_are_read_from_a_baseline_and_from_the_suite() {
        let baseline = "# why\nserver:\n  # x\n  - one\n  - two:check\n# why\nclient:\n  - three\n";
        assert_eq!(lines_under(baseline, Role::Server), ["one", "two:check"]);
        assert_eq!(lines_under(baseline, Role::Client), ["three"]);
        let printed =
            "Required (3):\n\nServer scenarios (against it):\n  - ping\n  - caching\n\nClient scenarios:\n  - x\n";
        assert_eq!(scenarios_of(printed, Role::Server).into_iter().collect::<Vec<_>>(), ["caching", "ping"]);
        assert_eq!(scenarios_of(printed, Role::Client).into_iter().collect::<Vec<_>>(), ["x"]);
    }
}
