//! The person at the prompt: whether there is one, and what they answer.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use rustix::termios::{QueueSelector, tcflush};

use crate::printer;

/// Whether somebody can be asked: they see stderr and type on stdin.
pub(crate) fn is_here() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for a yes; everything else is a no. What was typed before the question was not meant for it.
pub(crate) fn agrees(question: &str) -> bool {
    if tcflush(rustix::stdio::stdin(), QueueSelector::IFlush).is_err() {
        return false;
    }
    let answer = line(&format!("{question} [y/N] "));
    answer.is_some_and(|answer| matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// Asks for a line; `None` at the end of the input.
pub(crate) fn line(prompt: &str) -> Option<String> {
    printer::tell(prompt);
    let mut line = String::new();
    let read = io::stdin().lock().take(LONGEST).read_line(&mut line);
    if let Ok(1..) = read {
        return Some(line.trim_end_matches(['\r', '\n']).to_owned());
    }
    printer::tell("\n");
    None
}

/// Does something that waits for the person without holding up what else goes on.
pub(crate) async fn patiently<T: Send + 'static>(ask: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(ask).await.ok()
}

/// More than a terminal hands over at once.
const LONGEST: u64 = 64 << 10;
