//! How much a program may write and how long it may take.

use std::time::Duration;

/// Bounds of one run. What a run keeps in memory is about `stdout` plus `stderr`
/// plus two small buffers, whatever the program does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of standard output. The first byte above ends the program ([`Ending::OutputLimit`]).
    ///
    /// [`Ending::OutputLimit`]: crate::Ending::OutputLimit
    pub stdout: usize,
    /// Bytes of standard error that are kept, the last ones. More than that is no reason to end the program.
    pub stderr: usize,
    /// How long the program may run.
    pub timeout: Duration,
    /// How long a program that must end may take from `SIGTERM` on before it is killed.
    pub grace: Duration,
}

impl Default for Limits {
    /// 1 MiB of output, the last 64 KiB of standard error, one minute, two seconds of grace.
    fn default() -> Self {
        Self { stdout: 1 << 20, stderr: 64 << 10, timeout: Duration::from_mins(1), grace: Duration::from_secs(2) }
    }
}
