//! Text that is put together part by part, to be printed as a whole.

use std::fmt;

/// Text that grows.
#[derive(Debug, Default)]
pub(crate) struct Sheet(String);

impl Sheet {
    /// A text that begins like this.
    pub(crate) fn new(begin: impl Into<String>) -> Self {
        Self(begin.into())
    }

    /// Adds a part as it is.
    pub(crate) fn add(&mut self, part: &str) {
        self.0.push_str(part);
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Sheet> for String {
    fn from(sheet: Sheet) -> Self {
        sheet.0
    }
}
