//! All processes of the system at one moment, and which of them belong to a call.

use std::{
    collections::BTreeSet,
    fs, io,
    sync::{Arc, LazyLock, Mutex},
    time::Instant,
};

use rustix::process::{Signal, WaitOptions, getpid, waitpid};

use super::{
    adopts,
    process::{Mark, Process, mark, send, start_time},
};
use crate::call::{Call, Identity, Live, lock};

#[derive(Debug)]
pub(super) struct Snapshot {
    /// Before the first process was looked at.
    begun: Instant,
    /// The oldest first, so that most parents stand before their children.
    processes: Vec<Process>,
    /// Ours.
    session: i32,
    /// Whether a process did not show whose it is.
    doubtful: bool,
}

impl Snapshot {
    /// A snapshot that was begun at that moment or later. Who asks while another looks shares the next one, so that
    /// a thousand calls that end together do not look a thousand times.
    ///
    /// # Errors
    ///
    /// When a process could not be looked at, for want of descriptors or memory: it might be the one.
    pub(super) fn since(moment: Instant) -> io::Result<Arc<Self>> {
        let mut latest = lock(&LATEST);
        if let Some(latest) = latest.as_ref()
            && latest.begun >= moment
        {
            return Ok(Arc::clone(latest));
        }
        Self::renew(&mut latest, &[])
    }

    /// A new snapshot during which a process that by itself shows that it belongs to one of the calls is stopped the
    /// moment it is seen. One that lives for a millisecond, just to start its successor, would be gone afterwards.
    ///
    /// # Errors
    ///
    /// As `since`.
    pub(super) fn stopping(calls: &[Arc<Call>]) -> io::Result<Arc<Self>> {
        Self::renew(&mut lock(&LATEST), calls)
    }

    /// Whether the call may have more members than are seen.
    pub(super) fn doubtful(&self) -> bool {
        self.doubtful
    }

    /// Who belongs to the call and still runs.
    pub(super) fn members(&self, call: &Call) -> BTreeSet<Identity> {
        let mut known = call.known();
        let mut numbers: BTreeSet<i32> = self
            .candidates()
            .filter(|process| {
                known.contains(&process.identity) || belongs(process, call) || self.in_group(process, call)
            })
            .map(|process| process.identity.number)
            .collect();
        let mut sessions = BTreeSet::new();
        loop {
            let before = (numbers.len(), sessions.len());
            for process in self.candidates() {
                if numbers.contains(&process.parent) || sessions.contains(&process.session) {
                    numbers.insert(process.identity.number);
                }
                // A session is entered by birth only. Ours is not the call's: its leader was born in it.
                if numbers.contains(&process.identity.number) && process.session != self.session {
                    sessions.insert(process.session);
                }
            }
            if (numbers.len(), sessions.len()) == before {
                break;
            }
        }
        let members = || self.candidates().filter(|process| numbers.contains(&process.identity.number));
        *known = members().map(|process| process.identity).collect();
        members().filter(|process| !process.ended).map(|process| process.identity).collect()
    }

    /// Orphans that we adopted and that no running call could have left behind. Process 1 gets those of others, too.
    pub(super) fn strays(&self) -> Vec<Identity> {
        if !adopts() || *OWN == INIT {
            return Vec::new();
        }
        let live = Live::hold();
        let ours = self.candidates().filter(|process| process.parent == *OWN && !process.ended);
        ours.map(|process| process.identity)
            .filter(|stray| !live.leads(stray.number) && !live.could_have_started(stray.started))
            .collect()
    }

    fn renew(latest: &mut Option<Arc<Self>>, stopped: &[Arc<Call>]) -> io::Result<Arc<Self>> {
        let snapshot = Arc::new(Self::take(latest.as_deref(), stopped)?);
        snapshot.reap();
        *latest = Some(Arc::clone(&snapshot));
        Ok(snapshot)
    }

    fn take(previous: Option<&Self>, stopped: &[Arc<Call>]) -> io::Result<Self> {
        let begun = Instant::now();
        // Only who started after a call can belong to it.
        let oldest = Live::hold().oldest();
        let mut processes = Vec::new();
        let mut seen = BTreeSet::new();
        let mut doubtful = false;
        // Who was listed but gone when it was looked at may have started another one in between.
        for _ in 0..LISTS {
            let new: Vec<i32> = list()?.into_iter().filter(|number| seen.insert(*number)).collect();
            if new.is_empty() {
                break;
            }
            for number in new {
                let Some(mut process) = Process::read(number)? else { continue };
                let identity = process.identity;
                process.call = previous.and_then(|previous| previous.call(identity));
                let may_be_marked =
                    !process.ended && !process.kernel && oldest.is_some_and(|oldest| identity.started >= oldest);
                if process.call.is_none() && may_be_marked {
                    match mark(number)? {
                        Mark::Call(call) => process.call = Some(call),
                        Mark::None => {}
                        Mark::Pending => doubtful = true,
                    }
                }
                if !process.ended && stopped.iter().any(|call| belongs(&process, call)) {
                    send(identity, Signal::STOP);
                }
                processes.push(process);
            }
        }
        processes.sort_by_key(key);
        let session = processes.iter().find(|process| process.identity.number == *OWN);
        let session = session.map(|process| process.session).ok_or(io::ErrorKind::NotFound)?;
        Ok(Self { begun, processes, session, doubtful })
    }

    /// What can belong to a call at all.
    fn candidates(&self) -> impl Iterator<Item = &Process> {
        let never = [INIT, *OWN];
        self.processes.iter().filter(move |process| !never.contains(&process.identity.number) && !process.kernel)
    }

    fn in_group(&self, process: &Process, call: &Call) -> bool {
        let leader = call.leader;
        // When somebody else has the leader's number by now, then so has the group.
        let recycled = |other: &Process| other.identity.number == leader.number && other.identity != leader;
        process.group == leader.number && !self.candidates().any(recycled)
    }

    /// The mark once seen stays, even if the process executes another program with an empty environment.
    fn call(&self, identity: Identity) -> Option<u64> {
        let found = self.processes.binary_search_by_key(&(identity.started, identity.number), key);
        self.processes.get(found.ok()?)?.call
    }

    /// Waits for our ended children that no call waits for: adopted orphans.
    fn reap(&self) {
        let ours = self.candidates().filter(|process| process.parent == *OWN && process.ended);
        for process in ours.filter(|process| adopts() || process.call.is_some()) {
            let Identity { number, started } = process.identity;
            // Held, so that the number cannot become a new leader's between the look and the wait.
            let live = Live::hold();
            if live.leads(number) || start_time(number) != Some(started) {
                continue;
            }
            if let Err(error) = waitpid(process.identity.pid(), WaitOptions::NOHANG) {
                tracing::debug!(process = number, %error, "orphan not reaped");
            }
        }
    }
}

fn list() -> io::Result<Vec<i32>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir("/proc")? {
        numbers.extend(entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()));
    }
    Ok(numbers)
}

/// Whether a process belongs to the call, going by what it shows itself.
fn belongs(process: &Process, call: &Call) -> bool {
    let number = process.identity.number;
    if number == *OWN || number == INIT {
        return false;
    }
    // We adopted it, and nobody but this call can have left it behind. Process 1 gets the orphans of others, too.
    let orphan = || {
        let live = Live::hold();
        !live.leads(number) && !live.rival(call.number, process.identity.started)
    };
    process.identity == call.leader
        || process.call == Some(call.number)
        || (adopts() && *OWN != INIT && process.parent == *OWN && orphan())
}

fn key(process: &Process) -> (u64, i32) {
    (process.identity.started, process.identity.number)
}

/// Our number; asked for so often that the system call would show.
static OWN: LazyLock<i32> = LazyLock::new(|| getpid().as_raw_nonzero().get());
static LATEST: Mutex<Option<Arc<Snapshot>>> = Mutex::new(None);

const INIT: i32 = 1;
/// A machine that starts new processes faster than they can be listed is not waited for.
const LISTS: usize = 50;
