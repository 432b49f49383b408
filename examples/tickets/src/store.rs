//! Where the tickets are: read from a file that is part of the program, changed in memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

use haft::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

/// A ticket.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Ticket {
    /// The number by which it is called.
    pub(crate) id: u32,
    /// What it is about.
    pub(crate) title: String,
    /// The whole story.
    pub(crate) body: String,
    /// Words to group it by, such as `bug` or `request`.
    pub(crate) labels: Vec<String>,
    /// Whether somebody still has to do something.
    pub(crate) status: Status,
}

/// Whether a ticket is done.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Closed,
    Open,
}

/// All tickets.
#[derive(Debug)]
pub(crate) struct Tickets(Mutex<Vec<Ticket>>);

impl Tickets {
    /// The tickets that the program comes with.
    pub(crate) fn new() -> Result<Self, serde_json::Error> {
        serde_json::from_str(include_str!("../data/tickets.json")).map(|tickets| Self(Mutex::new(tickets)))
    }

    /// Open tickets that have every word of the query somewhere, newest first.
    pub(crate) fn search(&self, query: &str, limit: usize) -> Vec<Ticket> {
        let query = query.to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        let has_all = |ticket: &&Ticket| {
            let text = format!("{} {} {}", ticket.title, ticket.body, ticket.labels.join(" ")).to_lowercase();
            ticket.status == Status::Open && words.iter().all(|word| text.contains(word))
        };
        self.all().iter().rev().filter(has_all).take(limit).cloned().collect()
    }

    pub(crate) fn find(&self, id: u32) -> Option<Ticket> {
        self.all().iter().find(|ticket| ticket.id == id).cloned()
    }

    pub(crate) fn create(&self, title: String, body: String, labels: Vec<String>) -> Ticket {
        let mut tickets = self.all();
        let id = tickets.iter().map(|ticket| ticket.id).max().map_or(1, |last| last.saturating_add(1));
        let ticket = Ticket { id, title, body, labels, status: Status::Open };
        tickets.push(ticket.clone());
        ticket
    }

    /// Closes a ticket; `None` when there is no such ticket.
    pub(crate) fn close(&self, id: u32) -> Option<Ticket> {
        let mut tickets = self.all();
        let ticket = tickets.iter_mut().find(|ticket| ticket.id == id)?;
        ticket.status = Status::Closed;
        Some(ticket.clone())
    }

    fn all(&self) -> MutexGuard<'_, Vec<Ticket>> {
        // Every change is one push or one assignment, so a panic leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
