//! Approvals in a `SQLite` file that several processes may have open at once.

mod fault;
mod open;
mod rows;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::ticket::Bound;
use super::{Binding, Grant, Limits, Request, Spent, Store, StoreError, Ticket, TicketId, nonce_digest, ticket_id};
use crate::{Digest, Moment};
use fault::Fault;

/// A [`Store`] in a file. Processes that open the same file share it.
///
/// The file is in WAL mode and every change is synchronized to the disk before the operation returns. It must not lie
/// on a network file system: `SQLite`'s locks do not work there.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    limits: Limits,
    connection: Mutex<Connection>,
}

impl SqliteStore {
    /// Opens the store in the file `path`, and makes it and its folder, for this user alone, where there is none.
    ///
    /// # Errors
    ///
    /// When the folder or the file is open to other users, when the file is no store, a damaged one or one of a newer
    /// version, or when the operating system refuses. The file is left as it was.
    pub fn open(path: &Path, limits: Limits) -> Result<Self, StoreError> {
        let connection = open::open(path)?;
        Ok(Self { path: path.to_owned(), limits, connection: Mutex::new(connection) })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic left is rolled back as it is dropped.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `work` as a whole or not at all, alone among all processes, and durably.
    fn write<T>(&self, now: Moment, work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>) -> Result<T, StoreError> {
        let mut connection = self.connection();
        let written = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(Fault::from);
        let written = written.and_then(|transaction| {
            transaction.execute("DELETE FROM ticket WHERE expires <= ?1", [rows::millis(now)])?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        });
        written.map_err(|fault| fault.at(&self.path))
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, StoreError> {
        work(&self.connection()).map_err(|fault| fault.at(&self.path))
    }

    fn change(
        &self,
        id: &TicketId,
        now: Moment,
        change: impl FnOnce(&mut Ticket) -> Result<(), StoreError>,
    ) -> Result<Ticket, StoreError> {
        self.write(now, |transaction| {
            let known = rows::one(transaction, "id = ?1", [id.digits()])?;
            let mut bound = known.ok_or_else(|| StoreError::UnknownTicket { id: id.to_string() })?;
            change(&mut bound.ticket)?;
            rows::update(transaction, &bound.ticket)?;
            Ok(bound.ticket)
        })
    }
}

impl Store for SqliteStore {
    fn ask(&self, request: &Request<'_>, now: Moment) -> Result<Ticket, StoreError> {
        let binding = request.call.binding();
        self.write(now, |transaction| {
            if let Some(known) = rows::of_binding(transaction, &binding)? {
                return Ok(known.ticket);
            }
            let ticket = Ticket::ask(request, &self.limits, now)?;
            let counts = rows::counts(transaction, binding.principal())?;
            self.limits.room(counts.waiting_of_one, counts.waiting, counts.tickets)?;
            let bound = Bound { binding, ticket };
            rows::insert(transaction, &bound)?;
            Ok(bound.ticket)
        })
    }

    fn tickets(&self, now: Moment) -> Result<Vec<Ticket>, StoreError> {
        self.read(|connection| {
            let found = rows::some(connection, "expires > ?1 ORDER BY created, id", [rows::millis(now)])?;
            Ok(found.into_iter().map(|bound| bound.ticket).collect())
        })
    }

    fn find(&self, id: &str, now: Moment) -> Result<Ticket, StoreError> {
        let prefix = ticket_id::prefix(id)?;
        self.read(|connection| {
            // `~` stands behind all digits.
            let range = params![prefix, format!("{prefix}~"), rows::millis(now)];
            let found = rows::some(connection, "id >= ?1 AND id < ?2 AND expires > ?3 LIMIT 2", range)?;
            let mut found = found.into_iter();
            Ok(match (found.next(), found.next()) {
                (Some(bound), None) => bound.ticket,
                (None, _) => return Err(StoreError::UnknownTicket { id: prefix }.into()),
                (Some(_), Some(_)) => return Err(StoreError::Ambiguous { prefix }.into()),
            })
        })
    }

    fn allow(&self, id: &TicketId, grant: Grant, by: &str, now: Moment) -> Result<Ticket, StoreError> {
        self.change(id, now, |ticket| ticket.allow(grant, by, now))
    }

    fn deny(&self, id: &TicketId, by: &str, expires: Moment, now: Moment) -> Result<Ticket, StoreError> {
        self.change(id, now, |ticket| ticket.deny(by, expires, now))
    }

    fn spend(&self, binding: &Binding, now: Moment) -> Result<Spent, StoreError> {
        self.write(now, |transaction| {
            let Some(bound) = rows::of_binding(transaction, binding)? else { return Ok(Spent::Unasked) };
            let id = bound.ticket.id;
            let (spent, is_used_up) = bound.ticket.spend(now);
            if is_used_up {
                transaction.execute("DELETE FROM ticket WHERE id = ?1", [id.digits()])?;
            }
            Ok(spent)
        })
    }

    fn spend_nonce(&self, nonce: &[u8], expires: Moment, now: Moment) -> Result<bool, StoreError> {
        let digest: Digest = nonce_digest(nonce);
        if expires <= now {
            return Ok(false);
        }
        self.write(now, |transaction| {
            transaction.execute("DELETE FROM nonce WHERE expires <= ?1", [rows::millis(now)])?;
            let known = transaction
                .query_row("SELECT 1 FROM nonce WHERE digest = ?1", [digest.as_bytes()], |_| Ok(()))
                .optional()?;
            if known.is_some() {
                return Ok(false);
            }
            let count = transaction.query_row("SELECT count(*) FROM nonce", [], rows::count)?;
            self.limits.room_for_nonce(count)?;
            let row = params![digest.as_bytes(), rows::millis(expires)];
            transaction.execute("INSERT INTO nonce (digest, expires) VALUES (?1, ?2)", row)?;
            Ok(true)
        })
    }
}
