//! One connection: blocking while it finds out, then one call in flight for as long as the round lasts.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::answer::Answer;
use super::request::{Number, Request, head};
use crate::Result;
use crate::case::{Case, Form};

/// A connection that waits for each answer: used before the clock runs.
#[derive(Debug)]
pub struct Exchange {
    address: SocketAddr,
    stream: TcpStream,
}

/// The answer to one request.
struct Response {
    head: Head,
    body: Vec<u8>,
}

/// What matters of the head of an answer.
struct Head {
    status: u16,
    session: Option<String>,
    /// Where the body begins, and how long it is.
    end: usize,
    length: usize,
}

impl Exchange {
    pub fn connect(address: SocketAddr) -> Result<Self> {
        Ok(Self { address, stream: connect(address)? })
    }

    /// Opens a session where the form has one; tells its id.
    pub fn shake_hands(&mut self, form: Form) -> Result<Option<String>> {
        if form == Form::Stateless {
            return Ok(None);
        }
        let initialize = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}"#;
        let opened = self.post(form, None, initialize)?;
        expect(200, &opened)?;
        let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let told = self.post(form, opened.head.session.as_deref(), initialized)?;
        expect(202, &told)?;
        Ok(opened.head.session)
    }

    /// Makes the first call and takes its answer as the pattern for all others.
    pub fn learn(&mut self, case: Case, mut request: Request) -> Result<(Answer, String)> {
        let response = self.exchange(request.numbered(Number::FIRST))?;
        expect(200, &response)?;
        let answer = Answer::learn(case, &response.body)?;
        Ok((answer, String::from_utf8(response.body)?))
    }

    fn post(&mut self, form: Form, session: Option<&str>, body: &str) -> Result<Response> {
        let request = head(form, self.address, session, body.len()) + body;
        self.exchange(request.as_bytes())
    }

    fn exchange(&mut self, request: &[u8]) -> Result<Response> {
        self.stream.write_all(request)?;
        let mut received = Vec::new();
        loop {
            if let Some(head) = read_head(&received)?
                && let Some(body) = received.get(head.end..head.end + head.length)
            {
                let body = body.to_vec();
                return Ok(Response { head, body });
            }
            let mut chunk = [0; 4096];
            let count = self.stream.read(&mut chunk)?;
            if count == 0 {
                return Err("the server closed the connection".into());
            }
            received.extend(chunk.iter().take(count));
        }
    }
}

/// A connection under load.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    request: Request,
    answer: Answer,
    number: Number,
    asked: Instant,
    received: Box<[u8]>,
    filled: usize,
}

impl Connection {
    pub fn open(address: SocketAddr, request: Request, answer: Answer) -> Result<Self> {
        let stream = connect(address)?;
        stream.set_nonblocking(true)?;
        let received = vec![0; answer.len() + LONGEST_HEAD].into_boxed_slice();
        Ok(Self { stream, request, answer, number: Number::of_serial(0), asked: Instant::now(), received, filled: 0 })
    }

    pub fn socket(&self) -> &TcpStream {
        &self.stream
    }

    /// Sends the call with this serial number. It is small and the only one: the socket takes it whole.
    pub fn ask(&mut self, serial: u32) -> Result<()> {
        self.number = Number::of_serial(serial);
        self.filled = 0;
        let bytes = self.request.numbered(self.number);
        self.asked = Instant::now();
        self.stream.write_all(bytes)?;
        Ok(())
    }

    /// Takes what came; tells the latency once the answer is whole and right.
    pub fn answer(&mut self) -> Result<Option<Duration>> {
        let free = self.received.get_mut(self.filled..).unwrap_or_default();
        match self.stream.read(free) {
            Ok(0) => {
                return Err("the server closed the connection, or answered more than expected".into());
            }
            Ok(count) => self.filled += count,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
        let received = self.received.get(..self.filled).unwrap_or_default();
        let Some(head) = read_head(received)? else {
            return Ok(None);
        };
        if received.len() < head.end + head.length {
            return Ok(None);
        }
        let latency = self.asked.elapsed();
        let body = received.get(head.end..).unwrap_or_default();
        if head.status != 200 || !self.answer.is(self.number, body) {
            let body = String::from_utf8_lossy(body);
            return Err(format!("not the answer to the call: {} {body}", head.status).into());
        }
        Ok(Some(latency))
    }
}

/// The head, once it is whole.
fn read_head(received: &[u8]) -> Result<Option<Head>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(end) = response.parse(received)? else {
        return Ok(None);
    };
    let status = response.code.unwrap_or(0);
    let value = |name: &str| {
        let header = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        header.and_then(|header| std::str::from_utf8(header.value).ok())
    };
    let length = match value("content-length") {
        Some(length) => length.parse()?,
        None if status == 202 || status == 204 => 0,
        None => return Err("the answer tells no length: it streams, or is chunked".into()),
    };
    let session = value("mcp-session-id").map(str::to_owned);
    Ok(Some(Head { status, session, end, length }))
}

fn expect(status: u16, response: &Response) -> Result<()> {
    if response.head.status == status {
        return Ok(());
    }
    let body = String::from_utf8_lossy(&response.body);
    Err(format!("the server answered {} where {status} is right: {body}", response.head.status).into())
}

fn connect(address: SocketAddr) -> Result<TcpStream> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(stream)
}

const PATIENCE: Duration = Duration::from_secs(20);
const LONGEST_HEAD: usize = 4096;
