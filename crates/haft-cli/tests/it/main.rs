//! The binary as its users meet it: whole output, exit codes, conversations, hostile tools.
#![expect(clippy::disallowed_methods, reason = "starts the binary, and git for a repository to serve")]
#![expect(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "functions that tests share")]
#![expect(clippy::needless_pass_by_value, reason = "JSON is written where it is handed over")]
#![expect(clippy::indexing_slicing, reason = "members of JSON that a test expects")]

mod approvals;
mod binary;
mod call;
mod check;
mod client;
mod completions;
mod consent;
mod documentation;
mod hostile;
mod http;
mod inspect;
mod list;
mod messages;
mod policy;
mod pty;
mod quickstart;
mod refusals;
mod script;
mod signals;
mod stdio;
mod terminal;
mod trust;
