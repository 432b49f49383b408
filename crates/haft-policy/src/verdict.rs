//! What a policy says of a call.

use std::fmt;

/// What becomes of a call, the strictest last: the order of the variants is that of strictness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "whoever acts on a verdict has to act on all of them")]
pub enum Verdict {
    /// It runs.
    Allow,
    /// It runs when this approver says so.
    Ask(Approver),
    /// It does not run.
    Deny,
}

/// Whom a call is put to, the one that is harder to forge last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "whoever asks has to know all whom it may have to ask")]
pub enum Approver {
    /// The client, through its own elicitation: its consent, not provably that of a person.
    #[default]
    Client,
    /// A person, on a way that the client does not stand in.
    Person,
}

impl Verdict {
    /// The word of a policy file: `allow`, `ask` or `deny`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask(_) => "ask",
            Self::Deny => "deny",
        }
    }
}

impl Approver {
    /// The word of a policy file: `client` or `person`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Person => "person",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allow | Self::Deny => f.write_str(self.word()),
            Self::Ask(approver) => write!(f, "ask the {}", approver.word()),
        }
    }
}
