//! The server that a command is pointed at: what it is, whether it may be started, how it is connected to.

mod connect;
mod explain;
mod named;
mod prepare;
mod token;

pub(crate) use connect::{Connected, options, with_client};
pub(crate) use explain::explain;
pub(crate) use named::{Named, resolve, surroundings, unusable};
pub(crate) use prepare::{Prepared, grants, prepare};
