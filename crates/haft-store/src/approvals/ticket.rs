//! A question to a person, and what may become of it.

use haft_diag::escape;
#[cfg(feature = "sqlite")]
use serde::{Deserialize, Serialize};

use super::{Binding, Call, Limits, StoreError, TicketId};
use crate::{Digest, Moment};

/// What a person is asked.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "whoever makes one names every part; a new part must not be forgotten")]
pub struct Request<'a> {
    /// The call. What is shown of it is what a grant is bound to.
    pub call: Call<'a>,
    /// Who calls, in words for a person.
    pub caller: &'a str,
    /// Which server it is, in words for a person: name, version, where it runs.
    pub server: &'a str,
    /// The rule that asks.
    pub rule: &'a str,
    /// When the question is over.
    pub expires: Moment,
}

/// A question that was put, with its state. All texts are escaped: no character in them moves a cursor, hides or turns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ticket {
    /// Its name.
    pub id: TicketId,
    /// Where the tool comes from.
    pub source: String,
    /// The tool's name there.
    pub tool: String,
    /// Which server it is.
    pub server: String,
    /// The canonical arguments, on one line.
    pub arguments: String,
    /// The digest of the tool's definition.
    pub definition: Digest,
    /// The rule that asked.
    pub rule: String,
    /// Who calls.
    pub caller: String,
    /// When it was first asked.
    pub created: Moment,
    /// When it is over in its present state.
    pub expires: Moment,
    /// What became of it.
    pub state: State,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// Somebody said no.
    Denied {
        /// Who.
        by: String,
    },
    /// Somebody said yes, and it has not been used up.
    Granted {
        /// Who.
        by: String,
        /// For how often and how long.
        grant: Grant,
    },
    /// Nobody has answered.
    Waiting,
}

/// For how often and how long a call may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Grant {
    /// One run.
    Once {
        /// When it is over if nobody used it.
        expires: Moment,
    },
    /// Every identical call.
    Repeated {
        /// Until when.
        expires: Moment,
    },
}

/// What a store answers to whoever wants to run a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spent {
    /// Somebody said no to this very call.
    Denied(Box<Ticket>),
    /// It may run now. A grant for one run is used up, and that is durable.
    Granted(Box<Ticket>),
    /// Nobody was asked, or the answer is over.
    Unasked,
    /// Somebody was asked and has not answered.
    Waiting(Box<Ticket>),
}

impl Grant {
    /// Until when it counts.
    pub const fn expires(self) -> Moment {
        match self {
            Self::Once { expires } | Self::Repeated { expires } => expires,
        }
    }
}

impl Ticket {
    /// A new ticket for a question.
    pub(super) fn ask(request: &Request<'_>, limits: &Limits, now: Moment) -> Result<Self, StoreError> {
        let call = &request.call;
        let texts = [call.source, call.tool, call.arguments, request.caller, request.server, request.rule];
        let bytes = texts.iter().map(|text| text.len()).sum();
        if bytes > limits.question_bytes {
            return Err(StoreError::TooLarge { bytes, limit: limits.question_bytes });
        }
        let expires = in_future(request.expires, now)?;
        let id = TicketId::new().map_err(|source| StoreError::NoRandomness { source })?;
        let shown = |text: &str| escape(text).into_owned();
        Ok(Self {
            id,
            source: shown(call.source),
            tool: shown(call.tool),
            server: shown(request.server),
            arguments: shown(call.arguments),
            definition: call.definition,
            rule: shown(request.rule),
            caller: shown(request.caller),
            created: now,
            expires,
            state: State::Waiting,
        })
    }

    pub(super) fn is_over(&self, now: Moment) -> bool {
        self.expires <= now
    }

    /// Says yes. Only a question that waits has room for an answer.
    pub(super) fn allow(&mut self, grant: Grant, by: &str, now: Moment) -> Result<(), StoreError> {
        let state = match self.state {
            State::Waiting => {
                self.expires = in_future(grant.expires(), now)?;
                self.state = State::Granted { by: name(by)?, grant };
                return Ok(());
            }
            State::Denied { .. } => "denied",
            State::Granted { .. } => "granted",
        };
        Err(StoreError::Settled { id: self.id, state })
    }

    /// Says no, until `expires`. A grant that was given can be taken back so.
    pub(super) fn deny(&mut self, by: &str, expires: Moment, now: Moment) -> Result<(), StoreError> {
        if matches!(self.state, State::Denied { .. }) {
            return Err(StoreError::Settled { id: self.id, state: "denied" });
        }
        self.expires = in_future(expires, now)?;
        self.state = State::Denied { by: name(by)? };
        Ok(())
    }

    /// What whoever wants to run the call is told, and whether the ticket is used up by it.
    pub(super) fn spend(self, now: Moment) -> (Spent, bool) {
        if self.is_over(now) {
            return (Spent::Unasked, false);
        }
        let is_used_up = matches!(self.state, State::Granted { grant: Grant::Once { .. }, .. });
        let spent = match self.state {
            State::Denied { .. } => Spent::Denied,
            State::Granted { .. } => Spent::Granted,
            State::Waiting => Spent::Waiting,
        };
        (spent(Box::new(self)), is_used_up)
    }
}

/// The parts of a ticket that stand in one column: nothing is looked up by them.
#[cfg(feature = "sqlite")]
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shown {
    source: String,
    tool: String,
    server: String,
    arguments: String,
    definition: String,
    rule: String,
    caller: String,
}

#[cfg(feature = "sqlite")]
impl Shown {
    pub(super) fn of(ticket: &Ticket) -> Self {
        Self {
            source: ticket.source.clone(),
            tool: ticket.tool.clone(),
            server: ticket.server.clone(),
            arguments: ticket.arguments.clone(),
            definition: ticket.definition.to_string(),
            rule: ticket.rule.clone(),
            caller: ticket.caller.clone(),
        }
    }

    /// The ticket; `None` when the digest is none.
    pub(super) fn ticket(self, id: TicketId, created: Moment, expires: Moment, state: State) -> Option<Ticket> {
        let Self { source, tool, server, arguments, definition, rule, caller } = self;
        let definition = definition.parse().ok()?;
        // Escaped again: whoever wrote the file need not have done it, and a second time changes nothing.
        let shown = |text: String| escape(&text).into_owned();
        Some(Ticket {
            id,
            source: shown(source),
            tool: shown(tool),
            server: shown(server),
            arguments: shown(arguments),
            definition,
            rule: shown(rule),
            caller: shown(caller),
            created,
            expires,
            state,
        })
    }
}

/// A ticket with what it is bound to.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) binding: Binding,
    pub(super) ticket: Ticket,
}

fn in_future(expires: Moment, now: Moment) -> Result<Moment, StoreError> {
    if expires <= now { Err(StoreError::Expired { expires }) } else { Ok(expires) }
}

/// Who answered, harmless to read.
fn name(by: &str) -> Result<String, StoreError> {
    if by.len() > LONGEST_NAME {
        return Err(StoreError::TooLarge { bytes: by.len(), limit: LONGEST_NAME });
    }
    Ok(escape(by).into_owned())
}

/// Bytes of the name of whoever answers.
const LONGEST_NAME: usize = 1024;
