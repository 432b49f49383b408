//! A place among the calls that run at the same time.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::OwnedSemaphorePermit;

use crate::context::CallShared;
use crate::server::{Server, Shared};

/// Held until the work of a call really ends.
pub(crate) struct Permit {
    server: Arc<Shared>,
    place: Option<OwnedSemaphorePermit>,
}

impl Permit {
    /// A place, or none when the server has enough to do.
    pub(super) fn acquire(server: &Server) -> Option<Self> {
        let before = server.0.calls_in_flight.fetch_add(1, Ordering::AcqRel);
        let permit = Self { server: Arc::clone(&server.0), place: None };
        // Dropping the permit takes back what was added.
        (before < server.0.limits.calls_in_flight && !server.0.is_backed_up()).then_some(permit)
    }

    /// Gives the permit to everything that works for the call.
    pub(super) fn hold(call: &CallShared, permit: Self) {
        *call.permit.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(permit);
    }

    /// Adds a place among the calls of one tool.
    pub(crate) fn hold_place(call: &CallShared, place: OwnedSemaphorePermit) {
        if let Some(permit) = &mut *call.permit.lock().unwrap_or_else(std::sync::PoisonError::into_inner) {
            permit.place = Some(place);
        }
    }

    /// Gives up the place among the calls of one tool, while a person is asked.
    pub(crate) fn release_place(call: &CallShared) {
        if let Some(permit) = &mut *call.permit.lock().unwrap_or_else(std::sync::PoisonError::into_inner) {
            permit.place = None;
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.server.calls_in_flight.fetch_sub(1, Ordering::AcqRel);
    }
}
