use haft::{tool, tools};

/// One.
#[tool]
async fn search() {}

mod other {
    /// Another of the same name.
    #[haft::tool]
    pub async fn search() {}

    /// A third.
    #[haft::tool(name = "search")]
    pub async fn find() {}
}

fn main() {
    let _ = tools![search, search];
    let _ = tools![search, other::search];
    let _ = tools![other::search, other::find];
}
