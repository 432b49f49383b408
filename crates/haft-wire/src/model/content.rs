//! Blocks of content that a tool returns.

use serde_json::value::RawValue;

/// One block of a tool's result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Content {
    /// Sound.
    Audio(Audio),
    /// A picture.
    Image(Image),
    /// A block as it came from a peer; passed on byte for byte.
    Raw(Box<RawValue>),
    /// A resource with its contents.
    Resource(EmbeddedResource),
    /// A pointer to a resource that can be read.
    ResourceLink(ResourceLink),
    /// Text.
    Text(Text),
}

impl Content {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text { text: text.into(), annotations: None, meta: None })
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

/// Text for the model.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Text {
    /// The text, plain or Markdown.
    pub text: String,
    /// Whom it is for and how much it matters.
    pub annotations: Option<Box<ContentAnnotations>>,
    /// `_meta` of the block; revisions from 2025-06-18 on.
    pub meta: Option<Box<RawValue>>,
}

/// A picture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Image {
    /// The picture in standard, padded base64.
    pub data: String,
    /// Its media type, such as `image/png`.
    pub mime_type: String,
    /// Whom it is for and how much it matters.
    pub annotations: Option<Box<ContentAnnotations>>,
    /// `_meta` of the block.
    pub meta: Option<Box<RawValue>>,
}

impl Image {
    /// A picture from base64 text.
    pub fn from_base64(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self { data: data.into(), mime_type: mime_type.into(), annotations: None, meta: None }
    }
}

/// Sound.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Audio {
    /// The sound in standard, padded base64.
    pub data: String,
    /// Its media type, such as `audio/wav`.
    pub mime_type: String,
    /// Whom it is for and how much it matters.
    pub annotations: Option<Box<ContentAnnotations>>,
    /// `_meta` of the block.
    pub meta: Option<Box<RawValue>>,
}

impl Audio {
    /// Sound from base64 text.
    pub fn from_base64(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self { data: data.into(), mime_type: mime_type.into(), annotations: None, meta: None }
    }
}

/// A pointer to a resource that `resources/read`, or the client itself for `https:`, can read.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ResourceLink {
    /// Where the resource is.
    pub uri: String,
    /// What it is called.
    pub name: String,
    /// A title for people.
    pub title: Option<String>,
    /// What it holds.
    pub description: Option<String>,
    /// Its media type.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Whom it is for and how much it matters.
    pub annotations: Option<Box<ContentAnnotations>>,
    /// `_meta` of the block.
    pub meta: Option<Box<RawValue>>,
}

impl ResourceLink {
    /// A link with nothing but an address and a name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: name.into(), ..Self::default() }
    }
}

/// A resource inside a result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// The contents.
    pub resource: ResourceContents,
    /// Whom it is for; written beside the resource, where the schemas of all revisions have it.
    pub annotations: Option<Box<ContentAnnotations>>,
    /// `_meta` of the block.
    pub meta: Option<Box<RawValue>>,
}

impl EmbeddedResource {
    /// A resource inside a result.
    pub const fn new(resource: ResourceContents) -> Self {
        Self { resource, annotations: None, meta: None }
    }
}

/// What a resource holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ResourceContents {
    /// Bytes.
    Blob {
        /// Where the resource is.
        uri: String,
        /// Its media type.
        mime_type: Option<String>,
        /// The bytes in standard, padded base64.
        blob: String,
    },
    /// Text.
    Text {
        /// Where the resource is.
        uri: String,
        /// Its media type.
        mime_type: Option<String>,
        /// The text.
        text: String,
    },
}

impl ResourceContents {
    /// Text of a media type.
    pub fn text(uri: impl Into<String>, mime_type: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text { uri: uri.into(), mime_type: Some(mime_type.into()), text: text.into() }
    }

    /// Bytes of a media type, in standard, padded base64.
    pub fn blob(uri: impl Into<String>, mime_type: impl Into<String>, blob: impl Into<String>) -> Self {
        Self::Blob { uri: uri.into(), mime_type: Some(mime_type.into()), blob: blob.into() }
    }
}

/// Whom a block is for, how much it matters, and when it changed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ContentAnnotations {
    /// `user`, `assistant`, or both.
    pub audience: Vec<String>,
    /// From 0 (optional) to 1 (required).
    pub priority: Option<f64>,
    /// ISO 8601 time of the last change; revisions from 2025-06-18 on.
    pub last_modified: Option<String>,
}
