//! The tools of the tracker.

use haft::{Context, Json, Question, State, ToolError, tool};

use crate::store::{Ticket, Tickets};

/// Finds open tickets that match a query, newest first. Use it for bugs and requests, and before you create a ticket;
/// not for source code, and not for closed tickets.
#[tool(read_only, open_world = false)]
pub(crate) async fn search_tickets(
    tickets: State<Tickets>,
    /// Words that all have to be in the ticket. Example: `login mail`.
    #[arg(min_length = 1)]
    query: String,
    /// How many tickets at most.
    #[arg(default = 10, range = 1..=100)]
    limit: usize,
) -> Json<Vec<Ticket>> {
    Json(tickets.search(&query, limit))
}

/// Shows one ticket with its whole text, open or closed. Use it when you know the number; to find a ticket, use
/// `search_tickets`.
#[tool(read_only, open_world = false)]
pub(crate) async fn get_ticket(
    tickets: State<Tickets>,
    /// The number of the ticket. Example: `7`.
    id: u32,
) -> Result<Json<Ticket>, ToolError> {
    tickets.find(id).map(Json).ok_or_else(|| unknown(id))
}

/// Opens a new ticket and returns it with its number. Use it for a bug or a request that `search_tickets` does not find;
/// not for questions.
#[tool(destructive = false, open_world = false)]
pub(crate) async fn create_ticket(
    tickets: State<Tickets>,
    /// What it is about, in one line. Example: `Login times out on slow networks`.
    #[arg(min_length = 5, max_length = 120)]
    title: String,
    /// The whole story: what happens, what should happen instead, and how to see it.
    body: String,
    /// Words to group it by. Example: `["bug", "login"]`.
    #[arg(default = Vec::new(), max_items = 5)]
    labels: Vec<String>,
) -> Json<Ticket> {
    Json(tickets.create(title, body, labels))
}

/// Closes a ticket. Use it when the ticket is done or will not be done; not to change its text.
/// Requires user confirmation; do not auto-call.
#[tool(destructive, idempotent, open_world = false)]
pub(crate) async fn close_ticket(
    cx: &Context,
    tickets: State<Tickets>,
    /// The number of the ticket. Example: `7`.
    id: u32,
) -> Result<String, ToolError> {
    let ticket = tickets.find(id).ok_or_else(|| unknown(id))?;
    let question = Question::confirm(format!("Close ticket {id}, \"{}\"?", ticket.title));
    if !cx.ask("close", question)?.is_confirmed() {
        return Err(ToolError::tell(format!(
            "ticket {id} stays open, for the person did not confirm; do not try again"
        )));
    }
    tickets.close(id).ok_or_else(|| unknown(id))?;
    Ok(format!("ticket {id} is closed"))
}

fn unknown(id: u32) -> ToolError {
    ToolError::tell(format!("there is no ticket {id}; `search_tickets` finds tickets by words"))
}
