//! A client that speaks HTTP byte by byte, and the server that it speaks to.

use std::net::SocketAddr;

use haft_core::Server;
use haft_transport::http::{Address, Endpoint, HttpError, HttpOptions};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::stage::soon;

/// A server that listens on loopback.
pub struct Served {
    pub address: SocketAddr,
    pub stop: Option<oneshot::Sender<()>>,
    pub ended: JoinHandle<Result<(), HttpError>>,
}

impl Served {
    pub fn new(server: &Server) -> Self {
        Self::with_options(server, HttpOptions::default())
    }

    pub fn with_options(server: &Server, options: HttpOptions) -> Self {
        let endpoint = Endpoint::bind(&"127.0.0.1:0".parse().unwrap(), options).unwrap();
        let Address::Tcp(address) = *endpoint.address() else { panic!("not TCP") };
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(endpoint.serve(server.clone(), async { drop(stopped.await) }));
        Self { address, stop: Some(stop), ended }
    }

    pub async fn connect(&self) -> HttpClient {
        HttpClient::over(TcpStream::connect(self.address).await.unwrap())
    }

    /// One request on a connection of its own.
    pub async fn send(&self, request: &Request) -> Response {
        let mut client = self.connect().await;
        client.send(request).await;
        client.response().await
    }
}

/// A request.
#[derive(Clone, Debug)]
pub struct Request {
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    pub fn new(method: &'static str) -> Self {
        Self { method, path: "/mcp".to_owned(), headers: Vec::new(), body: Vec::new() }.with("Host", "localhost")
    }

    /// A message with the headers that every client sends.
    pub fn post(message: &Value) -> Self {
        Self::new("POST")
            .with("Content-Type", "application/json")
            .with("Accept", "application/json, text/event-stream")
            .body(message.to_string())
    }

    /// A message of 2026-07-28, with the headers that repeat it.
    pub fn modern(message: &Value) -> Self {
        let mut request = Self::post(message).with("MCP-Protocol-Version", "2026-07-28");
        if let Some(method) = message["method"].as_str() {
            request = request.with("Mcp-Method", method);
        }
        match message["params"]["name"].as_str() {
            Some(name) => request.with("Mcp-Name", name),
            None => request,
        }
    }

    /// A message of a session.
    pub fn of_session(message: &Value, session: &str) -> Self {
        Self::post(message).with("Mcp-Session-Id", session)
    }

    /// The same with a header, in the place of one of that name.
    pub fn with(self, name: &str, value: &str) -> Self {
        let mut request = self.without(name);
        request.headers.push((name.to_owned(), value.to_owned()));
        request
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    pub fn path(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// The request line and the headers, without a length.
    pub fn head(&self) -> String {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head().into_bytes();
        if !self.body.is_empty() {
            bytes.extend_from_slice(format!("Content-Length: {}\r\n", self.body.len()).as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, String::from_utf8_lossy(&self.body)))
    }

    fn is_chunked(&self) -> bool {
        self.header("transfer-encoding") == Some("chunked")
    }
}

/// A connection.
pub struct HttpClient<S = TcpStream> {
    pub stream: S,
    unread: Vec<u8>,
    /// What is there of the body of a stream.
    events: Vec<u8>,
}

impl<S: AsyncReadExt + AsyncWriteExt + Unpin> HttpClient<S> {
    pub fn over(stream: S) -> Self {
        Self { stream, unread: Vec::new(), events: Vec::new() }
    }

    pub async fn send(&mut self, request: &Request) {
        self.send_bytes(&request.bytes()).await;
    }

    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        soon(self.stream.write_all(bytes)).await.unwrap();
    }

    /// Reads on; `false` at the end.
    pub async fn read(&mut self) -> bool {
        let count = soon(self.stream.read_buf(&mut self.unread)).await.unwrap_or(0);
        count > 0
    }

    /// A response to its end.
    pub async fn response(&mut self) -> Response {
        let mut response = self.head().await;
        if response.is_chunked() {
            while let Some(chunk) = self.chunk().await {
                response.body.extend_from_slice(&chunk);
            }
        } else {
            let length = response.header("content-length").map_or(0, |length| length.parse().unwrap());
            response.body = self.take(length).await;
        }
        response
    }

    /// The beginning of a response.
    pub async fn head(&mut self) -> Response {
        let end = loop {
            if let Some(end) = self.unread.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break end + 4;
            }
            assert!(self.read().await, "the connection ended before the headers did");
        };
        let head = String::from_utf8(self.take(end).await).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.map(|line| line.split_once(": ").unwrap());
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        Response { status, headers, body: Vec::new() }
    }

    /// The next event of a stream, without the blank line; `None` at the end of the stream.
    pub async fn event(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.events.windows(2).position(|bytes| bytes == b"\n\n") {
                let event = String::from_utf8(self.events[..end].to_vec()).unwrap();
                self.events.drain(..end + 2);
                return Some(event);
            }
            let chunk = self.chunk().await?;
            self.events.extend_from_slice(&chunk);
        }
    }

    /// The next message of a stream; comments and empty events are skipped.
    pub async fn message(&mut self) -> Option<Value> {
        loop {
            let event = self.event().await?;
            let data = event.lines().find_map(|line| line.strip_prefix("data: "));
            if let Some(data) = data {
                return Some(serde_json::from_str(data).unwrap());
            }
        }
    }

    /// `None` at the last chunk, or when the connection ended.
    async fn chunk(&mut self) -> Option<Vec<u8>> {
        let end = loop {
            if let Some(end) = self.unread.windows(2).position(|bytes| bytes == b"\r\n") {
                break end;
            }
            if !self.read().await {
                return None;
            }
        };
        let size = usize::from_str_radix(std::str::from_utf8(&self.unread[..end]).unwrap(), 16).unwrap();
        let mut chunk = self.take(end + 2 + size + 2).await;
        chunk.truncate(end + 2 + size);
        chunk.drain(..end + 2);
        (size > 0).then_some(chunk)
    }

    async fn take(&mut self, count: usize) -> Vec<u8> {
        while self.unread.len() < count {
            assert!(self.read().await, "the connection ended early");
        }
        self.unread.drain(..count).collect()
    }
}
