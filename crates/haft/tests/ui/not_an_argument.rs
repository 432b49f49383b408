use haft::tool;

struct Filter;

/// Finds tickets.
#[tool]
async fn search_tickets(filter: Filter) {
    drop(filter);
}

fn main() {}
