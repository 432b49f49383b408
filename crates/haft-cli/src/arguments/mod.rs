//! What may stand behind `haft` on a command line.

mod approvals;
mod audit;
mod call;
mod list;
mod policy;
mod reach;
mod serve;
mod trust;

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use approvals::{ApprovalsCommand, Place};
pub(crate) use audit::{AuditCommand, Log};
pub(crate) use call::Call;
pub(crate) use list::{Api, Inspect, List};
pub(crate) use policy::{Explain, PolicyCommand};
pub(crate) use reach::Reach;
pub(crate) use serve::Serve;
pub(crate) use trust::Trust;

/// MCP tools, end to end: define, serve, list, call.
#[derive(Debug, Parser)]
#[command(name = "haft", version, arg_required_else_help = true, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Log more to stderr: -v what happens, -vv every step. `HAFT_LOG` selects by module, such as `haft_core=trace`.
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// See and answer what a server asks a person about.
    #[command(subcommand)]
    Approvals(ApprovalsCommand),
    /// Read the audit log of a server, and check it.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Call a tool of any server.
    Call(Box<Call>),
    /// Check a manifest and start nothing.
    Check(Check),
    /// Print a completion script for a shell.
    ///
    /// For example: `haft completions bash > ~/.local/share/bash-completion/completions/haft`
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Say what a server is and can do.
    Inspect(Box<Inspect>),
    /// List the tools of any server.
    List(Box<List>),
    /// Explain decisions of the policy, or try them.
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Serve the tools of a manifest to MCP clients.
    Serve(Serve),
    /// Let programs that a file names be started, once looked at.
    Trust(Box<Trust>),
}

/// Check a manifest: print its tools, or everything that is wrong with it. Nothing is started.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// The manifest, or its directory. Without it: the haft.toml here, or in the nearest directory above.
    pub(crate) file: Option<PathBuf>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  a tool failed or was refused, or what was checked has errors
  2  it could not be done: wrong usage, an unusable file, a server that cannot be reached";
