//! What may stand behind `haft trust`.

use std::path::PathBuf;

use clap::Args;

/// Let the program that a file names be started by list, call and inspect.
///
/// Shows the whole command, where it runs and which variables it gets, and asks. Bound to all of that: a change asks
/// again. What you name yourself (`haft serve FILE`, `-- COMMAND`) needs no trust.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Trust {
    /// `.mcp.json#name`. Without it: the haft.toml here, or in the nearest directory above.
    #[arg(conflicts_with = "list")]
    pub(crate) target: Option<String>,

    /// Print everything that is trusted.
    #[arg(long, conflicts_with = "forget")]
    pub(crate) list: bool,

    /// Trust it no longer; TARGET can also be a digest that `--list` prints.
    #[arg(long)]
    pub(crate) forget: bool,

    /// The answer to an input that a VS Code file asks for; may be repeated.
    #[arg(long, value_name = "ID=VALUE", value_parser = super::reach::input)]
    pub(crate) input: Vec<(String, String)>,

    /// The folder with grants of trust, instead of the user's state folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  haft trust .mcp.json#files
  haft trust --list
  haft trust --forget .mcp.json#files";
