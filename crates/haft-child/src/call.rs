//! The calls that run now: who leads them, and who may be killed for them.

use std::{
    collections::{BTreeMap, BTreeSet, hash_map::RandomState},
    hash::BuildHasher,
    io,
    process::ExitStatus,
    sync::{
        Arc, LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::process::{Child, Command};

use crate::{system, warden};

/// The variable that every process of a call inherits, with a value that no other call has.
pub const MARKER: &str = "HAFT_CALL";

/// Kills every process of every running call, and waits for that, but not for ever: two seconds at most.
///
/// For the end of the program, after its runtime is gone or when it cannot be waited for. A [`run`](crate::run) that
/// still waits ends with [`Ending::Killed`](crate::Ending::Killed). Returns whether nothing is left.
pub fn kill_all() -> bool {
    let until = Instant::now() + KILL_ALL;
    let mut pause = Duration::from_millis(1);
    loop {
        let calls = live();
        for call in &calls {
            call.killed.store(true, Ordering::Relaxed);
        }
        // Nobody asks which of them left an orphan behind that each of them could have.
        if system::strike(&calls).is_empty() && !system::strike_strays() {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// One run of one program.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) number: u64,
    pub(crate) leader: Identity,
    killed: AtomicBool,
    /// Whether the leader was waited for, so that its number may belong to somebody else.
    reaped: Mutex<bool>,
    /// Who was seen to belong to it, because later the parent that proves it may be gone.
    known: Mutex<BTreeSet<Identity>>,
}

/// A process. The number alone is not one, for it is used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Identity {
    pub(crate) number: i32,
    /// In clock ticks since the system started; 0 when that cannot be known.
    pub(crate) started: u64,
}

impl Identity {
    pub(crate) fn pid(self) -> Option<Pid> {
        Pid::from_raw(self.number)
    }
}

impl Call {
    /// Starts the command as the leader of a new call.
    pub(crate) fn start(command: &mut Command) -> io::Result<(Arc<Self>, Child)> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        command.process_group(0).env(MARKER, mark(number));
        // Held while the child is made, so that nobody takes it for an orphan before it is registered.
        let mut live = lock(&LIVE);
        let child = command.spawn()?;
        let leader = child.id().ok_or_else(|| io::Error::other("the program has no process number"))?.cast_signed();
        let call = Arc::new(Self {
            number,
            leader: Identity { number: leader, started: system::start_time(leader).unwrap_or(0) },
            killed: AtomicBool::new(false),
            reaped: Mutex::new(false),
            known: Mutex::new(BTreeSet::new()),
        });
        live.insert((leader, number), Arc::clone(&call));
        Ok((call, child))
    }

    pub(crate) fn killed(&self) -> bool {
        self.killed.load(Ordering::Relaxed)
    }

    /// To the leader's process group, as long as that is certainly still its own.
    pub(crate) fn signal_group(&self, signal: Signal) {
        let reaped = lock(&self.reaped);
        if !*reaped
            && let Some(group) = self.leader.pid()
            && let Err(error) = kill_process_group(group, signal)
        {
            tracing::trace!(%error, "process group not signalled");
        }
    }

    /// Whether the leader has ended. Its status is not taken.
    pub(crate) fn leader_exited(&self) -> bool {
        let reaped = lock(&self.reaped);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is no such child any more.
        *reaped || self.leader.pid().is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    /// The leader's status if it has ended. Afterwards its number is free.
    pub(crate) fn reap(&self, child: &mut Child) -> Option<ExitStatus> {
        let mut reaped = lock(&self.reaped);
        let status = child.try_wait().ok().flatten();
        *reaped |= status.is_some();
        status
    }

    /// Ends the call. Only when nothing of it is left.
    pub(crate) fn forget(&self) {
        let mut live = lock(&LIVE);
        live.remove(&(self.leader.number, self.number));
        let was_last = live.is_empty();
        drop(live);
        if was_last {
            warden::end_strays();
        }
    }

    pub(crate) fn known(&self) -> MutexGuard<'_, BTreeSet<Identity>> {
        lock(&self.known)
    }
}

/// The running calls, held still. No process becomes a leader meanwhile.
#[derive(Debug)]
pub(crate) struct Live(MutexGuard<'static, BTreeMap<(i32, u64), Arc<Call>>>);

impl Live {
    pub(crate) fn hold() -> Self {
        Self(lock(&LIVE))
    }

    /// Whether a call has the leader with this number. It may have ended already.
    pub(crate) fn leads(&self, number: i32) -> bool {
        self.0.range((number, 0)..=(number, u64::MAX)).next().is_some()
    }

    /// Whether another call than this one could have started a process at that time, and goes on.
    pub(crate) fn rival(&self, number: u64, started: u64) -> bool {
        self.owners(started).any(|call| call.number != number)
    }

    /// Whether any call could have started a process at that time, and goes on.
    pub(crate) fn could_have_started(&self, started: u64) -> bool {
        self.owners(started).next().is_some()
    }

    /// The calls for which a process that started at that time may have to be spared. Those that [`kill_all`] ends
    /// own nothing that may stay.
    fn owners(&self, started: u64) -> impl Iterator<Item = &Arc<Call>> {
        self.0.values().filter(move |call| call.leader.started <= started && !call.killed())
    }

    /// When the oldest of them started, in ticks.
    pub(crate) fn oldest(&self) -> Option<u64> {
        self.0.values().map(|call| call.leader.started).min()
    }

    pub(crate) fn only(&self, number: u64) -> bool {
        self.0.values().all(|call| call.number == number)
    }
}

/// The number of the call that a value of [`MARKER`] names, if it is one of ours.
pub(crate) fn marked(value: &[u8]) -> Option<u64> {
    let (instance, number) = str::from_utf8(value).ok()?.split_once('-')?;
    (instance == *INSTANCE).then(|| number.parse().ok())?
}

fn mark(number: u64) -> String {
    format!("{}-{number}", *INSTANCE)
}

fn live() -> Vec<Arc<Call>> {
    lock(&LIVE).values().map(Arc::clone).collect()
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No state here is ever half-changed, so a panic elsewhere is no reason to stop killing.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

static LIVE: Mutex<BTreeMap<(i32, u64), Arc<Call>>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicU64 = AtomicU64::new(0);
/// Tells our marks from those of another process; the keys of the standard hasher are random.
static INSTANCE: LazyLock<String> = LazyLock::new(|| format!("{:016x}", RandomState::new().hash_one(0)));

const KILL_ALL: Duration = Duration::from_secs(2);
