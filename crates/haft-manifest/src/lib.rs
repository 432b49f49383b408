//! Tools from a file: haft.toml with command tools; a source like any other.
//!
//! [`Manifest::load`] reads the file and says everything that is wrong with it at once, each with its place.
//! [`Manifest::into_tools`] gives tools that start a program for each call. The values of a call are placed as
//! values: an item of the program's arguments or a part of one, or its standard input, never through a shell.
//!
//! The `[policy]` of a manifest, and files with nothing else ([`load_policy`]), give the rules that haft-policy decides
//! by; [`load_cases`] reads tables of expected decisions.

mod annotations;
mod argument;
mod argv;
mod command;
mod file;
mod json;
mod manifest;
mod outcome;
mod policy;
mod quantity;
mod report;
mod script;
mod server;
mod table;
mod template;
mod tool;
mod values;
mod variables;
mod within;

pub use manifest::Manifest;
pub use policy::{load_cases, load_policy, parse_cases, parse_policy};
pub use report::ManifestErrors;
pub use server::ServerInfo;

#[cfg(test)]
mod tests;
