//! What a comparison measured, as a table for people and as JSON for later.

use std::fmt::Write;

use serde::Serialize;

use crate::Result;
use crate::server::Transport;
use crate::statistics::{median, range};

/// One round of one side.
#[derive(Debug, Serialize)]
pub struct Sample {
    pub calls_per_second: f64,
    pub server_microseconds_per_call: f64,
    pub median_microseconds: f64,
    pub tail_microseconds: f64,
    /// The part of the time in which the server could have run and others did.
    pub waited_for_core: f64,
}

/// All rounds of one case; the samples at one index are a pair.
#[derive(Debug, Serialize)]
pub struct Row {
    transport: Transport,
    name: String,
    pub floor: Vec<Sample>,
    pub subject: Vec<Sample>,
    /// Peak resident memory in KiB.
    pub floor_memory: u64,
    pub subject_memory: u64,
}

impl Row {
    pub const fn new(transport: Transport, name: String) -> Self {
        Self { transport, name, floor: Vec::new(), subject: Vec::new(), floor_memory: 0, subject_memory: 0 }
    }

    /// Whether the row has a server on a core of its own, and so a ratio that means what it says.
    fn is_gated(&self) -> bool {
        self.transport == Transport::Http
    }

    /// Throughput of the subject in parts of the floor's, round by round.
    fn ratios(&self) -> impl Iterator<Item = f64> {
        self.pairs(|sample| sample.calls_per_second)
    }

    /// Time on the core of the subject in parts of the floor's, round by round.
    fn cost_ratios(&self) -> impl Iterator<Item = f64> {
        self.pairs(|sample| sample.server_microseconds_per_call)
    }

    fn pairs(&self, value: fn(&Sample) -> f64) -> impl Iterator<Item = f64> {
        self.subject.iter().zip(&self.floor).map(move |(subject, floor)| value(subject) / value(floor))
    }
}

#[derive(Debug, Serialize)]
pub struct Report {
    rounds: usize,
    connections: usize,
    rows: Vec<Row>,
}

impl Report {
    pub const fn new(rounds: usize, connections: usize) -> Self {
        Self { rounds, connections, rows: Vec::new() }
    }

    pub fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// The HTTP rows whose median ratio is below `least`.
    pub fn slower_than(&self, least: f64) -> impl Iterator<Item = &str> {
        let http = self.rows.iter().filter(|row| row.is_gated());
        http.filter(move |row| median(row.ratios()) < least).map(|row| row.name.as_str())
    }

    /// The HTTP row whose servers were kept off their core the most: for which part of the time.
    pub fn most_waited(&self) -> f64 {
        let http = self.rows.iter().filter(|row| row.is_gated());
        let waited = http.map(|row| median(row.floor.iter().chain(&row.subject).map(|sample| sample.waited_for_core)));
        waited.fold(0.0, f64::max)
    }

    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// One line a case: medians of all rounds, floor before subject, and the median of the paired ratios with its range.
    pub fn table(&self) -> String {
        let mut table = format!(
            "{:<42} {:>17} {:>6} {:>12} {:>6} {:>13} {:>13} {:>15} {:>12}\n",
            "floor / haft, medians",
            "calls/s",
            "ratio",
            "min..max",
            "cpu ×",
            "cpu µs/call",
            "p50 µs",
            "p99 µs",
            "peak MiB"
        );
        for row in &self.rows {
            let both = |value: fn(&Sample) -> f64, digits| {
                let of = |samples: &[Sample]| median(samples.iter().map(value));
                format!("{:.digits$} / {:.digits$}", of(&row.floor), of(&row.subject))
            };
            let (least, greatest) = range(row.ratios());
            let mebibytes = |kibibytes: u64| kibibytes as f64 / 1024.0;
            let written = writeln!(
                table,
                "{:<42} {:>17} {:>6.3} {:>12} {:>6.3} {:>13} {:>13} {:>15} {:>12}",
                format!("{:<7}{}", row.transport.to_string(), row.name),
                both(|sample| sample.calls_per_second, 0),
                median(row.ratios()),
                format!("{least:.2}..{greatest:.2}"),
                median(row.cost_ratios()),
                both(|sample| sample.server_microseconds_per_call, 1),
                both(|sample| sample.median_microseconds, 0),
                both(|sample| sample.tail_microseconds, 0),
                format!("{:.1} / {:.1}", mebibytes(row.floor_memory), mebibytes(row.subject_memory)),
            );
            debug_assert!(written.is_ok(), "a string takes everything");
        }
        table
    }
}
