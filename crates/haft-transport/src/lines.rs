//! Lines out of chunks of bytes, with a bound on their length.

use std::io::BufRead;

/// Cuts a stream of bytes into lines; most lines are never copied.
#[derive(Debug)]
pub(crate) struct Lines {
    chunk: Box<[u8]>,
    start: usize,
    end: usize,
    /// The beginning of a line that did not end in its chunk.
    carried: Vec<u8>,
    is_carried_spent: bool,
    /// The line is over the bound, was reported, and is skipped to its end.
    is_skipping: bool,
    most: usize,
}

/// A line, or that there was one that is too long.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// A line without its end; not blank.
    Text(&'a [u8]),
    /// A line over the bound; the rest of it is skipped.
    TooLong,
}

/// Where a line lies.
enum Found {
    Carried,
    InChunk(usize, usize),
    TooLong,
}

impl Lines {
    /// Lines of at most so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            chunk: vec![0; CHUNK].into_boxed_slice(),
            start: 0,
            end: 0,
            carried: Vec::new(),
            is_carried_spent: false,
            is_skipping: false,
            most,
        }
    }

    /// The next line that is complete.
    pub(crate) fn next(&mut self) -> Option<Line<'_>> {
        loop {
            self.forget_spent();
            let found = self.find()?;
            let is_blank = self.text(&found).is_some_and(|text| text.trim_ascii().is_empty());
            if !is_blank {
                return Some(self.text(&found).map_or(Line::TooLong, Line::Text));
            }
        }
    }

    /// Where to read more bytes to, once [`Self::next`] has no more lines.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        (self.start, self.end) = (0, 0);
        &mut self.chunk
    }

    /// So many bytes were read.
    pub(crate) fn filled(&mut self, count: usize) {
        (self.start, self.end) = (0, count.min(self.chunk.len()));
    }

    /// There will be no more bytes: what is left is the last line.
    pub(crate) fn finish(&mut self) -> Option<Line<'_>> {
        self.forget_spent();
        self.is_carried_spent = true;
        let text = self.carried.trim_ascii();
        (!text.is_empty() && !self.is_skipping).then_some(Line::Text(text))
    }

    /// The next line, or `None` after the rest of the chunk was carried over.
    fn find(&mut self) -> Option<Found> {
        loop {
            let rest = self.chunk.get(self.start..self.end).unwrap_or_default();
            if rest.is_empty() {
                return None;
            }
            // Reading from memory cannot fail.
            let length = { rest }.skip_until(b'\n').unwrap_or(rest.len());
            let (line, is_complete) = match rest.get(..length).unwrap_or(rest).strip_suffix(b"\n") {
                Some(line) => (line, true),
                None => (rest, false),
            };
            let (start, end) = (self.start, self.start + line.len());
            let is_too_long = self.carried.len() + line.len() > self.most;
            let is_alone = self.carried.is_empty();
            if !is_too_long && !self.is_skipping && (!is_complete || !is_alone) {
                self.carried.extend_from_slice(line);
            }
            self.start += length;
            if self.is_skipping {
                self.is_skipping = !is_complete;
                continue;
            }
            if is_too_long {
                self.is_skipping = !is_complete;
                self.is_carried_spent = true;
                return Some(Found::TooLong);
            }
            if is_complete {
                self.is_carried_spent = !is_alone;
                return Some(if is_alone { Found::InChunk(start, end) } else { Found::Carried });
            }
        }
    }

    /// The text of a line, unless it is too long.
    fn text(&self, found: &Found) -> Option<&[u8]> {
        let text = match *found {
            Found::Carried => self.carried.as_slice(),
            Found::InChunk(start, end) => self.chunk.get(start..end).unwrap_or_default(),
            Found::TooLong => return None,
        };
        Some(text.strip_suffix(b"\r").unwrap_or(text))
    }

    fn forget_spent(&mut self) {
        if std::mem::take(&mut self.is_carried_spent) {
            // One long line is no reason to keep its memory.
            if self.carried.capacity() > CHUNK { self.carried = Vec::new() } else { self.carried.clear() }
        }
    }
}

/// What one read takes at most: the usual capacity of a pipe.
const CHUNK: usize = 64 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    fn all(chunks: &[&[u8]], most: usize) -> Vec<String> {
        let mut lines = Lines::new(most);
        let mut found = Vec::new();
        let mut note = |line: Line<'_>| {
            found.push(match line {
                Line::Text(text) => String::from_utf8_lossy(text).into_owned(),
                Line::TooLong => "TOO LONG".to_owned(),
            });
        };
        for chunk in chunks {
            lines.room()[..chunk.len()].copy_from_slice(chunk);
            lines.filled(chunk.len());
            while let Some(line) = lines.next() {
                note(line);
            }
        }
        if let Some(line) = lines.finish() {
            note(line);
        }
        found
    }

    #[test]
    fn lines_come_out_whole_however_the_bytes_came_in() {
        let text: &[u8] = b"a\r\n\n  \r\nbb\nccc\n{}";
        let expected = ["a", "bb", "ccc", "{}"];
        assert_eq!(all(&[text], 10), expected);
        for size in 1..text.len() {
            assert_eq!(all(&text.chunks(size).collect::<Vec<_>>(), 10), expected, "chunks of {size}");
        }
    }

    #[test]
    fn a_line_over_the_bound_is_told_once_and_skipped_to_its_end() {
        let text: &[u8] = b"aaa\naaaaaaaaaaaaaaaaa\nbbb\ncccc\nddd\neeeeee";
        let expected = ["aaa", "TOO LONG", "bbb", "TOO LONG", "ddd", "TOO LONG"];
        assert_eq!(all(&[text], 3), expected);
        for size in 1..text.len() {
            assert_eq!(all(&text.chunks(size).collect::<Vec<_>>(), 3), expected, "chunks of {size}");
        }
    }

    #[test]
    fn a_long_line_is_bounded_in_memory_and_its_memory_is_given_back() {
        let mut lines = Lines::new(1024 * 1024);
        let mut told = 0;
        for _ in 0..1000 {
            lines.room().fill(b'a');
            lines.filled(CHUNK);
            while let Some(line) = lines.next() {
                assert_eq!(line, Line::TooLong);
                told += 1;
            }
            assert!(lines.carried.capacity() <= 2 * 1024 * 1024);
        }
        assert_eq!(told, 1);
        lines.room()[..2].copy_from_slice(b"\nb");
        lines.filled(2);
        assert_eq!(lines.next(), None);
        assert!(lines.carried.capacity() <= CHUNK);
        assert_eq!(lines.finish(), Some(Line::Text(b"b")));
    }
}
