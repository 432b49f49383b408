//! One process, as `/proc` shows it.

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
};

use rustix::{
    io::Errno,
    process::{PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal},
};

use crate::call::{Identity, MARKER, marked};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) identity: Identity,
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) session: i32,
    /// It only waits to be waited for.
    pub(super) ended: bool,
    /// It is a part of the kernel.
    pub(super) kernel: bool,
    /// It runs, but has no memory for an environment (or does not show it to us).
    pub(super) bare: bool,
    /// The number of the call whose mark it carries.
    pub(super) call: Option<u64>,
}

impl Process {
    /// None when there is no such process. Its mark is not looked for.
    ///
    /// # Errors
    ///
    /// When it cannot be known, for want of descriptors or memory.
    pub(super) fn read(number: i32) -> io::Result<Option<Self>> {
        let mut buffer = [0; STAT];
        let read = File::open(format!("/proc/{number}/stat")).and_then(|mut file| file.read(&mut buffer));
        match read {
            Ok(length) => Ok(buffer.get(..length).and_then(parse)),
            Err(error) if gone(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// When the process with this number started, in ticks since the system did.
pub(crate) fn start_time(number: i32) -> Option<u64> {
    Process::read(number).ok().flatten().map(|process| process.identity.started)
}

/// What the environment of a process says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// The number of a call of ours.
    Call(u64),
    None,
    /// Not yet: it executes another program this moment, or it is ending.
    Pending,
}

pub(super) fn mark(number: i32) -> io::Result<Mark> {
    for _ in 0..LOOKS {
        let environment = match environment(number) {
            Ok(environment) => environment,
            // Another user's, or one that protects itself.
            Err(error) if gone(&error) || error.kind() == ErrorKind::PermissionDenied => return Ok(Mark::None),
            Err(error) => return Err(error),
        };
        if !environment.is_empty() {
            let call = environment
                .split(|byte| *byte == 0)
                .find_map(|variable| marked(variable.strip_prefix(MARKER.as_bytes())?.strip_prefix(b"=")?));
            return Ok(call.map_or(Mark::None, Mark::Call));
        }
        if Process::read(number)?.is_some_and(|process| process.bare) {
            return Ok(Mark::Pending);
        }
        // It has an empty one. Or it has only just got another, which the next look shows.
    }
    Ok(Mark::None)
}

fn environment(number: i32) -> io::Result<Vec<u8>> {
    let mut environment = Vec::new();
    File::open(format!("/proc/{number}/environ"))?.take(ENVIRONMENT).read_to_end(&mut environment)?;
    Ok(environment)
}

/// To this process and no other that got its number since.
pub(super) fn send(identity: Identity, signal: Signal) {
    let Some(pid) = identity.pid() else { return };
    let descriptor = pidfd_open(pid, PidfdFlags::empty());
    if descriptor.as_ref().err() == Some(&Errno::SRCH) || start_time(identity.number) != Some(identity.started) {
        return;
    }
    let sent = match descriptor {
        Ok(descriptor) => pidfd_send_signal(descriptor, signal),
        // An old kernel. The number may be used again between the look and the signal, in theory.
        Err(_) => kill_process(pid, signal),
    };
    if let Err(error) = sent
        && error != Errno::SRCH
    {
        tracing::warn!(process = identity.number, %error, "process cannot be signalled");
    }
}

fn gone(error: &io::Error) -> bool {
    error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(Errno::SRCH.raw_os_error())
}

/// `proc_pid_stat(5)`: number, name, state, parent, group, session; 9 flags, 20 threads, 22 start time, 51 end of the
/// environment.
fn parse(stat: &[u8]) -> Option<Process> {
    // The name may hold anything, parentheses and line breaks as well, but the last one ends it.
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let (head, rest) = stat.split_at_checked(end)?;
    let number = str::from_utf8(head.split(|byte| *byte == b' ').next()?).ok()?;
    let mut fields = str::from_utf8(rest.get(1..)?).ok()?.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let group = fields.next()?.parse().ok()?;
    let session = fields.next()?.parse().ok()?;
    let flags: u32 = fields.nth(2)?.parse().ok()?;
    let threads: u32 = fields.nth(10)?.parse().ok()?;
    let started = fields.nth(1)?.parse().ok()?;
    let environment_end = fields.nth(28)?;
    // A main thread that ended looks like a zombie while the other threads go on.
    let ended = matches!(state, "X" | "Z") && threads <= 1;
    Some(Process {
        identity: Identity { number: number.parse().ok()?, started },
        parent,
        group,
        session,
        ended,
        kernel: flags & KERNEL_THREAD != 0,
        bare: !ended && environment_end == "0",
        call: None,
    })
}

/// `PF_KTHREAD`.
const KERNEL_THREAD: u32 = 0x0020_0000;
const LOOKS: usize = 3;
/// The line is about 300 bytes long, and its fields have a bounded length.
const STAT: usize = 1024;
/// Twice what the kernel accepts for arguments and environment together, by default.
const ENVIRONMENT: u64 = 4 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &[u8], state: &str, threads: u32, environment_end: u32) -> Vec<u8> {
        let before = " 7 8 9 0 -1 4194304 1 0 0 0 0 0 0 0 20 0";
        let after = "2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29";
        let rest = format!(") {state}{before} {threads} 0 4711 {after} {environment_end} 0\n");
        [b"42 (", name, rest.as_bytes()].concat()
    }

    fn check(stat: &[u8], expected: Option<(bool, bool)>) {
        let seen = parse(stat);
        assert_eq!(seen.map(|process| (process.ended, process.bare)), expected, "{}", String::from_utf8_lossy(stat));
        let identity = Identity { number: 42, started: 4711 };
        assert!(seen.is_none_or(|process| process.identity == identity && process.parent == 7 && process.session == 9));
    }

    #[test]
    fn names_cannot_disguise_a_process() {
        check(&line(b"sh", "S", 1, 1), Some((false, false)));
        check(&line(b"a) Z 1 1 (b", "R", 1, 1), Some((false, false)));
        check(&line(b"a\nb", "Z", 1, 0), Some((true, false)));
        check(&line(b"\xff\xfe", "X", 1, 0), Some((true, false)));
        check(b"42 (sh) S 7", None);
        check(b"", None);
    }

    #[test]
    fn main_thread_that_ended_is_no_zombie_while_others_run() {
        check(&line(b"x", "Z", 3, 1), Some((false, false)));
    }

    #[test]
    fn process_between_two_programs_is_bare() {
        check(&line(b"x", "R", 1, 0), Some((false, true)));
    }

    #[test]
    fn own_process_is_read_as_it_is() {
        let process = Process::read(std::process::id().cast_signed()).unwrap().unwrap();
        assert_eq!(process.parent, rustix::process::getppid().unwrap().as_raw_nonzero().get());
        assert_eq!(process.group, rustix::process::getpgrp().as_raw_nonzero().get());
        assert!(!process.ended && !process.bare && !process.kernel);
        assert_eq!(mark(std::process::id().cast_signed()).unwrap(), Mark::None);
    }
}
