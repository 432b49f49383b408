//! A server under measurement: this same executable, started again in one of its roles.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fmt, fs};

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::case::{Case, Tool};
use crate::{Result, cores, floor, subject};

/// Which server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// The least that a server on hyper can do
    Floor,
    /// The library, everything on
    Haft,
}

/// How the client reaches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    Http,
    Stdio,
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Http => "HTTP",
            Self::Stdio => "stdio",
        })
    }
}

#[derive(Args)]
pub struct ServeOptions {
    role: Role,
    #[arg(long, value_enum, default_value = "http")]
    transport: Transport,
    /// Port on loopback; 0 takes a free one, which the first line on stdout tells
    #[arg(long, default_value_t = 0)]
    port: u16,
    #[arg(long, value_enum, default_value = "text")]
    tool: Tool,
    #[arg(long, default_value_t = 1)]
    tools: usize,
}

/// Serves until stdin ends, so that no server outlives the one who measures it.
pub fn serve(options: &ServeOptions) -> Result<()> {
    let ServeOptions { role, transport, port, tool, tools } = *options;
    match (role, transport) {
        (Role::Floor, Transport::Http) => floor::http::serve(port, tool, tools),
        (Role::Floor, Transport::Stdio) => floor::stdio::serve(tool, tools),
        (Role::Haft, Transport::Http) => subject::serve_http(port, tool, tools),
        (Role::Haft, Transport::Stdio) => subject::serve_stdio(tool, tools),
    }
}

/// Ends the process when stdin does: for servers that do not read stdin themselves.
pub fn end_with_stdin() {
    std::thread::spawn(|| {
        let ended = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(i32::from(ended.is_err()));
    });
}

/// What the scheduler gave and what it withheld.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoreTime {
    pub busy: Duration,
    pub waited: Duration,
}

/// A started server; it is killed when dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
}

impl Server {
    /// Starts `role` on `core`, inside `wrapper` when that is not empty.
    pub fn start(role: Role, transport: Transport, case: Case, core: usize, wrapper: &[&OsStr]) -> Result<Self> {
        let executable = std::env::current_exe()?;
        let mut words = wrapper.iter().copied().chain([executable.as_os_str()]);
        let program = words.next().unwrap_or(executable.as_os_str());
        #[expect(clippy::disallowed_methods, reason = "the server is this executable, and it ends with its stdin")]
        let mut command = Command::new(program);
        command.args(words).arg("serve").arg(word(&role)).arg("--transport").arg(word(&transport));
        command.arg("--tool").arg(word(&case.tool)).arg("--tools").arg(case.tools.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = on_core(core, move || Ok(command.spawn()?))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().map(BufReader::new);
        Ok(Self { child, stdin, stdout })
    }

    /// Waits until the server tells where it listens.
    pub fn address(&mut self) -> Result<SocketAddr> {
        let mut line = String::new();
        self.stdout.as_mut().ok_or("the server has no stdout")?.read_line(&mut line)?;
        line.trim().parse().map_err(|_| "the server ended before it listened".into())
    }

    /// The two ends of its stdio, once.
    pub fn pipes(&mut self) -> Result<(ChildStdin, BufReader<ChildStdout>)> {
        self.stdin.take().zip(self.stdout.take()).ok_or_else(|| "the pipes are taken".into())
    }

    /// How long its threads ran so far, and how long they waited for a core.
    pub fn core_time(&self) -> Result<CoreTime> {
        let mut sum = CoreTime::default();
        for thread in fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let text = fs::read_to_string(thread?.path().join("schedstat"))?;
            let mut fields = text.split_ascii_whitespace();
            let mut next = || -> Result<Duration> {
                Ok(Duration::from_nanos(fields.next().ok_or("`schedstat` is cut off")?.parse()?))
            };
            sum.busy += next()?;
            sum.waited += next()?;
        }
        Ok(sum)
    }

    /// The most memory that it ever had resident, in KiB.
    pub fn peak_memory(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("`status` has no `VmHWM`")?;
        Ok(line.trim().trim_end_matches(" kB").parse()?)
    }

    /// Ends its stdin and waits until it is gone.
    pub fn stop(mut self) -> Result<()> {
        drop(self.stdin.take());
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait()? {
                return if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) };
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Err("the server did not end with its stdin".into())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) && self.child.kill().is_ok() {
            drop(self.child.wait());
        }
    }
}

/// Runs `start` on `core`; children inherit where their parent ran.
fn on_core<T: Send>(core: usize, start: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    std::thread::scope(|scope| {
        let started = scope.spawn(|| {
            cores::pin(core)?;
            start()
        });
        started.join().map_err(|_| "the starting thread panicked")?
    })
}

/// The word that the command line reads back as `value`.
fn word(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|word| word.get_name().to_owned()).unwrap_or_default()
}

/// A server under callgrind needs seconds to write its profile.
const PATIENCE: Duration = Duration::from_mins(1);
