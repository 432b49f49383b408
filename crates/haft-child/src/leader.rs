//! The process that a call started itself, held as a zombie until the call is over.
//!
//! As long as it is not waited for, its number and that of its process group belong to nobody else.

use std::{
    io,
    os::fd::OwnedFd,
    process::ExitStatus,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    io::{Interest, unix::AsyncFd},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    task::spawn_blocking,
    time::{sleep, timeout},
};

use crate::{
    call::{Call, Live},
    system, warden,
};

/// Dropped before the call is over, it kills all that belongs to the call.
#[derive(Debug)]
pub(crate) struct Leader {
    call: Arc<Call>,
    /// None once the call is over.
    child: Option<Child>,
    /// Readable when the process ended. None where the system has no such thing.
    exit: Option<AsyncFd<OwnedFd>>,
}

/// The near ends of what it was started with.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(crate) stdin: Option<ChildStdin>,
    pub(crate) stdout: Option<ChildStdout>,
    pub(crate) stderr: Option<ChildStderr>,
}

impl Leader {
    /// Starts it, and gives back its pipes.
    pub(crate) fn start(command: &mut Command) -> io::Result<(Self, Pipes)> {
        let (call, mut child) = Call::start(command)?;
        let pipes = Pipes { stdin: child.stdin.take(), stdout: child.stdout.take(), stderr: child.stderr.take() };
        let exit = system::exit_descriptor(call.leader).and_then(watch);
        Ok((Self { call, child: Some(child), exit }, pipes))
    }

    pub(crate) fn number(&self) -> u32 {
        self.call.leader.number.cast_unsigned()
    }

    /// Waits for the end of the process, without taking its status.
    pub(crate) async fn exited(&self) {
        if let Some(exit) = &self.exit
            && exit.readable().await.is_ok()
        {
            return;
        }
        while !self.call.leader_exited() {
            sleep(POLL).await;
        }
    }

    pub(crate) fn killed(&self) -> bool {
        self.call.killed()
    }

    /// Ends what is left of the call: asks first, and kills what is there after `grace`. Then takes the status, if
    /// the process has one.
    pub(crate) async fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        let clear = self.nothing_left() || self.terminate(grace).await || self.kill().await;
        let status = self.child.as_mut().and_then(|child| self.call.reap(child));
        if clear && status.is_some() {
            self.call.forget();
            self.child = None;
        }
        status
    }

    /// The cheap way, which proves it in the usual case: we adopt orphans, and this is the only call.
    fn nothing_left(&mut self) -> bool {
        if !system::adopts() || !self.call.leader_exited() || !Live::hold().only(self.call.number) {
            return false;
        }
        let reaped = self.child.as_mut().and_then(|child| self.call.reap(child)).is_some();
        reaped && system::childless()
    }

    async fn terminate(&self, grace: Duration) -> bool {
        let begun = Instant::now();
        let mut left = self.blocking(system::terminate).await;
        if left && timeout(grace, self.exited()).await.is_ok() {
            left = self.blocking(system::has_members).await;
        }
        let mut pause = SHORTEST_PAUSE;
        while left && begun.elapsed() < grace {
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
            left = self.blocking(system::has_members).await;
        }
        !left
    }

    async fn kill(&self) -> bool {
        let begun = Instant::now();
        let mut pause = SHORTEST_PAUSE;
        while self.blocking(|call| !system::strike(std::slice::from_ref(call)).is_empty()).await {
            if begun.elapsed() > KILL {
                tracing::warn!(leader = self.call.leader.number, "processes of a call cannot be killed yet");
                return false;
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        true
    }

    /// Looking through all processes of the system takes milliseconds.
    async fn blocking(&self, question: fn(&Arc<Call>) -> bool) -> bool {
        let call = Arc::clone(&self.call);
        match spawn_blocking(move || question(&call)).await {
            Ok(answer) => answer,
            // The runtime is shutting down.
            Err(_) => question(&self.call),
        }
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            system::strike_at_once(&self.call);
            warden::take_over(Arc::clone(&self.call), child);
        }
    }
}

#[expect(
    deprecated,
    reason = "an `OwnedFd` stays open as long as the result does, which the unsafe successor asks for"
)]
fn watch(descriptor: OwnedFd) -> Option<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(descriptor, Interest::READABLE).ok()
}

/// How often the end is looked for where it is not announced.
const POLL: Duration = Duration::from_millis(10);
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(25);
/// How long the call waits for killed processes to be gone. They are not for as long as the kernel holds them.
const KILL: Duration = Duration::from_secs(2);
