//! What may stand behind `haft policy`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Reach;

/// Explain decisions of the policy, or try them.
///
/// The policy is that of /etc/haft/policy.toml, of the user's haft/policy.toml and of `[policy]` in the manifest.
#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Say what becomes of a call, and why. Nothing is called.
    Explain(Box<Explain>),
    /// Try a table of expected decisions; exit 1 when one comes out otherwise.
    Test {
        /// The table: `[[case]]` with `tool`, `expect` and more.
        file: PathBuf,
        /// A policy to try instead of the user's and the administrator's.
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
    },
}

/// Say what becomes of a call, and why: the hints that hold, the deciding rule, those that nearly match.
///
/// `haft policy explain [TARGET] TOOL [key=value…] [-- COMMAND…]`, as for `haft call`. Without arguments it is said
/// what holds whatever the arguments are.
#[derive(Args, Debug)]
#[command(
    after_long_help = EXAMPLES,
    override_usage = "haft policy explain [OPTIONS] [TARGET] TOOL [KEY=VALUE]... [-- COMMAND...]"
)]
pub(crate) struct Explain {
    /// The target, the tool and its arguments; the target is the command after `--`, if there is one.
    #[arg(value_name = "TARGET TOOL KEY=VALUE")]
    pub(crate) words: Vec<String>,

    /// All arguments at once, exactly: a JSON object, `@file`, or `-` for stdin.
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) args: Option<String>,

    #[command(flatten)]
    pub(crate) reach: Reach,

    /// A program to start as the server, with its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  haft policy explain write_file path=/etc/passwd
  haft policy explain .mcp.json#files write_file --args '{\"path\":\"/data/a\"}'
  haft policy test decisions.toml";
