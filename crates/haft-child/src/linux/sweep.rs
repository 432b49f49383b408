//! Ends the processes of calls.

use std::{
    collections::BTreeSet,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use rustix::process::Signal;

use super::{adopts, childless, process::send, snapshot::Snapshot};
use crate::call::{Call, Identity};

/// Whether a process of the call still runs. True when that cannot be known.
pub(crate) fn has_members(call: &Arc<Call>) -> bool {
    Snapshot::since(Instant::now()).map_or(true, |snapshot| snapshot.doubtful() || !snapshot.members(call).is_empty())
}

/// Takes the statuses of adopted orphans that ended.
pub(crate) fn reap_orphans() {
    if let Err(error) = Snapshot::since(Instant::now()) {
        tracing::debug!(%error, "orphans not reaped");
    }
}

/// Asks every process of the call to end, once. Returns whether there was one, for all we know.
pub(crate) fn terminate(call: &Arc<Call>) -> bool {
    let mut asked = BTreeSet::new();
    // Not those that are born later: they may be what a process that was asked cleans up with.
    for _ in 0..LOOKS {
        let Ok(snapshot) = Snapshot::since(Instant::now()) else {
            call.signal_group(Signal::TERM);
            return true;
        };
        for member in snapshot.members(call) {
            if asked.insert(member) {
                send(member, Signal::TERM);
                // A stopped one could not hear it.
                send(member, Signal::CONT);
            }
        }
        if !snapshot.doubtful() {
            return !asked.is_empty();
        }
        thread::sleep(DOUBT);
    }
    true
}

/// Kills every process of these calls. Returns the numbers of the calls that had one; they need another strike,
/// until there was none.
pub(crate) fn strike(calls: &[Arc<Call>]) -> Vec<u64> {
    if calls.is_empty() {
        return Vec::new();
    }
    let Ok((remaining, mut found)) = Snapshot::since(Instant::now()).map(|snapshot| members(&snapshot, calls)) else {
        for call in calls {
            call.signal_group(Signal::KILL);
        }
        return calls.iter().map(|call| call.number).collect();
    };
    if remaining.is_empty() {
        return remaining;
    }
    // Stopped first: who is killed while its child is being born leaves an orphan that nothing ties to the call.
    for call in calls {
        call.signal_group(Signal::STOP);
    }
    let mut stopped = BTreeSet::new();
    for _ in 0..ROUNDS {
        let new: Vec<Identity> = found.difference(&stopped).copied().collect();
        if new.is_empty() {
            break;
        }
        for process in new {
            send(process, Signal::STOP);
            stopped.insert(process);
        }
        let Ok(snapshot) = Snapshot::stopping(calls) else { break };
        (_, found) = members(&snapshot, calls);
    }
    for call in calls {
        call.signal_group(Signal::KILL);
    }
    for process in stopped {
        send(process, Signal::KILL);
    }
    remaining
}

/// The first strike on a call that nobody waits for any more. Must be short, for it may come a thousand times in a
/// row on a thread that serves others: it makes do with a view that is a few milliseconds old.
pub(crate) fn strike_at_once(call: &Arc<Call>) {
    let found = Instant::now().checked_sub(RECENT).and_then(|moment| Snapshot::since(moment).ok());
    let found = found.map(|snapshot| snapshot.members(call)).unwrap_or_default();
    for process in &found {
        send(*process, Signal::STOP);
    }
    call.signal_group(Signal::KILL);
    for process in found {
        send(process, Signal::KILL);
    }
}

/// Kills the orphans that no running call can own. Returns whether there was one, for all we know.
pub(crate) fn strike_strays() -> bool {
    if !adopts() || childless() {
        return false;
    }
    let Ok(snapshot) = Snapshot::since(Instant::now()) else { return true };
    let strays = snapshot.strays();
    for process in &strays {
        send(*process, Signal::KILL);
    }
    !strays.is_empty()
}

/// The calls that have running processes, for all we know, and all these processes.
fn members(snapshot: &Snapshot, calls: &[Arc<Call>]) -> (Vec<u64>, BTreeSet<Identity>) {
    let mut remaining = Vec::new();
    let mut all = BTreeSet::new();
    for call in calls {
        let members = snapshot.members(call);
        if snapshot.doubtful() || !members.is_empty() {
            remaining.push(call.number);
        }
        all.extend(members);
    }
    (remaining, all)
}

/// How often new processes are looked for before those that were found are killed all the same.
const ROUNDS: usize = 16;
/// How often, and after which pause, a process is looked at again that did not show whose it is.
const LOOKS: usize = 10;
const DOUBT: Duration = Duration::from_millis(1);
const RECENT: Duration = Duration::from_millis(20);

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tokio::io::AsyncReadExt;

    use super::*;
    use crate::{call::kill_all, run::command, system::adopt};

    /// Calls that end ask for the strays to be ended, and another call may have begun when that is done.
    #[tokio::test]
    async fn orphan_that_a_running_call_could_have_started_is_no_stray() {
        assert!(adopt().unwrap());
        let script = "(env -i /usr/bin/env setsid sleep 1000 >/dev/null 2>&1 &); echo ready; exec sleep 1000";
        let arguments = vec!["-c".into(), script.into()];
        let path = std::env::var_os("PATH").unwrap();
        let mut command = command(Path::new("/bin/sh"), arguments, Path::new("/"), vec![("PATH".into(), path)]);
        let (call, mut child) = Call::start(&mut command).unwrap();
        child.stdout.as_mut().unwrap().read_u8().await.unwrap();

        let before = Snapshot::since(Instant::now()).unwrap().members(&call);
        assert_eq!(before.len(), 2, "itself and the orphan");
        assert!(!strike_strays());
        assert_eq!(Snapshot::since(Instant::now()).unwrap().members(&call), before);

        assert!(kill_all());
        child.wait().await.unwrap();
        call.forget();
        assert!(childless());
    }
}
