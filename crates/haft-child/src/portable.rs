//! Unix without a view of its processes: the process group is all that is known of a call.

use std::{io, os::fd::OwnedFd, sync::Arc};

use rustix::process::Signal;

use crate::call::{Call, Identity};

#[expect(clippy::unnecessary_wraps, reason = "as on Linux")]
pub(crate) fn adopt() -> io::Result<bool> {
    Ok(false)
}

pub(crate) fn adopts() -> bool {
    false
}

pub(crate) fn childless() -> bool {
    false
}

pub(crate) fn exit_descriptor(_leader: Identity) -> Option<OwnedFd> {
    None
}

/// As long as the leader runs. Then the rest of its group is killed, for nothing shows whether there is one.
pub(crate) fn has_members(call: &Arc<Call>) -> bool {
    let runs = !call.leader_exited();
    if !runs {
        call.signal_group(Signal::KILL);
    }
    runs
}

pub(crate) fn orphans_ended() -> bool {
    false
}

pub(crate) fn reap_orphans() {}

pub(crate) fn start_time(_number: i32) -> Option<u64> {
    None
}

/// None remain, as far as can be known.
pub(crate) fn strike(calls: &[Arc<Call>]) -> Vec<u64> {
    for call in calls {
        call.signal_group(Signal::KILL);
    }
    Vec::new()
}

pub(crate) fn strike_strays() -> bool {
    false
}

pub(crate) fn strike_at_once(call: &Arc<Call>) {
    call.signal_group(Signal::KILL);
}

pub(crate) fn terminate(call: &Arc<Call>) -> bool {
    let runs = has_members(call);
    if runs {
        call.signal_group(Signal::TERM);
        call.signal_group(Signal::CONT);
    }
    runs
}
