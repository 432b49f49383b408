//! The server of MCP tools: who may do what, which tools there are, and the way of one call.
//!
//! Messages come in as bytes from a transport, [`Server::handle`] answers them or gives back an [`Exchange`] that the
//! transport drives. Nothing here opens a socket, and nothing after admission knows which revision a peer speaks.

#[cfg(panic = "abort")]
compile_error!("a panicking tool must not end the server: build without `panic = \"abort\"`");

mod admit;
mod answer;
mod build;
mod call;
mod catalogue;
mod changes;
mod connection;
mod context;
mod dispatch;
mod exchange;
mod function;
mod guard;
mod identify;
mod limits;
mod links;
mod listen;
mod outcome;
mod outlet;
mod principal;
mod profile;
mod question;
mod raw;
mod seal;
mod server;
mod sessions;
mod tool;
mod tool_error;

pub use answer::{Answer, Handled, Unsent};
pub use build::{BuildError, ServerBuilder, ToolSet};
pub use catalogue::{SourceId, ToolId, Transform, Visibility};
pub use connection::{Connection, Notices};
pub use context::{Context, State};
pub use exchange::{Event, Exchange};
pub use function::{FunctionTool, ToolBuilder};
pub use guard::Guard;
pub use identify::{Credentials, Identify, Unauthenticated};
pub use limits::{Limits, ToolLimits};
pub use outcome::{Audio, CallOutcome, Image, IntoOutcome, Json};
pub use principal::{Assurance, Principal};
pub use question::{Answered, Question, Questions};
pub use raw::RawTool;
pub use server::{Peer, Server, Via};
pub use sessions::SessionFault;
pub use tool::{Arguments, CallFuture, Tool};
pub use tool_error::ToolError;
