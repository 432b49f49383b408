//! Haft itself, as a user of the library would serve the measured tools: with the default policy before every call, and
//! nothing turned off but the token.

use std::num::NonZeroUsize;

use haft::policy::Policy;
use haft::schemars::{self, JsonSchema};
use haft::{Address, Endpoint, Guard, HttpOptions, Json, Server, ToolBuilder, tool, tools};
use serde::{Deserialize, Serialize};
use tokio::runtime::Builder;

use crate::Result;
use crate::case::{Tool, filler_name};
use crate::server::end_with_stdin;

/// Adds two whole numbers. Use it for sums; not for dates.
#[tool(read_only, open_world = false)]
async fn add(
    /// The first number. Example: `2`.
    a: i64,
    /// The second number. Example: `3`.
    b: i64,
) -> String {
    a.wrapping_add(b).to_string()
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

/// Adds two whole numbers and answers with structured content. Use it for sums; not for dates.
#[tool(read_only, open_world = false)]
async fn sum(
    /// The first number. Example: `2`.
    a: i64,
    /// The second number. Example: `3`.
    b: i64,
) -> Json<Sum> {
    Json(Sum { sum: a.wrapping_add(b) })
}

/// What the tools take that are there only to be many.
#[derive(Deserialize, JsonSchema)]
struct Search {
    /// Words to look for. Example: `left-handed scissors`.
    query: String,
    /// How many entries at most.
    limit: Option<u32>,
}

/// Serves on loopback, with a runtime on each core that this process may use, until stdin ends.
pub fn serve_http(port: u16, tool: Tool, count: usize) -> Result<()> {
    let server = with_tools(tool, count)?.build()?;
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let address: Address = format!("127.0.0.1:{port}").parse()?;
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        let endpoint = Endpoint::bind(&address, HttpOptions::default())?;
        println!("{}", endpoint.address());
        end_with_stdin();
        endpoint.serve_per_core(server, threads, std::future::pending()).await?;
        Ok(())
    })
}

/// Serves over stdin and stdout.
pub fn serve_stdio(tool: Tool, count: usize) -> Result<()> {
    let server = with_tools(tool, count)?;
    Ok(Builder::new_current_thread().enable_all().build()?.block_on(server.serve_stdio())?)
}

/// The called tool, and as many others as it takes to have `count`.
fn with_tools(tool: Tool, count: usize) -> Result<Server> {
    let tools = match tool {
        Tool::Text => tools![add],
        Tool::Structured => tools![sum],
    };
    let mut server = Server::new(tools).guard(Guard::new(Policy::default()));
    for index in 1..count {
        let filler = ToolBuilder::new(filler_name(index))
            .description("Searches the catalogue for entries that match a query. Use it for articles; not for orders.")
            .read_only(true)
            .open_world(false)
            .handler(|search: Search, _| async move { format!("{} {:?}", search.query, search.limit) })?;
        server = server.tool(filler);
    }
    Ok(server)
}
