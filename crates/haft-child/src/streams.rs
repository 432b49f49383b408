//! The three pipes of a program, moved together and within bounds.

use std::{collections::VecDeque, future::pending, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{ChildStderr, ChildStdin, ChildStdout},
    time::{Instant, timeout, timeout_at},
};

use crate::{Captured, Limits, leader::Pipes};

/// All state is in here, so each function may be dropped at any await and continued by another.
#[derive(Debug)]
pub(crate) struct Streams {
    stdin: Option<ChildStdin>,
    input: Vec<u8>,
    fed: usize,
    stdout: Option<ChildStdout>,
    head: Captured,
    head_limit: usize,
    stderr: Option<ChildStderr>,
    tail: VecDeque<u8>,
    tail_limit: usize,
    tail_total: u64,
    stdout_buffer: Box<[u8]>,
    stderr_buffer: Box<[u8]>,
}

impl Streams {
    pub(crate) fn new(pipes: Pipes, input: Vec<u8>, limits: &Limits) -> Self {
        let buffer = || vec![0; READ].into_boxed_slice();
        Self {
            // Without input the pipe closes here, which is the end that the program reads.
            stdin: pipes.stdin.filter(|_| !input.is_empty()),
            input,
            fed: 0,
            stdout: pipes.stdout,
            head: Captured::default(),
            head_limit: limits.stdout,
            stderr: pipes.stderr,
            tail: VecDeque::new(),
            tail_limit: limits.stderr,
            tail_total: 0,
            stdout_buffer: buffer(),
            stderr_buffer: buffer(),
        }
    }

    /// Moves bytes until the program writes too much, once; otherwise does not end.
    pub(crate) async fn overflow(&mut self) {
        while !self.step().await {}
    }

    /// Moves bytes until `other` ends.
    pub(crate) async fn during<T>(&mut self, other: impl Future<Output = T>) -> T {
        let mut other = Box::pin(other);
        loop {
            tokio::select! {
                output = &mut other => return output,
                _ = self.step() => {}
            }
        }
    }

    /// Moves bytes until nobody can write any more, for at most `longest`.
    pub(crate) async fn closed(&mut self, longest: Duration) {
        let until = Instant::now() + longest;
        while self.open() && timeout_at(until, self.step()).await.is_ok() {}
    }

    /// As `closed`, but ends as soon as nothing came for `quiet`.
    pub(crate) async fn drained(&mut self, quiet: Duration, longest: Duration) {
        let until = Instant::now() + longest;
        while self.open() && Instant::now() < until && timeout(quiet, self.step()).await.is_ok() {}
    }

    pub(crate) fn overflowed(&self) -> bool {
        self.head.truncated()
    }

    pub(crate) fn into_captured(self) -> (Captured, Captured) {
        (self.head, Captured { bytes: self.tail.into(), total: self.tail_total })
    }

    fn open(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some()
    }

    /// One read or write. True when it was the read that went over the limit.
    async fn step(&mut self) -> bool {
        tokio::select! {
            count = read(&mut self.stdout, &mut self.stdout_buffer) => {
                let chunk = self.stdout_buffer.get(..count).unwrap_or_default();
                let room = self.head_limit.saturating_sub(self.head.bytes.len());
                self.head.bytes.extend_from_slice(chunk.get(..room).unwrap_or(chunk));
                self.head.total += count as u64;
                if count == 0 || self.head.truncated() {
                    // Closing it also tells the program, with `SIGPIPE`.
                    self.stdout = None;
                }
                self.head.truncated()
            }
            count = read(&mut self.stderr, &mut self.stderr_buffer) => {
                let chunk = self.stderr_buffer.get(..count).unwrap_or_default();
                self.tail.extend(chunk);
                let excess = self.tail.len().saturating_sub(self.tail_limit);
                self.tail.drain(..excess);
                self.tail_total += count as u64;
                if count == 0 {
                    self.stderr = None;
                }
                false
            }
            count = write(&mut self.stdin, self.input.get(self.fed..).unwrap_or_default()) => {
                self.fed += count;
                if count == 0 || self.fed >= self.input.len() {
                    self.stdin = None;
                    self.input = Vec::new();
                }
                false
            }
        }
    }
}

/// The number of bytes; 0 at the end, which an unreadable pipe has reached as well.
async fn read(pipe: &mut Option<impl AsyncRead + Unpin>, buffer: &mut [u8]) -> usize {
    match pipe {
        Some(pipe) => pipe.read(buffer).await.unwrap_or(0),
        None => pending().await,
    }
}

/// The number of bytes; 0 when nobody reads any more.
async fn write(pipe: &mut Option<ChildStdin>, bytes: &[u8]) -> usize {
    match pipe {
        Some(pipe) => pipe.write(bytes).await.unwrap_or(0),
        None => pending().await,
    }
}

/// Small, because every running call has two of them.
const READ: usize = 16 << 10;
