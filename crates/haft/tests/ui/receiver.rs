use haft::tool;

struct Tracker;

impl Tracker {
    /// Finds tickets.
    #[tool]
    async fn search(&self, query: String) -> String {
        query
    }
}

fn main() {}
