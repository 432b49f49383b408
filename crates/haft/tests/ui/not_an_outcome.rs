use haft::{Json, ToolError, tool};

struct Ticket;

/// A type of one's own.
#[tool]
async fn own() -> Ticket {
    Ticket
}

/// No schema.
#[tool]
async fn no_schema() -> Result<Json<Ticket>, ToolError> {
    Ok(Json(Ticket))
}

/// No error.
#[tool]
async fn no_error() -> Result<String, String> {
    Err("a text is no error".to_owned())
}

fn main() {}
