//! What a call comes to, and the types that a tool may return.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use haft_wire::model::{self, Content, EmbeddedResource, ResourceLink, ToolResult};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::question::Questions;
use crate::tool_error::{Failure, ToolError};

/// What a call comes to.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallOutcome {
    /// A result.
    Done(ToolResult),
    /// A failure of the tool.
    Failed(ToolError),
    /// The call waits for the client.
    Needs(Questions),
}

/// A type that a tool may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned by a tool",
    label = "not `IntoOutcome`",
    note = "data is returned as `Json<T>`, whose `T` needs `serde::Serialize` and `schemars::JsonSchema`",
    note = "the error of a `Result` is `ToolError`, or an error type that `?` turns into one; a text becomes one with \
            `ToolError::tell`"
)]
pub trait IntoOutcome {
    /// Turns the value into what the call comes to.
    fn into_outcome(self) -> CallOutcome;

    /// The schema of the structured content that the type always gives.
    fn output_schema() -> Option<Box<RawValue>>
    where
        Self: Sized,
    {
        None
    }
}

/// Data: structured content with its schema, and the same JSON as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a tuple struct to wrap and take apart")]
pub struct Json<T>(pub T);

/// A picture from bytes.
#[derive(Clone, Debug)]
pub struct Image(model::Image);

impl Image {
    /// A picture of such a media type, for example `image/png`.
    pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self(model::Image::from_base64(STANDARD.encode(bytes), mime_type))
    }
}

/// Sound from bytes.
#[derive(Clone, Debug)]
pub struct Audio(model::Audio);

impl Audio {
    /// Sound of such a media type, for example `audio/wav`.
    pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self(model::Audio::from_base64(STANDARD.encode(bytes), mime_type))
    }
}

impl IntoOutcome for CallOutcome {
    fn into_outcome(self) -> CallOutcome {
        self
    }
}

impl IntoOutcome for ToolResult {
    fn into_outcome(self) -> CallOutcome {
        CallOutcome::Done(self)
    }
}

impl IntoOutcome for ToolError {
    fn into_outcome(self) -> CallOutcome {
        match self.0 {
            Failure::Needs(questions) => CallOutcome::Needs(questions),
            failure => CallOutcome::Failed(Self(failure)),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoOutcome, E: Into<ToolError>> IntoOutcome for Result<T, E> {
    fn into_outcome(self) -> CallOutcome {
        match self {
            Ok(value) => value.into_outcome(),
            Err(error) => error.into().into_outcome(),
        }
    }

    fn output_schema() -> Option<Box<RawValue>> {
        T::output_schema()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + schemars::JsonSchema> IntoOutcome for Json<T> {
    fn into_outcome(self) -> CallOutcome {
        match serde_json::value::to_raw_value(&self.0) {
            Ok(value) => CallOutcome::Done(ToolResult::structured(value)),
            Err(error) => CallOutcome::Failed(error.into()),
        }
    }

    fn output_schema() -> Option<Box<RawValue>> {
        Some(haft_schema::infer::output_schema::<T>())
    }
}

impl IntoOutcome for () {
    fn into_outcome(self) -> CallOutcome {
        CallOutcome::Done(ToolResult::text("done"))
    }
}

impl IntoOutcome for Vec<Content> {
    fn into_outcome(self) -> CallOutcome {
        let mut result = ToolResult::default();
        result.content = self;
        CallOutcome::Done(result)
    }
}

/// Types that are one block of content.
macro_rules! one_block {
    ($($type:ty => $block:expr),+ $(,)?) => {$(
        impl IntoOutcome for $type {
            fn into_outcome(self) -> CallOutcome {
                let block: fn($type) -> Content = $block;
                vec![block(self)].into_outcome()
            }
        }
    )+};
}

one_block! {
    String => Content::text,
    &'static str => Content::text,
    bool => |value| Content::text(value.to_string()),
    f64 => |value| Content::text(value.to_string()),
    i32 => |value| Content::text(value.to_string()),
    i64 => |value| Content::text(value.to_string()),
    u32 => |value| Content::text(value.to_string()),
    u64 => |value| Content::text(value.to_string()),
    usize => |value| Content::text(value.to_string()),
    Audio => |audio| Content::Audio(audio.0),
    Content => |content| content,
    EmbeddedResource => Content::Resource,
    Image => |image| Content::Image(image.0),
    ResourceLink => Content::ResourceLink,
}

impl From<Image> for Content {
    fn from(image: Image) -> Self {
        Self::Image(image.0)
    }
}

impl From<Audio> for Content {
    fn from(audio: Audio) -> Self {
        Self::Audio(audio.0)
    }
}
