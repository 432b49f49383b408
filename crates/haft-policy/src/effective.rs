//! The hints that decisions are made on, and where each came from.

use std::fmt;

use crate::facts::{Belief, Claims};
use crate::hints::{Hint, Hints};

/// What holds of a tool.
///
/// A pin of the operator beats a claim that is believed, which beats what the protocol reads where nothing is said. What
/// the protocol reads is the strictest value of each hint, so a claim that is not believed has nothing left to tighten
/// here and changes nothing. A project's pins may only tighten.
///
/// 2026-07-28, schema: `destructive` and `idempotent` mean something only where a tool is not read-only; where it is, they
/// are `false` and `true`. A tool that is said to be read-only and destructive by sources of one rank, or destructive by
/// one of a higher rank, is not read-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EffectiveHints {
    /// The tool changes nothing.
    pub read_only: Effective,
    /// The tool may delete or overwrite.
    pub destructive: Effective,
    /// A second identical call changes nothing more.
    pub idempotent: Effective,
    /// The tool reaches things outside of a closed set.
    pub open_world: Effective,
    /// What anybody said who counts.
    pub(crate) said: Hints,
}

/// A hint as it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effective {
    /// The value.
    pub value: bool,
    /// Where it came from.
    pub source: HintSource,
}

/// Where the value of a hint came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HintSource {
    /// A claim of a peer that the operator believes.
    Believed,
    /// Read-only was said together with destructive, so it does not hold.
    Contradicted,
    /// It follows from the tool being read-only.
    Implied,
    /// The operator's own definition.
    Own,
    /// A pin of the operator.
    Pin,
    /// What the protocol reads where nothing is said that counts.
    SpecDefault,
    /// A pin of the project, which made it stricter.
    Tightened,
}

impl HintSource {
    /// The words for a person.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Believed => "claimed by the server, which is believed",
            Self::Contradicted => "said to be read-only and destructive, so not read-only",
            Self::Implied => "follows from read_only",
            Self::Own => "said by its own definition",
            Self::Pin => "pinned by the operator",
            Self::SpecDefault => "the protocol's default",
            Self::Tightened => "tightened by the project",
        }
    }

    /// Which source wins where two contradict each other.
    const fn rank(self) -> u8 {
        match self {
            Self::SpecDefault => 0,
            Self::Believed | Self::Contradicted | Self::Implied | Self::Own => 1,
            Self::Pin => 2,
            Self::Tightened => 3,
        }
    }
}

impl EffectiveHints {
    /// Works the hints out. `pins` is what operators say, `project` what the project would tighten.
    pub(crate) fn of(claims: &Claims, pins: Hints, project: Hints) -> Self {
        let (believed, source) = match claims.belief {
            Belief::Believed => (claims.vendor, HintSource::Believed),
            Belief::Own => (claims.vendor, HintSource::Own),
            Belief::Untrusted => (Hints::default(), HintSource::SpecDefault),
        };
        let tightened = if project.is_empty() { project } else { project.only_strictest() };
        let resolve = |hint: Hint| {
            let strictest = hint.strictest();
            if tightened.get(hint).is_some() {
                return Effective { value: strictest, source: HintSource::Tightened };
            }
            match (pins.get(hint), believed.get(hint)) {
                (Some(value), _) => Effective { value, source: HintSource::Pin },
                (None, Some(value)) => Effective { value, source },
                (None, None) => Effective { value: strictest, source: HintSource::SpecDefault },
            }
        };
        let mut hints = Self {
            read_only: resolve(Hint::ReadOnly),
            destructive: resolve(Hint::Destructive),
            idempotent: resolve(Hint::Idempotent),
            open_world: resolve(Hint::OpenWorld),
            said: tightened.or(pins).or(believed),
        };
        let is_contradicted = hints.destructive.value
            && hints.destructive.source != HintSource::SpecDefault
            && hints.destructive.source.rank() >= hints.read_only.source.rank();
        if hints.read_only.value && is_contradicted {
            hints.read_only = Effective { value: false, source: HintSource::Contradicted };
        } else if hints.read_only.value {
            hints.destructive = Effective { value: false, source: HintSource::Implied };
            hints.idempotent = Effective { value: true, source: HintSource::Implied };
        }
        hints
    }

    /// One of the hints.
    #[inline]
    pub const fn get(&self, hint: Hint) -> Effective {
        match hint {
            Hint::Destructive => self.destructive,
            Hint::Idempotent => self.idempotent,
            Hint::OpenWorld => self.open_world,
            Hint::ReadOnly => self.read_only,
        }
    }
}

impl fmt::Display for EffectiveHints {
    /// One line for each hint, aligned.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for hint in Hint::ALL {
            let Effective { value, source } = self.get(hint);
            writeln!(f, "  {:<12} {value:<6} {}", hint.name(), source.words())?;
        }
        Ok(())
    }
}
