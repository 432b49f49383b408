//! What is asked of both servers: which tool, among how many, in which form of the protocol.

use std::fmt;

use clap::{Args, ValueEnum};

/// How the tool answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tool {
    /// `add` answers with text.
    Text,
    /// `sum` answers with structured content, which has an output schema, and the same as text.
    Structured,
}

impl Tool {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "add",
            Self::Structured => "sum",
        }
    }
}

/// The two families of revisions, as a client writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// 2025-11-25: `initialize` first, then bare requests.
    Handshake,
    /// 2026-07-28: `_meta` and standard headers on every request.
    Stateless,
}

impl Form {
    pub const fn version(self) -> &'static str {
        match self {
            Self::Handshake => "2025-11-25",
            Self::Stateless => "2026-07-28",
        }
    }
}

/// One thing to measure.
#[derive(Args, Clone, Copy, Debug)]
pub struct Case {
    /// The tool that is called
    #[arg(long, value_enum, default_value = "text")]
    pub tool: Tool,
    /// How many tools the server has, the called one included
    #[arg(long, default_value_t = 1)]
    pub tools: usize,
    /// The form of the protocol that the client speaks
    #[arg(long, value_enum, default_value = "stateless")]
    pub form: Form,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, tools, form } = self;
        let plural = if *tools == 1 { "tool" } else { "tools" };
        write!(f, "{} {} of {tools} {plural}", form.version(), tool.name())
    }
}

/// One tool of each kind that matters: the gate is the first two, the others show where the cost lies.
pub const CASES: [Case; 4] = [
    Case { tool: Tool::Text, tools: 1, form: Form::Stateless },
    Case { tool: Tool::Text, tools: 1_000, form: Form::Stateless },
    Case { tool: Tool::Structured, tools: 1, form: Form::Stateless },
    Case { tool: Tool::Text, tools: 1, form: Form::Handshake },
];

/// The name of the tool that is there only to be many.
pub fn filler_name(index: usize) -> String {
    format!("search_catalogue_{index:04}")
}
