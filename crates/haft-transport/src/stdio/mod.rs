//! One message on each line, over a pair of pipes: the standard ones of the process, or any others.
//!
//! Requests of all revisions may stand on one pipe, interleaved; the server tells them apart line by line (2026-07-28,
//! transports: stdio). What answers at once is answered in place, and answers are gathered until there is nothing more
//! to read, so that a client that sends many requests costs few system calls.

mod descriptor;
mod input;
mod options;
mod outbound;
mod output;
mod server;
mod standard;
mod thread;

pub use options::{PipeError, PipeOptions};
pub use server::serve_pipe;
pub use standard::serve_stdio;
