//! Real servers, one for each SDK, are listed and called by the client over stdio and HTTP, in every version of the protocol: each
//! of them speaks all. What is refused is shown by the servers in `public_servers.rs`.

use std::env;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use haft_client::{Answer, Answers, Asked, CallOptions, Client, ClientError, ClientOptions, Endpoint};
use haft_tests::{Running, peer_program, run_to_end};
use haft_transport::client::{Launch, Remote};
use haft_wire::model::{Content, Returned};
use serde_json::{Map, Value, json};

use crate::home::Home;

/// One of the servers.
struct Peer {
    name: &'static str,
    /// The first version in which it asks the person.
    asks_since: &'static str,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Transport {
    Http,
    Stdio,
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Http => "http",
            Self::Stdio => "stdio",
        })
    }
}

const FASTMCP: Peer = Peer { name: "fastmcp-server", asks_since: OLDEST };
const PYTHON_MCP: Peer = Peer { name: "python-mcp-server", asks_since: QUESTIONS };
const RMCP: Peer = Peer { name: "rmcp-server", asks_since: OLDEST };
const TYPESCRIPT: Peer = Peer { name: "typescript-server", asks_since: QUESTIONS };

/// From the oldest to the newest.
const VERSIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const OLDEST: &str = VERSIONS[0];
/// The first version that knows questions. Who is told by the client that it can answer may ask before it, too.
const QUESTIONS: &str = "2025-06-18";

/// The tests of each peer: they run side by side, and a failure names the peer and the transport.
macro_rules! with_each_peer {
    ($($module:ident => $peer:expr),+ $(,)?) => {
        $(mod $module {
            use super::{Transport, meets, meets_the_binary};

            #[test]
            fn every_tool_is_listed_and_called_over_stdio_in_each_version() {
                meets(&$peer, Transport::Stdio);
            }

            #[test]
            fn every_tool_is_listed_and_called_over_http_in_each_version() {
                meets(&$peer, Transport::Http);
            }

            #[test]
            fn the_binary_lists_and_calls_behind_a_url_in_both_eras() {
                meets_the_binary(&$peer);
            }
        })+
    };
}

with_each_peer! {
    fastmcp => super::FASTMCP,
    python_mcp => super::PYTHON_MCP,
    rmcp => super::RMCP,
    typescript => super::TYPESCRIPT,
}

fn meets(peer: &Peer, over: Transport) {
    let mut running =
        (over == Transport::Http).then(|| Running::start(Command::new(peer_program(peer.name)).arg("http")));
    let endpoint = match &mut running {
        Some(server) => Endpoint::Http(Remote::new(server.url())),
        None => Endpoint::Program(launch(peer.name)),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut faults = Vec::new();
    for version in [None].into_iter().chain(VERSIONS.map(Some)) {
        if let Err(fault) = runtime.block_on(converse(endpoint.clone(), version, peer.asks_since)) {
            faults.push(format!("{} over {over} in {}: {fault}", peer.name, version.unwrap_or("the newest")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn meets_the_binary(peer: &Peer) {
    let home = Home::allowing_everything();
    let mut server = Running::start(Command::new(peer_program(peer.name)).arg("http"));
    let url = server.url();
    for version in ["2025-11-25", "2026-07-28"] {
        let haft = |words: &[&str]| run_to_end(home.haft().args(words).args(["--protocol", version]), LIMIT);
        let listed = haft(&["list", &url, "--json"]);
        assert_eq!(listed.status.code(), Some(0), "{version}: {}", listed.stderr);
        let list: Value = serde_json::from_str(&listed.stdout).unwrap();
        assert_eq!((&list["server"]["protocolVersion"], list["tools"].as_array().unwrap().len()), (&version.into(), 5));
        for (words, code, told) in [
            (&["add", "a=2", "b=3"][..], 0, "5\n"),
            (&["count", "to=3"], 0, "counted to 3\n"),
            (&["fail"], 1, "meant to fail"),
            (&["measure", "text=two words", "--json"], 0, r#""structuredContent":{"characters":9,"words":2}"#),
            (&["add", "a=2", "c=3"], 2, ""),
        ] {
            let called = haft(&[&["call", &url], words].concat());
            let printed = format!("{version}, {words:?}: {}{}", called.stdout, called.stderr);
            assert_eq!(called.status.code(), Some(code), "{printed}");
            assert!(called.stdout.contains(told), "{printed}");
        }
    }
}

const LIMIT: Duration = Duration::from_mins(1);

fn launch(name: &str) -> Launch {
    let mut launch = Launch::new(peer_program(name), env::temp_dir());
    launch.arguments = vec!["stdio".into()];
    launch.environment =
        ["PATH", "HOME"].iter().filter_map(|name| Some(((*name).into(), env::var_os(name)?))).collect();
    launch
}

/// Lists the tools and calls each of them.
async fn converse(endpoint: Endpoint, version: Option<&str>, asks_since: &str) -> Result<(), String> {
    let mut options = ClientOptions::default();
    options.version = version.map(str::to_owned);
    options.answers = Some(Arc::new(Ada));
    options.timeout = Duration::from_secs(20);
    let client = Client::connect(endpoint, options).await.map_err(|error| shown(&error))?;
    let spoken = client.server().await.map_err(|error| shown(&error))?.version;
    let wanted = version.unwrap_or("2026-07-28");
    if spoken != wanted {
        return Err(format!("{spoken} was agreed on"));
    }
    let tools = client.tools().await.map_err(|error| shown(&error))?;
    let mut names: Vec<_> = tools.list.iter().map(|tool| tool.definition().name.as_str()).collect();
    names.sort_unstable();
    if names != ["add", "count", "fail", "greet", "measure"] || !tools.set_aside.is_empty() {
        return Err(format!("the list is {names:?}, and set aside are {:?}", tools.set_aside));
    }
    calls(&client, spoken >= asks_since).await?;
    let mut remarks = client.remarks().await;
    // On a busy machine a program takes longer to start than the first question waits.
    remarks.retain(|remark| remark != "request 1 was answered late or twice");
    client.close().await;
    if remarks.is_empty() { Ok(()) } else { Err(format!("was odd: {remarks:?}")) }
}

async fn calls(client: &Client, asks: bool) -> Result<(), String> {
    let call = async |tool: &str, arguments: Value| {
        let returned = client.call(tool, &arguments.to_string(), &CallOptions::default()).await;
        returned.map_err(|error| format!("`{tool}`: {}", shown(&error)))
    };
    expect("add", &text(&call("add", json!({ "a": 2, "b": 3 })).await?), "5")?;
    match client.call("add", r#"{"a":"2","b":3}"#, &CallOptions::default()).await {
        Err(ClientError::Arguments { .. }) => {}
        other => return Err(format!("`add` with a wrong argument: {other:?}")),
    }

    let measured = call("measure", json!({ "text": "two words" })).await?;
    let structured = measured.result.structured.map(|value| serde_json::from_str::<Value>(value.get()).unwrap());
    expect("measure", &structured, &Some(json!({ "characters": 9, "words": 2 })))?;

    let failed = call("fail", json!({})).await?;
    if !failed.result.is_error || !text(&failed).contains("meant to fail") {
        return Err(format!("`fail`: {}", failed.raw));
    }

    let reports = Arc::new(Mutex::new(Vec::new()));
    let mut options = CallOptions::default();
    let told = Arc::clone(&reports);
    options.progress = Some(Arc::new(move |progress| told.lock().unwrap().push(progress.progress)));
    let counted =
        client.call("count", r#"{"to":3}"#, &options).await.map_err(|error| format!("`count`: {}", shown(&error)))?;
    expect("count", &text(&counted), "counted to 3")?;
    let reports = reports.lock().unwrap().clone();
    if reports.is_empty() || !reports.is_sorted() {
        return Err(format!("`count` told of progress {reports:?}"));
    }

    if asks {
        return expect("greet", &text(&call("greet", json!({})).await?), "Hello, Ada!");
    }
    match client.call("greet", "{}", &CallOptions::default()).await {
        Err(ClientError::Peer { source, .. }) if source.message.contains("elicitation") => Ok(()),
        Ok(returned) if returned.result.is_error && text(&returned).contains("licitation") => Ok(()),
        other => Err(format!("`greet` where nobody can be asked: {other:?}")),
    }
}

fn expect<T: fmt::Debug + PartialEq<U> + ?Sized, U: fmt::Debug + ?Sized>(
    tool: &str,
    told: &T,
    wanted: &U,
) -> Result<(), String> {
    if told == wanted { Ok(()) } else { Err(format!("`{tool}` told {told:?} instead of {wanted:?}")) }
}

fn text(returned: &Returned) -> String {
    let texts = returned.result.content.iter().filter_map(|content| match content {
        Content::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// An error with what caused it.
fn shown(error: &ClientError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// The person behind the client.
struct Ada;

impl Answers for Ada {
    fn answer<'a>(&'a self, asked: &'a Asked) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        assert_eq!(asked.message(), "What is your name?");
        let content = Map::from_iter([("name".to_owned(), Value::from("Ada"))]);
        Box::pin(async move { Answer::Accept(content) })
    }
}
