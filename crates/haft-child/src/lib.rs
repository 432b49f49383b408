//! Starts programs: argv only, limits, group kill and reaping.
//!
//! [`run`] starts one program and ends with what it wrote and how it ended. Nothing of it is left then: not the
//! program, not what it started, not what left its process group or its session. The same holds when the future is
//! dropped, when time is up and when the program writes too much.
//!
//! [`spawn`] starts one that goes on until somebody ends it, and leaves its pipes to the caller. The end is the same.
//!
//! # How the processes of a call are found (Linux)
//!
//! Each call runs in its own process group and carries the variable [`MARKER`] in its environment. A process
//! belongs to a call when it is in that group, carries that mark, has a parent that belongs, shares a session that
//! a member opened, or was seen to belong before. They are stopped until no new one turns up, and killed only then,
//! through process descriptors, so that a recycled process number is never hit.
//!
//! A process that left group *and* session *and* parent *and* cleared its environment is recognised only after
//! [`adopt_orphans`], because the kernel then hands it to us. A program that starts all its children through this
//! crate should call that once at its start, and [`kill_all`] before it ends.
//!
//! # Limits
//!
//! - When this process itself is killed with `SIGKILL`, nobody is left to end its calls: their programs go on.
//! - A process that changed its user cannot be signalled.
//! - A descriptor that whoever started this process left open for its children reaches the programs, too.
//! - Other Unix systems than Linux: the process group is killed, what left it is not found.

#![cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "what looks at all processes is for Linux only"))]

mod call;
mod leader;
mod limits;
mod program;
mod resolve;
mod run;
mod spawn;
mod streams;
mod warden;

#[cfg(target_os = "linux")]
#[path = "linux/mod.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "portable.rs"]
mod system;

pub use call::{MARKER, kill_all};
pub use limits::Limits;
pub use program::{Captured, Ending, Finished, Program, StartError, Stdin};
pub use resolve::{ResolveError, resolve};
pub use run::run;
pub use spawn::{Input, Output, Running, Spawned, spawn};
pub use warden::adopt_orphans;
