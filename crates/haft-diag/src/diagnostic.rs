//! One thing to tell a person: what is wrong, where, why, and what to do.

use std::error::Error;
use std::ops::Range;
use std::sync::Arc;

/// What a person is told about one problem.
///
/// Everything but the message is optional. With a source and a span, rendering shows the lines concerned with the
/// place underlined; with only a path, it names the file. See [`Diagnostic::render`] for the form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, as a lower-case fragment without a period.
    pub message: String,
    /// The file, as the person knows it.
    pub path: Option<String>,
    /// The whole text of that file.
    pub source: Option<Arc<str>>,
    /// The bytes of `source` that are meant.
    pub span: Option<Range<usize>>,
    /// What to say beside the underlined place.
    pub label: Option<String>,
    /// Facts that help to understand.
    pub notes: Vec<String>,
    /// Why it happened, the nearest cause first.
    pub causes: Vec<String>,
    /// What to try, best a command.
    pub hint: Option<String>,
}

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "rendering knows these two words and no others")]
pub enum Severity {
    /// The work goes on.
    Warning,
    /// The work could not be done.
    #[default]
    Error,
}

impl Diagnostic {
    /// An error with this message.
    pub fn error(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// A warning with this message.
    pub fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message) }
    }

    /// An error value and everything that it names as its source.
    ///
    /// A cause whose text the error before it already ends with is left out.
    pub fn from_error(error: &dyn Error) -> Self {
        let mut said = error.to_string();
        let mut diagnostic = Self::error(said.clone());
        let mut next = error.source();
        while let Some(cause) = next {
            let text = cause.to_string();
            if !said.ends_with(&text) {
                diagnostic.causes.push(text.clone());
            }
            said = text;
            next = cause.source();
        }
        diagnostic
    }

    /// Names the file, and no place in it.
    #[must_use]
    pub fn in_file(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Names the bytes `span` of `source`. A span that does not fit the source is moved to where it does.
    #[must_use]
    pub fn at(mut self, source: impl Into<Arc<str>>, span: Range<usize>) -> Self {
        self.source = Some(source.into());
        self.span = Some(span);
        self
    }

    /// Says something beside the underlined place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a cause behind those already there.
    #[must_use]
    pub fn cause(mut self, cause: impl Into<String>) -> Self {
        self.causes.push(cause.into());
        self
    }

    /// Says what to try.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
