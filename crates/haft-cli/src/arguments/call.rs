//! What may stand behind `haft call`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::Reach;

/// Call a tool: `haft call [TARGET] TOOL [key=value…] [-- COMMAND…]`.
///
/// Without TARGET and without a command after `--`, the tool is one of the haft.toml here, or in the nearest directory
/// above. `key=value` is read by the schema of the tool, `key:=JSON` is exact, `key=@file` takes a file, a key that is
/// repeated is an array. What the policy says to ask about is asked in the terminal; without one it is refused.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES, override_usage = "haft call [OPTIONS] [TARGET] TOOL [KEY=VALUE]... [-- COMMAND...]")]
pub(crate) struct Call {
    /// The target, the tool and its arguments; the target is the command after `--`, if there is one.
    #[arg(value_name = "TARGET TOOL KEY=VALUE")]
    pub(crate) words: Vec<String>,

    /// All arguments at once, exactly: a JSON object, `@file`, or `-` for stdin.
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) args: Option<String>,

    /// Print the result as the server sent it.
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) json: bool,

    /// Print what would be sent and what the policy decides. Nothing but the list is asked for.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Where images, audio and other files of a result are saved.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) output: PathBuf,

    /// Send arguments that do not fit the tool's schema, and take a result that does not fit.
    #[arg(long)]
    pub(crate) no_check: bool,

    #[command(flatten)]
    pub(crate) reach: Reach,

    /// A program to start as the server, with its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  haft call count_lines path=README.md                      a tool of the haft.toml here or above
  haft call .mcp.json#files read_file path=notes.txt
  haft call http://127.0.0.1:7878/mcp count_lines path=README.md
  haft call get_current_time timezone=Europe/Berlin -- uvx mcp-server-time
  haft call .mcp.json#db query --args '{\"sql\":\"select 1\"}' --json

Ctrl-C cancels the call, stops the server and exits with 130.";
