//! The steps of `cargo xtask test`, in the order in which they run.

use std::path::Path;

use clap::ValueEnum;

use crate::needs::{CLIPPY, GIT, NODE, NPM, Need, PYTHON, RUSTFMT, VALGRIND, answers};
use crate::run::Invocation;

/// The name of a step, as `--only` takes it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum StepName {
    /// The sources are formatted.
    Format,
    /// No warning of clippy in any target.
    Clippy,
    /// The documentation builds without a warning.
    Docs,
    /// Sets up the real clients and servers that haft is tested against.
    Peers,
    /// Unit and integration tests; with the peers there, interoperation and conformance too.
    Tests,
    /// The examples in the documentation.
    Doctests,
    /// Instructions and allocations of a call stay within the committed budget.
    Budget,
}

impl StepName {
    pub(crate) const ALL: [Self; 7] =
        [Self::Format, Self::Clippy, Self::Docs, Self::Peers, Self::Tests, Self::Doctests, Self::Budget];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Clippy => "clippy",
            Self::Docs => "docs",
            Self::Peers => "peers",
            Self::Tests => "tests",
            Self::Doctests => "doctests",
            Self::Budget => "budget",
        }
    }

    /// What the step shows, for `--list`.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Self::Format => "the sources are formatted",
            Self::Clippy => "no warning in any target",
            Self::Docs => "the documentation builds without a warning",
            Self::Peers => "sets up real clients and the conformance suite: without, the tests leave out both",
            Self::Tests => "unit and integration tests; interoperation and conformance with the peers",
            Self::Doctests => "the examples in the documentation",
            Self::Budget => "instructions and allocations of a call, under callgrind",
        }
    }

    /// Whether `--fast` leaves it out, for it needs more than Rust or much time.
    pub(crate) fn is_slow(self) -> bool {
        matches!(self, Self::Peers | Self::Budget)
    }

    /// The programs that it needs besides cargo.
    pub(crate) fn needs(self) -> &'static [Need] {
        match self {
            Self::Format => &[RUSTFMT],
            Self::Clippy => &[CLIPPY],
            Self::Docs | Self::Doctests => &[],
            Self::Peers => &[NODE, NPM, PYTHON],
            Self::Tests => &[GIT],
            Self::Budget => &[VALGRIND],
        }
    }
}

/// What a step needs to know of the run it is part of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) root: &'a Path,
    pub(crate) peers: Peers,
}

/// Whether the tests that need the peers are built.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Peers {
    /// They are set up: one that is missing is a failure.
    With,
    /// They were left out, or their set-up failed.
    Without,
}

/// The commands of a step, or why there is nothing to run.
pub(crate) fn commands(step: StepName, around: Surroundings<'_>) -> Result<Vec<Invocation>, String> {
    let cargo = |line: &str| Ok(vec![Invocation::new(line)]);
    match step {
        StepName::Format => cargo("cargo fmt --all --check"),
        StepName::Clippy => {
            let clippy = Invocation::new("cargo clippy --workspace --all-targets --keep-going --features");
            Ok(vec![clippy.and(PEERS_FEATURE).and("--").and("-D").and("warnings")])
        }
        StepName::Docs => {
            let document = Invocation::new("cargo doc --no-deps --workspace --lib --keep-going");
            Ok(vec![document.with("RUSTDOCFLAGS", "-D warnings")])
        }
        StepName::Peers if around.root.join(PEERS_SCRIPT).is_file() => {
            Ok(vec![Invocation::new("bash").and(PEERS_SCRIPT).with("HAFT_PEERS", peers_folder(around.root))])
        }
        StepName::Peers => Err(format!("there is no `{PEERS_SCRIPT}`")),
        StepName::Tests => Ok(tests(around)),
        StepName::Doctests => cargo("cargo test --workspace --doc --no-fail-fast"),
        StepName::Budget if has_budget(around.root) => Ok(vec![bench().and("budget")]),
        StepName::Budget => Err(format!("there is no `{BUDGET}`")),
    }
}

fn tests(around: Surroundings<'_>) -> Vec<Invocation> {
    let has_nextest = answers(&["cargo", "nextest", "--version"], around.root);
    let run = Invocation::new(if has_nextest {
        "cargo nextest run --workspace --no-fail-fast"
    } else {
        "cargo test --workspace --tests --no-fail-fast"
    });
    let run = match around.peers {
        Peers::With => run.and("--features").and(PEERS_FEATURE).with("HAFT_PEERS", peers_folder(around.root)),
        Peers::Without => run,
    };
    // The tests start the binary and the examples, which cargo builds for the tests of their own package only.
    vec![Invocation::new("cargo build --workspace --bins --examples"), run]
}

fn peers_folder(root: &Path) -> String {
    root.join(PEERS_FOLDER).display().to_string()
}

/// The program that measures; it takes a task and options.
pub(crate) fn bench() -> Invocation {
    Invocation::new("cargo run --release --package haft-benches --bin bench --")
}

fn has_budget(root: &Path) -> bool {
    root.join(BUDGET).is_file()
}

/// Where the peers are set up, one environment each.
pub(crate) const PEERS_FOLDER: &str = ".peers";

/// Interoperation and conformance are compiled with it only.
const PEERS_FEATURE: &str = "haft-tests/peers";

const PEERS_SCRIPT: &str = "tests/peers/setup.sh";

const BUDGET: &str = "benches/budget.toml";
