//! Names of tools that every host accepts.

use std::borrow::Borrow;
use std::fmt;

/// The name of a tool: 1 to 64 of `A-Z a-z 0-9 _ - .`.
///
/// 2026-07-28, tools: tool names allows 128 and the conformance suite 64; the shorter one works everywhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolName(Box<str>);

impl ToolName {
    /// Characters that a name may have at most.
    pub const MAX_LENGTH: usize = 64;

    /// Checks a name.
    ///
    /// # Errors
    ///
    /// When the name is empty, longer than [`Self::MAX_LENGTH`], or has another character.
    pub fn parse(name: &str) -> Result<Self, InvalidToolName> {
        let reason = if name.is_empty() {
            "is empty"
        } else if name.chars().count() > Self::MAX_LENGTH {
            "is longer than 64 characters"
        } else if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) {
            return Ok(Self(name.into()));
        } else {
            "has a character outside of `A-Z a-z 0-9 _ - .`"
        };
        Err(InvalidToolName { name: name.to_owned(), reason })
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A name that no tool can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidToolName {
    name: String,
    reason: &'static str,
}

impl fmt::Display for InvalidToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool name `{}` {}", self.name.escape_default(), self.reason)
    }
}

impl std::error::Error for InvalidToolName {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_to_what_every_host_accepts() {
        for name in ["a", "get_weather", "Files.read-2", &"x".repeat(64)] {
            assert_eq!(ToolName::parse(name).unwrap().as_str(), name);
        }
        for name in ["", "a b", "a/b", "naïve", "a\n", &"x".repeat(65)] {
            assert!(ToolName::parse(name).is_err(), "{name}");
        }
    }
}
