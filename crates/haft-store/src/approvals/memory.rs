//! Approvals that end with the process.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ticket::Bound;
use super::{
    Binding, Grant, Limits, Request, Spent, State, Store, StoreError, Ticket, TicketId, nonce_digest, ticket_id,
};
use crate::{Digest, Moment};

/// A [`Store`] of one process, gone when that ends.
#[derive(Debug, Default)]
pub struct MemoryStore {
    limits: Limits,
    content: Mutex<Content>,
}

#[derive(Debug, Default)]
struct Content {
    tickets: BTreeMap<TicketId, Bound>,
    by_binding: BTreeMap<Digest, TicketId>,
    nonces: BTreeMap<Digest, Moment>,
    /// The same by when they end.
    ends: BTreeSet<(Moment, Digest)>,
}

impl MemoryStore {
    /// An empty store with bounds of its own.
    pub fn new(limits: Limits) -> Self {
        Self { limits, content: Mutex::default() }
    }

    fn read(&self) -> MutexGuard<'_, Content> {
        // Every change is made after its checks, so a panic elsewhere leaves nothing half done.
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is in it, to change, without what is over.
    fn write(&self, now: Moment) -> MutexGuard<'_, Content> {
        let mut content = self.read();
        content.prune(now);
        content
    }

    fn change(
        &self,
        id: &TicketId,
        now: Moment,
        change: impl FnOnce(&mut Ticket) -> Result<(), StoreError>,
    ) -> Result<Ticket, StoreError> {
        let mut content = self.write(now);
        let bound = content.tickets.get_mut(id).ok_or_else(|| StoreError::UnknownTicket { id: id.to_string() })?;
        let mut ticket = bound.ticket.clone();
        change(&mut ticket)?;
        bound.ticket = ticket.clone();
        Ok(ticket)
    }
}

impl Content {
    fn prune(&mut self, now: Moment) {
        let by_binding = &mut self.by_binding;
        self.tickets.retain(|_, bound| {
            let stays = !bound.ticket.is_over(now);
            if !stays {
                by_binding.remove(&bound.binding.digest());
            }
            stays
        });
        while let Some((expires, digest)) = self.ends.first().copied()
            && expires <= now
        {
            self.ends.remove(&(expires, digest));
            self.nonces.remove(&digest);
        }
    }

    /// The tickets that are not over.
    fn current(&self, now: Moment) -> impl Iterator<Item = &Ticket> {
        self.tickets.values().map(|bound| &bound.ticket).filter(move |ticket| !ticket.is_over(now))
    }

    fn waiting(&self, of: Option<Digest>) -> usize {
        let waiting = self.tickets.values().filter(|bound| bound.ticket.state == State::Waiting);
        waiting.filter(|bound| of.is_none_or(|of| bound.binding.principal() == of)).count()
    }
}

impl Store for MemoryStore {
    fn ask(&self, request: &Request<'_>, now: Moment) -> Result<Ticket, StoreError> {
        let binding = request.call.binding();
        let mut content = self.write(now);
        let known = content.by_binding.get(&binding.digest()).and_then(|id| content.tickets.get(id));
        if let Some(known) = known {
            return Ok(known.ticket.clone());
        }
        let ticket = Ticket::ask(request, &self.limits, now)?;
        self.limits.room(content.waiting(Some(binding.principal())), content.waiting(None), content.tickets.len())?;
        content.by_binding.insert(binding.digest(), ticket.id);
        content.tickets.insert(ticket.id, Bound { binding, ticket: ticket.clone() });
        Ok(ticket)
    }

    fn tickets(&self, now: Moment) -> Result<Vec<Ticket>, StoreError> {
        let mut tickets: Vec<Ticket> = self.read().current(now).cloned().collect();
        tickets.sort_by_key(|ticket| (ticket.created, ticket.id));
        Ok(tickets)
    }

    fn find(&self, id: &str, now: Moment) -> Result<Ticket, StoreError> {
        let prefix = ticket_id::prefix(id)?;
        let content = self.read();
        let mut found = content.current(now).filter(|ticket| ticket.id.digits().starts_with(&prefix));
        match (found.next(), found.next()) {
            (Some(ticket), None) => Ok(ticket.clone()),
            (None, _) => Err(StoreError::UnknownTicket { id: prefix }),
            (Some(_), Some(_)) => Err(StoreError::Ambiguous { prefix }),
        }
    }

    fn allow(&self, id: &TicketId, grant: Grant, by: &str, now: Moment) -> Result<Ticket, StoreError> {
        self.change(id, now, |ticket| ticket.allow(grant, by, now))
    }

    fn deny(&self, id: &TicketId, by: &str, expires: Moment, now: Moment) -> Result<Ticket, StoreError> {
        self.change(id, now, |ticket| ticket.deny(by, expires, now))
    }

    fn spend(&self, binding: &Binding, now: Moment) -> Result<Spent, StoreError> {
        let mut content = self.write(now);
        let known = content.by_binding.get(&binding.digest()).and_then(|id| content.tickets.get(id));
        let Some(bound) = known else { return Ok(Spent::Unasked) };
        let id = bound.ticket.id;
        let (spent, is_used_up) = bound.ticket.clone().spend(now);
        if is_used_up {
            content.tickets.remove(&id);
            content.by_binding.remove(&binding.digest());
        }
        Ok(spent)
    }

    fn spend_nonce(&self, nonce: &[u8], expires: Moment, now: Moment) -> Result<bool, StoreError> {
        let digest = nonce_digest(nonce);
        let mut content = self.write(now);
        if expires <= now || content.nonces.contains_key(&digest) {
            return Ok(false);
        }
        self.limits.room_for_nonce(content.nonces.len())?;
        content.nonces.insert(digest, expires);
        content.ends.insert((expires, digest));
        Ok(true)
    }
}
