use haft::tool;

/// Finds tickets.
#[tool(readonly)]
async fn search_tickets(
    #[arg(defualt = 10)] limit: u32,
    #[arg(minimum = 1)] least: u32,
    #[arg(enum = ["a", "b"])] kind: String,
) -> u32 {
    limit + least + u32::try_from(kind.len()).unwrap()
}

/// Gets a ticket.
#[tool(readOnlyHint = true, colour = "red")]
async fn get_ticket(id: u32) -> u32 {
    id
}

/// Twice.
#[tool(read_only, timeout = "5s", read_only = false)]
async fn twice(#[arg(range = 1.., range = 2..)] id: u32) -> u32 {
    id
}

fn main() {}
