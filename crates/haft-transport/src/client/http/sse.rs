//! Reads server-sent events, however their bytes are cut (HTML standard, server-sent events).

use std::time::Duration;

/// An event with data.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// Its type, if it says one.
    pub(super) name: Vec<u8>,
    /// The lines of its data, joined by line breaks.
    pub(super) data: Vec<u8>,
}

/// An event, or a line of one, has more bytes than are taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// One stream of events, read piece by piece.
#[derive(Debug)]
pub(super) struct Events {
    most: usize,
    /// The beginning of a line.
    line: Vec<u8>,
    is_comment: bool,
    is_after_return: bool,
    lines: u64,
    name: Vec<u8>,
    data: Option<Vec<u8>>,
    id: Option<Vec<u8>>,
    last_id: Option<Vec<u8>>,
    retry: Option<Duration>,
    has_news: bool,
}

impl Events {
    /// Events of at most so many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            line: Vec::new(),
            is_comment: false,
            is_after_return: false,
            lines: 0,
            name: Vec::new(),
            data: None,
            id: None,
            last_id: None,
            retry: None,
            has_news: false,
        }
    }

    /// The id of the last event that was complete, if it had or inherited one.
    pub(super) fn last_id(&self) -> Option<&[u8]> {
        self.last_id.as_deref().filter(|id| !id.is_empty())
    }

    /// Whether an event was complete since this was asked last.
    pub(super) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.has_news)
    }

    /// How long to wait before coming back, if the stream said so.
    pub(super) fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Another response goes on with the stream: what was not complete is gone, the last id and the delay are not.
    pub(super) fn resume(&mut self) {
        let last_id = self.last_id.take();
        let id = last_id.clone();
        *self = Self { id, last_id, retry: self.retry, has_news: self.has_news, ..Self::new(self.most) };
    }

    /// The next event that is complete, with which its bytes are gone from the chunk; `None` when the chunk is used up.
    pub(super) fn next(&mut self, chunk: &mut &[u8]) -> Result<Option<Event>, TooLarge> {
        loop {
            if chunk.is_empty() {
                return Ok(None);
            }
            if std::mem::take(&mut self.is_after_return)
                && let Some(rest) = chunk.strip_prefix(b"\n")
            {
                *chunk = rest;
                continue;
            }
            let Some(end) = chunk.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.extend(chunk)?;
                *chunk = &[];
                return Ok(None);
            };
            let (part, rest) = chunk.split_at(end);
            self.extend(part)?;
            self.is_after_return = rest.first() == Some(&b'\r');
            *chunk = rest.get(1..).unwrap_or_default();
            if let Some(event) = self.end_line() {
                return Ok(Some(event));
            }
        }
    }

    fn extend(&mut self, part: &[u8]) -> Result<(), TooLarge> {
        self.is_comment |= self.line.is_empty() && part.first() == Some(&b':');
        if self.is_comment {
            return Ok(());
        }
        let held = self.line.len() + self.data.as_ref().map_or(0, Vec::len);
        // The name of the field stands in the line as well.
        if held + part.len() > self.most.saturating_add(FIELD) {
            return Err(TooLarge);
        }
        self.line.extend_from_slice(part);
        Ok(())
    }

    fn end_line(&mut self) -> Option<Event> {
        let is_first = self.lines == 0;
        self.lines += 1;
        if std::mem::take(&mut self.is_comment) {
            return None;
        }
        let line = std::mem::take(&mut self.line);
        let text = if is_first { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line) } else { &line };
        if text.is_empty() {
            return self.end_event();
        }
        let (field, value) = match text.iter().position(|byte| *byte == b':') {
            Some(colon) => text.split_at(colon),
            None => (text, &b""[..]),
        };
        let value = value.strip_prefix(b":").unwrap_or(value);
        self.field(field, value.strip_prefix(b" ").unwrap_or(value));
        // A small line leaves its memory to the next one.
        if line.capacity() <= KEPT {
            self.line = line;
            self.line.clear();
        }
        None
    }

    fn field(&mut self, field: &[u8], value: &[u8]) {
        match field {
            b"data" => match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            },
            b"event" => self.name = value.to_vec(),
            b"id" if value.len() <= ID && !value.iter().any(u8::is_ascii_control) => self.id = Some(value.to_vec()),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let number = str::from_utf8(value).ok().and_then(|text| text.parse().ok());
                self.retry = Some(Duration::from_millis(number.unwrap_or(u64::MAX)));
            }
            _ => {}
        }
    }

    fn end_event(&mut self) -> Option<Event> {
        if self.id.is_some() && self.id != self.last_id {
            self.last_id.clone_from(&self.id);
            self.has_news = true;
        }
        self.has_news |= self.data.is_some();
        let name = std::mem::take(&mut self.name);
        let data = self.data.take()?;
        Some(Event { name, data })
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// `data: `, or an honest name of an event.
const FIELD: usize = 256;
/// An id comes back in a header.
const ID: usize = 1024;
const KEPT: usize = 16 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8], size: usize, most: usize) -> (Vec<String>, Option<String>, Option<Duration>) {
        let mut events = Events::new(most);
        let mut found = Vec::new();
        'chunks: for mut chunk in text.chunks(size) {
            loop {
                match events.next(&mut chunk) {
                    Ok(Some(event)) => {
                        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                        found.push(format!("{}|{}", text(&event.name), text(&event.data)));
                    }
                    Ok(None) => break,
                    Err(TooLarge) => {
                        found.push("TOO LARGE".to_owned());
                        break 'chunks;
                    }
                }
            }
        }
        let id = events.last_id().map(|id| String::from_utf8_lossy(id).into_owned());
        (found, id, events.retry())
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str], id: Option<&str>, retry: Option<u64>) {
        for size in 1..=text.len() {
            let found = all(text.as_bytes(), size, 100);
            let expected = expected.iter().map(|&event| event.to_owned()).collect();
            assert_eq!(
                found,
                (expected, id.map(str::to_owned), retry.map(Duration::from_millis)),
                "{text:?} in chunks of {size}"
            );
        }
    }

    #[test]
    fn events_come_out_whole_however_the_bytes_came_in() {
        check("data: {}\n\n", &["|{}"], None, None);
        check("data: a\r\ndata: b\r\n\r\ndata:c\r\rdata\n\n", &["|a\nb", "|c", "|"], None, None);
        check("\u{feff}data: ä\n\n: no\n:\ndata:  b\nevent: message\n\n", &["|ä", "message| b"], None, None);
        check("\u{feff}: comment\ndata: \u{feff}\n\n", &["|\u{feff}"], None, None);
        check("other: x\nevent: x\n\ndata: a\n\n", &["|a"], None, None);
        check("data: never ended\n", &[], None, None);
        check("data: never ended", &[], None, None);
    }

    #[test]
    fn ids_and_delays_are_those_of_complete_events() {
        check("id: 1\ndata:\n\n", &["|"], Some("1"), None);
        check("id: 1\nretry: 500\n\ndata: a\n\nid: 2\n", &["|a"], Some("1"), Some(500));
        check("id: 1\n\nid\n\nretry: x\nretry: -1\nretry:\n", &[], None, None);
        check("id: a\0b\n\n", &[], None, None);
        check("retry: 99999999999999999999999\n", &[], None, Some(u64::MAX));
    }

    #[test]
    fn what_never_ends_is_bounded() {
        let endless = [&b"data: "[..], &[b'x'; 1000]].concat();
        let many = b"data: xxxxxxxxxx\n".repeat(100);
        let unknown = b"x".repeat(1000);
        for text in [endless, many, unknown] {
            for size in [1, 7, text.len()] {
                assert_eq!(all(&text, size, 100).0, ["TOO LARGE"]);
            }
        }
        let comment = [&b":"[..], &vec![b'x'; 100_000], b"\ndata: a\n\n"].concat();
        assert_eq!(all(&comment, 77, 100).0, ["|a"]);
        let mut events = Events::new(100);
        assert_eq!(events.next(&mut comment.as_slice()).unwrap().unwrap().data, b"a");
        assert!(events.line.capacity() < 1000);
    }
}
