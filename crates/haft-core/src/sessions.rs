//! Sessions of the handshake era over HTTP: minted by `initialize` alone, bound to a principal, bounded, mortal.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::connection::Connection;
use crate::principal::Principal;

/// All sessions of a server.
#[derive(Debug)]
pub(crate) struct Sessions {
    most: usize,
    idle: Duration,
    is_closed: AtomicBool,
    open: Mutex<HashMap<String, Arc<Connection>>>,
}

/// Why a session cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionFault {
    /// There is none of this id for this principal, or it has ended.
    Unknown,
}

impl fmt::Display for SessionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such session; begin a new one with `initialize`")
    }
}

impl std::error::Error for SessionFault {}

impl Sessions {
    pub(crate) fn new(most: usize, idle: Duration) -> Self {
        Self { most, idle, is_closed: AtomicBool::new(false), open: Mutex::default() }
    }

    /// A new id of 128 random bits, or `None` when there are too many sessions.
    pub(crate) fn begin(&self, connect: impl FnOnce(String) -> Arc<Connection>) -> Option<Arc<Connection>> {
        let mut random = [0_u8; 16];
        getrandom::fill(&mut random).ok()?;
        let id = format!("{:032x}", u128::from_be_bytes(random));
        let connection = connect(id.clone());
        let mut open = self.lock();
        if open.len() >= self.most {
            open.retain(|_, session| {
                let keep = session.idle() < self.idle;
                if !keep {
                    session.close();
                }
                keep
            });
        }
        if open.len() >= self.most || self.is_closed.load(Ordering::Acquire) {
            return None;
        }
        open.insert(id, Arc::clone(&connection));
        Some(connection)
    }

    pub(crate) fn find(&self, id: &[u8], principal: &Principal) -> Result<Arc<Connection>, SessionFault> {
        let id = std::str::from_utf8(id).map_err(|_| SessionFault::Unknown)?;
        let mut open = self.lock();
        let session = open.get(id).ok_or(SessionFault::Unknown)?;
        if !session.principal().is_same_subject(principal) {
            return Err(SessionFault::Unknown);
        }
        if session.idle() >= self.idle {
            session.close();
            open.remove(id);
            return Err(SessionFault::Unknown);
        }
        session.touch();
        Ok(Arc::clone(session))
    }

    pub(crate) fn end(&self, id: &[u8], principal: &Principal) -> Result<(), SessionFault> {
        let session = self.find(id, principal)?;
        session.close();
        if let Ok(id) = std::str::from_utf8(id) {
            self.lock().remove(id);
        }
        Ok(())
    }

    /// No more sessions begin; those that are open end with the server.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Connection>>> {
        self.open.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::{Server, ToolSet};

    #[test]
    fn the_rest_of_a_session_begins_when_the_last_listener_goes() {
        let server = Server::builder(ToolSet::new("none", "1", Vec::new())).build().unwrap();
        let session = Connection::session(&server, Arc::new(Principal::client("token", "one")), "id".to_owned());
        let (first, last) = (session.notices(), session.notices());
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(20) {
            std::thread::yield_now();
        }
        drop(first);
        assert_eq!(session.idle(), Duration::ZERO);
        let before = Instant::now();
        drop(last);
        let idle = session.idle();
        // It is counted in milliseconds.
        assert!(idle <= before.elapsed() + Duration::from_millis(1), "{idle:?}");
    }
}
