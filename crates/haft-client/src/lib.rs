//! The client: what a target on a command line means, and what is said to it.

pub mod arguments;
pub mod target;
