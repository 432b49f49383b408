//! How far a call is, on one line of the terminal.

use std::io::{self, IsTerminal as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use haft_diag::escape;
use haft_wire::model::Progress;

use crate::columns::cut;
use crate::printer;

/// A line that is written over; nothing where nobody looks.
#[derive(Debug)]
pub(super) struct Bar {
    is_shown: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    last: Option<Instant>,
    is_on_screen: bool,
}

impl Bar {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { is_shown: io::stderr().is_terminal(), state: Mutex::default() })
    }

    /// Shows a report, unless the last one was just now.
    pub(super) fn show(&self, progress: &Progress) {
        if !self.is_shown {
            return;
        }
        let mut state = self.state();
        if state.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        state.last = Some(Instant::now());
        state.is_on_screen = true;
        let width = printer::width_of_stderr().unwrap_or(80).saturating_sub(1);
        printer::tell(&format!("\r{}\u{1b}[K", cut(&line(progress), width)));
    }

    /// Takes the line away, so that something else can be printed.
    pub(super) fn clear(&self) {
        let mut state = self.state();
        if std::mem::take(&mut state.is_on_screen) {
            printer::tell("\r\u{1b}[K");
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the line away when what it is about ends, or is ended.
#[derive(Debug)]
pub(super) struct Clears<'b>(pub(super) &'b Bar);

impl Drop for Clears<'_> {
    fn drop(&mut self) {
        self.0.clear();
    }
}

/// A bar where the end is known, a number where it is not; the server's words behind it.
fn line(progress: &Progress) -> String {
    let message = progress.message.as_deref().map(|message| format!("  {}", escape(message))).unwrap_or_default();
    let share = progress.total.filter(|total| *total > 0.0).map(|total| progress.progress / total);
    match share.filter(|share| share.is_finite()) {
        Some(share) => {
            let share = share.clamp(0.0, 1.0);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 20")]
            let filled = (share * 20.0) as usize;
            let bar = format!("{}{}", "#".repeat(filled), "-".repeat(20 - filled));
            format!("[{bar}] {:>3.0} %{message}", share * 100.0)
        }
        None => format!("… {}{message}", progress.progress),
    }
}

/// Ten lines in a second are more than anybody reads.
const PAUSE: Duration = Duration::from_millis(100);
