//! The last that a program reported, and each line of it for who wants them.

use std::collections::VecDeque;

use haft_child::Output;
use tokio::sync::watch;

use super::output::read_some;
use crate::client::inbox::Slot;
use crate::client::{Excerpt, Incoming};

/// What a program wrote to its standard error.
#[derive(Debug)]
pub(super) struct Tail {
    kept: VecDeque<u8>,
    most: usize,
    total: u64,
}

impl Tail {
    pub(super) fn new(most: usize) -> Self {
        Self { kept: VecDeque::new(), most, total: 0 }
    }

    /// Reads to the end. The program never waits for it, whoever else does not read.
    pub(super) async fn fill(&mut self, mut output: Output, slot: Option<&Slot>, is_over: watch::Receiver<bool>) {
        let mut buffer = vec![0; READ].into_boxed_slice();
        let mut lines = slot.map(StderrLines::new);
        loop {
            let count = read_some(&mut output, &mut buffer, is_over.clone()).await;
            if count == 0 {
                break;
            }
            let chunk = buffer.get(..count).unwrap_or_default();
            self.keep(chunk);
            if let Some(lines) = &mut lines {
                lines.add(chunk);
            }
        }
        if let Some(lines) = &mut lines {
            lines.tell();
        }
    }

    pub(super) fn excerpt(&self) -> Excerpt {
        let (first, second) = self.kept.as_slices();
        Excerpt::tail(&[first, second].concat(), self.total > self.kept.len() as u64)
    }

    fn keep(&mut self, chunk: &[u8]) {
        self.kept.extend(chunk);
        self.kept.drain(..self.kept.len().saturating_sub(self.most));
        self.total += chunk.len() as u64;
    }
}

/// Lines, of which those that find no room are counted.
struct StderrLines<'a> {
    slot: &'a Slot,
    line: Vec<u8>,
    is_cut: bool,
    left_out: u64,
}

impl<'a> StderrLines<'a> {
    fn new(slot: &'a Slot) -> Self {
        Self { slot, line: Vec::new(), is_cut: false, left_out: 0 }
    }

    fn add(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(end);
            self.extend(line);
            self.tell();
            rest = after.get(1..).unwrap_or_default();
        }
        self.extend(rest);
    }

    fn extend(&mut self, part: &[u8]) {
        let room = LINE.saturating_sub(self.line.len());
        self.is_cut |= part.len() > room;
        self.line.extend_from_slice(part.get(..room).unwrap_or(part));
    }

    fn tell(&mut self) {
        let line = Excerpt::of(self.line.trim_ascii_end()).cut(std::mem::take(&mut self.is_cut));
        self.line.clear();
        if line.is_empty() {
            return;
        }
        if self.left_out > 0 {
            let note = format!("({} lines were left out here)", self.left_out);
            if !self.slot.offer(Incoming::Stderr(Excerpt::of(note.as_bytes()))) {
                self.left_out += 1;
                return;
            }
            self.left_out = 0;
        }
        if !self.slot.offer(Incoming::Stderr(line)) {
            self.left_out += 1;
        }
    }
}

const READ: usize = 16 << 10;
/// What is kept of a line, one byte more than is shown.
const LINE: usize = crate::client::excerpt::MOST + 1;
