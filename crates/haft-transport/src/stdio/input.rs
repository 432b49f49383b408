//! Where lines come from.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::{UnixStream, unix::pipe};

use super::descriptor::{Direction, Kind, Restore, Unblocked};
use super::thread::ThreadInput;

/// A stream to read.
#[derive(Debug)]
pub(super) struct Input {
    source: Source,
    _restore: Option<Restore>,
}

#[derive(Debug)]
enum Source {
    Pipe(pipe::Receiver),
    /// Any socket that is a stream; hosts in Node start their servers with these.
    Socket(UnixStream),
    Thread(ThreadInput),
}

impl Input {
    pub(super) fn new(descriptor: OwnedFd) -> io::Result<Self> {
        let kind = Kind::of(&descriptor)?;
        if kind == Kind::Other {
            return Ok(Self { source: Source::Thread(ThreadInput::new(descriptor)?), _restore: None });
        }
        let Unblocked { descriptor, restore } = Unblocked::new(descriptor, Direction::Read)?;
        let source = match kind {
            Kind::Pipe => Source::Pipe(pipe::Receiver::from_owned_fd(descriptor)?),
            _ => Source::Socket(UnixStream::from_std(StdUnixStream::from(descriptor))?),
        };
        Ok(Self { source, _restore: restore })
    }

    /// Reads some bytes; none at the end.
    pub(super) fn poll_read(&mut self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        let mut buffer = ReadBuf::new(buffer);
        match &mut self.source {
            Source::Pipe(pipe) => ready!(Pin::new(pipe).poll_read(context, &mut buffer))?,
            Source::Socket(socket) => ready!(Pin::new(socket).poll_read(context, &mut buffer))?,
            Source::Thread(thread) => return thread.poll_read(context, buffer.initialize_unfilled()),
        }
        Poll::Ready(Ok(buffer.filled().len()))
    }
}
