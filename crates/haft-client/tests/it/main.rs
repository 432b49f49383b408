//! A client against servers: one in memory, and programs and sockets that misbehave.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod memory;
mod programs;
mod stage;
