use std::rc::Rc;

use haft::tool;

/// Holds something of one thread while it waits.
#[tool]
async fn hold() -> String {
    let held = Rc::new("a".to_owned());
    std::future::ready(()).await;
    String::clone(&held)
}

fn main() {}
