//! A value as it stands in a message.

use std::fmt;

use serde::de::IgnoredAny;

/// One JSON value, as text, without blanks around it. It was found valid when its message was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// Takes a text that is one JSON value.
    ///
    /// # Errors
    ///
    /// When the text is anything else.
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<IgnoredAny>(text)?;
        Ok(Self(text.trim_ascii()))
    }

    /// Takes what the scan of a message has found to be a value.
    pub(super) const fn scanned(text: &'a str) -> Self {
        Self(text)
    }

    /// The value's text.
    pub const fn get(self) -> &'a str {
        self.0
    }
}

impl fmt::Debug for Raw<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for Raw<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
