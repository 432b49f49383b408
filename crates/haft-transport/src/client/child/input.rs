//! Writes messages to a program that may not read them.

use std::time::Duration;

use haft_child::Input;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use crate::client::{LinkError, Sent};

/// A message to be written.
#[derive(Debug)]
pub(super) struct Order {
    /// With its end.
    pub(super) line: Vec<u8>,
    /// When it is given up if nothing of it was written.
    pub(super) until: Instant,
    pub(super) done: oneshot::Sender<Result<(), LinkError>>,
}

/// What came of one message.
enum Written {
    /// The pipe is closed at the other end.
    Broken(Sent),
    Fully,
    /// Nothing, in time.
    Nothing,
    /// A part: whatever came next would be read as its rest.
    Partly,
}

/// Writes one message after the other until there are no more, or until the program stopped reading in the middle of
/// one. Returns whether that is so.
pub(super) async fn write(mut input: Input, queue: &mut mpsc::Receiver<Order>, limit: Duration) -> bool {
    while let Some(order) = queue.recv().await {
        let written = write_one(&mut input, &order, limit).await;
        let is_partly = matches!(written, Written::Partly);
        let answer = match written {
            Written::Broken(sent) => Err(LinkError::Closed { sent }),
            Written::Fully => Ok(()),
            Written::Nothing => Err(LinkError::Stalled { limit, sent: Sent::No }),
            Written::Partly => Err(LinkError::Stalled { limit, sent: Sent::Maybe }),
        };
        // Who sent it may be gone; the message went out all the same.
        drop(order.done.send(answer));
        if is_partly {
            return true;
        }
    }
    false
}

async fn write_one(input: &mut Input, order: &Order, limit: Duration) -> Written {
    let mut rest = order.line.as_slice();
    let (mut until, mut moved) = (order.until, 0);
    loop {
        let is_begun = rest.len() < order.line.len();
        // `timeout_at` would try once more after its time.
        let is_late = Instant::now() >= until;
        match if is_late { None } else { timeout_at(until, input.write(rest)).await.ok() } {
            Some(Ok(count)) if count > 0 => {
                rest = rest.get(count..).unwrap_or_default();
                moved += count;
                if rest.is_empty() {
                    return Written::Fully;
                }
                // A reader that takes a byte now and then is none.
                if !is_begun || moved >= PROGRESS {
                    (until, moved) = (Instant::now() + limit, 0);
                }
            }
            Some(Err(error)) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Some(_) => return Written::Broken(if is_begun { Sent::Maybe } else { Sent::No }),
            None if is_begun => return Written::Partly,
            None => return Written::Nothing,
        }
    }
}

/// What has to be read within the limit: the usual capacity of a pipe.
const PROGRESS: usize = 64 << 10;
