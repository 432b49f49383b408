//! The life of one program: everything moves at once, until something ends it.

use std::future::pending;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use haft_child::{Ending, Running, Spawned};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{sleep, timeout};

use super::Launch;
use super::input::{Order, write};
use super::output::{Over, read};
use super::tail::Tail;
use crate::client::inbox::Slot;
use crate::client::{Closed, End, Incoming};

/// What the task has besides the program.
pub(super) struct Driver {
    pub(super) launch: Launch,
    pub(super) closing: Arc<Notify>,
    pub(super) slot: Slot,
}

/// Why the program is ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Exited,
    Hung,
    Stalled,
    TooLarge,
    Unread,
    WeClosed,
}

impl Driver {
    pub(super) async fn drive(self, spawned: Spawned, mut queue: mpsc::Receiver<Order>) {
        let Self { launch, closing, slot } = self;
        let Spawned { running, stdin, stdout, stderr, .. } = spawned;
        let mut tail = Tail::new(launch.stderr_bytes);
        let (over, is_over) = watch::channel(false);
        let (reason, ending) = {
            let mut reading = pin!(read(stdout, launch.message_bytes, &slot, is_over.clone()));
            let lines = launch.stderr_lines.then_some(&slot);
            let mut reporting = pin!(tail.fill(stderr, lines, is_over.clone()));
            let mut writing = Box::pin(write(stdin, &mut queue, launch.write_timeout));
            let (mut is_reading, mut is_reporting) = (true, true);
            let reason = loop {
                tokio::select! {
                    biased;
                    () = closing.notified() => break Reason::WeClosed,
                    over = &mut reading => {
                        is_reading = false;
                        break Reason::from(over);
                    }
                    is_stalled = &mut writing => break if is_stalled { Reason::Stalled } else { Reason::WeClosed },
                    () = &mut reporting, if is_reporting => is_reporting = false,
                    () = running.exited() => break Reason::Exited,
                    () = slot.unread() => break Reason::Unread,
                }
            };
            // The program reads the end of its input.
            drop(writing);
            queue.close();
            let remainder = async {
                tokio::join!(finish(reading, is_reading), finish(reporting, is_reporting));
            };
            let patience = (reason == Reason::WeClosed).then_some(DRAIN);
            Box::pin(async {
                tokio::join!(end(running, reason, launch.grace, over), within(remainder, is_over, patience)).0
            })
            .await
        };
        let closed = Closed { end: reason.explain(ending, launch.message_bytes), stderr: tail.excerpt() };
        tell(&slot, reason, closed).await;
    }
}

/// Ends the program and all that it started, and says so.
async fn end(running: Running, reason: Reason, grace: Duration, over: watch::Sender<bool>) -> (Reason, Ending) {
    let patience = if reason.is_fault() { Duration::ZERO } else { grace };
    let is_by_itself = timeout(patience, running.exited()).await.is_ok();
    // A program that ends closes its output first.
    let reason = if is_by_itself && reason == Reason::Hung { Reason::Exited } else { reason };
    let ending = running.end(grace).await;
    over.send_replace(true);
    (reason, ending)
}

async fn finish<T>(future: Pin<&mut impl Future<Output = T>>, is_running: bool) {
    if is_running {
        future.await;
    }
}

/// What was written is moved for as long as somebody takes it; who closed the connection may not.
async fn within(remainder: impl Future<Output = ()>, mut is_over: watch::Receiver<bool>, patience: Option<Duration>) {
    let too_late = async {
        match patience {
            Some(patience) => {
                drop(is_over.wait_for(|is_over| *is_over).await);
                sleep(patience).await;
            }
            None => pending().await,
        }
    };
    tokio::select! {
        () = remainder => {}
        () = too_late => {}
    }
}

async fn tell(slot: &Slot, reason: Reason, closed: Closed) {
    let incoming = Incoming::Closed(closed);
    if reason == Reason::WeClosed {
        // Who closed the connection knows, whether or not there is room.
        slot.offer(incoming);
    } else if slot.put(incoming).await.is_err() {
        tracing::debug!("nobody was there to hear that a program ended");
    }
}

impl Reason {
    /// Whether there is no use in waiting for it to end by itself.
    fn is_fault(self) -> bool {
        matches!(self, Self::Stalled | Self::TooLarge | Self::Unread)
    }

    fn explain(self, ending: Ending, limit: usize) -> End {
        match (self, ending) {
            (Self::Hung, _) => End::Hung,
            (Self::Stalled, _) => End::Stalled,
            (Self::TooLarge, _) => End::TooLarge(limit),
            (Self::Unread | Self::WeClosed, _) => End::WeClosed,
            (Self::Exited, Ending::Exited(status)) => End::Exited(status),
            (Self::Exited, Ending::Signalled(signal)) => End::Signalled(signal),
            (Self::Exited, _) => End::Killed,
        }
    }
}

impl From<Over> for Reason {
    fn from(over: Over) -> Self {
        match over {
            Over::End => Self::Hung,
            Over::TooLarge => Self::TooLarge,
            Over::Unread => Self::Unread,
        }
    }
}

/// How long what was written may still be taken once this side has closed the connection.
const DRAIN: Duration = Duration::from_secs(1);
