//! Tickets as rows.

use rusqlite::{Connection, Params, Row, params};

use super::fault::Fault;
use super::{Binding, Bound, Digest, Grant, Moment, Ticket};
use crate::approvals::State;
use crate::approvals::ticket::Shown;

/// How many tickets there are.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) waiting_of_one: usize,
    pub(super) waiting: usize,
    pub(super) tickets: usize,
}

/// A moment as a column has it. All moments fit, they end with the year 9999.
pub(super) fn millis(moment: Moment) -> i64 {
    i64::try_from(moment.as_millis()).unwrap_or(i64::MAX)
}

/// Reads a row that is a count.
pub(super) fn count(row: &Row<'_>) -> rusqlite::Result<usize> {
    let count: i64 = row.get(0)?;
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

pub(super) fn counts(connection: &Connection, principal: Digest) -> Result<Counts, Fault> {
    let of_one = "SELECT count(*) FROM ticket WHERE principal = ?1 AND state = 0";
    Ok(Counts {
        waiting_of_one: connection.query_row(of_one, [principal.as_bytes()], count)?,
        waiting: connection.query_row("SELECT count(*) FROM ticket WHERE state = 0", [], count)?,
        tickets: connection.query_row("SELECT count(*) FROM ticket", [], count)?,
    })
}

pub(super) fn of_binding(connection: &Connection, binding: &Binding) -> Result<Option<Bound>, Fault> {
    one(connection, "binding = ?1", [binding.digest().as_bytes()])
}

/// The ticket that meets a condition that one can meet.
pub(super) fn one(connection: &Connection, condition: &str, values: impl Params) -> Result<Option<Bound>, Fault> {
    Ok(some(connection, condition, values)?.pop())
}

/// The tickets that meet a condition, which is text of this crate.
pub(super) fn some(connection: &Connection, condition: &str, values: impl Params) -> Result<Vec<Bound>, Fault> {
    let columns = "id, binding, principal, shown, state, answered_by, created, expires";
    let mut statement = connection.prepare(&format!("SELECT {columns} FROM ticket WHERE {condition}"))?;
    let mut rows = statement.query(values)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(bound(row)?);
    }
    Ok(found)
}

pub(super) fn insert(connection: &Connection, bound: &Bound) -> Result<(), Fault> {
    let Bound { binding, ticket } = bound;
    let shown = serde_json::to_string(&Shown::of(ticket)).map_err(|_| Fault::Content("a ticket cannot be written"))?;
    let (state, answered_by) = columns(&ticket.state);
    connection.execute(
        "INSERT INTO ticket (id, binding, principal, shown, state, answered_by, created, expires) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            ticket.id.digits(),
            binding.digest().as_bytes(),
            binding.principal().as_bytes(),
            shown,
            state,
            answered_by,
            millis(ticket.created),
            millis(ticket.expires),
        ],
    )?;
    Ok(())
}

/// Writes what an answer changes.
pub(super) fn update(connection: &Connection, ticket: &Ticket) -> Result<(), Fault> {
    let (state, answered_by) = columns(&ticket.state);
    let row = params![ticket.id.digits(), state, answered_by, millis(ticket.expires)];
    connection.execute("UPDATE ticket SET state = ?2, answered_by = ?3, expires = ?4 WHERE id = ?1", row)?;
    Ok(())
}

fn columns(state: &State) -> (i64, Option<&str>) {
    match state {
        State::Waiting => (0, None),
        State::Granted { by, grant: Grant::Once { .. } } => (1, Some(by)),
        State::Granted { by, grant: Grant::Repeated { .. } } => (2, Some(by)),
        State::Denied { by } => (3, Some(by)),
    }
}

fn bound(row: &Row<'_>) -> Result<Bound, Fault> {
    let id: String = row.get(0)?;
    let (whole, principal): ([u8; 32], [u8; 32]) = (row.get(1)?, row.get(2)?);
    let shown: String = row.get(3)?;
    let (state, answered_by): (i64, Option<String>) = (row.get(4)?, row.get(5)?);
    let (created, expires) = (moment(row.get(6)?)?, moment(row.get(7)?)?);
    let state = match (state, answered_by.map(|by| haft_diag::escape(&by).into_owned())) {
        (0, None) => State::Waiting,
        (1, Some(by)) => State::Granted { by, grant: Grant::Once { expires } },
        (2, Some(by)) => State::Granted { by, grant: Grant::Repeated { expires } },
        (3, Some(by)) => State::Denied { by },
        _ => return Err(Fault::Content("a ticket has no known state")),
    };
    let id = id.parse().map_err(|_| Fault::Content("a ticket has no usable id"))?;
    let shown: Shown = serde_json::from_str(&shown).map_err(|_| Fault::Content("a ticket cannot be read"))?;
    let ticket = shown.ticket(id, created, expires, state).ok_or(Fault::Content("a ticket cannot be read"))?;
    let binding = Binding::from_parts(Digest::from_bytes(principal), Digest::from_bytes(whole));
    Ok(Bound { binding, ticket })
}

fn moment(millis: i64) -> Result<Moment, Fault> {
    let millis = u64::try_from(millis).map_err(|_| Fault::Content("a ticket lies before 1970"))?;
    Ok(Moment::from_millis(millis))
}
