//! File descriptors that do not block, without surprises for whoever else holds them.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl, fstat};

/// What a descriptor is, as far as waiting for it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Can be waited for together with everything else.
    Pipe,
    /// Likewise.
    Socket,
    /// A file or a terminal: needs a thread that blocks.
    Other,
}

impl Kind {
    pub(super) fn of(descriptor: impl AsFd) -> io::Result<Self> {
        let kind = match FileType::from_raw_mode(fstat(descriptor)?.st_mode) {
            FileType::Fifo => Self::Pipe,
            FileType::Socket => Self::Socket,
            _ => Self::Other,
        };
        Ok(kind)
    }
}

/// Whether a pipe is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Read,
    Write,
}

/// A descriptor that does not block, and what has to be put back when it is no longer used.
#[derive(Debug)]
pub(super) struct Unblocked {
    pub(super) descriptor: OwnedFd,
    pub(super) restore: Option<Restore>,
}

impl Unblocked {
    /// Makes reads and writes of a pipe or a socket return at once.
    ///
    /// Not to block is a property of the open file, which other processes and stderr may share (`2>&1`); they would meet
    /// errors that they do not expect. So a pipe is opened anew where the system can do that, and other files become as
    /// they were in the end.
    pub(super) fn new(descriptor: OwnedFd, direction: Direction) -> io::Result<Self> {
        if let Some(descriptor) = reopen(&descriptor, direction) {
            return Ok(Self { descriptor, restore: None });
        }
        let flags = fcntl_getfl(&descriptor)?;
        if flags.contains(OFlags::NONBLOCK) {
            return Ok(Self { descriptor, restore: None });
        }
        let shared = descriptor.try_clone()?;
        fcntl_setfl(&descriptor, flags | OFlags::NONBLOCK)?;
        Ok(Self { descriptor, restore: Some(Restore { descriptor: shared, flags }) })
    }
}

/// Makes an open file block again.
#[derive(Debug)]
pub(super) struct Restore {
    descriptor: OwnedFd,
    flags: OFlags,
}

impl Drop for Restore {
    fn drop(&mut self) {
        if let Err(error) = fcntl_setfl(&self.descriptor, self.flags) {
            tracing::debug!(%error, "cannot make a stream block again");
        }
    }
}

#[cfg(target_os = "linux")]
fn reopen(descriptor: &OwnedFd, direction: Direction) -> Option<OwnedFd> {
    use std::os::fd::AsRawFd;

    if Kind::of(descriptor).ok()? != Kind::Pipe {
        return None;
    }
    let access = match direction {
        Direction::Read => OFlags::RDONLY,
        Direction::Write => OFlags::WRONLY,
    };
    let path = format!("/proc/self/fd/{}", descriptor.as_raw_fd());
    rustix::fs::open(path, access | OFlags::NONBLOCK | OFlags::CLOEXEC, rustix::fs::Mode::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn reopen(_descriptor: &OwnedFd, _direction: Direction) -> Option<OwnedFd> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(descriptor: impl AsFd) -> bool {
        !fcntl_getfl(descriptor).unwrap().contains(OFlags::NONBLOCK)
    }

    #[test]
    fn whoever_shares_a_pipe_does_not_notice() {
        let (reader, writer) = io::pipe().unwrap();
        let unblocked = Unblocked::new(reader.try_clone().unwrap().into(), Direction::Read).unwrap();
        assert!(!blocks(&unblocked.descriptor));
        assert!(blocks(&reader));
        let unblocked = Unblocked::new(writer.try_clone().unwrap().into(), Direction::Write).unwrap();
        assert!(!blocks(&unblocked.descriptor));
        assert!(blocks(&writer));
    }

    #[test]
    fn a_socket_blocks_again_in_the_end() {
        let (ours, _theirs) = std::os::unix::net::UnixStream::pair().unwrap();
        let first = Unblocked::new(ours.try_clone().unwrap().into(), Direction::Read).unwrap();
        let second = Unblocked::new(ours.try_clone().unwrap().into(), Direction::Write).unwrap();
        assert!(!blocks(&ours));
        drop(first);
        drop(second);
        assert!(blocks(&ours));
    }
}
