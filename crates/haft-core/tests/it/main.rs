//! Conversations in memory, at the surface that transports use.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![expect(clippy::needless_pass_by_value, reason = "messages are written in place")]

mod approvals;
mod asking;
mod calls;
mod catalogue;
mod listening;
mod peer;
mod protocol;
mod protocol_definitions;
mod protocol_envelope;
mod protocol_eras;
mod protocol_headers;
mod protocol_links;
mod protocol_results;
mod protocol_rounds;
mod protocol_streams;
mod wrong_calls;
