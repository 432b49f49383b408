//! The real clients that `tests/peers/setup.sh` installs, all behind one contract: see `tests/peers/README.md`.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::binary::repository;
use crate::program::run_to_end;

/// A peer gives up by itself after 30 seconds; the inspector does so for each request.
const LIMIT: Duration = Duration::from_mins(5);

/// The program of one peer.
///
/// # Panics
///
/// When it is not installed.
pub fn peer_program(name: &str) -> PathBuf {
    let folder = env::var_os("HAFT_PEERS").map_or_else(|| repository().join(".peers"), PathBuf::from);
    let program = folder.join("bin").join(name);
    assert!(
        program.is_file(),
        "the peer `{name}` is not set up: run `tests/peers/setup.sh`, or `cargo xtask test`, which does"
    );
    program
}

/// Whom a peer talks to.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// A server at this address, which may want a bearer token.
    Http {
        /// The endpoint.
        url: &'a str,
        /// Sent as `Authorization: Bearer …`.
        token: Option<&'a str>,
    },
    /// A program that the peer starts.
    Stdio {
        /// The program and its arguments.
        command: &'a [&'a OsStr],
    },
}

/// Which protocol a peer is told to speak.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Preference {
    /// Probe for 2026-07-28 and fall back.
    Auto,
    /// Whatever the peer does when nobody says anything.
    Default,
    /// Handshake, without a probe.
    Legacy,
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Default => "default",
            Self::Legacy => "legacy",
        })
    }
}

/// What a peer saw.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PeerReport {
    /// Its name.
    pub peer: String,
    /// The version of its package.
    pub version: String,
    /// The revision that it and the server agreed on.
    pub protocol_version: String,
    /// The names of all tools, over all pages, in the order of the list.
    pub tools: Vec<String>,
    /// One entry for each planned call.
    pub calls: Vec<PeerCall>,
    /// What the person behind the peer was asked.
    #[serde(default)]
    pub asked: Vec<String>,
}

/// One call as a peer saw its result.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PeerCall {
    /// The tool that was called.
    pub tool: String,
    /// Whether the result is an error that the model should see.
    pub is_error: bool,
    /// All text blocks, one per line.
    pub text: String,
    /// The structured content, if there was any.
    pub structured: Option<Value>,
}

/// Lets a peer connect, list all tools and make the calls of the plan, a JSON file with `[{"tool", "arguments"}]`.
///
/// # Panics
///
/// When the peer is not installed, fails, or does not keep the contract.
pub fn converse(name: &str, preference: Preference, plan: &Path, target: Target<'_>) -> PeerReport {
    converse_answering(name, preference, plan, target, None)
}

/// The same with a person behind the peer, who says this to every question; a peer in Python only.
///
/// # Panics
///
/// As for [`converse`].
pub fn converse_answering(
    name: &str,
    preference: Preference,
    plan: &Path,
    target: Target<'_>,
    answer: Option<&str>,
) -> PeerReport {
    let mut command = Command::new(peer_program(name));
    if let Some(answer) = answer {
        command.env("HAFT_ANSWER", answer);
    }
    command.arg("--plan").arg(plan).arg("--era").arg(preference.to_string());
    match target {
        Target::Http { url, token } => command.args(["http", url]).args(token),
        Target::Stdio { command: server } => command.args(["stdio", "--"]).args(server),
    };
    let ended = run_to_end(&mut command, LIMIT);
    assert!(ended.status.success(), "{command:?} failed:\n{}{}", ended.stderr, ended.stdout);
    serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|error| panic!("{command:?} printed no report: {error}\n{}", ended.stdout))
}
