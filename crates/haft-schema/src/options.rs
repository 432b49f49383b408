//! What a schema may ask for, and whose it is.

/// Limits and expectations for [`Schema::compile`](crate::Schema::compile).
///
/// The default is a schema of one's own, with the limits that keep checking hostile values fast.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CompileOptions {
    /// Whose schema it is.
    pub ownership: Ownership,
    /// The most evaluation paths at one place of a value; see [`Cost::paths`](crate::Cost::paths).
    pub max_paths: u64,
    /// The deepest nesting of schemas, references followed.
    pub max_depth: u64,
    /// The longest schema text.
    pub max_bytes: usize,
    /// The most work that checking one value may be: the paths of the schema times the number of values, to which long
    /// texts and heavy patterns add.
    ///
    /// Only schemas with many alternatives or heavy patterns come near it. A value beyond it does not fit, and the
    /// problem says so; without this bound it could take minutes to find out.
    pub max_work: u64,
    /// Whether the root has to say `"type": "object"`, as the input schema of a tool does.
    pub object_root: bool,
}

/// Whose schema it is: whoever wrote it hears about mistakes, whoever received it takes it as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a schema is ours or it is not")]
pub enum Ownership {
    /// Ours. What would silently mean something else than intended is an error: forms of draft-07 in a schema that
    /// does not declare it, and a default that its own schema does not accept.
    #[default]
    Own,
    /// Somebody else's. It is enforced as written.
    Foreign,
}

impl CompileOptions {
    /// The defaults, for a schema of this ownership.
    pub fn of(ownership: Ownership) -> Self {
        Self {
            ownership,
            max_paths: 10_000,
            max_depth: 64,
            max_bytes: 256 * 1024,
            max_work: 20_000_000,
            object_root: false,
        }
    }

    /// Demands `"type": "object"` at the root.
    #[must_use]
    pub fn require_object_root(mut self) -> Self {
        self.object_root = true;
        self
    }
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self::of(Ownership::Own)
    }
}
