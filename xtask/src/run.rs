//! Runs one command: its output is passed on as it comes, and read line by line on the way.

use std::env;
use std::fmt;
use std::fs;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A program with its arguments and what it finds in its environment.
#[derive(Clone, Debug)]
pub(crate) struct Invocation {
    pub(crate) argv: Vec<String>,
    pub(crate) set: Vec<(String, String)>,
}

impl Invocation {
    /// Splits at spaces: for command lines that are written in this program.
    pub(crate) fn new(line: &str) -> Self {
        Self { argv: line.split(' ').map(str::to_owned).collect(), set: Vec::new() }
    }

    #[must_use]
    pub(crate) fn and(mut self, argument: impl Into<String>) -> Self {
        self.argv.push(argument.into());
        self
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.set.push((name.to_owned(), value.into()));
        self
    }

    /// The command, ready to start in the folder `root`; nothing for an empty line.
    pub(crate) fn command(&self, root: &Path) -> Option<Command> {
        let (program, arguments) = self.argv.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(root).stdin(Stdio::null());
        command.envs(self.set.iter().map(|(name, value)| (name, value)));
        // Its output comes through a pipe, so that cargo would not know that a person reads it.
        if io::stdout().is_terminal() && env::var_os("CARGO_TERM_COLOR").is_none() {
            command.env("CARGO_TERM_COLOR", "always");
        }
        Some(command)
    }
}

impl fmt::Display for Invocation {
    /// As one would type it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = self.set.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
        let words = set.chain(self.argv.iter().map(|word| quoted(word)));
        formatter.write_str(&words.collect::<Vec<_>>().join(" "))
    }
}

/// Why a command has no exit status of its own.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error("cannot start `{program}`")]
    Start { program: String, source: io::Error },
    #[error("cannot wait for `{program}`")]
    Wait { program: String, source: io::Error },
    #[error("`{program}` printed nothing for {} minutes and was ended", LONGEST_SILENCE.as_secs() / 60)]
    Silent { program: String },
}

/// Runs the command to its end, and hands each line of its output to `read`.
pub(crate) fn run(invocation: &Invocation, root: &Path, read: &mut dyn FnMut(&str)) -> Result<ExitStatus, RunError> {
    let program = invocation.argv.first().cloned().unwrap_or_default();
    let start = |source| RunError::Start { program: program.clone(), source };
    let Some(mut command) = invocation.command(root) else {
        return Err(start(io::Error::from(io::ErrorKind::InvalidInput)));
    };
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(start)?;
    let (sender, lines) = channel();
    if let Some(output) = child.stdout.take() {
        read_lines(output, Output::Standard, sender.clone());
    }
    if let Some(output) = child.stderr.take() {
        read_lines(output, Output::Error, sender);
    }
    if pass_on(&mut child, &lines, read) == Ending::Silent {
        end_with_descendants(&mut child);
        return Err(RunError::Silent { program });
    }
    child.wait().map_err(|source| RunError::Wait { program, source })
}

#[derive(Clone, Copy, Debug)]
enum Output {
    Error,
    Standard,
}

#[derive(Debug, Eq, PartialEq)]
enum Ending {
    Closed,
    Silent,
}

fn read_lines(from: impl Read + Send + 'static, output: Output, lines: Sender<(Output, Vec<u8>)>) {
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        loop {
            let mut line = Vec::new();
            match from.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) if lines.send((output, line)).is_err() => return,
                Ok(_) => {}
            }
        }
    });
}

fn pass_on(child: &mut Child, lines: &Receiver<(Output, Vec<u8>)>, read: &mut dyn FnMut(&str)) -> Ending {
    let mut last = Instant::now();
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok((output, line)) => {
                last = Instant::now();
                read(&String::from_utf8_lossy(&line));
                // Whoever reads this program's output may have gone: the steps still run to their end.
                drop(match output {
                    Output::Error => io::stderr().write_all(&line),
                    Output::Standard => io::stdout().write_all(&line).and_then(|()| io::stdout().flush()),
                });
            }
            Err(RecvTimeoutError::Disconnected) => return Ending::Closed,
            // A process that it left behind may hold the pipe for ever.
            Err(RecvTimeoutError::Timeout) if matches!(child.try_wait(), Ok(Some(_))) => {
                return Ending::Closed;
            }
            Err(RecvTimeoutError::Timeout) if last.elapsed() > LONGEST_SILENCE => {
                return Ending::Silent;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Ends a command and all that it started. It has no process group of its own, so that Ctrl-C reaches it.
fn end_with_descendants(child: &mut Child) {
    let mut doomed = vec![child.id()];
    let mut next = 0;
    while let Some(parent) = doomed.get(next).copied() {
        doomed.extend(children_of(parent));
        next += 1;
    }
    let ids: Vec<String> = doomed.iter().map(ToString::to_string).collect();
    // Whether a process was still there makes no difference here.
    drop(Command::new("sh").args(["-c", "kill -KILL \"$@\"", "sh"]).args(&ids).status());
    drop(child.wait());
}

fn children_of(parent: u32) -> Vec<u32> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let is_child = |id: &u32| {
        // `id (name) state parent …`, and the name may hold anything but is the last that ends in a parenthesis.
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        fields.split_whitespace().nth(1) == Some(parent.to_string().as_str())
    };
    processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).filter(is_child).collect()
}

fn quoted(word: &str) -> String {
    if word.chars().any(|character| character.is_whitespace() || "'\"$&|;()<>*?#".contains(character)) {
        format!("'{}'", word.replace('\'', "'\\''"))
    } else {
        word.to_owned()
    }
}

/// How long to wait for a line before a look at whether the command has ended.
const PATIENCE: Duration = Duration::from_secs(2);

/// Longer than the slowest link step and the slowest single test take on two cores.
const LONGEST_SILENCE: Duration = Duration::from_mins(20);

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use super::{Invocation, end_with_descendants, run};

    #[test]
    fn lines_of_both_outputs_are_read_and_the_status_is_the_commands() {
        let mut lines = Vec::new();
        let invocation = Invocation {
            argv: ["sh", "-c", "echo $A; echo two >&2; exit 3"].map(str::to_owned).into(),
            ..Invocation::new("")
        };
        let invocation = invocation.with("A", "one");
        let status = run(&invocation, ".".as_ref(), &mut |line| {
            lines.push(line.to_owned());
        })
        .unwrap();
        lines.sort();
        assert_eq!((lines, status.code()), (vec!["one\n".to_owned(), "two\n".to_owned()], Some(3)));
    }

    #[test]
    fn a_process_left_behind_with_the_pipe_does_not_hold_up_the_end() {
        let argv = ["sh", "-c", "exec 3>&1; (exec sleep 60 >&3 2>&3) & echo $!"].map(str::to_owned).into();
        let mut left = String::new();
        let status = run(&Invocation { argv, ..Invocation::new("") }, ".".as_ref(), &mut |line| left.push_str(line));
        assert!(status.unwrap().success());
        let ended = std::process::Command::new("kill").arg(left.trim()).status().unwrap();
        assert!(ended.success(), "the process had ended before");
    }

    #[test]
    fn what_a_silent_command_started_ends_with_it() {
        let argv = ["-c", "sh -c 'sleep 60 & echo $!; wait' & wait"];
        let mut child = Command::new("sh").args(argv).stdout(Stdio::piped()).spawn().unwrap();
        let mut id = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut id).unwrap();
        let stat = format!("/proc/{}/stat", id.trim());
        assert!(fs::exists(&stat).unwrap());
        end_with_descendants(&mut child);
        // Whoever inherits it may not have reaped it yet.
        let is_gone = || fs::read_to_string(&stat).map_or(true, |stat| stat.contains(") Z "));
        let begin = Instant::now();
        while !is_gone() {
            assert!(begin.elapsed() < Duration::from_secs(5), "the grandchild still runs");
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&Invocation::new("no-such-program-here"), ".".as_ref(), &mut |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "cannot start `no-such-program-here`");
    }

    #[test]
    fn a_command_is_shown_as_one_would_type_it() {
        let invocation = Invocation::new("cargo doc").with("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(invocation.to_string(), "RUSTDOCFLAGS='-D warnings' cargo doc");
    }
}
