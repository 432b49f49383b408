//! What targets and arguments mean, seen from outside.
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

mod arguments;
mod dialects;
mod folder;
mod headers;
mod hostile;
mod positionals;
mod targets;
mod trust;
