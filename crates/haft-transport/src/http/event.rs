//! Server-sent events, as the protocol uses them: each message is the one line of data of one event.

use std::io::Write;

use crate::course::append_in_one_line;

/// Appends a message as an event.
pub(super) fn message(message: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b"data: ");
    append_in_one_line(message, out);
    out.extend_from_slice(b"\n\n");
}

/// Appends a message as an event that a client can name when it comes back.
pub(super) fn numbered(stream: u64, number: u64, text: &[u8], out: &mut Vec<u8>) {
    id(stream, number, out);
    message(text, out);
}

/// Appends an event without data: it only tells from where on to come back, and when (2025-11-25, transports).
pub(super) fn priming(stream: u64, number: u64, out: &mut Vec<u8>) {
    id(stream, number, out);
    out.extend_from_slice(b"retry: 1000\ndata:\n\n");
}

/// What a client can name: a stream and the last event of it that it has.
pub(super) fn parse_id(text: &[u8]) -> Option<(u64, u64)> {
    let (stream, number) = std::str::from_utf8(text).ok()?.split_once('-')?;
    Some((stream.parse().ok()?, number.parse().ok()?))
}

fn id(stream: u64, number: u64, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    drop(writeln!(out, "id: {stream}-{number}"));
}

/// A line that clients skip; it shows intermediaries that the stream lives (2026-07-28, streamable HTTP).
pub(super) const KEEP_ALIVE: &[u8] = b": still here\n\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_of_data_whatever_its_blanks() {
        let mut out = Vec::new();
        message(b"{\"a\":\r\n  1}", &mut out);
        numbered(3, 7, b"{}", &mut out);
        priming(3, 8, &mut out);
        let expected = "data: {\"a\":    1}\n\nid: 3-7\ndata: {}\n\nid: 3-8\nretry: 1000\ndata:\n\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn an_id_comes_back_as_it_went() {
        assert_eq!(parse_id(b"3-7"), Some((3, 7)));
        for bad in [&b""[..], b"3", b"3-", b"-7", b"a-7", b"3-7-1", b"3-99999999999999999999", b"\xff-1"] {
            assert_eq!(parse_id(bad), None);
        }
    }
}
