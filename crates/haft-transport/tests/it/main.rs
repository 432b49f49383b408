//! Transports between real clients and real servers, over pipes and sockets of the system.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "helpers of tests")]
#![expect(clippy::format_push_string, clippy::needless_pass_by_value, reason = "tests read better so")]
#![expect(unreachable_pub, reason = "modules of one binary")]

mod bounds;
mod client_child;
mod client_hostile;
mod client_http;
mod client_memory;
mod disconnect;
mod endpoint;
mod far_end;
mod http;
mod memory;
mod messages;
mod pipes;
mod sessions;
mod stage;
mod statuses;
mod streams;
