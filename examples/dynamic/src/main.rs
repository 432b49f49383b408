//! Tools that change the list of tools: `learn` adds one while the server runs, `forget` takes it away, and clients that
//! want to know are told both times.

use std::sync::{Arc, OnceLock};

use haft::schemars::{self, JsonSchema};
use haft::{BuiltServer, PipeOptions, Server, State, ToolBuilder, ToolError, tool, tools};
use serde::Deserialize;

/// The server that the tools are in; it is there before the first call.
#[derive(Clone, Debug, Default)]
struct Home(Arc<OnceLock<BuiltServer>>);

impl Home {
    fn server(&self) -> Result<&BuiltServer, ToolError> {
        self.0.get().ok_or_else(|| ToolError::tell("the server is not ready yet: try again"))
    }
}

/// A tool without arguments.
#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// Adds a tool that tells what a word means. Use it when somebody explains a word of their own; not for words that are
/// in every dictionary.
#[tool(destructive = false, open_world = false)]
async fn learn(
    home: State<Home>,
    /// The word; it becomes the tool's name. Example: `standup`.
    #[arg(pattern = "^[a-z][a-z0-9_]*$", max_length = 40)]
    word: String,
    /// What it means, in a sentence. Example: `The meeting at nine, standing`.
    #[arg(min_length = 1, max_length = 1000)]
    meaning: String,
) -> Result<String, ToolError> {
    let server = home.server()?;
    // What clients can add has to have a bound.
    if server.tool_names().len() >= MOST_TOOLS {
        return Err(ToolError::tell("no more words fit: `forget` one first"));
    }
    let tool = ToolBuilder::new(&word)
        .description(format!("Tells what `{word}` means here. Use it when the word comes up; not for anything else."))
        .read_only(true)
        .open_world(false)
        .handler(move |_: Nothing, _cx| {
            let meaning = meaning.clone();
            async move { meaning }
        });
    match tool.and_then(|tool| server.add_tool(Arc::new(tool))) {
        Ok(()) => Ok(format!("there is a tool `{word}` now")),
        Err(error) => Err(ToolError::tell(format!("`{word}` cannot be added: {error}"))),
    }
}

/// Takes away a tool that `learn` added. Use it when a word means nothing any more; not to change what it means, for
/// which you forget it and learn it again.
#[tool(destructive, idempotent, open_world = false)]
async fn forget(
    home: State<Home>,
    /// The word. Example: `standup`.
    word: String,
) -> Result<String, ToolError> {
    let is_own = ["forget", "learn"].contains(&word.as_str());
    if is_own || !home.server()?.remove_tool(&word) {
        return Err(ToolError::tell(format!("`{word}` is no word that was learnt")));
    }
    Ok(format!("there is no tool `{word}` any more"))
}

fn server() -> haft::Result<BuiltServer> {
    let home = Home::default();
    let server = Server::new(tools![learn, forget]).name("dynamic").state(home.clone()).build()?;
    // From here on the server holds itself; this program serves it until the end.
    home.0.get_or_init(|| server.clone());
    Ok(server)
}

#[tokio::main]
async fn main() -> haft::Result {
    haft::serve_stdio(server()?, PipeOptions::default()).await?;
    Ok(())
}

const MOST_TOOLS: usize = 100;

#[cfg(test)]
mod tests;
