//! The floor over stdio: a blocking loop that writes when it has nothing left to read.

use std::io::{BufRead, BufReader, Write};
use std::os::fd::AsFd;

use super::call::Tools;
use crate::Result;
use crate::case::Tool;

/// Serves until stdin ends.
pub fn serve(tool: Tool, count: usize) -> Result<()> {
    let tools = Tools::new(tool, count);
    let mut input = BufReader::with_capacity(BUFFER, std::io::stdin().lock());
    // Not `Stdout`, which writes at every newline.
    let mut output = std::fs::File::from(std::io::stdout().as_fd().try_clone_to_owned()?);
    let mut line = Vec::new();
    let mut answers = Vec::with_capacity(BUFFER);
    while input.read_until(b'\n', &mut line)? > 0 {
        if let Some(answer) = tools.answer(&line) {
            answers.extend_from_slice(&answer);
            answers.push(b'\n');
        }
        line.clear();
        if input.buffer().is_empty() || answers.len() > BUFFER {
            output.write_all(&answers)?;
            answers.clear();
        }
    }
    Ok(())
}

const BUFFER: usize = 64 * 1024;
