//! What may stand behind `haft audit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::approvals::Place;

/// Read the audit log of `haft serve --audit`, and check that it is as it was written.
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum AuditCommand {
    /// Print the records in the order of their times.
    Show {
        #[command(flatten)]
        log: Log,

        /// One JSON object on each line, as they are in the log.
        #[arg(long)]
        json: bool,

        /// Only records of this tool.
        #[arg(long, value_name = "NAME")]
        tool: Option<String>,
    },
    /// Follow the chain from its beginning to its signed end; exit 1 where something was changed.
    Verify {
        #[command(flatten)]
        log: Log,
    },
}

/// Which log.
#[derive(Args, Debug)]
pub(crate) struct Log {
    /// The folder of the log, as `haft serve --audit-dir` was given it. Without it: that of the manifest.
    #[arg(value_name = "DIR", conflicts_with_all = ["file", "state"])]
    pub(crate) folder: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) place: Place,
}

const EXAMPLES: &str = "\
Examples:
  haft audit show                            the log of the haft.toml here or above
  haft audit show --file tools/haft.toml --tool write_file
  haft audit verify /var/log/haft            that of `haft serve --audit-dir /var/log/haft`";
