//! Hints about what a tool does; claims, until something holds the tool to them.

use serde_json::value::RawValue;

/// The annotations of a tool. Every hint has three states: absent is not `false`.
///
/// 2025-03-26 and later, schema: `ToolAnnotations`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Annotations {
    /// A title for people.
    pub title: Option<String>,
    /// The tool changes nothing. The protocol reads absent as `false`.
    pub read_only: Option<bool>,
    /// The tool may delete or overwrite. The protocol reads absent as `true`.
    pub destructive: Option<bool>,
    /// A second identical call changes nothing more. The protocol reads absent as `false`.
    pub idempotent: Option<bool>,
    /// The tool reaches things outside of a closed set. The protocol reads absent as `true`.
    pub open_world: Option<bool>,
    /// Members that this library does not know, as they came.
    pub other: Vec<(String, Box<RawValue>)>,
}

impl Annotations {
    /// Whether nothing at all is said.
    pub fn is_empty(&self) -> bool {
        self.title.is_none()
            && self.read_only.is_none()
            && self.destructive.is_none()
            && self.idempotent.is_none()
            && self.open_world.is_none()
            && self.other.is_empty()
    }
}
