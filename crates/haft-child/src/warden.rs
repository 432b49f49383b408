//! The thread that sees dropped calls through to their end, when nobody waits for them any more.

use std::{
    io,
    sync::{
        Arc, LazyLock,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use tokio::process::Child;

use crate::{call::Call, system};

/// Makes this process the parent of every orphan among its descendants, and kills and reaps those that no running
/// call can own. Returns whether it does.
///
/// Only for a program that starts *all* its child processes through this crate, before it starts the first one:
/// an orphan that nobody else can be responsible for is the only one that may be killed without a mark. It does not
/// when there are children already, nor on systems other than Linux. As process 1 (of a container) it reaps orphans
/// but spares the unmarked ones, which may come from a shell that somebody opened there.
///
/// # Errors
///
/// When the system refuses, or when it does not show its processes under `/proc`.
pub fn adopt_orphans() -> io::Result<bool> {
    system::adopt()
}

/// Kills what is left of the call, and takes the status of its leader.
pub(crate) fn take_over(call: Arc<Call>, child: Child) {
    send(Errand::Finish(Box::new(Abandoned { call, child, since: Instant::now() })));
}

/// Takes the statuses of orphans, if any wait for that.
pub(crate) fn reap_orphans() {
    if system::orphans_ended() {
        send(Errand::Reap);
    }
}

/// Kills orphans that no running call can own, if there may be any: two calls that end together leave those that
/// either could have started to each other.
pub(crate) fn end_strays() {
    if system::adopts() && !system::childless() {
        send(Errand::EndStrays);
    }
}

enum Errand {
    EndStrays,
    Finish(Box<Abandoned>),
    Reap,
}

struct Abandoned {
    call: Arc<Call>,
    child: Child,
    since: Instant,
}

impl Abandoned {
    /// Whether there is nothing more to do for it.
    fn settle(&mut self, remaining: &[u64]) -> bool {
        let left = remaining.contains(&self.call.number);
        let reaped = self.call.reap(&mut self.child).is_some();
        if left || !reaped {
            if self.since.elapsed() < PATIENCE {
                return false;
            }
            tracing::warn!(leader = self.call.leader.number, "processes of a call cannot be killed");
        }
        self.call.forget();
        true
    }
}

fn send(errand: Errand) {
    static ERRANDS: LazyLock<Option<Sender<Errand>>> = LazyLock::new(|| {
        let (sender, receiver) = channel();
        // It owns nothing that must be finished: `kill_all` does the same work for the end of the program.
        match thread::Builder::new().name("haft-child".to_owned()).spawn(move || work(&receiver)) {
            Ok(_) => Some(sender),
            Err(error) => {
                tracing::error!(%error, "no thread to reap processes");
                None
            }
        }
    });
    if let Some(errands) = ERRANDS.as_ref()
        && errands.send(errand).is_err()
    {
        tracing::error!("the thread that reaps processes is gone");
    }
}

fn work(errands: &Receiver<Errand>) {
    let mut abandoned: Vec<Abandoned> = Vec::new();
    let mut strays_since = None;
    let mut pause = SHORTEST_PAUSE;
    loop {
        let first = if abandoned.is_empty() && strays_since.is_none() {
            errands.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            errands.recv_timeout(pause)
        };
        pause = match &first {
            Ok(_) => SHORTEST_PAUSE,
            Err(RecvTimeoutError::Timeout) => (pause * 2).min(LONGEST_PAUSE),
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let mut reap = false;
        for errand in first.into_iter().chain(errands.try_iter()) {
            match errand {
                Errand::EndStrays => strays_since = Some(Instant::now()),
                Errand::Finish(call) => abandoned.push(*call),
                Errand::Reap => reap = true,
            }
        }
        if reap {
            system::reap_orphans();
        }
        let calls: Vec<_> = abandoned.iter().map(|abandoned| Arc::clone(&abandoned.call)).collect();
        let remaining = system::strike(&calls);
        abandoned.retain_mut(|abandoned| !abandoned.settle(&remaining));
        // Until none is left: who is killed may leave another one.
        strays_since = strays_since.filter(|since| since.elapsed() < PATIENCE && system::strike_strays());
    }
}

const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// A killed process that the kernel still holds after this long waits for a device that does not answer.
const PATIENCE: Duration = Duration::from_mins(1);
