use haft::{tool, tools};

async fn plain() {}

struct Other;

/// One.
#[tool]
async fn one() {}

fn main() {
    let _ = tools![one, plain];
    let _ = tools![one, Other];
    let _ = tools![one, missing];
    let _ = tools![one()];
    let _ = tools![one::<u32>];
    let _ = tools!["one"];
}
