//! Which core the client has and which the server, so that neither takes the other's time.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::Result;

/// Two cores, or the same one twice on a machine that has only one.
#[derive(Clone, Copy, Debug)]
pub struct Cores {
    pub client: usize,
    pub server: usize,
}

impl Cores {
    /// The first and the last core that this process may use.
    pub fn choose() -> Result<Self> {
        let allowed = sched_getaffinity(None)?;
        let mut usable = (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core));
        let client = usable.next().ok_or("this process may use no core")?;
        let server = usable.next_back().unwrap_or(client);
        Ok(Self { client, server })
    }

    pub const fn are_shared(self) -> bool {
        self.client == self.server
    }
}

/// Binds the calling thread, and whatever it starts from now on, to one core.
pub fn pin(core: usize) -> Result<()> {
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only)?;
    Ok(())
}
