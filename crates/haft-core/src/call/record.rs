//! What the log gets of a call: that it is about to run, and what came of it. Never its arguments.

use std::time::Instant;

use super::trail;
use crate::context::CallShared;

/// What is known of a call until it ends.
#[derive(Debug)]
pub(crate) struct Record {
    /// Nothing, where nobody reads the log.
    begun: Option<Instant>,
    outcome: Outcome,
    is_ended: bool,
}

/// What came of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome {
    Answered,
    Asked,
    Cancelled,
    Failed,
    Panicked,
    TimedOut,
}

impl Record {
    /// Writes down that a call is about to run.
    pub(crate) fn intent(call: &CallShared) -> Self {
        let begun = tracing::enabled!(target: "haft::call", tracing::Level::DEBUG).then(Instant::now);
        if begun.is_some() {
            let (tool, source) = (call.entry.id.name.as_str(), call.entry.id.source.as_str());
            tracing::debug!(target: "haft::call", tool, source, principal = ?call.principal, "begins");
        }
        Self { begun, outcome: Outcome::Cancelled, is_ended: false }
    }

    /// Notes what comes of the call; until then it counts as cancelled.
    pub(crate) const fn note(&mut self, outcome: Outcome) {
        self.outcome = outcome;
    }

    /// Writes down what came of the call; once.
    pub(crate) fn end(&mut self, call: &CallShared) {
        if !std::mem::replace(&mut self.is_ended, true) {
            trail::ended(call, self.outcome);
        }
        let Some(begun) = self.begun.take() else { return };
        let tool = call.entry.id.name.as_str();
        tracing::debug!(target: "haft::call", tool, outcome = ?self.outcome, elapsed = ?begun.elapsed(), "ended");
    }
}
