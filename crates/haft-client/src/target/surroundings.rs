//! What the meaning of a target depends on beside its text.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The directory, the variables and the answers that a target is read with.
#[derive(Clone)]
pub struct Surroundings<'a> {
    pub(crate) base: PathBuf,
    pub(crate) environment: &'a dyn Fn(&str) -> Option<String>,
    pub(crate) inputs: BTreeMap<String, String>,
}

impl<'a> Surroundings<'a> {
    /// Relative paths begin in `base`; `environment` gives the variables that files may use.
    pub fn new(base: &Path, environment: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { base: base.to_owned(), environment, inputs: BTreeMap::new() }
    }

    /// Answers the input `id` that a VS Code file asks for (`${input:id}`). Without an answer, the variable
    /// `HAFT_INPUT_` with the id in upper case (what is no letter or digit becomes `_`) is looked up.
    #[must_use]
    pub fn input(mut self, id: impl Into<String>, value: impl Into<String>) -> Self {
        self.inputs.insert(id.into(), value.into());
        self
    }

    pub(crate) fn home(&self) -> Option<String> {
        (self.environment)("HOME").filter(|home| !home.is_empty())
    }
}

impl fmt::Debug for Surroundings<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Answers to inputs are secrets.
        formatter.debug_struct("Surroundings").field("base", &self.base).finish_non_exhaustive()
    }
}
