//! JSON Schema: infer, compile, validate, fill defaults, explain; knows nothing of MCP.

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

pub use cost::Cost;
pub use dialect::Dialect;
pub use error::SchemaError;
pub use options::{CompileOptions, Ownership};
pub use problem::{Problem, Problems};
pub use schema::Schema;
pub use tree::{Float, Members, Object, Tree, TreeError};
