//! Servers to connect to, and what a client of them is made of.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use haft_client::{Answer, Answers, Asked, Client, ClientError, ClientOptions, Endpoint};
use haft_core::{Context, IntoOutcome, Principal, RawTool, Server, Tool, ToolSet};
use haft_transport::client::{Launch, Remote};
use haft_transport::http::HttpOptions;
use serde_json::Value;

/// Every version, newest first.
pub(crate) const VERSIONS: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// No test waits for ever.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(10), future).await.expect("it happens within ten seconds")
}

/// A tool from its definition.
pub(crate) fn tool<F>(
    definition: &Value,
    handler: impl Fn(Value, Context) -> F + Send + Sync + 'static,
) -> Arc<dyn Tool>
where
    F: Future<Output: IntoOutcome> + Send + 'static,
{
    let call = move |arguments: Box<serde_json::value::RawValue>, context| {
        handler(serde_json::from_str(arguments.get()).unwrap(), context)
    };
    Arc::new(RawTool::new(&definition.to_string(), call).unwrap())
}

pub(crate) fn server(tools: Vec<Arc<dyn Tool>>) -> Server {
    Server::builder(ToolSet::new("test", "1.0", tools)).build().unwrap()
}

/// How a client reaches haft's own server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Http,
    Memory,
}

/// Every way in every version.
pub(crate) fn everywhere() -> impl Iterator<Item = (Way, &'static str)> {
    [Way::Memory, Way::Http].into_iter().flat_map(|way| VERSIONS.into_iter().map(move |version| (way, version)))
}

/// A client of a server.
pub(crate) async fn client(way: Way, server: &Server, options: ClientOptions) -> Client {
    let endpoint = match way {
        Way::Http => Endpoint::Http(Remote::new(serve(server.clone()))),
        Way::Memory => Endpoint::Memory(server.clone(), Arc::new(Principal::anonymous())),
    };
    soon(Client::connect(endpoint, options)).await.unwrap()
}

/// Serves over HTTP for as long as the test runs, and says where.
pub(crate) fn serve(server: Server) -> String {
    let address = "127.0.0.1:0".parse().unwrap();
    let endpoint = haft_transport::http::Endpoint::bind(&address, HttpOptions::default()).unwrap();
    let url = format!("http://{}/mcp", endpoint.address());
    tokio::spawn(endpoint.serve(server, std::future::pending()));
    url
}

pub(crate) fn speaking(version: &str) -> ClientOptions {
    let mut options = ClientOptions::default();
    options.version = Some(version.to_owned());
    options
}

/// A server that is a script of the shell: `say` writes a message, `hear` reads one into `$line`.
pub(crate) fn script(text: &str) -> Endpoint {
    let begin = "say() { printf '%s\\n' \"$1\"; }\nhear() { IFS= read -r line || exit 0; }\n";
    let mut launch = Launch::new("/bin/sh", "/");
    launch.arguments = vec!["-c".into(), format!("{begin}{text}").into()];
    launch.environment = vec![("PATH".into(), "/usr/bin:/bin".into())];
    Endpoint::Program(launch)
}

/// The beginning of a script: a handshake, after which the next request has id 3.
pub(crate) const HANDSHAKE: &str = r#"
hear; say '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"what?"}}'
hear; say '{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"1"}}}'
hear
"#;

/// The tools of a script under one id.
pub(crate) fn list(id: u64, tools: &str) -> String {
    format!("hear; say '{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"tools\":[{tools}]}}}}'\n")
}

pub(crate) async fn connect(endpoint: Endpoint, options: ClientOptions) -> Result<Client, ClientError> {
    soon(Client::connect(endpoint, options)).await
}

/// Answers everything with the same, and remembers what was asked.
pub(crate) struct Says {
    pub(crate) answer: Answer,
    pub(crate) asked: Mutex<Vec<Asked>>,
}

impl Says {
    pub(crate) fn new(answer: Answer) -> Arc<Self> {
        Arc::new(Self { answer, asked: Mutex::default() })
    }
}

impl Answers for Says {
    fn answer<'a>(&'a self, asked: &'a Asked) -> std::pin::Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        self.asked.lock().unwrap().push(asked.clone());
        let answer = self.answer.clone();
        Box::pin(std::future::ready(answer))
    }
}
