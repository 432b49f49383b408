//! What may stand behind `haft approvals`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::reach::duration;

/// See and answer what `haft serve` asks a person about.
///
/// Tools whose rule says `ask = "person"` wait here for a yes, and so do those that a client cannot be asked about. A
/// yes is for exactly the call that is shown, and for one run unless it says otherwise.
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub(crate) enum ApprovalsCommand {
    /// Say yes to a question.
    Allow {
        /// The ticket, or its first group.
        ticket: String,

        /// Let every identical call run for so long, such as 8h, instead of one.
        #[arg(long = "for", value_name = "TIME", value_parser = duration, conflicts_with = "always")]
        lasting: Option<Duration>,

        /// Write a rule that allows exactly this call to the user's policy file, too. It lifts the question of the default
        /// policy; rules that ask or deny still do.
        #[arg(long)]
        always: bool,

        #[command(flatten)]
        place: Place,
    },
    /// Say no to a question, or take a yes back.
    Deny {
        /// The ticket, or its first group.
        ticket: String,

        /// How long the no counts; the same call is not asked about again before that.
        #[arg(long = "for", value_name = "TIME", value_parser = duration, default_value = "1h")]
        lasting: Duration,

        #[command(flatten)]
        place: Place,
    },
    /// List the questions, the oldest first, with what became of them.
    List {
        #[command(flatten)]
        place: Place,
    },
}

/// Which server's state.
#[derive(Args, Debug)]
pub(crate) struct Place {
    /// The manifest that is served, or its directory. Without it: the haft.toml here, or in the nearest directory above.
    #[arg(long = "file", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The state folder that `haft serve` was given.
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  haft approvals list
  haft approvals allow 7K3F                  one run
  haft approvals allow 7K3F --for 8h         every identical call, for eight hours
  haft approvals deny 7K3F";
