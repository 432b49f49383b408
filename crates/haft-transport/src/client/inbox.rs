//! Where everything arrives: bounded in count and in bytes, so that who floods is held back.

use std::sync::Arc;

use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Incoming;

/// The one receiver of a connection. It has to be read all the time, for what is not taken holds back the rest; and
/// never by the one who waits for [`Link::send`](super::Link::send).
#[derive(Debug)]
pub struct Inbox {
    receiver: mpsc::Receiver<Item>,
}

impl Inbox {
    /// What arrived next; `None` once the connection is over and all was taken. Nothing is lost when the future is
    /// dropped.
    pub async fn next(&mut self) -> Option<Incoming> {
        self.receiver.recv().await.map(|item| item.incoming)
    }
}

/// Nobody reads the inbox any more.
#[derive(Debug)]
pub(super) struct Unread;

/// The way into an inbox.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    sender: mpsc::Sender<Item>,
    room: Arc<Semaphore>,
    bytes: u32,
}

impl Slot {
    /// An inbox in which so many bytes wait at most, or one message that is larger.
    pub(super) fn new(bytes: usize) -> (Self, Inbox) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX).clamp(1, MOST_BYTES);
        let (sender, receiver) = mpsc::channel(MOST_ITEMS);
        let room = Arc::new(Semaphore::new(usize::try_from(bytes).unwrap_or(1)));
        (Self { sender, room, bytes }, Inbox { receiver })
    }

    /// Puts something in, once there is room.
    pub(super) async fn put(&self, incoming: Incoming) -> Result<(), Unread> {
        let weight = weight(&incoming).min(self.bytes);
        // The semaphore lives as long as this does, and nobody closes it: but an inbox that is gone gives nothing back.
        let room = tokio::select! {
            room = Arc::clone(&self.room).acquire_many_owned(weight) => room.map_err(|_| Unread)?,
            () = self.sender.closed() => return Err(Unread),
        };
        self.sender.send(Item { incoming, _room: Some(room) }).await.map_err(|_| Unread)
    }

    /// Puts something small in if there is room at once.
    pub(super) fn offer(&self, incoming: Incoming) -> bool {
        !matches!(self.sender.try_send(Item { incoming, _room: None }), Err(TrySendError::Full(_)))
    }

    /// Waits until nobody reads any more.
    pub(super) async fn unread(&self) {
        self.sender.closed().await;
    }
}

#[derive(Debug)]
struct Item {
    incoming: Incoming,
    /// Given back when the item is taken.
    _room: Option<OwnedSemaphorePermit>,
}

fn weight(incoming: &Incoming) -> u32 {
    match incoming {
        Incoming::Message { bytes, .. } => u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        _ => 0,
    }
}

const MOST_ITEMS: usize = 64;
/// Far below what a semaphore counts to.
const MOST_BYTES: u32 = 256 << 20;
