use haft::tool;

#[tool(read_only)]
async fn search_tickets(query: String) -> String {
    query
}

#[tool]
#[doc(hidden)]
async fn get_ticket(id: u32) -> u32 {
    id
}

fn main() {}
