//! The client that the conformance suite is run against: it does with `haft-client` what a scenario wants to see.
//!
//! The suite gives it a URL, and the scenario's name, revision and context in the environment. The revision is not read, but
//! found out from the server, as a real client has to.

mod person;
mod scenarios;

use std::env;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use haft_client::{Client, ClientOptions, Endpoint};
use haft_transport::client::Remote;

use crate::person::Agreeable;

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("  caused by: {error}");
                cause = error.source();
            }
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<(), Failure> {
    let url = env::args().nth(1).ok_or("the URL of the server is missing")?;
    let scenario = env::var("MCP_CONFORMANCE_SCENARIO")?;
    let context = env::var("MCP_CONFORMANCE_CONTEXT").ok();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut options = ClientOptions::default();
        options.answers = Some(Arc::new(Agreeable));
        options.timeout = Duration::from_secs(10);
        let client = Client::connect(Endpoint::Http(Remote::new(url)), options).await?;
        let outcome = scenarios::play(&client, &scenario, context.as_deref()).await;
        for remark in client.remarks().await {
            eprintln!("remark: {remark}");
        }
        client.close().await;
        outcome
    })
}
