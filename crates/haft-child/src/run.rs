//! One run of one program, from start to nothing left.

use std::{
    ffi::OsString,
    io,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    sync::Once,
    time::{Duration, Instant},
};

use tokio::{
    process::Command,
    signal::unix::{SignalKind, signal},
    time::{MissedTickBehavior, interval, sleep},
};

use crate::{Ending, Finished, Program, StartError, Stdin, leader::Leader, streams::Streams, warden};

/// Runs a program until it and all that it started have ended, or have been ended.
///
/// It ends by itself, by [`Limits`](crate::Limits), or because the future is dropped. Processes that it left behind
/// are then ended like it: `SIGTERM`, the grace, `SIGKILL`; after a drop `SIGKILL` at once. What still waits when it
/// ended by itself has a tenth of a second to finish its output first.
///
/// Must be called within a tokio runtime with I/O and time.
///
/// # Errors
///
/// When the program cannot be started. What it does after that, whatever it is, is in [`Finished`].
pub async fn run(program: Program) -> Result<Finished, StartError> {
    let begun = Instant::now();
    let limits = program.limits;
    let (mut leader, mut streams) = start(program)?;
    let verdict = watch(&leader, &mut streams, limits.timeout).await;
    if verdict.is_none() {
        streams.closed(LINGER).await;
    }
    let status = streams.during(leader.end(limits.grace)).await;
    streams.drained(QUIET, DRAIN).await;

    let ending = match (verdict, status) {
        _ if leader.killed() => Ending::Killed,
        (Some(verdict), _) => verdict,
        _ if streams.overflowed() => Ending::OutputLimit,
        (None, Some(status)) => natural(status),
        // It ended, but nobody knows how.
        (None, None) => Ending::Killed,
    };
    let (stdout, stderr) = streams.into_captured();
    Ok(Finished { stdout, stderr, ending, elapsed: begun.elapsed() })
}

fn start(program: Program) -> Result<(Leader, Streams), StartError> {
    let Program { path, arguments, directory, environment, stdin, limits } = program;
    let mut command = command(&path, arguments, &directory, environment);
    let input = match stdin {
        Stdin::Bytes(bytes) => {
            command.stdin(Stdio::piped());
            bytes
        }
        Stdin::Null => {
            command.stdin(Stdio::null());
            Vec::new()
        }
    };
    let (leader, pipes) = Leader::start(&mut command).map_err(|source| explain(path, directory, source))?;
    Ok((leader, Streams::new(pipes, input, &limits)))
}

/// A program that inherits nothing, with pipes to read from.
pub(crate) fn command(
    path: &Path,
    arguments: Vec<OsString>,
    directory: &Path,
    environment: Vec<(OsString, OsString)>,
) -> Command {
    keep_statuses();
    let mut command = Command::new(path);
    command.args(arguments).current_dir(directory).env_clear().envs(environment);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The system has one answer for a missing program and a missing directory.
pub(crate) fn explain(path: PathBuf, directory: PathBuf, source: io::Error) -> StartError {
    match directory.read_dir() {
        Err(cause) => StartError::Directory { directory, source: cause },
        Ok(_) => StartError::Program { path, source },
    }
}

/// Waits for the program to end, and says why it must when it does not by itself.
async fn watch(leader: &Leader, streams: &mut Streams, timeout: Duration) -> Option<Ending> {
    let mut timer = Box::pin(sleep(timeout));
    let mut cleaning = interval(CLEANING);
    cleaning.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = leader.exited() => return None,
            () = streams.overflow() => return Some(Ending::OutputLimit),
            () = &mut timer => return Some(Ending::TimedOut),
            _ = cleaning.tick() => warden::reap_orphans(),
        }
    }
}

pub(crate) fn natural(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(signal)) => Ending::Signalled(signal),
        (None, None) => Ending::Killed,
    }
}

/// A process whose parent ignored `SIGCHLD` does so too, and then the kernel throws away how its children end. Any
/// handler stops that.
fn keep_statuses() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if let Err(error) = signal(SignalKind::child()) {
            tracing::warn!(%error, "no handler for `SIGCHLD`");
        }
    });
}

/// For what writes through a process that the program started and does not wait for, such as `tee >(grep x)`.
const LINGER: Duration = Duration::from_millis(100);
/// After the end of all processes their pipes still hold something; who has one open then escaped us.
const QUIET: Duration = Duration::from_millis(200);
const DRAIN: Duration = Duration::from_secs(1);
/// Orphans that end during a long call wait for us to take notice.
pub(crate) const CLEANING: Duration = Duration::from_secs(1);
