//! A server in this process.

use std::sync::Arc;

use haft_core::{Principal, Server};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, mpsc};
use tokio::task::{AbortHandle, JoinSet};

use super::inbox::{Inbox, Slot};
use super::{Closed, End, Excerpt, Incoming, LinkError, Outgoing, Sent};
use crate::memory::InMemory;

/// A clone is the same connection.
#[derive(Clone, Debug)]
pub(super) struct MemoryLink {
    queue: mpsc::Sender<Vec<u8>>,
    /// Holds the task, so that it ends with the last clone.
    driver: Arc<Mutex<JoinSet<()>>>,
    task: Option<AbortHandle>,
}

impl MemoryLink {
    pub(super) fn new(server: Server, principal: Arc<Principal>) -> (Self, Inbox) {
        let (slot, inbox) = Slot::new(ROOM);
        let (queue, messages) = mpsc::channel(QUEUE);
        let mut driver = JoinSet::new();
        let task = Handle::try_current()
            .ok()
            .map(|runtime| driver.spawn_on(drive(InMemory::new(server, principal), messages, slot), &runtime));
        (Self { queue, driver: Arc::new(Mutex::new(driver)), task }, inbox)
    }

    pub(super) async fn send(&self, outgoing: Outgoing) -> Result<(), LinkError> {
        self.queue.send(outgoing.body).await.map_err(|_| LinkError::Closed { sent: Sent::No })
    }

    pub(super) async fn close(self) {
        if let Some(task) = &self.task {
            task.abort();
        }
        self.driver.lock().await.join_next().await;
    }
}

/// Moves messages until one of the sides is gone.
async fn drive(mut memory: InMemory, mut messages: mpsc::Receiver<Vec<u8>>, slot: Slot) {
    let mut replies = JoinSet::new();
    loop {
        tokio::select! {
            message = messages.recv() => {
                let Some(message) = message else { return };
                let (mut coming, slot) = (memory.send(&message), slot.clone());
                replies.spawn(async move {
                    while let Some(bytes) = coming.next().await {
                        if slot.put(message_of(bytes)).await.is_err() {
                            return;
                        }
                    }
                });
            }
            notice = memory.notice() => {
                let Some(bytes) = notice else { break };
                if slot.put(message_of(bytes)).await.is_err() {
                    return;
                }
            }
            _ = replies.join_next(), if !replies.is_empty() => {}
            () = slot.unread() => return,
        }
    }
    while replies.join_next().await.is_some() {}
    let closed = Closed { end: End::Left, stderr: Excerpt::default() };
    // Nobody reads: nobody has to be told.
    drop(slot.put(Incoming::Closed(closed)).await);
}

fn message_of(bytes: Vec<u8>) -> Incoming {
    Incoming::Message { bytes, request: None, head: None }
}

const QUEUE: usize = 16;
/// Bytes that wait to be read.
const ROOM: usize = 64 << 20;
