//! Tools for language models, over the Model Context Protocol: define them as functions, serve them in three lines.
//!
//! ```no_run
//! use haft::schemars::{self, JsonSchema};
//! use haft::{Json, Server, ToolError, tool, tools};
//! use serde::Serialize;
//!
//! #[derive(Serialize, JsonSchema)]
//! struct Ticket {
//!     id: u32,
//!     title: String,
//! }
//!
//! /// Finds open tickets that match a query. Use it for bugs and requests; not for source code.
//! #[tool(read_only, open_world = false)]
//! async fn search_tickets(
//!     /// Words to look for. Example: `login timeout`.
//!     query: String,
//!     /// How many tickets at most.
//!     #[arg(default = 10, range = 1..=100)]
//!     limit: usize,
//! ) -> Result<Json<Vec<Ticket>>, ToolError> {
//!     if query.trim().is_empty() {
//!         return Err(ToolError::tell("the query has no words: say what the ticket is about"));
//!     }
//!     let found = vec![Ticket { id: 7, title: "Login times out".to_owned() }];
//!     Ok(Json(found.into_iter().take(limit).collect()))
//! }
//!
//! #[tokio::main]
//! async fn main() -> haft::Result {
//!     Server::new(tools![search_tickets]).serve_stdio().await
//! }
//! ```
//!
//! Old clients and new ones are served by the same program, each in its own revision of the protocol, from 2024-11-05 to
//! 2026-07-28.
//!
//! # What a tool gets and gives
//!
//! Doc comments are the descriptions, types are the schemas ([`macro@tool`] has all of it). Before a function runs, its
//! arguments have been checked against the schema that the client was shown, and defaults are filled in; what does not
//! fit is explained to the model, all of it at once, and never reaches the function. `2.0` for an integer is an integer.
//!
//! A tool returns text, [`Json`] (structured content with an output schema), [`Image`], [`Audio`], [`ResourceLink`], a
//! list of [`Content`], or a whole [`ToolResult`]. What a model can act on is said with [`ToolError::tell`]; any other
//! error, by `?`, goes to the log, and the model gets a reference to it.
//!
//! A parameter of type [`Context`] reports progress, asks the person behind the client, and knows who is calling;
//! [`State`] is what tools share:
//!
//! ```
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! use haft::{Context, Question, Server, State, ToolError, tool, tools};
//!
//! #[derive(Default)]
//! struct Visits {
//!     count: AtomicU64,
//! }
//!
//! /// Sets the visit counter back to zero. Requires user confirmation; do not auto-call.
//! #[tool(destructive, idempotent, open_world = false)]
//! async fn reset(visits: State<Visits>, cx: &Context) -> Result<String, ToolError> {
//!     if !cx.ask("reset", Question::confirm("Set the counter to zero?"))?.is_confirmed() {
//!         return Err(ToolError::tell("the person did not confirm, so the counter stays as it is"));
//!     }
//!     Ok(format!("was {}", visits.count.swap(0, Ordering::Relaxed)))
//! }
//!
//! # fn main() -> haft::Result {
//! let server = Server::new(tools![reset]).state(Visits::default()).build()?;
//! # assert_eq!(server.tool_names(), ["reset"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Without macros
//!
//! [`ToolBuilder`] makes a tool of a closure and a type for its arguments, while the program runs if need be.
//! [`RawTool`] takes a whole definition as JSON, and JSON in. [`Tool`] is the trait behind all of them.
//!
//! ```
//! use haft::{Server, ToolBuilder, ToolSet};
//! use haft::schemars::{self, JsonSchema};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Sum {
//!     /// What to add up.
//!     numbers: Vec<i64>,
//! }
//!
//! # fn main() -> haft::Result {
//! let sum = ToolBuilder::new("sum")
//!     .description("Adds up whole numbers. Use it for any sum of more than two; not for averages.")
//!     .read_only(true)
//!     .handler(|sum: Sum, _cx| async move { sum.numbers.iter().sum::<i64>() })?;
//! let server = Server::new(ToolSet::new("sums", "1.0.0", vec![])).tool(sum).build()?;
//! # assert_eq!(server.tool_names(), ["sum"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Who may call what
//!
//! A [`Guard`] decides on every call before it runs, on its final arguments. The policy without rules lets run what only
//! reads or only adds, and asks about the rest: the client, if it can show a question to its person, and nobody else, so
//! that the call is refused at once. Rules, tiers and pins are in [`policy`]; what was granted and used lives in a
//! [`store`], and so does the audit log.
//!
//! ```
//! use haft::policy::Policy;
//! use haft::{Guard, Server, tool, tools};
//!
//! /// Deletes a ticket for good. Requires user confirmation; do not auto-call.
//! #[tool(destructive, idempotent, open_world = false)]
//! async fn delete_ticket(id: u32) -> String {
//!     format!("ticket {id} is gone")
//! }
//!
//! # fn main() -> haft::Result {
//! let server = Server::new(tools![delete_ticket]).guard(Guard::new(Policy::default())).build()?;
//! # assert_eq!(server.tool_names(), ["delete_ticket"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Testing
//!
//! The function under [`macro@tool`] stays a function: call it. What its arguments may be is the schema's to say.

#[cfg(feature = "macros")]
mod declared;
mod error;
mod server;

pub use error::{Error, Result};
pub use haft_core::{
    Answered, Arguments, Assurance, Audio, BuildError, CallFuture, CallOutcome, Context, FunctionTool, Guard, Identify,
    Image, IntoOutcome, Json, Limits, Principal, Question, Questions, RawTool, Server as BuiltServer, SourceId, State,
    Tool, ToolBuilder, ToolError, ToolId, ToolLimits, ToolSet, Transform, Visibility,
};
#[cfg(feature = "macros")]
pub use haft_macros::{tool, tools};
pub use haft_transport::http::{
    Address, ClientAddress, Endpoint, HttpBody, HttpError, HttpFuture, HttpOptions, HttpService, UnusableAddress,
};
#[cfg(unix)]
pub use haft_transport::stdio::{PipeError, PipeOptions, serve_pipe, serve_stdio};
pub use haft_wire::model::{
    Annotations, Content, ContentAnnotations, EmbeddedResource, ResourceContents, ResourceLink, ToolDefinition,
    ToolName, ToolResult,
};
pub use schemars;
pub use server::Server;

/// The client of any server: connect, list, call; the newest version that both sides speak is found out.
///
/// ```
/// use std::sync::Arc;
///
/// use haft::client::{CallOptions, Client, ClientOptions, Endpoint};
/// use haft::{Principal, Server, tool, tools};
///
/// /// Adds two numbers. Use it for sums; not for dates.
/// #[tool(read_only, open_world = false)]
/// async fn add(left: i64, right: i64) -> String {
///     (left + right).to_string()
/// }
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::new(tools![add]).build()?;
/// let endpoint = Endpoint::Memory(server, Arc::new(Principal::anonymous()));
/// let client = Client::connect(endpoint, ClientOptions::default()).await?;
/// let returned = client.call("add", r#"{"left":1,"right":2}"#, &CallOptions::default()).await?;
/// assert!(returned.raw.get().contains(r#""text":"3""#));
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "client")]
pub mod client {
    pub use haft_client::{
        Answer, Answers, Asked, CallOptions, Client, ClientError, ClientOptions, Endpoint, ProgressReport, Sent,
        Server, Tool, Tools,
    };
    pub use haft_transport::client::{Launch, Remote};
    pub use haft_wire::model::{ListedTool, Progress, Returned, SetAside};
}

/// Who may call what: rules in three tiers over a default table.
pub mod policy {
    pub use haft_policy::{
        Approver, ArgumentCondition, ConditionError, HintCondition, HintConditions, Hints, InvalidPattern, Mode, Pin,
        Policy, Rule, RuleSet, ShadowReport, Tier, ToolPattern, Verdict, Who,
    };
}

/// What outlives a call: approvals, and the audit log.
pub mod store {
    #[cfg(feature = "sqlite")]
    pub use haft_store::SqliteStore;
    pub use haft_store::audit::{AuditError, AuditLog, Options as AuditOptions, Values};
    pub use haft_store::{
        Grant, Limits as StoreLimits, MemoryStore, Moment, State, Store, StoreError, Ticket, TicketId,
    };
}

/// What `#[tool]` and `tools!` expand to. Not for people, and not promised to stay.
#[cfg(feature = "macros")]
#[doc(hidden)]
pub mod __private {
    pub use serde_json::Value;

    pub use crate::declared::{Argument, Declaration, Declared, Given, assert_new, json, outcome, refuse};
}
