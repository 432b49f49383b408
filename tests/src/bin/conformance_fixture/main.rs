//! The server that the conformance suite is run against: every tool that the suite calls by name.
//!
//! It prints its address on stderr and serves until it is ended. It is apart from the product: what the suite wants of
//! sampling and roots is open JSON here, and prompts, completions and logs are not served.

mod content;
mod rounds;

use std::sync::Arc;

use haft_core::{RawTool, Server, Tool, ToolSet};
use haft_transport::http::{Address, Endpoint, HttpOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = server()?;
        let endpoint = Endpoint::bind(&"127.0.0.1:0".parse::<Address>()?, HttpOptions::default())?;
        eprintln!("http://{}/mcp", endpoint.address());
        endpoint.serve(server, std::future::pending()).await?;
        Ok(())
    })
}

fn server() -> Result<Server, Box<dyn std::error::Error>> {
    let mut tools = content::tools()?;
    tools.extend(rounds::tools()?);
    let server = Server::builder(ToolSet::new("haft-conformance-fixture", env!("CARGO_PKG_VERSION"), tools)).build()?;
    server.add_tool(trigger_tool_change(&server)?)?;
    Ok(server)
}

/// Adds a tool, or takes it away again: each call changes the list.
fn trigger_tool_change(server: &Server) -> Result<Arc<dyn Tool>, haft_core::BuildError> {
    let server = server.clone();
    let tool = RawTool::new(
        r#"{"name":"test_trigger_tool_change","description":"Changes the list of tools.","inputSchema":{"type":"object"}}"#,
        move |_, _| {
            let server = server.clone();
            async move {
                if !server.remove_tool("test_appears_and_disappears") {
                    server.add_tool(content::simple(
                        "test_appears_and_disappears",
                        "Is there after every other call of test_trigger_tool_change.",
                    )?)?;
                }
                Ok::<_, haft_core::ToolError>("The list has changed.")
            }
        },
    )?;
    Ok(Arc::new(tool))
}
