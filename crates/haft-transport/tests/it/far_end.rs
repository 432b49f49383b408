//! The far end of a client's HTTP connection: a test reads the requests and writes the answers byte by byte.

use std::net::SocketAddr;

use haft_transport::client::{Fault, Head, Inbox, Incoming, Remote};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::stage::soon;

/// A server that does nothing by itself.
pub struct FarEnd {
    listener: TcpListener,
    pub address: SocketAddr,
}

impl FarEnd {
    pub async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        Self { listener, address }
    }

    pub fn remote(&self) -> Remote {
        Remote::new(format!("http://{}/mcp?key=secret", self.address))
    }

    /// The next connection.
    pub async fn accept(&self) -> Wire {
        let (stream, _) = soon(self.listener.accept()).await.unwrap();
        Wire { stream, unread: Vec::new() }
    }

    /// Whether somebody wants to connect by now.
    pub async fn is_wanted(&self) -> bool {
        let moment = std::time::Duration::from_millis(50);
        tokio::time::timeout(moment, self.listener.accept()).await.is_ok()
    }
}

/// A connection.
pub struct Wire {
    stream: TcpStream,
    unread: Vec<u8>,
}

/// A request as it came.
#[derive(Debug)]
pub struct Heard {
    pub line: String,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Heard {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Wire {
    /// The next request on this connection; `None` when it is closed.
    pub async fn request(&mut self) -> Option<Heard> {
        let end = loop {
            if let Some(end) = self.unread.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break end;
            }
            if !self.read().await {
                return None;
            }
        };
        let head = String::from_utf8(self.unread.drain(..end + 4).take(end).collect()).unwrap();
        let mut lines = head.split("\r\n").map(str::to_owned);
        let line = lines.next().unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_ascii_lowercase(), value.to_owned())
        });
        let mut heard = Heard { line, headers: headers.collect(), body: Vec::new() };
        let length = heard.header("content-length").map_or(0, |length| length.parse().unwrap());
        while self.unread.len() < length {
            assert!(self.read().await);
        }
        heard.body = self.unread.drain(..length).collect();
        Some(heard)
    }

    /// Fails quietly, for a client need not read everything.
    pub async fn write(&mut self, bytes: &[u8]) -> bool {
        soon(self.stream.write_all(bytes)).await.is_ok()
    }

    /// The head of a stream of events that ends with the connection, and its beginning.
    pub async fn events(&mut self, text: &str) {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
        assert!(self.write(format!("{head}{text}").as_bytes()).await);
    }

    /// Whether the client has hung up.
    pub async fn is_over(&mut self) -> bool {
        !self.read().await
    }

    async fn read(&mut self) -> bool {
        soon(self.stream.read_buf(&mut self.unread)).await.unwrap_or(0) > 0
    }
}

/// A message as an answer with a length.
pub fn json(status: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}")
}

/// What came for a request: its messages, and how it ended.
#[derive(Debug)]
pub struct Came {
    pub messages: Vec<Value>,
    pub noise: Vec<String>,
    pub head: Option<Head>,
    pub fault: Option<Fault>,
}

/// Everything up to the end of this request.
pub async fn outcome(inbox: &mut Inbox, wanted: u64) -> Came {
    let mut came = Came { messages: Vec::new(), noise: Vec::new(), head: None, fault: None };
    loop {
        match soon(inbox.next()).await.unwrap() {
            Incoming::Message { bytes, request, head } => {
                assert_eq!(request, Some(wanted));
                came.messages.push(serde_json::from_slice(&bytes).unwrap());
                came.head = came.head.or(head);
            }
            Incoming::Noise(excerpt) => came.noise.push(excerpt.to_string()),
            Incoming::Ended { request, fault } => {
                assert_eq!(request, wanted);
                came.fault = fault;
                return came;
            }
            other => panic!("unexpected {other:?}"),
        }
    }
}
