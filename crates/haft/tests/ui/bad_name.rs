use haft::tool;

/// Finds tickets.
#[tool(name = "search tickets")]
async fn with_a_space(query: String) -> String {
    query
}

/// Finds tickets.
#[tool]
async fn søk(query: String) -> String {
    query
}

/// Finds tickets.
#[tool]
async fn search_tickets_that_somebody_opened_and_nobody_has_closed_until_now(query: String) -> String {
    query
}

/// Finds tickets.
#[tool(name = "")]
async fn without_a_name(query: String) -> String {
    query
}

fn main() {}
