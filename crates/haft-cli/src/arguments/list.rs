//! What may stand behind `haft list` and `haft inspect`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::Reach;

/// List the tools of a server: what they are called, what they may do, what they are for.
///
/// Without TARGET and without a command after `--`: the haft.toml here, or in the nearest directory above.
#[derive(Args, Debug)]
#[command(after_long_help = LIST_EXAMPLES)]
pub(crate) struct List {
    /// A haft.toml, a saved tools.json, `.mcp.json#name`, or a URL.
    pub(crate) target: Option<String>,

    /// Print whole descriptions, arguments and whether results are structured.
    #[arg(long, conflicts_with_all = ["json", "api"])]
    pub(crate) long: bool,

    /// Print the definitions as the server sent them: `{"tools": […], "setAside": […], "server": {…}}`.
    #[arg(long, conflicts_with = "api")]
    pub(crate) json: bool,

    /// Print tool definitions for the API of a model; what became of the names is told on stderr.
    #[arg(long = "as", id = "api", value_name = "API")]
    pub(crate) api: Option<Api>,

    #[command(flatten)]
    pub(crate) reach: Reach,

    /// A program to start as the server, with its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// An API of a model that takes tool definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Api {
    /// Messages: `name`, `description`, `input_schema`.
    Anthropic,
    /// Chat completions: `function` with `name`, `description`, `parameters`.
    Openai,
}

/// Say what a server is and can do: version, capabilities, instructions, timings, counts.
///
/// Without TARGET and without a command after `--`: the haft.toml here, or in the nearest directory above.
#[derive(Args, Debug)]
#[command(after_long_help = INSPECT_EXAMPLES)]
pub(crate) struct Inspect {
    /// A haft.toml, `.mcp.json#name`, or a URL.
    pub(crate) target: Option<String>,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) reach: Reach,

    /// A program to start as the server, with its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

const LIST_EXAMPLES: &str = "\
Examples:
  haft list                                          the haft.toml here or above
  haft list .mcp.json#files                          an entry of a file of servers
  haft list https://example.com/mcp --header 'Authorization: Bearer ${TOKEN}'
  haft list --long -- uvx mcp-server-time            a program
  haft list tools.json --as anthropic                saved definitions, for an API";

const INSPECT_EXAMPLES: &str = "\
Examples:
  haft inspect .mcp.json#files
  haft inspect https://example.com/mcp
  haft inspect --protocol 2025-06-18 -- uvx mcp-server-time";
