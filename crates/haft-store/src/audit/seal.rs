//! What makes a log a chain: the lines that begin a file, end a batch and name the end of everything.

use serde::{Deserialize, Serialize};

use super::keys::Keys;
use crate::Digest;

/// A point between two batches of a writer's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The segment that the batch before it is in; 0 before the first.
    pub(super) segment: u32,
    /// How many batches are before it.
    pub(super) batch: u64,
    /// The number of the last record before it.
    pub(super) seq: u64,
    /// The chain up to it.
    pub(super) hash: Digest,
}

/// A point, as a line says it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    event: String,
    writer: String,
    segment: u32,
    batch: u64,
    seq: u64,
    hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mac: Option<String>,
}

impl Position {
    /// Before everything.
    pub(super) const START: Self = Self { segment: 0, batch: 0, seq: 0, hash: Digest::from_bytes([0; 32]) };

    /// The point behind a batch of the segment `segment` with the records up to `seq`, when `chain` has hashed it.
    pub(super) fn behind(&self, segment: u32, seq: u64, chain: &Chain) -> Self {
        // What a file says of itself may be any number; the code over it is checked later.
        Self { segment, batch: self.batch.saturating_add(1), seq, hash: chain.0.finalize().into() }
    }

    /// The line that begins a segment here.
    pub(super) fn first_line(&self, writer: &str, segment: u32) -> String {
        let mut line = self.line("segment", writer);
        line.segment = segment;
        line.text()
    }

    /// The line that ends the batch before here.
    pub(super) fn last_line(&self, writer: &str, keys: &Keys) -> String {
        self.line("end", writer).signed(|line| keys.batch(line))
    }

    /// The content of a head that points here.
    pub(super) fn head(&self, writer: &str, keys: &Keys) -> String {
        self.line("head", writer).signed(|line| keys.head(line))
    }

    /// The point that a line of one of the three kinds says; the caller compares the text with what it should be.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let line: Line = serde_json::from_str(line).ok()?;
        Some(Self { segment: line.segment, batch: line.batch, seq: line.seq, hash: line.hash.parse().ok()? })
    }

    fn line(&self, event: &str, writer: &str) -> Line {
        Line {
            event: event.to_owned(),
            writer: writer.to_owned(),
            segment: self.segment,
            batch: self.batch,
            seq: self.seq,
            hash: self.hash.to_string(),
            mac: None,
        }
    }
}

impl Line {
    fn text(&self) -> String {
        // Numbers and strings under fixed names: nothing of which the serializer could say no to.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// With a code over the line as it is without.
    fn signed(mut self, mac: impl FnOnce(&[u8]) -> Digest) -> String {
        self.mac = Some(mac(self.text().as_bytes()).to_string());
        self.text()
    }
}

/// The hash of a batch, begun with the hash before it.
#[derive(Clone)]
pub(super) struct Chain(blake3::Hasher);

impl Chain {
    pub(super) fn from(position: &Position) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("haft-audit 1 chain");
        hasher.update(position.hash.as_bytes());
        Self(hasher)
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

/// What every line that ends a batch begins with.
pub(super) const END: &[u8] = b"{\"event\":\"end\",";
