//! Threads for streams that cannot be waited for: files and terminals.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::OwnedFd;
use std::task::{Context, Poll, ready};
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use tokio::sync::mpsc;

/// A stream that a thread reads; the thread ends with this.
#[derive(Debug)]
pub(super) struct ThreadInput {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    taken: usize,
    /// Closed when this goes away, which wakes the thread.
    _end: PipeWriter,
}

impl ThreadInput {
    pub(super) fn new(descriptor: OwnedFd) -> io::Result<Self> {
        let (ended, end) = io::pipe()?;
        let (sender, chunks) = mpsc::channel(1);
        thread::Builder::new().name("haft-input".to_owned()).spawn(move || {
            loop {
                let chunk = read(&descriptor, &ended);
                let is_last = chunk.as_ref().map_or(true, Vec::is_empty);
                if sender.blocking_send(chunk).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(Self { chunks, chunk: Vec::new(), taken: 0, _end: end })
    }

    pub(super) fn poll_read(&mut self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        if self.taken == self.chunk.len() {
            self.chunk = match ready!(self.chunks.poll_recv(context)) {
                Some(chunk) => chunk?,
                None => return Poll::Ready(Ok(0)),
            };
            self.taken = 0;
        }
        let rest = self.chunk.get(self.taken..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(from), Some(to)) = (rest.get(..count), buffer.get_mut(..count)) {
            to.copy_from_slice(from);
        }
        self.taken += count;
        Poll::Ready(Ok(count))
    }
}

/// The next bytes; none at the end of the stream, or when nobody wants them any more.
fn read(descriptor: &OwnedFd, ended: &PipeReader) -> io::Result<Vec<u8>> {
    let mut waited = [PollFd::new(descriptor, PollFlags::IN), PollFd::new(ended, PollFlags::IN)];
    rustix::io::retry_on_intr(|| poll(&mut waited, None))?;
    if waited.last().is_some_and(|end| !end.revents().is_empty()) {
        return Ok(Vec::new());
    }
    let mut chunk = vec![0; CHUNK];
    let count = rustix::io::retry_on_intr(|| rustix::io::read(descriptor, &mut chunk[..]))?;
    chunk.truncate(count);
    Ok(chunk)
}

/// A stream that a thread writes; the thread ends with this, after what it was given.
#[derive(Debug)]
pub(super) struct ThreadOutput {
    chunks: mpsc::Sender<Vec<u8>>,
    written: mpsc::Receiver<io::Result<()>>,
    is_busy: bool,
}

impl ThreadOutput {
    pub(super) fn new(descriptor: OwnedFd) -> io::Result<Self> {
        let (chunks, mut receiver) = mpsc::channel::<Vec<u8>>(1);
        let (sender, written) = mpsc::channel(1);
        thread::Builder::new().name("haft-output".to_owned()).spawn(move || {
            while let Some(chunk) = receiver.blocking_recv() {
                if sender.blocking_send(write(&descriptor, &chunk)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { chunks, written, is_busy: false })
    }

    pub(super) fn poll_write(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_flush(context))?;
        let chunk = bytes.get(..CHUNK).unwrap_or(bytes);
        match self.chunks.try_send(chunk.to_vec()) {
            Ok(()) => {
                self.is_busy = true;
                Poll::Ready(Ok(chunk.len()))
            }
            Err(_) => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    pub(super) fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.is_busy {
            return Poll::Ready(Ok(()));
        }
        let written = ready!(self.written.poll_recv(context));
        self.is_busy = false;
        Poll::Ready(written.unwrap_or_else(|| Err(io::ErrorKind::BrokenPipe.into())))
    }
}

fn write(descriptor: &OwnedFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = rustix::io::retry_on_intr(|| rustix::io::write(descriptor, bytes))?;
        bytes = bytes.get(count..).unwrap_or_default();
    }
    Ok(())
}

const CHUNK: usize = 64 * 1024;
