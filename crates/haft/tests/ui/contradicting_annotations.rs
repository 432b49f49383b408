use haft::tool;

/// Finds tickets.
#[tool(read_only, destructive)]
async fn search_tickets(query: String) -> String {
    query
}

/// Rolls dice.
#[tool(read_only = true, idempotent = false)]
async fn roll() -> u32 {
    4
}

/// No contradiction: what is absent is not false, and a claim may be true twice.
#[tool(read_only, idempotent, destructive = false)]
async fn fine() {}

fn main() {}
