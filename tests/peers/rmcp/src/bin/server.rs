//! The server of rmcp, with the tools that every peer has: `stdio`, or `http` on a free port of loopback.

use std::error::Error;
use std::time::Duration;

use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ElicitRequest, ElicitRequestParams,
    ElicitationAction, ErrorData, InputRequest, InputRequests, InputRequiredResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::net::TcpListener;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["stdio"] => {
            Peer.serve(rmcp::transport::stdio()).await?.waiting().await?;
            Ok(())
        }
        ["http"] => serve_http().await,
        _ => Err("usage: stdio|http".into()),
    }
}

async fn serve_http() -> Result<(), Box<dyn Error>> {
    let config = StreamableHttpServerConfig::default();
    let service = StreamableHttpService::<_, LocalSessionManager>::new(|| Ok(Peer), Default::default(), config);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("http://{}/mcp", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.await {
                eprintln!("rmcp: {error}");
            }
        });
    }
}

#[derive(Clone)]
struct Peer;

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Vec<Tool> =
            serde_json::from_value(tools()).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.clone().unwrap_or_default());
        let number = |name: &str| arguments[name].as_i64().unwrap_or_default();
        Ok(match request.name.as_ref() {
            "add" => text((number("a") + number("b")).to_string()).into(),
            "measure" => {
                let measured = arguments["text"].as_str().unwrap_or_default();
                let (characters, words) = (measured.chars().count(), measured.split_whitespace().count());
                CallToolResult::structured(json!({ "characters": characters, "words": words })).into()
            }
            "fail" => CallToolResult::error(vec![ContentBlock::text("it was meant to fail")]).into(),
            "count" => count(number("to"), &context).await?.into(),
            "greet" => greet(&request, &context).await?,
            other => return Err(ErrorData::invalid_params(format!("no tool is named {other}"), None)),
        })
    }
}

fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

async fn count(to: i64, context: &RequestContext<RoleServer>) -> Result<CallToolResult, ErrorData> {
    let token = context.meta.get_progress_token();
    for number in 1..=to {
        if let Some(token) = token.clone() {
            let progress = ProgressNotificationParam::new(token, number as f64)
                .with_total(to as f64)
                .with_message(format!("at {number}"));
            let told = context.peer.notify_progress(progress).await;
            told.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        }
        // bounded: so often as there are numbers, and so slowly that reports are told apart.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(text(format!("counted to {to}")))
}

/// Asks in the middle of the call in the handshake era, and at the end of a round in the other.
async fn greet(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let form: ElicitRequestParams = serde_json::from_value(json!({
        "mode": "form",
        "message": "What is your name?",
        "requestedSchema": { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] },
    }))
    .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let hello = |content: Option<&Value>| {
        let name = content.and_then(|content| content["name"].as_str()).unwrap_or("nobody");
        text(format!("Hello, {name}!"))
    };
    if context.protocol_version().is_none_or(|version| version < ProtocolVersion::V_2026_07_28) {
        let answer = context.peer.create_elicitation(form).await;
        let answer = answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        if answer.action != ElicitationAction::Accept {
            return Ok(hello(None).into());
        }
        return Ok(hello(answer.content.as_ref()).into());
    }
    let answers = request.input_responses.as_ref().map(serde_json::to_value).transpose();
    let answers = answers.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    match answers {
        Some(answers) => Ok(hello(Some(&answers["person"]["content"])).into()),
        None => {
            let mut requests = InputRequests::new();
            requests.insert("person".to_owned(), InputRequest::Elicitation(ElicitRequest::new(form)));
            Ok(InputRequiredResult::from_input_requests(requests).into())
        }
    }
}

fn tools() -> Value {
    let whole = json!({ "type": "integer" });
    json!([
        {
            "name": "add",
            "description": "Adds two numbers.",
            "inputSchema": { "type": "object", "properties": { "a": whole, "b": whole }, "required": ["a", "b"] },
        },
        {
            "name": "measure",
            "description": "Counts the characters and words of a text.",
            "inputSchema": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] },
            "outputSchema": {
                "type": "object",
                "properties": { "characters": whole, "words": whole },
                "required": ["characters", "words"],
            },
        },
        { "name": "fail", "description": "Fails, on purpose.", "inputSchema": { "type": "object" } },
        {
            "name": "count",
            "description": "Counts, and tells how far it is.",
            "inputSchema": { "type": "object", "properties": { "to": whole }, "required": ["to"] },
        },
        { "name": "greet", "description": "Asks for a name, and greets.", "inputSchema": { "type": "object" } },
    ])
}
