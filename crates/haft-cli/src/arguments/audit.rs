//! What may stand behind `haft audit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Read the audit log of `haft serve --audit`, and check that it is as it was written.
#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Print the records in the order of their times.
    Show {
        #[command(flatten)]
        folder: Folder,

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
        folder: Folder,
    },
}

/// Which log.
#[derive(Args, Debug)]
pub(crate) struct Folder {
    /// The folder of the log. Without it: that of the manifest here, or in the nearest directory above.
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,

    /// The state folder that `haft serve` was given.
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
}
