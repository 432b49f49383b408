use haft::tool;

/// Not this.
#[tool]
struct Tracker;

trait Search {
    /// Nor this.
    #[tool]
    fn search(query: String) -> String;
}

fn main() {}
