//! Clients of both kinds, over a pipe and over HTTP.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::{Value, json};

use crate::binary::{Folder, Guard, PATIENCE};

/// A request of 2026-07-28.
pub(crate) fn modern(id: u32, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// A call of 2026-07-28.
pub(crate) fn call(id: u32, tool: &str, arguments: Value) -> Value {
    modern(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

/// The headers that go with a message of 2026-07-28.
pub(crate) fn headers(message: &Value) -> Vec<(&str, &str)> {
    let mut headers = vec![
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", message["method"].as_str().unwrap()),
    ];
    headers.extend(message["params"]["name"].as_str().map(|name| ("Mcp-Name", name)));
    headers
}

/// The blocks of text of a call's answer, after `error: ` when it is one.
pub(crate) fn text(answer: &Value) -> String {
    let result = &answer["result"];
    let blocks = result["content"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let blocks: Vec<&str> = blocks.iter().map(|block| block["text"].as_str().unwrap()).collect();
    let mark = if result["isError"] == json!(true) { "error: " } else { "" };
    format!("{mark}{}", blocks.join("\n---\n"))
}

/// A server that was started over pipes.
pub(crate) struct Pipe {
    pub(crate) server: Guard,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Pipe {
    /// Starts `haft serve` in a folder, with more arguments.
    pub(crate) fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut command = folder.haft(&["serve"]);
        command.args(arguments);
        Self::spawn(command)
    }

    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let stdin = child.stdin.take();
        let lines = lines(child.stdout.take().unwrap());
        Self { server: Guard(child), stdin, lines }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        writeln!(self.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    /// The next message.
    pub(crate) fn receive(&self) -> Value {
        serde_json::from_str(&self.lines.recv_timeout(PATIENCE).expect("a message in time")).unwrap()
    }

    /// The answer to a request of which nothing else is open.
    pub(crate) fn ask(&mut self, request: &Value) -> Value {
        self.send(request);
        let answer = self.receive();
        assert_eq!(answer["id"], request["id"], "{answer}");
        answer
    }

    /// The result of a call, as text.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> String {
        text(&self.ask(&call(1, tool, arguments)))
    }

    /// Says no more.
    pub(crate) fn close(&mut self) {
        self.stdin = None;
    }
}

/// A server that was started over HTTP.
pub(crate) struct Web {
    pub(crate) server: Guard,
    /// The address and port of the first URL that it printed.
    pub(crate) authority: String,
    /// What it printed up to there, and what the announcement has after it.
    pub(crate) announcement: String,
}

impl Web {
    /// Starts `haft serve` at a free port, with more arguments.
    pub(crate) fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut command = folder.haft(&["serve", "--http", "127.0.0.1:0"]);
        command.args(arguments);
        Self::spawn(command)
    }

    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child: Child = command.spawn().unwrap();
        let lines = lines(child.stderr.take().unwrap());
        let server = Guard(child);
        let mut announcement = String::new();
        while !announcement.ends_with("Ctrl-C ends it.\n") {
            let line = lines.recv_timeout(PATIENCE);
            announcement.push_str(&line.unwrap_or_else(|_| panic!("no announcement: {announcement}")));
            announcement.push('\n');
        }
        let (_, rest) = announcement.split_once("http://").unwrap();
        let authority = rest.split_once("/mcp").unwrap().0.to_owned();
        Self { server, authority, announcement }
    }

    /// The token that it printed.
    pub(crate) fn token(&self) -> String {
        let (_, rest) = self.announcement.split_once("Bearer ").expect("a printed token");
        rest.split(['"', '\\']).next().unwrap().to_owned()
    }

    /// The status and the body of a POST of a 2026-07-28 message, with more headers.
    pub(crate) fn post(&self, headers: &[(&str, &str)], message: &Value) -> (u16, String) {
        let mut all = self::headers(message);
        all.extend(headers);
        self.request("POST", &all, &message.to_string())
    }

    /// The status and the body of any request.
    pub(crate) fn request(&self, method: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.authority).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        self.write(&mut stream, method, headers, body);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let body = answer.split_once("\r\n\r\n").unwrap().1.to_owned();
        (status, body)
    }

    /// Writes a request, and does not wait for the answer.
    pub(crate) fn write(&self, stream: &mut TcpStream, method: &str, headers: &[(&str, &str)], body: &str) {
        let has_host = headers.iter().any(|(name, _)| *name == "Host");
        let host = if has_host { String::new() } else { format!("Host: {}\r\n", self.authority) };
        let headers: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let headers = headers.concat();
        let length = body.len();
        write!(
            stream,
            "{method} /mcp HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .unwrap();
    }
}

/// The lines of an output, read as they come.
fn lines(output: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let Ok(line) = line else { return };
            // Nobody may be interested any more; the output is read to its end all the same.
            drop(sender.send(line));
        }
    });
    receiver
}
