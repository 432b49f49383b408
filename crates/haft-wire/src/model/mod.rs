//! What peers say to each other, whatever their revision.

mod annotations;
mod capabilities;
mod content;
mod name;
mod question;
mod request;
mod result;
mod server;
mod tool;

pub use annotations::Annotations;
pub use capabilities::ClientCapabilities;
pub use content::{Audio, Content, ContentAnnotations, EmbeddedResource, Image, ResourceContents, ResourceLink, Text};
pub use name::{InvalidToolName, ToolName};
pub use question::{InputRequest, InputRequired};
pub use request::{
    CallTool, Cancelled, ClientNotification, ClientRequest, Initialize, Listen, MetaFields, Page, ReadResource,
    RequestMeta, text,
};
pub use result::{CacheHint, CacheScope, ServerResult, ToolPage, ToolResult};
pub use server::{Implementation, ServerFacts};
pub(crate) use tool::Members;
pub use tool::{InvalidDefinition, ToolDefinition};
