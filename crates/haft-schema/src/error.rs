//! Why a schema cannot be used.

use crate::TreeError;

/// Why a schema was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// A default is not accepted by the schema it stands in.
    #[error("the default at `{pointer}` does not fit its own schema: {problem}")]
    Default {
        /// The JSON Pointer of the schema with the default.
        pointer: String,
        /// What is wrong with the default.
        problem: String,
    },
    /// A schema of our own, in 2020-12, uses a form that only draft-07 knows.
    #[error("`{pointer}` is a form of draft-07, not of 2020-12; {advice}")]
    Draft07Form {
        /// The JSON Pointer of the keyword.
        pointer: String,
        /// What to write instead.
        advice: &'static str,
    },
    /// A schema refers to itself without going deeper into the value, so checking would never end.
    #[error("`{pointer}` refers back to itself at the same place of the value")]
    Endless {
        /// The JSON Pointer of one schema in the circle.
        pointer: String,
    },
    /// A reference leads out of the document; nothing is ever fetched.
    #[error("`{pointer}` refers outside the document: `{reference}`")]
    External {
        /// The JSON Pointer of the schema with the reference.
        pointer: String,
        /// The reference.
        reference: String,
    },
    /// The schema is not valid under the metaschema of its dialect.
    #[error("schema is not valid{}: {reason}", at(.pointer))]
    Invalid {
        /// The JSON Pointer of what is wrong.
        pointer: String,
        /// What is wrong.
        reason: String,
    },
    /// The schema is no JSON, or is JSON that parsers read in different ways.
    #[error("schema cannot be read")]
    Json(#[from] TreeError),
    /// A regular expression cannot be used.
    #[error("the pattern at `{pointer}` cannot be used: {reason}")]
    Pattern {
        /// The JSON Pointer of the pattern.
        pointer: String,
        /// Why not.
        reason: String,
    },
    /// The root has to say `"type": "object"` and does not.
    #[error("the root must say `\"type\": \"object\"`")]
    RootNotObject,
    /// Schemas are nested too deeply.
    #[error("schema is {depth} levels deep, at most {limit} are allowed")]
    TooDeep {
        /// How deep.
        depth: u64,
        /// How deep is allowed.
        limit: u64,
    },
    /// The text is too long.
    #[error("schema has {bytes} bytes, at most {limit} are allowed")]
    TooLarge {
        /// How many bytes it has.
        bytes: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// Checking a value would take too many paths.
    #[error("schema has {} evaluation paths, at most {limit} are allowed", many(*.paths))]
    TooManyPaths {
        /// How many there are; `u64::MAX` also stands for more.
        paths: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// The dialect is none of those that are supported.
    #[error("dialect `{dialect}` is not supported; use 2020-12 or draft-07")]
    UnknownDialect {
        /// What `$schema` says.
        dialect: String,
    },
    /// A reference leads nowhere.
    #[error("`{pointer}` refers to `{reference}`, which is not there")]
    Unresolved {
        /// The JSON Pointer of the schema with the reference.
        pointer: String,
        /// The reference.
        reference: String,
    },
}

impl SchemaError {
    pub(crate) fn invalid(pointer: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Invalid { pointer: pointer.into(), reason: reason.into() }
    }
}

fn at(pointer: &str) -> String {
    if pointer.is_empty() { String::new() } else { format!(" at `{pointer}`") }
}

fn many(paths: u64) -> String {
    if paths == u64::MAX { format!("more than {paths}") } else { paths.to_string() }
}
