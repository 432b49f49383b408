//! What must outlive a request: approvals that were asked for, granted and spent, and the audit log.
//!
//! A [`Store`] holds approvals. [`MemoryStore`] forgets them when the process ends; [`SqliteStore`] keeps them in a file
//! that several processes may have open at once. Both do the same, and [`Store::spend`] gives a grant out once, however
//! many ask and whenever one of them dies. [`audit`] writes down what was decided, what was about to run and what came
//! of it. Nothing here knows of MCP, of transports or of the time: the caller says what time it is.
//!
//! # Example
//!
//! ```
//! use std::time::Duration;
//!
//! use haft_store::{Call, Digest, Grant, MemoryStore, Moment, Request, Spent, Store};
//!
//! # fn main() -> Result<(), haft_store::StoreError> {
//! let store = MemoryStore::default();
//! let now = Moment::from_millis(1_800_000_000_000);
//! let call = Call {
//!     principal: "uid 1000",
//!     source: "files",
//!     tool: "write_file",
//!     definition: Digest::from_bytes([7; 32]),
//!     arguments: r#"{"path":"/data/a"}"#,
//! };
//! assert!(matches!(store.spend(&call.binding(), now)?, Spent::Unasked));
//!
//! let question = Request { call, caller: "you", server: "files 1.2", rule: "default", expires: now.plus(TEN_MINUTES) };
//! let ticket = store.ask(&question, now)?;
//! store.allow(&ticket.id, Grant::Once { expires: now.plus(TEN_MINUTES) }, "you", now)?;
//!
//! assert!(matches!(store.spend(&call.binding(), now)?, Spent::Granted(_)));
//! assert!(matches!(store.spend(&call.binding(), now)?, Spent::Unasked));
//! # Ok(())
//! # }
//! # const TEN_MINUTES: Duration = Duration::from_mins(10);
//! ```

mod approvals;
pub mod audit;
mod digest;
mod moment;
mod private;

#[cfg(feature = "sqlite")]
pub use approvals::SqliteStore;
pub use approvals::{
    Binding, Call, Grant, Limits, MemoryStore, Request, Spent, State, Store, StoreError, Ticket, TicketId,
    TicketIdError,
};
pub use digest::{Digest, DigestError};
pub use moment::Moment;
