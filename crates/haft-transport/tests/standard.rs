//! The standard streams of this very process, which has one test for that reason.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests")]

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::sync::Arc;
use std::time::Duration;

use haft_core::{RawTool, Server, ToolSet};
use haft_transport::stdio::{PipeError, PipeOptions, serve_stdio};
use rustix::stdio;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// A client at the other ends of this process's stdin and stdout.
struct Client {
    stdin: Option<PipeWriter>,
    stdout: BufReader<PipeReader>,
    served: JoinHandle<Result<(), PipeError>>,
}

impl Client {
    fn start(server: &Server) -> Self {
        let (reader, stdin) = pipe().unwrap();
        let (stdout, writer) = pipe().unwrap();
        stdio::dup2_stdin(&reader).unwrap();
        stdio::dup2_stdout(&writer).unwrap();
        let served = tokio::spawn(serve_stdio(server.clone(), PipeOptions::default()));
        Self { stdin: Some(stdin), stdout: BufReader::new(stdout), served }
    }

    fn call(&mut self, tool: &str) {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}
        });
        let params = json!({ "name": tool, "arguments": {}, "_meta": meta });
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        writeln!(self.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line
    }

    fn text(&mut self) -> String {
        let line = self.line();
        let answer: Value = serde_json::from_str(&line).unwrap();
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

/// A tool that does what a program does that knows nothing of protocols.
fn server() -> Server {
    let definition = |name: &str| {
        format!(r#"{{"name":"{name}","description":"A tool of a test.","inputSchema":{{"type":"object"}}}}"#)
    };
    let print = RawTool::new(&definition("print"), |_, _| async {
        // As a library in C would, and as Rust does with its buffer.
        rustix::io::write(stdio::stdout(), b"printed\n").unwrap();
        std::io::stdout().write_all(b"buffered, without an end").unwrap();
        let mut eaten = [0; 16];
        let count = rustix::io::read(stdio::stdin(), &mut eaten).unwrap();
        format!("printed, and read {count}")
    });
    let wait = RawTool::new(&definition("wait"), |_, context| async move {
        // As long as a signal takes to arrive, and a little longer.
        tokio::time::sleep(Duration::from_millis(200)).await; // bounded: it is the tool that takes its time
        format!("waited in {:?}", context.tool())
    });
    let tools: Vec<Arc<dyn haft_core::Tool>> = vec![Arc::new(print.unwrap()), Arc::new(wait.unwrap())];
    Server::builder(ToolSet::new("standard", "1.0.0", tools)).build().unwrap()
}

#[test]
fn the_standard_streams_are_the_protocols_until_they_are_given_back() {
    let (stdin, stdout) = (stdin_copy(), stdout_copy());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let server = server();
    let guard = runtime.enter();

    // What a tool prints goes elsewhere, and what it reads is nothing.
    let mut client = Client::start(&server);
    client.call("print");
    assert_eq!(client.text(), "printed, and read 0");
    client.call("print");
    assert_eq!(client.text(), "printed, and read 0");
    let second = runtime.block_on(serve_stdio(server.clone(), PipeOptions::default()));
    assert!(matches!(second, Err(PipeError::AlreadyServed)));
    client.stdin = None;
    runtime.block_on(&mut client.served).unwrap().unwrap();

    // Now the program's own words go to its client again.
    rustix::io::write(stdio::stdout(), b"after\n").unwrap();
    assert_eq!(client.line(), "after\n");

    // A signal ends the conversation like the end of the input, after what is going on.
    let mut client = Client::start(&server);
    client.call("print");
    assert_eq!(client.text(), "printed, and read 0");
    client.call("wait");
    // bounded: the call has to be read before the signal comes
    std::thread::sleep(Duration::from_millis(50));
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TERM).unwrap();
    runtime.block_on(&mut client.served).unwrap().unwrap();
    assert!(client.text().starts_with("waited"));

    drop(guard);
    stdio::dup2_stdin(&stdin).unwrap();
    stdio::dup2_stdout(&stdout).unwrap();
}

fn stdin_copy() -> std::os::fd::OwnedFd {
    rustix::io::dup(stdio::stdin()).unwrap()
}

fn stdout_copy() -> std::os::fd::OwnedFd {
    rustix::io::dup(stdio::stdout()).unwrap()
}
