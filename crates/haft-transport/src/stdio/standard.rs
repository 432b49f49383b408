//! The standard streams of the process, kept for the protocol alone while it is served.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use haft_core::{Credentials, Principal, Server};
use rustix::stdio;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::options::{PipeError, PipeOptions};
use super::server::Conversation;

/// Serves the client that started this process, over stdin and stdout, until it closes stdin.
///
/// While this runs, the descriptors 0 and 1 do not lead to the client: stdin is empty and stdout is stderr, for the program
/// and for everything it starts, so that nothing they print can get between the messages. `SIGTERM` and `SIGINT` end the
/// conversation as the end of stdin does; a second one ends it at once.
///
/// Has to be called inside of a tokio runtime with I/O and time enabled.
///
/// # Errors
///
/// When the streams cannot be used, are in use, or the client did not read for [`PipeOptions::stall`].
pub async fn serve_stdio(server: Server, options: PipeOptions) -> Result<(), PipeError> {
    let unusable = |source| PipeError::Unusable { stream: "a signal", source };
    let mut terminate = signal(SignalKind::terminate()).map_err(unusable)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(unusable)?;
    let standard = Standard::take()?;
    let (reader, writer) = standard.streams()?;
    let principal = local_user(&server);
    let conversation = Conversation::new(server, reader, writer, principal, options)?;
    let outcome = conversation
        .run(|context| {
            if came(&mut terminate, context) || came(&mut interrupt, context) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    drop(standard);
    outcome
}

fn came(signal: &mut Signal, context: &mut Context<'_>) -> bool {
    signal.poll_recv(context).is_ready()
}

/// Who starts a program is its user: the credentials are the system's (2025-03-26 and later, authorization: stdio).
fn local_user(server: &Server) -> Arc<Principal> {
    let uid = rustix::process::getuid().as_raw();
    server
        .identify(&Credentials { bearer: None, uid: Some(uid) })
        .unwrap_or_else(|_| Arc::new(Principal::person("uid", uid.to_string())))
}

/// The streams as they were, to be put back.
#[derive(Debug)]
struct Standard {
    stdin: OwnedFd,
    stdout: OwnedFd,
}

/// There is one stdin and one stdout.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

impl Standard {
    fn take() -> Result<Self, PipeError> {
        if IS_TAKEN.swap(true, Ordering::AcqRel) {
            return Err(PipeError::AlreadyServed);
        }
        let taken = Self::redirect();
        if taken.is_err() {
            IS_TAKEN.store(false, Ordering::Release);
        }
        taken
    }

    fn redirect() -> Result<Self, PipeError> {
        let unusable = |stream| move |source: rustix::io::Errno| PipeError::Unusable { stream, source: source.into() };
        let stdin = rustix::io::fcntl_dupfd_cloexec(stdio::stdin(), FIRST).map_err(unusable("stdin"))?;
        let stdout = rustix::io::fcntl_dupfd_cloexec(stdio::stdout(), FIRST).map_err(unusable("stdout"))?;
        let nothing = File::options().read(true).write(true).open("/dev/null");
        let nothing = nothing.map_err(|source| PipeError::Unusable { stream: "/dev/null", source })?;
        stdio::dup2_stdin(&nothing).map_err(unusable("stdin"))?;
        stdio::dup2_stdout(stdio::stderr()).or_else(|_| stdio::dup2_stdout(&nothing)).map_err(unusable("stdout"))?;
        Ok(Self { stdin, stdout })
    }

    fn streams(&self) -> Result<(OwnedFd, OwnedFd), PipeError> {
        let unusable = |stream| move |source| PipeError::Unusable { stream, source };
        let stdin = self.stdin.try_clone().map_err(unusable("stdin"))?;
        let stdout = self.stdout.try_clone().map_err(unusable("stdout"))?;
        Ok((stdin, stdout))
    }
}

impl Drop for Standard {
    fn drop(&mut self) {
        // What the program printed and the library still holds belongs where the rest of it went.
        let flushed = io::stdout().flush();
        let back = stdio::dup2_stdin(&self.stdin).and_then(|()| stdio::dup2_stdout(&self.stdout));
        IS_TAKEN.store(false, Ordering::Release);
        if let Err(error) = flushed.and(back.map_err(io::Error::from)) {
            tracing::debug!(%error, "cannot put the standard streams back");
        }
    }
}

/// The first descriptor that is no standard stream.
const FIRST: i32 = 3;
