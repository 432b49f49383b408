//! Haft itself, as a user of the library would serve the measured tools.

use crate::Result;
use crate::case::Tool;

pub fn serve_http(_port: u16, _tool: Tool, _count: usize) -> Result<()> {
    Err("the library has no server yet".into())
}

pub fn serve_stdio(_tool: Tool, _count: usize) -> Result<()> {
    Err("the library has no server yet".into())
}
