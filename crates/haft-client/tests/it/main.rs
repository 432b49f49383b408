//! What targets and arguments mean, and a client against servers: in memory, over HTTP, and those that misbehave.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![expect(clippy::needless_pass_by_value, reason = "messages are written in place")]

mod arguments;
mod dialects;
mod folder;
mod headers;
mod hostile;
mod http;
mod memory;
mod positionals;
mod programs;
mod stage;
mod targets;
mod trust;
