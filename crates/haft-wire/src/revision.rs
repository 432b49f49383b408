//! The five revisions of the protocol and the two eras that they fall into.

use std::fmt;

/// A revision of the protocol, oldest first.
#[expect(clippy::exhaustive_enums, reason = "a new revision has to be handled everywhere at compile time")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// 2024-11-05, the first.
    V2024_11_05,
    /// 2025-03-26: annotations, audio, batches, streamable HTTP.
    V2025_03_26,
    /// 2025-06-18: structured content, resource links, elicitation.
    V2025_06_18,
    /// 2025-11-25: icons, URL elicitation, rules for names and dialects.
    V2025_11_25,
    /// 2026-07-28: stateless; every request carries its version and capabilities.
    V2026_07_28,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The newest revision that begins with `initialize`.
    pub const NEWEST_HANDSHAKE: Self = Self::V2025_11_25;

    /// Reads a revision as the wire writes it, such as `2025-06-18`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == text)
    }

    /// The revision as the wire writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The era that the revision belongs to.
    pub const fn era(self) -> Era {
        match self {
            Self::V2024_11_05 | Self::V2025_03_26 | Self::V2025_06_18 | Self::V2025_11_25 => Era::Handshake,
            Self::V2026_07_28 => Era::Stateless,
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The two ways in which peers open a conversation.
#[expect(clippy::exhaustive_enums, reason = "a new era has to be handled everywhere at compile time")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// `initialize` first, then a session or a connection that remembers it (2024-11-05 to 2025-11-25).
    Handshake,
    /// Every request says its version and capabilities in `_meta` (2026-07-28).
    Stateless,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_revision_reads_back_what_it_writes() {
        for revision in Revision::ALL {
            assert_eq!(Revision::parse(revision.as_str()), Some(revision));
        }
        for unknown in ["", "2026-07-29", "2025-06-18 ", "draft"] {
            assert_eq!(Revision::parse(unknown), None);
        }
    }
}
