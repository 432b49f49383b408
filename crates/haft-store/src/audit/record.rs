//! What is written down of a call.

use std::time::Duration;

use crate::{Digest, Moment};

/// One thing that happened with a call, as the caller has it. Texts are escaped and cut as they are written.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "whoever makes one names every part; a new part must not be forgotten")]
pub struct Record<'a> {
    /// When it happened.
    pub time: Moment,
    /// What ties the records of one call together.
    pub call: &'a str,
    /// Who calls.
    pub principal: &'a str,
    /// Where the tool comes from.
    pub source: &'a str,
    /// The tool's name there.
    pub tool: &'a str,
    /// The digest of the tool's definition.
    pub definition: Option<Digest>,
    /// The canonical arguments. What is written is a keyed digest of them, and they only where [`Values::Written`] says
    /// so.
    ///
    /// [`Values::Written`]: super::Values::Written
    pub arguments: Option<&'a str>,
    /// What happened.
    pub event: Event<'a>,
}

/// What happened with a call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A person was asked or has answered, or an answer was used.
    Approval {
        /// Which of these.
        step: ApprovalStep,
        /// The ticket.
        ticket: &'a str,
        /// Who did it.
        by: &'a str,
    },
    /// The policy decided.
    Decision {
        /// What.
        verdict: Verdict,
        /// The rule that made it so.
        rule: &'a str,
    },
    /// The call is about to run.
    Intent,
    /// The call has ended.
    Outcome {
        /// How.
        outcome: Outcome,
        /// How long it took.
        elapsed: Duration,
    },
}

/// A step of an approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApprovalStep {
    /// A question was put.
    Asked,
    /// Somebody said no.
    Denied,
    /// Somebody said yes.
    Granted,
    /// A yes was used for a run.
    Spent,
}

/// What a policy decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It may run.
    Allow,
    /// Somebody is asked.
    Ask,
    /// It may not run.
    Deny,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// With a result.
    Answered,
    /// With a question to the client.
    Asked,
    /// The caller went away or took it back.
    Cancelled,
    /// With an error.
    Failed,
    /// With a panic.
    Panicked,
    /// It did not run.
    Refused,
    /// It took too long.
    TimedOut,
}

impl ApprovalStep {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Denied => "denied",
            Self::Granted => "granted",
            Self::Spent => "spent",
        }
    }
}

impl Verdict {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl Outcome {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Asked => "asked",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::Panicked => "panicked",
            Self::Refused => "refused",
            Self::TimedOut => "timed_out",
        }
    }
}

// Arguments may carry secrets, and `{:?}` ends up in logs.
impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record")
            .field("time", &self.time)
            .field("call", &self.call)
            .field("source", &self.source)
            .field("tool", &self.tool)
            .field("event", &self.event)
            .finish_non_exhaustive()
    }
}
