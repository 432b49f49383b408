//! `haft approvals`: what a person is asked by a server, and their answers.

mod rule;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use haft_diag::Diagnostic;
use haft_store::audit::{ApprovalStep, AuditLog, Event, Options, Record};
use haft_store::{Grant, Moment, SqliteStore, State, Store as _, StoreError, Ticket};

use crate::arguments::{ApprovalsCommand, Place};
use crate::failure::Failure;
use crate::printer::{self, Printer};
use crate::sheet::Sheet;
use crate::{environment, moment, state};

/// Lists, or answers.
pub(crate) fn run(command: &ApprovalsCommand, printer: Printer) -> Result<ExitCode, Failure> {
    let now = moment::now();
    match command {
        ApprovalsCommand::List { place } => list(&Opened::at(place)?, now),
        ApprovalsCommand::Allow { ticket, lasting, always, place } => {
            let opened = Opened::at(place)?;
            let found = opened.find(ticket, now)?;
            let grant = match lasting {
                Some(lasting) => Grant::Repeated { expires: now.plus(*lasting) },
                None => Grant::Once { expires: now.plus(ONCE) },
            };
            let by = environment::user();
            // A rule is written only for a question that takes the yes, and the yes is given only if there can be a rule.
            let rule = always.then(|| rule::of(&found)).transpose()?;
            let ticket = opened.store.allow(&found.id, grant, &by, now).map_err(failed)?;
            opened.record(&ticket, ApprovalStep::Granted, &by, now, printer);
            printer::tell(&format!("allowed {}\n", describe(&ticket, now)));
            if let Some(rule) = rule {
                let path = rule.write()?;
                printer::tell(&format!(
                    "wrote a rule for exactly this call to `{path}`; servers read it at their next start\n"
                ));
            }
            Ok(ExitCode::SUCCESS)
        }
        ApprovalsCommand::Deny { ticket, lasting, place } => {
            let opened = Opened::at(place)?;
            let found = opened.find(ticket, now)?;
            let by = environment::user();
            let ticket = opened.store.deny(&found.id, &by, now.plus(*lasting), now).map_err(failed)?;
            opened.record(&ticket, ApprovalStep::Denied, &by, now, printer);
            printer::tell(&format!("denied {}\n", describe(&ticket, now)));
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The store of a manifest's server.
struct Opened {
    store: SqliteStore,
    folder: PathBuf,
}

impl Opened {
    fn at(place: &Place) -> Result<Self, Failure> {
        let folder = state::of(place, "approvals list --file")?;
        let store = state::approvals(&folder)?;
        Ok(Self { store, folder })
    }

    fn find(&self, ticket: &str, now: Moment) -> Result<Ticket, Failure> {
        self.store.find(ticket, now).map_err(failed)
    }

    /// Puts an answer on record where the server has a log. The answer stands whether that succeeds or not.
    fn record(&self, ticket: &Ticket, step: ApprovalStep, by: &str, now: Moment, printer: Printer) {
        let folder = self.folder.join(state::AUDIT);
        if !folder.is_dir() {
            return;
        }
        let written = AuditLog::open(&folder, Options::default(), now).and_then(|log| {
            log.append(&Record {
                time: now,
                call: "",
                principal: &ticket.caller,
                source: &ticket.source,
                tool: &ticket.tool,
                definition: Some(ticket.definition),
                arguments: None,
                event: Event::Approval { step, ticket: &ticket.id.to_string(), by },
            })?;
            log.flush(FLUSH)
        });
        if let Err(error) = written {
            printer.diagnostic(&Diagnostic::warning("the answer is not in the audit log").cause(error.to_string()));
        }
    }
}

fn list(opened: &Opened, now: Moment) -> Result<ExitCode, Failure> {
    let tickets = opened.store.tickets(now).map_err(failed)?;
    let mut text = Sheet::default();
    for ticket in &tickets {
        text.add(&format!(
            "{}\n  state      {}\n  caller     {}\n  server     {}\n  tool       {}.{} (definition {})\n  arguments  {}\n  \
             rule       {}\n",
            ticket.id,
            standing(ticket, now),
            ticket.caller,
            ticket.server,
            ticket.source,
            ticket.tool,
            ticket.definition.to_string().chars().take(16).collect::<String>(),
            ticket.arguments,
            ticket.rule,
        ));
    }
    printer::data(&String::from(text))?;
    let waiting = tickets.iter().filter(|ticket| ticket.state == State::Waiting).count();
    printer::tell(&match (tickets.len(), waiting) {
        (0, _) => "nothing was asked\n".to_owned(),
        (all, waiting) => format!("{all} questions, {waiting} of them wait for an answer\n"),
    });
    Ok(ExitCode::SUCCESS)
}

/// A ticket in one line, for whoever has answered it.
fn describe(ticket: &Ticket, now: Moment) -> String {
    format!("{}.{} with {} ({})", ticket.source, ticket.tool, ticket.arguments, standing(ticket, now))
}

fn standing(ticket: &Ticket, now: Moment) -> String {
    let left = lasting(now.until(ticket.expires));
    match &ticket.state {
        State::Denied { by } => format!("denied by {by}, for {left}"),
        State::Granted { by, grant: Grant::Once { .. } } => format!("allowed by {by}: one run within {left}"),
        State::Granted { by, .. } => format!("allowed by {by}: every identical call for {left}"),
        _ => format!("waits for an answer, for {left}"),
    }
}

fn lasting(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=119 => format!("{seconds} s"),
        seconds @ 120..=7199 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`")]
fn failed(error: StoreError) -> Failure {
    let diagnostic = Diagnostic::from_error(&error);
    match error {
        StoreError::UnknownTicket { .. } => diagnostic.hint("`haft approvals list` shows the tickets").into(),
        _ => diagnostic.into(),
    }
}

/// How long one run may wait to be made.
const ONCE: Duration = Duration::from_hours(1);
const FLUSH: Duration = Duration::from_secs(5);
