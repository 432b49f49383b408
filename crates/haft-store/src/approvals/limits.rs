//! How much a store holds before it refuses more.

use super::StoreError;

/// Bounds of a store: nothing that a model sends makes it grow without end, and nothing that counts is thrown out for
/// something newer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Tickets that wait for an answer, of one principal.
    pub waiting_of_one: usize,
    /// Tickets that wait for an answer, of all principals.
    pub waiting: usize,
    /// Tickets of every state.
    pub tickets: usize,
    /// Nonces that were spent and have not expired.
    pub nonces: usize,
    /// Bytes of all texts that one question shows; a question that a person could not read through is not asked.
    pub question_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { waiting_of_one: 32, waiting: 512, tickets: 8192, nonces: 131_072, question_bytes: 64 * 1024 }
    }
}

impl Limits {
    /// Whether one more question may be put.
    pub(super) fn room(&self, waiting_of_one: usize, waiting: usize, tickets: usize) -> Result<(), StoreError> {
        below(waiting_of_one, self.waiting_of_one, "questions of this caller that wait for an answer")?;
        below(waiting, self.waiting, "questions that wait for an answer")?;
        below(tickets, self.tickets, "tickets")
    }

    /// Whether one more nonce may be remembered.
    pub(super) fn room_for_nonce(&self, nonces: usize) -> Result<(), StoreError> {
        below(nonces, self.nonces, "spent states that have not expired")
    }
}

fn below(count: usize, limit: usize, what: &'static str) -> Result<(), StoreError> {
    if count < limit { Ok(()) } else { Err(StoreError::Full { what, limit }) }
}
