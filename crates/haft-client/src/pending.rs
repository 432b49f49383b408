//! The requests that wait for an answer.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use haft_transport::client::{Closed, Fault};
use haft_wire::model::Progress;
use serde_json::value::RawValue;
use tokio::sync::{oneshot, watch};

/// What comes for a request.
#[derive(Debug)]
pub(crate) enum Delivery {
    /// The server's answer: a result, or an error object.
    Answer { outcome: Result<Box<RawValue>, Box<RawValue>>, status: Option<u16>, session: Option<String> },
    /// The connection is gone.
    Closed(Arc<Closed>),
    /// The transport has no answer.
    Fault(Fault),
    /// The server's answer cannot be read.
    Malformed(String),
}

/// A request that waits.
pub(crate) struct Slot {
    pub(crate) reply: oneshot::Sender<Delivery>,
    pub(crate) progress: watch::Sender<Option<Progress>>,
}

/// Whose answer a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It was answered, cancelled or given up a moment ago.
    Over,
    /// It was never asked, as far as anybody remembers.
    Unknown,
}

/// All requests of a connection that wait for an answer.
#[derive(Default)]
pub(crate) struct Pending(Mutex<Table>);

#[derive(Default)]
struct Table {
    open: HashMap<u64, Slot>,
    /// Numbers of requests that are over, for a better word about late and second answers.
    over: VecDeque<u64>,
    closed: Option<Arc<Closed>>,
}

impl Pending {
    /// Adds a request; on a connection that is gone, it is answered at once.
    pub(crate) fn add(&self, number: u64, slot: Slot) {
        let mut table = self.lock();
        match &table.closed {
            // Whoever asked is there to hear it.
            Some(closed) => drop(slot.reply.send(Delivery::Closed(Arc::clone(closed)))),
            None => drop(table.open.insert(number, slot)),
        }
    }

    /// Answers a request.
    pub(crate) fn answer(&self, number: u64, delivery: Delivery) -> Result<(), Standing> {
        let slot = self.remove(number)?;
        // Whoever gave up meanwhile does not need it.
        drop(slot.reply.send(delivery));
        Ok(())
    }

    /// Takes a request out that nobody waits for any more.
    pub(crate) fn remove(&self, number: u64) -> Result<Slot, Standing> {
        let mut table = self.lock();
        match table.open.remove(&number) {
            Some(slot) => {
                if table.over.len() == REMEMBERED {
                    table.over.pop_front();
                }
                table.over.push_back(number);
                Ok(slot)
            }
            None if table.over.contains(&number) => Err(Standing::Over),
            None => Err(Standing::Unknown),
        }
    }

    /// Tells a request how far it is. The token is the number of the request.
    pub(crate) fn report(&self, progress: Progress) {
        let table = self.lock();
        let slot = progress.token.parse().ok().and_then(|number: u64| table.open.get(&number));
        if let Some(slot) = slot {
            slot.progress.send_replace(Some(progress));
        }
    }

    /// Ends every request, and those to come.
    pub(crate) fn close(&self, closed: Closed) {
        let closed = Arc::new(closed);
        let mut table = self.lock();
        table.closed = Some(Arc::clone(&closed));
        let open = std::mem::take(&mut table.open);
        drop(table);
        let mut numbers: Vec<_> = open.into_iter().collect();
        numbers.sort_by_key(|(number, _)| *number);
        for (_, slot) in numbers {
            drop(slot.reply.send(Delivery::Closed(Arc::clone(&closed))));
        }
    }

    /// Whether the connection is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.lock().closed.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const REMEMBERED: usize = 256;
