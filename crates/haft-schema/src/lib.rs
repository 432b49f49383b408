//! JSON Schema: infer, compile, validate, fill defaults, explain; knows nothing of MCP.
//!
//! A [`Tree`] is a JSON value that borrows from its text. A [`Schema`] is compiled once, refuses what would make checking
//! slow, and then says of every tree whether it fits; of one that does not, [`Problems`] says everything that is wrong in
//! words that a model can act on, and never with a value that was sent. [`infer`] makes schemas from Rust types.
//!
//! # Example
//!
//! ```
//! use haft_schema::{CompileOptions, Schema, Tree};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let source: &serde_json::value::RawValue = serde_json::from_str(
//!     r#"{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer","default":10}},
//!         "required":["query"],"additionalProperties":false}"#,
//! )?;
//! let schema = Schema::compile(source, &CompileOptions::default())?;
//!
//! let text = r#"{"query":"timeout"}"#;
//! let tree = Tree::parse(text)?;
//! assert!(schema.is_valid(&tree));
//! assert_eq!(schema.fill_defaults(text, &tree).as_deref(), Some(r#"{"query":"timeout","limit":10}"#));
//!
//! let problems = schema.check(&Tree::parse(r#"{"limt":5}"#)?).unwrap_err();
//! assert_eq!(
//!     problems.to_string(),
//!     "- `/limt`: unknown property; did you mean `limit`?\n\
//!      - `/query`: required, missing (a string)\n\
//!      Smallest valid example: {\"query\":\"...\"}"
//! );
//! # Ok(())
//! # }
//! ```

mod canonical;
mod cost;
mod defaults;
mod dialect;
mod document;
mod error;
mod example;
mod explain;
mod formats;
pub mod infer;
mod options;
mod patterns;
mod pointer;
mod problem;
mod representation;
mod schema;
mod tree;
mod validator;

pub use canonical::{canonical, canonical_for_people};
pub use cost::Cost;
pub use dialect::Dialect;
pub use error::SchemaError;
pub use options::{CompileOptions, Ownership};
pub use problem::{Problem, Problems};
pub use schema::Schema;
pub use tree::{Float, Members, Object, Tree, TreeError};
