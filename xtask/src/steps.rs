//! The steps of `cargo xtask test`, in the order in which they run.

use std::path::Path;

use clap::ValueEnum;

use crate::needs::{CLIPPY, GIT, JQ, NODE, NPM, Need, PYTHON, RIPGREP, RUSTFMT, VALGRIND, answers};
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
            Self::Peers => "sets up the real clients and the conformance suite in `.peers`",
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
            Self::Tests => &[GIT, JQ, RIPGREP],
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

/// Whether the tests may use the peers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Peers {
    /// Set up in this run: one that is missing is a failure.
    Required,
    /// Those that an earlier run set up.
    Welcome,
    /// None, for they were left out or their set-up failed.
    Without,
}

/// The commands of a step, or why there is nothing to run.
pub(crate) fn commands(step: StepName, around: Surroundings<'_>) -> Result<Vec<Invocation>, String> {
    let cargo = |line: &str| Ok(vec![Invocation::new(line)]);
    match step {
        StepName::Format => cargo("cargo fmt --all --check"),
        StepName::Clippy => cargo("cargo clippy --workspace --all-targets --keep-going -- -D warnings"),
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
    let folder = peers_folder(around.root);
    let run = match around.peers {
        Peers::Required => run.with("HAFT_PEERS", folder).with("HAFT_REQUIRE_PEERS", "1"),
        Peers::Welcome => run.with("HAFT_PEERS", folder).without("HAFT_REQUIRE_PEERS"),
        Peers::Without => run.without("HAFT_PEERS").without("HAFT_REQUIRE_PEERS"),
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

const PEERS_SCRIPT: &str = "tests/peers/setup.sh";

const BUDGET: &str = "benches/budget.toml";
