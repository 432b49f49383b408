//! What comes in.

use std::fmt;

use super::{Excerpt, Fault};

/// Something that arrived, or that ended.
#[non_exhaustive]
pub enum Incoming {
    /// The connection is over; nothing follows. Never of HTTP, where each exchange is on its own.
    Closed(Closed),
    /// HTTP: nothing more comes for this request. Not told for one that was forgotten.
    Ended {
        /// The number it was sent under.
        request: u64,
        /// Why, unless all is well. Messages may have come before.
        fault: Option<Fault>,
    },
    /// A JSON object or array; more is not known of it.
    Message {
        /// The text.
        bytes: Vec<u8>,
        /// HTTP: on whose stream or answer it came. `None` on the stream that belongs to no request.
        request: Option<u64>,
        /// HTTP: the facts of the response, with its first message.
        head: Option<Head>,
    },
    /// A line, or the data of an event, that is no JSON object or array.
    Noise(Excerpt),
    /// A line of a program's standard error, if [`Launch`](super::Launch) asked for them. Lines that nobody takes in
    /// time are left out.
    Stderr(Excerpt),
    /// HTTP: the stream that belongs to no request ended for good. Not told when the server has none.
    StreamEnded {
        /// Why.
        fault: Fault,
    },
}

/// Without the text of messages, which may be long and secret.
impl fmt::Debug for Incoming {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed(closed) => formatter.debug_tuple("Closed").field(closed).finish(),
            Self::Ended { request, fault } => {
                formatter.debug_struct("Ended").field("request", request).field("fault", fault).finish()
            }
            Self::Message { bytes, request, head } => formatter
                .debug_struct("Message")
                .field("bytes", &bytes.len())
                .field("request", request)
                .field("head", head)
                .finish(),
            Self::Noise(text) => formatter.debug_tuple("Noise").field(text).finish(),
            Self::Stderr(line) => formatter.debug_tuple("Stderr").field(line).finish(),
            Self::StreamEnded { fault } => formatter.debug_struct("StreamEnded").field("fault", fault).finish(),
        }
    }
}

/// The facts of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Head {
    /// The status; an error may carry a message, too.
    pub status: u16,
    /// `Mcp-Session-Id`, if it is what such an id may be: visible ASCII, not too long.
    pub session: Option<String>,
    /// Whether the message came on a stream of events.
    pub is_stream: bool,
}

/// How a connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Closed {
    /// Why.
    pub end: End,
    /// The last that the program wrote to its standard error.
    pub stderr: Excerpt,
}

impl Closed {
    /// This side closed the connection.
    pub fn by_us() -> Self {
        Self { end: End::WeClosed, stderr: Excerpt::of(b"") }
    }
}

/// Why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The program ended by itself, with this status.
    Exited(i32),
    /// The program closed its output and was ended.
    Hung,
    /// The program was ended, and not by what is known here.
    Killed,
    /// The server in this process went away.
    Left,
    /// The program was ended by this signal.
    Signalled(i32),
    /// The program was ended, for it read the beginning of a message and not the rest.
    Stalled,
    /// The program was ended, for it wrote a line with more than this many bytes.
    TooLarge(usize),
    /// This side closed the connection.
    WeClosed,
}

impl fmt::Display for End {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(status) => write!(formatter, "the program exited with status {status}"),
            Self::Hung => formatter.write_str("the program closed its output"),
            Self::Killed => formatter.write_str("the program was killed"),
            Self::Left => formatter.write_str("the server went away"),
            Self::Signalled(signal) => write!(formatter, "the program was ended by signal {signal}"),
            Self::Stalled => formatter.write_str("the program stopped reading within a message"),
            Self::TooLarge(limit) => write!(formatter, "the program wrote a line of more than {limit} bytes"),
            Self::WeClosed => formatter.write_str("the connection was closed"),
        }
    }
}
