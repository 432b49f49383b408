//! What is wrong with a manifest: everything at once, each with its place in the file.

use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use haft_diag::Diagnostic;

/// A manifest that cannot be served.
#[derive(Clone, Debug)]
pub struct ManifestErrors {
    path: String,
    diagnostics: Vec<Diagnostic>,
}

impl ManifestErrors {
    pub(crate) fn unreadable(path: String, diagnostic: Diagnostic) -> Self {
        let diagnostic = diagnostic.in_file(path.clone());
        Self { path, diagnostics: vec![diagnostic] }
    }

    /// The manifest, as it was named.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether the manifest was read and something in it is wrong; otherwise it could not be read.
    pub fn is_of_contents(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.span.is_some())
    }

    /// What is wrong, in the order of the file; at least one.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for ManifestErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.diagnostics.as_slice() {
            [only] => write!(f, "`{}`: {}", self.path, only.message),
            all => write!(f, "`{}` has {} errors", self.path, all.len()),
        }
    }
}

impl Error for ManifestErrors {}

/// Gathers what is wrong while a manifest is read.
#[derive(Debug)]
pub(crate) struct Report {
    path: String,
    source: Arc<str>,
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    pub(crate) fn new(path: String, source: &str) -> Self {
        Self { path, source: source.into(), diagnostics: Vec::new() }
    }

    /// Adds what is wrong at a place.
    pub(crate) fn add(&mut self, place: Range<usize>, diagnostic: Diagnostic) {
        let diagnostic = diagnostic.in_file(self.path.clone()).at(Arc::clone(&self.source), place);
        self.diagnostics.push(diagnostic);
    }

    /// Adds a message at a place, without more.
    pub(crate) fn error(&mut self, place: Range<usize>, message: impl Into<String>) {
        self.add(place, Diagnostic::error(message));
    }

    /// The bytes of a string's value as its source has them, when the two are the same but for the quotes.
    ///
    /// Then a place inside of the value is a place inside of the file.
    pub(crate) fn place_within(&self, place: &Range<usize>, value: &str, part: &Range<usize>) -> Range<usize> {
        let quoted = self.source.get(place.clone()).unwrap_or_default();
        if quoted.len() == value.len() + 2 && quoted.get(1..=value.len()) == Some(value) {
            let start = place.start + 1;
            start + part.start..start + part.end
        } else {
            place.clone()
        }
    }

    pub(crate) const fn is_clean(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// The errors in the order of the file, if there are any.
    pub(crate) fn finish(mut self) -> Result<(), ManifestErrors> {
        if self.diagnostics.is_empty() {
            return Ok(());
        }
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.span.as_ref().map_or(0, |span| span.start));
        Err(ManifestErrors { path: self.path, diagnostics: self.diagnostics })
    }
}
