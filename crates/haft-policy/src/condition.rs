//! A condition on the arguments of a call: a JSON Schema that can always be evaluated, or says that it could not.

use haft_schema::{CompileOptions, Dialect, Schema, SchemaError, Tree};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::keywords;

/// A condition on final arguments. It holds when they fit its schema.
///
/// As everywhere in JSON Schema, `properties` says nothing about members that are absent, nor `pattern` about what is no
/// string: a condition that is to allow something says `required` and `type`, too.
#[derive(Clone, Debug)]
pub struct ArgumentCondition(Schema);

/// A schema that no condition can be made of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// It has a pattern whose engine may give up.
    #[error("a pattern with look-around or back-references may give up; a condition has to hold or not")]
    Backtracks,
    /// It is in another dialect than 2020-12.
    #[error("a condition is written in JSON Schema 2020-12, which needs no `$schema`")]
    Dialect,
    /// Part of it would be ignored, so that the condition would hold for more than its author meant.
    #[error("{what} at `{pointer}`")]
    Ignored {
        /// The JSON Pointer of the part.
        pointer: String,
        /// What is wrong with it.
        what: String,
    },
    /// It is none that can be compiled.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    No,
    /// It would take too long to find out.
    Unevaluable,
    Yes,
}

impl ArgumentCondition {
    /// Compiles a schema, within the bounds that a tool's own has.
    ///
    /// # Errors
    ///
    /// When the schema cannot be compiled, is not in 2020-12, has a keyword or format that would be ignored, or has a
    /// pattern with look-around or back-references.
    pub fn compile(source: &RawValue) -> Result<Self, ConditionError> {
        let schema = Schema::compile(source, &CompileOptions::default())?;
        // What was compiled was read without fault, however this reads it.
        let value: Value = serde_json::from_str(source.get()).unwrap_or_default();
        if schema.dialect() != Dialect::Draft202012 {
            // Draft-07 ignores whatever stands beside a reference.
            return Err(ConditionError::Dialect);
        }
        if let Some((pointer, what)) = keywords::ignored(&value) {
            return Err(ConditionError::Ignored { pointer, what });
        }
        if schema.backtracks() {
            return Err(ConditionError::Backtracks);
        }
        Ok(Self(schema))
    }

    /// The schema.
    pub fn source(&self) -> &RawValue {
        self.0.source()
    }

    pub(crate) fn held(&self, arguments: &Tree<'_>) -> Held {
        if self.0.is_valid(arguments) {
            Held::Yes
        } else if self.0.is_too_costly(arguments) {
            Held::Unevaluable
        } else {
            Held::No
        }
    }
}
