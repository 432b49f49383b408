//! The signals that end a server: the first one lets it finish, the second one does not.

use std::fs;
use std::future::pending;
use std::io;
use std::process;

use haft_diag::Diagnostic;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;

/// `SIGTERM`, `SIGINT` and `SIGHUP`, as they come.
#[derive(Debug)]
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Hangup,
}

/// `SIGHUP`: the terminal is gone. Where it is ignored, as under `nohup`, it stays ignored.
#[derive(Debug)]
pub(crate) struct Hangup(Option<Signal>);

impl Signals {
    pub(crate) fn new() -> Result<Self, Failure> {
        Ok(Self {
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
            hangup: Hangup::new()?,
        })
    }

    /// The next one, by its number.
    pub(crate) async fn next(&mut self) -> i32 {
        tokio::select! {
            biased;
            _ = self.terminate.recv() => SignalKind::terminate().as_raw_value(),
            _ = self.interrupt.recv() => SignalKind::interrupt().as_raw_value(),
            () = self.hangup.came() => SignalKind::hangup().as_raw_value(),
        }
    }
}

impl Hangup {
    pub(crate) fn new() -> Result<Self, Failure> {
        let kind = SignalKind::hangup();
        Ok(Self(if is_ignored(kind) { None } else { Some(listen(kind)?) }))
    }

    pub(crate) async fn came(&mut self) {
        match &mut self.0 {
            Some(signal) => drop(signal.recv().await),
            None => pending().await,
        }
    }
}

/// From now on, the second signal ends the process, and all tools with it. Has to be called inside of a runtime, which
/// owns the task.
pub(crate) fn exit_at_the_second() -> Result<(), Failure> {
    let mut signals = Signals::new()?;
    tokio::spawn(async move {
        signals.next().await;
        let number = signals.next().await;
        haft_child::kill_all();
        exit(128 + number);
    });
    Ok(())
}

fn listen(kind: SignalKind) -> Result<Signal, Failure> {
    let unusable = |error: io::Error| Diagnostic::error("cannot listen to signals").cause(error.to_string());
    signal(kind).map_err(|error| unusable(error).into())
}

/// Whether this process was started with the signal ignored. Where the system does not tell, it was.
fn is_ignored(kind: SignalKind) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (kind.as_raw_value() - 1) & 1 == 1)
}

#[expect(clippy::exit, reason = "whoever sends a second signal does not want to wait for anything")]
fn exit(code: i32) -> ! {
    process::exit(code)
}
