//! Programs that tests start: servers that announce where they listen, and clients that run to their end.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a server may take until it says where it listens.
const ANNOUNCEMENT: Duration = Duration::from_secs(20);

/// A program that runs until it is dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Running {
    /// Starts a program without input; what it prints is kept for [`Self::announced`].
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    pub fn start(command: &mut Command) -> Self {
        let mut child = spawn(command);
        let (sender, lines) = channel();
        if let Some(stdout) = child.stdout.take() {
            forward_lines(stdout, sender.clone());
        }
        if let Some(stderr) = child.stderr.take() {
            forward_lines(stderr, sender);
        }
        Self { child, lines, seen: Vec::new() }
    }

    /// What `find` finds in the first line that has it, on stdout or stderr, printed already or to come.
    ///
    /// # Panics
    ///
    /// When no line has it within 20 seconds or before the program ends.
    pub fn announced(&mut self, what: &str, find: impl Fn(&str) -> Option<String>) -> String {
        if let Some(found) = self.seen.iter().find_map(|line| find(line)) {
            return found;
        }
        let deadline = Instant::now() + ANNOUNCEMENT;
        while let Ok(line) = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            let found = find(&line);
            self.seen.push(line);
            if let Some(found) = found {
                return found;
            }
        }
        panic!("the server did not print its {what}; it printed:\n{}", self.seen.join("\n"))
    }

    /// The endpoint that the server printed, such as `http://127.0.0.1:7878/mcp`.
    ///
    /// # Panics
    ///
    /// As [`Self::announced`].
    pub fn url(&mut self) -> String {
        self.announced("address", url_in)
    }

    /// The bearer token that the server printed.
    ///
    /// # Panics
    ///
    /// As [`Self::announced`].
    pub fn token(&mut self) -> String {
        self.announced("token", token_in)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// What a program that has ended left behind.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// All of its standard output.
    pub stdout: String,
    /// All of its standard error.
    pub stderr: String,
}

/// Runs a program without input until it, and whatever it started that shares its output, has ended.
///
/// # Panics
///
/// When it cannot be started, or has not ended within `limit`.
pub fn run_to_end(command: &mut Command, limit: Duration) -> Ended {
    let deadline = Instant::now() + limit;
    let mut child = spawn(command);
    let stdout = child.stdout.take().map(read_all);
    let stderr = child.stderr.take().map(read_all);
    let wait = |output: Option<Receiver<String>>| {
        output?.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
    };
    let (Some(stdout), Some(stderr)) = (wait(stdout), wait(stderr)) else {
        let _ended = child.kill();
        let _status = child.wait();
        panic!("not at its end after {limit:?}: {command:?}");
    };
    let status = child.wait().expect("a child can be waited for");
    Ended { status, stdout, stderr }
}

fn spawn(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap_or_else(|error| panic!("{command:?} could not be started: {error}"))
}

fn forward_lines(output: impl Read + Send + 'static, sender: Sender<String>) {
    thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        // Reading goes on when nobody asks any more, for a full pipe would stop the server.
        lines.for_each(|line| drop(sender.send(line)));
    });
}

fn read_all(mut output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _length = output.read_to_end(&mut bytes);
        drop(sender.send(String::from_utf8_lossy(&bytes).into_owned()));
    });
    receiver
}

fn url_in(line: &str) -> Option<String> {
    let begin = line.find("http://")?;
    let ends = |c: char| c.is_whitespace() || "\"'`<>(),;\u{1b}".contains(c);
    let url = line[begin..].split(ends).next()?;
    url.ends_with("/mcp").then(|| url.to_owned())
}

fn token_in(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("Bearer ")?;
    let is_token = |c: &char| c.is_ascii_alphanumeric() || "-._~+/=".contains(*c);
    let token: String = rest.chars().take_while(is_token).collect();
    (token.len() >= 16).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::{Running, run_to_end, token_in, url_in};
    use std::process::Command;
    use std::time::Duration;

    #[test]
    fn an_address_and_a_token_are_found_in_what_a_server_says() {
        let line = "serving `a` on http://127.0.0.1:4321/mcp (6 tools)";
        assert_eq!(url_in(line).unwrap(), "http://127.0.0.1:4321/mcp");
        assert_eq!(url_in("see http://127.0.0.1:4321/health"), None);
        let line = "--header \"Authorization: Bearer abcDEF-_0123456789\"";
        assert_eq!(token_in(line).unwrap(), "abcDEF-_0123456789");
        assert_eq!(token_in("Bearer TOKEN"), None);
    }

    #[test]
    fn a_server_is_heard_on_either_output_and_ends_when_dropped() {
        for output in ["1", "2"] {
            let script =
                format!("echo first >&{output}; echo http://127.0.0.1:1/mcp >&{output}; exec tail -f /dev/null");
            let mut server = Running::start(Command::new("sh").args(["-c", &script]));
            assert_eq!(server.url(), "http://127.0.0.1:1/mcp");
            assert_eq!(server.announced("first line", |line| line.strip_prefix("fir").map(str::to_owned)), "st");
        }
    }

    #[test]
    fn a_program_is_run_to_its_end_with_all_that_it_printed() {
        let ended = run_to_end(Command::new("sh").args(["-c", "echo a; echo b >&2; exit 3"]), Duration::from_secs(5));
        assert_eq!((ended.status.code(), ended.stdout.as_str(), ended.stderr.as_str()), (Some(3), "a\n", "b\n"));
    }
}
