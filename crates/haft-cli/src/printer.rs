//! Everything that is printed: data to stdout, everything else to stderr. No other file writes there.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use haft_diag::{Diagnostic, Paint, escape};
use rustix::termios::tcgetwinsize;

use crate::environment;
use crate::failure::Failure;
use crate::json::harmless;

/// Prints for a person or a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    paint: Paint,
}

impl Printer {
    /// Colours are for terminals whose owner did not set `NO_COLOR`.
    pub(crate) fn new() -> Self {
        let is_refused = environment::variable("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_coloured = io::stderr().is_terminal() && !is_refused;
        Self { paint: if is_coloured { Paint::Coloured } else { Paint::Plain } }
    }

    pub(crate) fn is_coloured(self) -> bool {
        self.paint == Paint::Coloured
    }

    pub(crate) fn diagnostic(self, diagnostic: &Diagnostic) {
        tell(&diagnostic.render(self.paint));
    }

    /// Several diagnostics, with room between them and their number at the end.
    pub(crate) fn diagnostics(self, diagnostics: &[Diagnostic], path: &str) {
        let rendered: Vec<String> = diagnostics.iter().map(|diagnostic| diagnostic.render(self.paint)).collect();
        tell(&rendered.join("\n"));
        if let [_, _, ..] = diagnostics {
            tell(&format!("\n{} errors in `{}`\n", diagnostics.len(), escape(path)));
        }
    }

    /// What a person should know before anything is done.
    pub(crate) fn warnings(self, warnings: &[String]) {
        for warning in warnings {
            self.diagnostic(&Diagnostic::warning(warning.clone()));
        }
    }

    /// Why the work could not be done, and the code to exit with.
    pub(crate) fn failure(self, failure: &Failure) -> ExitCode {
        match failure {
            Failure::Closed => return ExitCode::SUCCESS,
            Failure::Manifest(errors) => self.diagnostics(errors.diagnostics(), errors.path()),
            Failure::Other(diagnostic) => self.diagnostic(diagnostic),
        }
        ExitCode::from(2)
    }

    /// Help, the version, or what is wrong with the arguments.
    pub(crate) fn usage(self, error: &clap::Error) -> ExitCode {
        let text = error.render();
        if error.use_stderr() {
            tell(&if self.is_coloured() { text.ansi().to_string() } else { text.to_string() });
            return ExitCode::from(2);
        }
        let is_coloured = io::stdout().is_terminal() && self.is_coloured();
        let text = if is_coloured { text.ansi().to_string() } else { text.to_string() };
        match data(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => self.failure(&error.into()),
        }
    }
}

/// What the command was asked for, to stdout.
pub(crate) fn data(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// JSON to stdout: byte for byte, except that a terminal gets nothing to obey.
pub(crate) fn json(json: &str) -> io::Result<()> {
    if io::stdout().is_terminal() { data(&harmless(json)) } else { data(json) }
}

/// Text of somebody else's to stdout: as it is, except that a terminal gets nothing to obey.
pub(crate) fn text(text: &str) -> io::Result<()> {
    if !io::stdout().is_terminal() {
        return data(text);
    }
    let shown = |line: &str| line.split('\t').map(escape).collect::<Vec<_>>().join("\t");
    let lines: Vec<String> = text.split('\n').map(|line| shown(line.trim_end_matches('\r'))).collect();
    data(&lines.join("\n"))
}

/// How many columns stdout has, if it is a terminal.
pub(crate) fn width() -> Option<usize> {
    tcgetwinsize(rustix::stdio::stdout()).ok().map(|size| usize::from(size.ws_col)).filter(|width| *width > 0)
}

/// How many columns stderr has, if it is a terminal.
pub(crate) fn width_of_stderr() -> Option<usize> {
    tcgetwinsize(rustix::stdio::stderr()).ok().map(|size| usize::from(size.ws_col)).filter(|width| *width > 0)
}

/// What a person should know, to stderr.
pub(crate) fn tell(text: &str) {
    // When nobody hears it, the work goes on all the same.
    drop(io::stderr().lock().write_all(text.as_bytes()));
}

/// Where log lines go.
pub(crate) fn log_writer() -> io::Stderr {
    io::stderr()
}
