//! What waits to be written, and for how long it has.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

use super::options::PipeError;
use super::output::Output;
use crate::course::append_in_one_line;

/// Lines that wait for the peer.
#[derive(Debug)]
pub(super) struct Outbound {
    output: Output,
    bytes: Vec<u8>,
    written: usize,
    patience: Duration,
    /// When the peer is given up, while it reads nothing.
    stall: Option<Pin<Box<Sleep>>>,
}

/// How writing ends before its time.
#[derive(Debug)]
pub(super) enum WriteFault {
    /// Nobody reads any more; that is how conversations end.
    Closed,
    Failed(PipeError),
}

impl Outbound {
    pub(super) const fn new(output: Output, patience: Duration) -> Self {
        Self { output, bytes: Vec::new(), written: 0, patience, stall: None }
    }

    /// Adds a message as a line.
    pub(super) fn push(&mut self, message: &[u8]) {
        if !message.is_empty() {
            append_in_one_line(message, &mut self.bytes);
            self.bytes.push(b'\n');
        }
    }

    /// Bytes that were not written yet.
    pub(super) const fn len(&self) -> usize {
        self.bytes.len() - self.written
    }

    pub(super) fn is_closed(&self) -> bool {
        self.output.is_closed()
    }

    /// Writes all there is.
    pub(super) fn poll_write(&mut self, context: &mut Context<'_>) -> Poll<Result<(), WriteFault>> {
        while self.written < self.bytes.len() {
            let rest = self.bytes.get(self.written..).unwrap_or_default();
            match self.output.poll_write(context, rest) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(WriteFault::Closed)),
                Poll::Ready(Ok(count)) => {
                    self.written += count;
                    self.stall = None;
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Err(fault(error))),
                Poll::Pending => {
                    self.forget_written();
                    return self.poll_stall(context);
                }
            }
        }
        self.forget_written();
        match self.output.poll_flush(context) {
            Poll::Ready(Ok(())) => Poll::Ready(Ok(())),
            Poll::Ready(Err(error)) => Poll::Ready(Err(fault(error))),
            Poll::Pending => self.poll_stall(context),
        }
    }

    fn poll_stall(&mut self, context: &mut Context<'_>) -> Poll<Result<(), WriteFault>> {
        let until = Instant::now() + self.patience;
        let stall = self.stall.get_or_insert_with(|| Box::pin(sleep_until(until)));
        ready!(stall.as_mut().poll(context));
        Poll::Ready(Err(WriteFault::Failed(PipeError::Stalled { waited: self.patience })))
    }

    fn forget_written(&mut self) {
        if self.written == self.bytes.len() {
            self.written = 0;
            // A large answer is no reason to keep its memory.
            if self.bytes.capacity() > KEPT { self.bytes = Vec::new() } else { self.bytes.clear() }
        } else if self.written > self.bytes.len() / 2 {
            self.bytes.drain(..self.written);
            self.written = 0;
        }
    }
}

fn fault(error: io::Error) -> WriteFault {
    match error.kind() {
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => WriteFault::Closed,
        _ => WriteFault::Failed(PipeError::Unusable { stream: "the output", source: error }),
    }
}

const KEPT: usize = 1024 * 1024;
