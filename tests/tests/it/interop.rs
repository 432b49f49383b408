//! Real clients list and call every tool of the quickstart, over stdio and HTTP, each in the era it prefers and in the other one
//! where it knows that too.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use haft_tests::{PeerReport, Preference, Running, Target, converse, haft_binary, repository};
use serde::Deserialize;
use tempfile::TempDir;

/// One of the clients, and what it speaks with a server that knows both eras.
struct Peer {
    name: &'static str,
    /// What its version begins with: the release that haft promises to work with.
    release: &'static str,
    speaks: &'static [(Preference, &'static str)],
}

const HANDSHAKE: &str = "2025-11-25";
const STATELESS: &str = "2026-07-28";

const PYTHON_MCP: Peer = Peer {
    name: "python-mcp",
    release: "2.3.",
    speaks: &[(Preference::Default, STATELESS), (Preference::Legacy, HANDSHAKE)],
};
const FASTMCP: Peer = Peer {
    name: "fastmcp",
    release: "4.2.",
    speaks: &[(Preference::Default, STATELESS), (Preference::Legacy, HANDSHAKE)],
};
const TYPESCRIPT_SDK: Peer =
    Peer { name: "typescript-sdk", release: "1.32.", speaks: &[(Preference::Default, HANDSHAKE)] };
const TYPESCRIPT_CLIENT: Peer = Peer {
    name: "typescript-client",
    release: "2.4.",
    speaks: &[(Preference::Default, HANDSHAKE), (Preference::Auto, STATELESS)],
};
const RMCP: Peer =
    Peer { name: "rmcp", release: "3.11.", speaks: &[(Preference::Default, HANDSHAKE), (Preference::Auto, STATELESS)] };
const INSPECTOR: Peer = Peer {
    name: "inspector",
    release: "2.12.",
    speaks: &[(Preference::Default, HANDSHAKE), (Preference::Auto, STATELESS)],
};

/// The tests of each peer: they run side by side, and a failure names the peer and the transport.
macro_rules! with_each_peer {
    ($($module:ident => $peer:expr),+ $(,)?) => {
        $(mod $module {
            use super::{Access, meets_over_http, meets_over_stdio};

            #[test]
            fn every_quickstart_tool_is_listed_and_called_over_stdio() {
                meets_over_stdio(&$peer);
            }

            #[test]
            fn every_quickstart_tool_is_listed_and_called_over_http() {
                meets_over_http(&$peer, Access::Open);
            }

            #[test]
            fn every_quickstart_tool_is_listed_and_called_over_http_with_the_printed_token() {
                meets_over_http(&$peer, Access::Token);
            }
        })+
    };
}

with_each_peer! {
    fastmcp => super::FASTMCP,
    inspector => super::INSPECTOR,
    python_mcp => super::PYTHON_MCP,
    rmcp => super::RMCP,
    typescript_client => super::TYPESCRIPT_CLIENT,
    typescript_sdk => super::TYPESCRIPT_SDK,
}

fn meets_over_stdio(peer: &Peer) {
    let manifest = manifest();
    let command = [haft_binary().as_os_str(), "serve".as_ref(), manifest.as_os_str(), "--stdio".as_ref()];
    for (preference, revision) in peer.speaks {
        let report = converse(peer.name, *preference, &plan_file(), Target::Stdio { command: &command });
        check(peer, revision, &report);
    }
}

/// Who may use the server.
#[derive(Clone, Copy)]
enum Access {
    Open,
    Token,
}

fn meets_over_http(peer: &Peer, access: Access) {
    let state = TempDir::new().unwrap();
    let mut serve = Command::new(haft_binary());
    serve.arg("serve").arg(manifest()).args(["--http", "127.0.0.1:0"]).env("XDG_STATE_HOME", state.path());
    let (mut server, token) = match access {
        Access::Open => (Running::start(serve.arg("--no-auth")), None),
        Access::Token => {
            let mut server = Running::start(&mut serve);
            let token = server.token();
            (server, Some(token))
        }
    };
    let url = server.url();
    for (preference, revision) in peer.speaks {
        let target = Target::Http { url: &url, token: token.as_deref() };
        let report = converse(peer.name, *preference, &plan_file(), target);
        check(peer, revision, &report);
    }
}

fn check(peer: &Peer, revision: &str, report: &PeerReport) {
    let who = format!("{} {} in {revision}", report.peer, report.version);
    assert!(report.version.starts_with(peer.release), "{who}: a release beginning `{}` is wanted", peer.release);
    assert_eq!(report.protocol_version, revision, "{who}");
    let mut expected = tools_of_the_quickstart();
    expected.sort();
    assert_eq!(report.tools, expected, "{who}: the list is whole and sorted");
    let plan = plan();
    let called: Vec<_> = report.calls.iter().map(|call| call.tool.as_str()).collect();
    let planned: Vec<_> = plan.iter().map(|entry| entry.tool.as_str()).collect();
    assert_eq!(called, planned, "{who}");
    for (entry, call) in plan.iter().zip(&report.calls) {
        let told = format!("{who}: `{}` told: {}", call.tool, call.text);
        assert_eq!(call.is_error, entry.refused_argument.is_some(), "{told}");
        match &entry.refused_argument {
            Some(argument) => assert!(call.text.contains(&format!("`/{argument}`")), "{told}"),
            None => assert!(!call.text.is_empty() || call.structured.is_some(), "{told}"),
        }
    }
}

#[test]
fn the_plan_calls_every_quickstart_tool_with_good_arguments_and_one_with_bad_ones() {
    let (bad, good): (Vec<_>, Vec<_>) = plan().into_iter().partition(|entry| entry.refused_argument.is_some());
    let called: BTreeSet<_> = good.into_iter().map(|entry| entry.tool).collect();
    assert_eq!(called, tools_of_the_quickstart().into_iter().collect());
    assert_eq!(bad.len(), 1);
}

/// A call that every peer makes. The peers read `tool` and `arguments` only.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlannedCall {
    tool: String,
    #[serde(rename = "arguments")]
    _arguments: serde_json::Value,
    /// The argument that the answer must name when the call is refused.
    refused_argument: Option<String>,
}

fn plan_file() -> PathBuf {
    repository().join("tests/peers/plan.json")
}

fn plan() -> Vec<PlannedCall> {
    serde_json::from_str(&fs::read_to_string(plan_file()).unwrap()).unwrap()
}

fn manifest() -> PathBuf {
    repository().join("examples/quickstart/haft.toml")
}

fn tools_of_the_quickstart() -> Vec<String> {
    let manifest: toml::Table = fs::read_to_string(manifest()).unwrap().parse().unwrap();
    let tools = manifest["tool"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}
