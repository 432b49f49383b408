//! What peers say to each other, whatever their revision.

mod annotations;
mod ask;
mod capabilities;
mod content;
mod name;
mod question;
mod reply;
mod request;
mod result;
mod server;
mod tool;

pub use annotations::Annotations;
pub use ask::Ask;
pub use capabilities::ClientCapabilities;
pub use content::{Audio, Content, ContentAnnotations, EmbeddedResource, Image, ResourceContents, ResourceLink, Text};
pub use name::{InvalidToolName, ToolName};
pub use question::{InputRequest, InputRequired};
pub use reply::{
    Introduction, InvalidReply, ListedItems, ListedTool, ListedTools, Meaning, PeerError, Progress, ReadContents,
    Returned, Round, ServerCapabilities, ServerNotification, SetAside,
};
pub use request::{
    CallTool, Cancelled, ClientNotification, ClientRequest, Initialize, Listen, MetaFields, Page, ReadResource,
    RequestMeta, text,
};
pub use result::{CacheHint, CacheScope, ServerResult, ToolPage, ToolResult};
pub use server::{Implementation, ServerFacts};
pub(crate) use tool::Members;
pub use tool::{InvalidDefinition, ToolDefinition};
