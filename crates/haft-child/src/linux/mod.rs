//! Linux: all descendants of a call are found under `/proc`, stopped, killed and reaped.

mod process;
mod snapshot;
mod sweep;

use std::{
    fs, io,
    os::fd::OwnedFd,
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::{
    io::Errno,
    process::{PidfdFlags, WaitId, WaitIdOptions, getpid, pidfd_open, set_child_subreaper, waitid},
};

use crate::call::{Identity, Live};

pub(crate) use process::start_time;
pub(crate) use sweep::{has_members, reap_orphans, strike, strike_at_once, strike_strays, terminate};

pub(crate) fn adopt() -> io::Result<bool> {
    // Held, so that no call starts between the look and the adoption.
    let _live = Live::hold();
    if adopts() {
        return Ok(true);
    }
    fs::read("/proc/self/stat")?;
    if !childless() {
        return Ok(false);
    }
    set_child_subreaper(Some(getpid()))?;
    ADOPTS.store(true, Ordering::Relaxed);
    Ok(true)
}

pub(crate) fn adopts() -> bool {
    ADOPTS.load(Ordering::Relaxed)
}

/// Whether this process has no child at all, running or ended.
pub(crate) fn childless() -> bool {
    ended_children() == Err(Errno::CHILD)
}

/// Readable when the process ended, which includes all its threads.
pub(crate) fn exit_descriptor(leader: Identity) -> Option<OwnedFd> {
    pidfd_open(leader.pid()?, PidfdFlags::empty()).ok()
}

/// Whether a look for ended orphans may be worth it. An ended leader looks the same for a moment.
pub(crate) fn orphans_ended() -> bool {
    adopts() && ended_children() == Ok(true)
}

fn ended_children() -> Result<bool, Errno> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::All, options).map(|status| status.is_some())
}

static ADOPTS: AtomicBool = AtomicBool::new(false);
