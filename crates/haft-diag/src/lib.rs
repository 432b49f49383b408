//! Findings, spans, name suggestions and their rendering; knows nothing of MCP.
//!
//! Three things that every part of haft that talks to a person needs: [`nearest`] finds the name that was meant,
//! [`escape`] makes foreign text harmless on a terminal, and [`Diagnostic`] prints an error with its place in a file,
//! its causes and a way out.

mod diagnostic;
mod escape;
mod nearest;
mod render;

pub use diagnostic::{Diagnostic, Severity};
pub use escape::{escape, is_deceptive};
pub use nearest::nearest;
pub use render::Paint;
