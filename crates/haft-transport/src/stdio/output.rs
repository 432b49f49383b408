//! Where lines go to.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;
use tokio::net::{UnixStream, unix::pipe};

use super::descriptor::{Direction, Kind, Restore, Unblocked};
use super::thread::ThreadOutput;

/// A stream to write.
#[derive(Debug)]
pub(super) struct Output {
    sink: Sink,
    _restore: Option<Restore>,
}

#[derive(Debug)]
enum Sink {
    Pipe(pipe::Sender),
    Socket(UnixStream),
    Thread(ThreadOutput),
}

impl Output {
    pub(super) fn new(descriptor: OwnedFd) -> io::Result<Self> {
        let kind = Kind::of(&descriptor)?;
        if kind == Kind::Other {
            return Ok(Self { sink: Sink::Thread(ThreadOutput::new(descriptor)?), _restore: None });
        }
        let Unblocked { descriptor, restore } = Unblocked::new(descriptor, Direction::Write)?;
        let sink = match kind {
            Kind::Pipe => Sink::Pipe(pipe::Sender::from_owned_fd(descriptor)?),
            _ => Sink::Socket(UnixStream::from_std(StdUnixStream::from(descriptor))?),
        };
        Ok(Self { sink, _restore: restore })
    }

    /// Writes some of the bytes.
    pub(super) fn poll_write(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.sink {
            Sink::Pipe(pipe) => Pin::new(pipe).poll_write(context, bytes),
            Sink::Socket(socket) => Pin::new(socket).poll_write(context, bytes),
            Sink::Thread(thread) => thread.poll_write(context, bytes),
        }
    }

    /// Waits until what was written is out of our hands.
    pub(super) fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.sink {
            Sink::Pipe(_) | Sink::Socket(_) => Poll::Ready(Ok(())),
            Sink::Thread(thread) => thread.poll_flush(context),
        }
    }

    /// Whether nobody can read any more; a guess that is right when it says so.
    pub(super) fn is_closed(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};

        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let gone = |mut waited: [PollFd<'_>; 1]| {
            poll(&mut waited, Some(&now))
                .is_ok_and(|_| waited.iter().any(|one| one.revents().intersects(PollFlags::ERR | PollFlags::HUP)))
        };
        match &self.sink {
            Sink::Pipe(pipe) => gone([PollFd::new(pipe, PollFlags::empty())]),
            Sink::Socket(socket) => gone([PollFd::new(socket, PollFlags::empty())]),
            Sink::Thread(_) => false,
        }
    }
}
