//! A `tools/call` as a client writes it, with the numbers in it exchanged from call to call.

use std::net::SocketAddr;

use crate::case::{Case, Form};

/// The bytes of a call. Its id and its first argument have the same seven digits, which differ from call to call.
#[derive(Clone, Debug)]
pub struct Request {
    bytes: Vec<u8>,
    places: Vec<usize>,
}

impl Request {
    /// The call as an HTTP request, head and body.
    pub fn http(case: Case, address: SocketAddr, session: Option<&str>) -> Self {
        let body = body(case);
        let mut text = head(case.form, address, session, body.len());
        if case.form == Form::Stateless {
            let name = case.tool.name();
            let end = text.len() - 2;
            text.insert_str(end, &format!("Mcp-Method: tools/call\r\nMcp-Name: {name}\r\n"));
        }
        text.push_str(&body);
        Self::with_places(text)
    }

    /// The call as a line for stdio.
    pub fn line(case: Case) -> Self {
        Self::with_places(body(case) + "\n")
    }

    fn with_places(text: String) -> Self {
        let places = places(text.as_bytes(), DIGITS);
        Self { bytes: text.into_bytes(), places }
    }

    /// The bytes of the call whose id is `number`.
    pub fn numbered(&mut self, number: Number) -> &[u8] {
        write_at(&mut self.bytes, &self.places, number.id());
        &self.bytes
    }
}

/// The head of a POST, up to and with the empty line.
pub fn head(form: Form, address: SocketAddr, session: Option<&str>, length: usize) -> String {
    let version = form.version();
    let session = session.map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: {version}\r\n{session}Content-Length: {length}\r\n\r\n"
    )
}

/// The JSON-RPC message.
pub fn body(case: Case) -> String {
    let meta = match case.form {
        Form::Handshake => "",
        Form::Stateless => {
            r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}},"#
        }
    };
    let name = case.tool.name();
    format!(
        r#"{{"jsonrpc":"2.0","id":{DIGITS},"method":"tools/call","params":{{{meta}"name":"{name}","arguments":{{"a":{DIGITS},"b":{ADDEND}}}}}}}"#
    )
}

/// A call's number: seven digits, and so is its sum with the addend, so that no length ever changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(u32);

impl Number {
    /// The number of the call from which the answers are learned.
    pub const FIRST: Self = Self(1_234_567);

    pub const fn of_serial(serial: u32) -> Self {
        Self(1_000_000 + serial % COUNT)
    }

    /// Reads the digits of an id back.
    pub fn of_id(digits: &[u8]) -> Option<Self> {
        std::str::from_utf8(digits).ok()?.parse().ok().map(Self)
    }

    /// How many calls after `first` this one was asked.
    pub const fn since(self, first: Self) -> u32 {
        (self.0 + COUNT).wrapping_sub(first.0) % COUNT
    }

    pub fn id(self) -> [u8; WIDTH] {
        digits(self.0)
    }

    pub fn sum(self) -> [u8; WIDTH] {
        digits(self.0.wrapping_add(ADDEND))
    }
}

/// The last seven decimal digits.
fn digits(mut value: u32) -> [u8; WIDTH] {
    let mut digits = [b'0'; WIDTH];
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789".get(value as usize % 10).copied().unwrap_or(b'0');
        value /= 10;
    }
    digits
}

/// Where `digits` stand in `text`.
pub fn places(text: &[u8], digits: &str) -> Vec<usize> {
    text.windows(WIDTH).enumerate().filter(|(_, window)| *window == digits.as_bytes()).map(|(place, _)| place).collect()
}

/// Writes `digits` at each of the places.
pub fn write_at(bytes: &mut [u8], places: &[usize], digits: [u8; WIDTH]) {
    for place in places {
        if let Some(target) = bytes.get_mut(*place..*place + WIDTH) {
            target.copy_from_slice(&digits);
        }
    }
}

pub const WIDTH: usize = 7;
/// The digits of the first call, found nowhere else in it.
pub const DIGITS: &str = "1234567";
const ADDEND: u32 = 5_000_000;
/// How many calls there are before the numbers begin again.
const COUNT: u32 = 4_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Tool;

    #[test]
    fn calls_differ_in_their_numbers_only() {
        let case = Case { tool: Tool::Text, tools: 1, form: Form::Stateless };
        let mut request = Request::line(case);
        assert_eq!(request.places.len(), 2);
        let line = String::from_utf8(request.numbered(Number::of_serial(42)).to_vec());
        assert_eq!(line.as_deref(), Ok((body(case) + "\n").replace(DIGITS, "1000042").as_str()));
    }

    #[test]
    fn no_number_changes_the_length_of_its_sum() {
        for (serial, id, sum) in
            [(0, b"1000000", b"6000000"), (3_999_999, b"4999999", b"9999999"), (4_000_000, b"1000000", b"6000000")]
        {
            let number = Number::of_serial(serial);
            assert_eq!((number.id(), number.sum()), (*id, *sum), "{serial}");
            assert_eq!(Number::of_id(id), Some(number));
            assert_eq!(Number::of_serial(serial + 9).since(number), 9);
        }
    }
}
