//! Who serves connections: tasks of the runtime that accepts them, or runtimes of their own, one on each core.

use std::io;
use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use haft_core::Server;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use super::connection;
use super::listener::{Accepted, Stream};
use super::service::HttpService;

/// Connections that one runtime serves.
#[derive(Debug)]
pub(super) struct Connections {
    service: HttpService,
    tasks: JoinSet<()>,
    stop: watch::Receiver<bool>,
}

impl Connections {
    pub(super) fn new(service: HttpService, stop: watch::Receiver<bool>) -> Self {
        Self { service, tasks: JoinSet::new(), stop }
    }

    pub(super) fn begin(&mut self, stream: Stream, permit: OwnedSemaphorePermit) {
        while self.tasks.try_join_next().is_some() {}
        let (service, stop) = (self.service.clone(), self.stop.clone());
        self.tasks.spawn(async move {
            connection::serve(stream, &service, stop).await;
            drop(permit);
        });
    }

    /// Waits until all of them have ended, for at most so long; then they are cut off.
    pub(super) async fn drain(mut self, patience: Duration) {
        let deadline = Instant::now() + patience;
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if timeout_at(deadline, all).await.is_err() {
            tracing::warn!("requests were cut off, because they did not end in time");
        }
        self.tasks.shutdown().await;
        finish_calls(&self.service.shared.server, deadline).await;
    }
}

/// Waits for calls that go on without their clients.
async fn finish_calls(server: &Server, deadline: Instant) {
    while server.calls_in_flight() > 0 && Instant::now() < deadline {
        sleep(Duration::from_millis(10)).await;
    }
}

/// A connection on its way to whoever serves it.
type Job = (Accepted, OwnedSemaphorePermit);

/// Runtimes on threads of their own.
#[derive(Debug)]
pub(super) struct Workers {
    jobs: Vec<mpsc::Sender<Job>>,
    next: usize,
    /// Closed when the last of them has ended.
    ended: mpsc::Receiver<()>,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Workers {
    pub(super) fn start(count: NonZeroUsize, service: &HttpService, stop: &watch::Receiver<bool>) -> io::Result<Self> {
        let (alive, ended) = mpsc::channel(1);
        let mut workers = Self { jobs: Vec::new(), next: 0, ended, threads: Vec::new() };
        for number in 0..count.get() {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            let (sender, jobs) = mpsc::channel(JOBS);
            let connections = Connections::new(service.clone(), stop.clone());
            let alive = alive.clone();
            let thread = thread::Builder::new().name(format!("haft-http-{number}")).spawn(move || {
                work(&runtime, jobs, connections);
                drop(alive);
            })?;
            workers.jobs.push(sender);
            workers.threads.push(thread);
        }
        Ok(workers)
    }

    /// Gives a connection to the next of them in turn.
    pub(super) async fn begin(&mut self, stream: Stream, permit: OwnedSemaphorePermit) -> io::Result<()> {
        let accepted = stream.into_accepted()?;
        self.next = (self.next + 1) % self.jobs.len().max(1);
        let Some(jobs) = self.jobs.get(self.next) else { return Ok(()) };
        jobs.send((accepted, permit)).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Waits until all of them have ended.
    pub(super) async fn drain(mut self) {
        self.jobs.clear();
        while self.ended.recv().await.is_some() {}
        for thread in self.threads.drain(..) {
            // They have nothing left to do but to return.
            if thread.join().is_err() {
                tracing::error!("a thread of the server panicked");
            }
        }
    }
}

fn work(runtime: &Runtime, mut jobs: mpsc::Receiver<Job>, mut connections: Connections) {
    let patience = connections.service.shared.options.drain;
    runtime.block_on(async {
        while let Some((accepted, permit)) = jobs.recv().await {
            match accepted.into_stream() {
                Ok(stream) => connections.begin(stream, permit),
                Err(error) => tracing::debug!(%error, "a connection ended before it began"),
            }
        }
        connections.drain(patience).await;
    });
}

/// Connections that wait for one of the threads.
const JOBS: usize = 64;
