//! A server that is a program of our own, spoken to over its standard input and output.
//!
//! One task moves everything that the program reads and writes, and ends the program: it alone has it, and dies with
//! the last clone of the link.

mod driver;
mod input;
mod launch;
mod output;
mod tail;

use std::sync::Arc;
use std::time::Duration;

use haft_child::Program;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, Notify, mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

pub use launch::Launch;

use self::driver::Driver;
use self::input::Order;
use super::inbox::{Inbox, Slot};
use super::{LinkError, Outgoing, Sent};
use crate::course::append_in_one_line;

/// A clone is the same connection.
#[derive(Clone, Debug)]
pub(super) struct ChildLink {
    orders: mpsc::Sender<Order>,
    closing: Arc<Notify>,
    /// Holds the task, so that it ends with the last clone.
    task: Arc<Mutex<JoinSet<()>>>,
    write_timeout: Duration,
}

impl ChildLink {
    pub(super) fn start(launch: Launch) -> Result<(Self, Inbox), LinkError> {
        let runtime = Handle::try_current().map_err(|_| LinkError::NoRuntime)?;
        let (slot, inbox) = Slot::new(launch.message_bytes);
        let (orders, queue) = mpsc::channel(QUEUE);
        let closing = Arc::new(Notify::new());
        let write_timeout = launch.write_timeout;
        let mut program = Program::new(&launch.program, &launch.directory);
        program.arguments.clone_from(&launch.arguments);
        program.environment.clone_from(&launch.environment);
        let spawned = haft_child::spawn(program)?;
        let driver = Driver { launch, closing: Arc::clone(&closing), slot };
        let mut task = JoinSet::new();
        task.spawn_on(driver.drive(spawned, queue), &runtime);
        Ok((Self { orders, closing, task: Arc::new(Mutex::new(task)), write_timeout }, inbox))
    }

    pub(super) async fn send(&self, outgoing: Outgoing) -> Result<(), LinkError> {
        let until = Instant::now() + self.write_timeout;
        let mut line = Vec::with_capacity(outgoing.body.len() + 1);
        append_in_one_line(&outgoing.body, &mut line);
        line.push(b'\n');
        drop(outgoing);
        let (done, written) = oneshot::channel();
        match timeout_at(until, self.orders.send(Order { line, until, done })).await {
            Ok(Ok(())) => written.await.unwrap_or(Err(LinkError::Closed { sent: Sent::Maybe })),
            Ok(Err(_)) => Err(LinkError::Closed { sent: Sent::No }),
            Err(_) => Err(LinkError::Stalled { limit: self.write_timeout, sent: Sent::No }),
        }
    }

    pub(super) async fn close(self) {
        self.closing.notify_one();
        // The first who closes waits; the others wait for that.
        self.task.lock().await.join_next().await;
    }
}

/// Messages that wait to be written. Who sends more waits outside.
const QUEUE: usize = 16;
