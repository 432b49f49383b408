use haft::tool;

///
#[tool(read_only)]
async fn search_tickets(query: String) -> String {
    query
}

#[tool(description = "  ")]
async fn get_ticket(id: u32) -> u32 {
    id
}

const NOTHING: &str = "";

#[tool(description = NOTHING)]
async fn close_ticket(id: u32) -> u32 {
    id
}

/// Says so.
#[tool(title = "")]
async fn say_so(
    ///
    word: String,
) -> String {
    word
}

#[doc = include_str!("no_description.rs")]
#[tool]
async fn from_elsewhere() {}

fn main() {}
