//! The four hints of a tool, each said or not.

use haft_wire::model::Annotations;

/// One of the hints that a tool's annotations have (2025-11-25 and 2026-07-28, schema: `ToolAnnotations`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the protocol has these four")]
pub enum Hint {
    /// May it delete or overwrite?
    Destructive,
    /// Does a second identical call change nothing more?
    Idempotent,
    /// Does it reach things outside of a closed set?
    OpenWorld,
    /// Does it change nothing?
    ReadOnly,
}

impl Hint {
    /// All hints, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::ReadOnly, Self::Destructive, Self::Idempotent, Self::OpenWorld];

    /// The name in files: `read_only`, `destructive`, `idempotent` or `open_world`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Destructive => "destructive",
            Self::Idempotent => "idempotent",
            Self::OpenWorld => "open_world",
            Self::ReadOnly => "read_only",
        }
    }

    /// What the protocol reads where nothing is said: of each hint the value that promises least.
    pub const fn strictest(self) -> bool {
        match self {
            Self::Destructive | Self::OpenWorld => true,
            Self::Idempotent | Self::ReadOnly => false,
        }
    }
}

/// What somebody says about the hints; absent is not `false`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "the protocol has these four")]
pub struct Hints {
    /// The tool changes nothing.
    pub read_only: Option<bool>,
    /// The tool may delete or overwrite.
    pub destructive: Option<bool>,
    /// A second identical call changes nothing more.
    pub idempotent: Option<bool>,
    /// The tool reaches things outside of a closed set.
    pub open_world: Option<bool>,
}

impl Hints {
    /// What is said about one hint.
    #[inline]
    pub const fn get(&self, hint: Hint) -> Option<bool> {
        match hint {
            Hint::Destructive => self.destructive,
            Hint::Idempotent => self.idempotent,
            Hint::OpenWorld => self.open_world,
            Hint::ReadOnly => self.read_only,
        }
    }

    /// Says something, or nothing, about one hint.
    pub const fn set(&mut self, hint: Hint, said: Option<bool>) {
        match hint {
            Hint::Destructive => self.destructive = said,
            Hint::Idempotent => self.idempotent = said,
            Hint::OpenWorld => self.open_world = said,
            Hint::ReadOnly => self.read_only = said,
        }
    }

    /// The same, and what `other` says about hints that these say nothing about.
    #[inline]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            read_only: self.read_only.or(other.read_only),
            destructive: self.destructive.or(other.destructive),
            idempotent: self.idempotent.or(other.idempotent),
            open_world: self.open_world.or(other.open_world),
        }
    }

    /// Of two that are worth the same, what is stricter.
    pub(crate) fn strictest(mut self, other: Self) -> Self {
        for hint in Hint::ALL {
            let said = match (self.get(hint), other.get(hint)) {
                (Some(one), Some(another)) if one != another => Some(hint.strictest()),
                (one, another) => one.or(another),
            };
            self.set(hint, said);
        }
        self
    }

    /// Only what promises least.
    pub(crate) fn only_strictest(self) -> Self {
        let keep = |hint: Hint| self.get(hint).filter(|said| *said == hint.strictest());
        Self {
            read_only: keep(Hint::ReadOnly),
            destructive: keep(Hint::Destructive),
            idempotent: keep(Hint::Idempotent),
            open_world: keep(Hint::OpenWorld),
        }
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl From<&Annotations> for Hints {
    fn from(annotations: &Annotations) -> Self {
        Self {
            read_only: annotations.read_only,
            destructive: annotations.destructive,
            idempotent: annotations.idempotent,
            open_world: annotations.open_world,
        }
    }
}
