//! The client of rmcp behind the contract of all peers: lists the tools of one server, makes the planned calls, prints one report.
//! Its default is the handshake era; `auto` probes.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject, ProtocolVersion};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService, ServiceExt,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const DEADLINE: Duration = Duration::from_secs(30);
const USAGE: &str = "usage: --plan FILE [--era default|legacy|auto] (stdio -- COMMAND… | http URL [TOKEN])";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match tokio::time::timeout(DEADLINE, converse()).await {
        Ok(Ok(report)) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Ok(Err(error)) => {
            eprintln!("rmcp: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("  caused by: {error}");
                cause = error.source();
            }
            ExitCode::FAILURE
        }
        Err(_) => {
            eprintln!("rmcp: no answer within {DEADLINE:?}");
            ExitCode::FAILURE
        }
    }
}

async fn converse() -> Result<Value, Box<dyn Error>> {
    let options = Options::read()?;
    let client = match &options.target {
        Target::Stdio { program, arguments } => {
            let mut command = tokio::process::Command::new(program);
            command.args(arguments);
            connect(TokioChildProcess::new(command)?, options.era).await?
        }
        Target::Http { url, token } => {
            let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
            if let Some(token) = token {
                config = config.auth_header(token.as_str());
            }
            connect(StreamableHttpClientTransport::from_config(config), options.era).await?
        }
    };
    let version = client.peer_info().map(|info| info.protocol_version.to_string());
    let tools = client.list_all_tools().await?;
    let mut calls = Vec::new();
    for entry in options.plan {
        let params = CallToolRequestParams::new(entry.tool.clone()).with_arguments(entry.arguments);
        calls.push(Call::new(entry.tool, client.call_tool(params).await?)?);
    }
    client.cancel().await?;
    let names: Vec<_> = tools.into_iter().map(|tool| tool.name).collect();
    Ok(json!({
        "peer": "rmcp",
        "version": rmcp_version(),
        "protocolVersion": version,
        "tools": names,
        "calls": calls,
    }))
}

async fn connect<T, E, A>(transport: T, era: Era) -> Result<RunningService<RoleClient, ()>, ClientInitializeError>
where
    T: rmcp::transport::IntoTransport<RoleClient, E, A>,
    E: Error + Send + Sync + 'static,
{
    match era {
        Era::Default => ().serve(transport).await,
        Era::Legacy => ().serve_with_lifecycle(transport, ClientLifecycleMode::Initialize).await,
        Era::Auto => {
            let lifecycle = ClientLifecycleMode::Auto {
                preferred_versions: vec![ProtocolVersion::LATEST],
                legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
            };
            ().serve_with_lifecycle(transport, lifecycle).await
        }
    }
}

#[derive(Deserialize)]
struct Planned {
    tool: String,
    arguments: JsonObject,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Call {
    tool: String,
    is_error: bool,
    text: String,
    structured: Option<Value>,
}

impl Call {
    fn new(tool: String, result: CallToolResult) -> Result<Self, serde_json::Error> {
        let wire = serde_json::to_value(&result.content)?;
        let texts: Vec<_> = wire
            .as_array()
            .into_iter()
            .flatten()
            .filter(|block| block["type"] == "text")
            .filter_map(|block| block["text"].as_str())
            .collect();
        Ok(Self {
            tool,
            is_error: result.is_error.unwrap_or(false),
            text: texts.join("\n"),
            structured: result.structured_content,
        })
    }
}

#[derive(Clone, Copy)]
enum Era {
    Default,
    Legacy,
    Auto,
}

enum Target {
    Stdio { program: String, arguments: Vec<String> },
    Http { url: String, token: Option<String> },
}

struct Options {
    plan: Vec<Planned>,
    era: Era,
    target: Target,
}

impl Options {
    fn read() -> Result<Self, Box<dyn Error>> {
        let mut words = std::env::args().skip(1);
        let mut plan = None;
        let mut era = Era::Default;
        let target = loop {
            match words.next().as_deref() {
                Some("--plan") => plan = Some(std::fs::read(words.next().ok_or(USAGE)?)?),
                Some("--era") => {
                    era = match words.next().as_deref() {
                        Some("default") => Era::Default,
                        Some("legacy") => Era::Legacy,
                        Some("auto") => Era::Auto,
                        _ => return Err(USAGE.into()),
                    };
                }
                Some("stdio") => {
                    let mut command = words.by_ref().skip_while(|word| word == "--");
                    let program = command.next().ok_or(USAGE)?;
                    break Target::Stdio { program, arguments: command.collect() };
                }
                Some("http") => {
                    break Target::Http { url: words.next().ok_or(USAGE)?, token: words.next() };
                }
                _ => return Err(USAGE.into()),
            }
        };
        let plan = serde_json::from_slice(&plan.ok_or(USAGE)?)?;
        Ok(Self { plan, era, target })
    }
}

/// The version that this program was locked to.
fn rmcp_version() -> Option<&'static str> {
    let (_, entry) = include_str!("../../Cargo.lock").split_once("name = \"rmcp\"\nversion = \"")?;
    entry.split('"').next()
}
