//! Telling whoever listens that the catalogue changed, or that the server ends.

use std::time::Duration;

use tokio::sync::watch;

/// What listeners watch.
#[derive(Debug)]
pub(crate) struct Changes {
    sender: watch::Sender<Moment>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Moment {
    version: u64,
    is_closed: bool,
}

impl Changes {
    pub(crate) fn new() -> Self {
        Self { sender: watch::Sender::new(Moment::default()) }
    }

    /// The catalogue is another one now.
    pub(crate) fn tell(&self) {
        self.sender.send_modify(|moment| moment.version += 1);
    }

    /// There will be no more changes.
    pub(crate) fn close(&self) {
        self.sender.send_modify(|moment| moment.is_closed = true);
    }

    /// Listens from now on.
    pub(crate) fn watch(&self) -> Watcher {
        Watcher(self.sender.subscribe())
    }
}

/// One listener.
#[derive(Clone, Debug)]
pub(crate) struct Watcher(watch::Receiver<Moment>);

impl Watcher {
    /// Waits until the catalogue has changed and been quiet for a while; `false` when the server ends.
    pub(crate) async fn changed(&mut self, quiet: Duration) -> bool {
        if self.0.borrow().is_closed || self.0.changed().await.is_err() || self.0.borrow().is_closed {
            return false;
        }
        // Many changes at once are one change to whoever reads the list; but one that never stops is told, too.
        let deadline = tokio::time::Instant::now() + quiet * 10;
        loop {
            let until = deadline.min(tokio::time::Instant::now() + quiet);
            match tokio::time::timeout_at(until, self.0.changed()).await {
                Ok(Ok(())) if !self.0.borrow().is_closed => {}
                Ok(_) => return false,
                Err(_) => return true,
            }
        }
    }
}
