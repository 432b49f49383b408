//! What is known of a call when it is decided.

use haft_schema::Tree;

use crate::hints::Hints;

/// A call as a policy sees it: where the tool comes from, never the name under which it is shown.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Facts<'a> {
    /// The tool.
    pub origin: Origin<'a>,
    /// What is said about its hints.
    pub claims: Claims,
    /// The final arguments: defaults filled in, names mapped, constants added. `None` where they are not known, as in a
    /// list: then every `ask` and `deny` counts whose other conditions hold, and no `allow` with a condition on them.
    pub arguments: Option<&'a Tree<'a>>,
    /// Whoever calls.
    pub caller: Caller<'a>,
    /// Whether somebody can be asked while the call waits.
    pub is_interactive: bool,
}

impl<'a> Facts<'a> {
    /// A call whose arguments are not known, and in which nobody can be asked.
    pub const fn new(origin: Origin<'a>, claims: Claims, caller: Caller<'a>) -> Self {
        Self { origin, claims, arguments: None, caller, is_interactive: false }
    }

    /// The same with the final arguments.
    #[must_use]
    pub const fn with_arguments(mut self, arguments: &'a Tree<'a>) -> Self {
        self.arguments = Some(arguments);
        self
    }

    /// The same, and somebody can be asked.
    #[must_use]
    pub const fn interactive(mut self) -> Self {
        self.is_interactive = true;
        self
    }
}

/// Where a tool comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin<'a> {
    /// The name of the source: one that the operator chose, without a dot.
    pub source: &'a str,
    /// The name that the tool has there, which may have dots.
    pub tool: &'a str,
}

impl<'a> Origin<'a> {
    /// The source of the tools that a program or a manifest itself brings.
    pub const LOCAL: &'static str = "local";

    /// A tool of a source.
    pub const fn new(source: &'a str, tool: &'a str) -> Self {
        Self { source, tool }
    }

    /// A tool of the program or the manifest itself.
    pub const fn local(tool: &'a str) -> Self {
        Self { source: Self::LOCAL, tool }
    }
}

/// What is said about a tool's hints, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Claims {
    /// What the tool's definition says, as it came.
    pub vendor: Hints,
    /// Whether that is believed.
    pub belief: Belief,
    /// What the operator of this server says about the tool. Pins of policy files go before these.
    pub pins: Hints,
}

impl Claims {
    /// What a definition says, without pins.
    pub const fn new(vendor: Hints, belief: Belief) -> Self {
        let pins = Hints { read_only: None, destructive: None, idempotent: None, open_world: None };
        Self { vendor, belief, pins }
    }

    /// The same with pins of the operator.
    #[must_use]
    pub const fn pinned(mut self, pins: Hints) -> Self {
        self.pins = pins;
        self
    }
}

/// Whether a definition's hints are taken as true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a new kind of belief has to be decided on wherever one is")]
pub enum Belief {
    /// A peer's, and the operator said that it is to be believed.
    Believed,
    /// The operator's own: a function of the program, a tool of the manifest.
    Own,
    /// A peer's. They loosen nothing.
    Untrusted,
}

impl Belief {
    /// The word of a table of expected decisions: `believed`, `own` or `untrusted`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Believed => "believed",
            Self::Own => "own",
            Self::Untrusted => "untrusted",
        }
    }
}

/// Whoever calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caller<'a> {
    /// The subject, for people to read; no rule looks at it.
    pub subject: &'a str,
    /// The groups that the subject is in.
    pub groups: &'a [String],
    /// How much is known of the subject.
    pub assurance: Assurance,
}

impl<'a> Caller<'a> {
    /// Somebody of whom nothing is known.
    pub const fn anonymous() -> Self {
        Self { subject: "", groups: &[], assurance: Assurance::Anonymous }
    }

    /// A subject with its groups.
    pub const fn new(subject: &'a str, groups: &'a [String], assurance: Assurance) -> Self {
        Self { subject, groups, assurance }
    }
}

/// How much is known of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Assurance {
    /// Nothing.
    Anonymous,
    /// Which program.
    Client,
    /// Which person.
    Person,
}
