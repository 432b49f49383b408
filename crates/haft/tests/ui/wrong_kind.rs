#![allow(unused_variables)]

use haft::tool;

/// Keys that do not go with the type.
#[tool]
async fn search_tickets(
    #[arg(range = 1..=100)] a: String,
    #[arg(min_length = 1)] b: u32,
    #[arg(max_items = 5)] c: Option<String>,
    #[arg(pattern = "^a$")] d: Vec<String>,
    #[arg(max_length = 5)] e: Vec<String>,
    #[arg(range = 0..)] f: bool,
    #[arg(one_of = [1, 2])] g: String,
    #[arg(example = "one")] h: u32,
    #[arg(default = "yes")] i: bool,
) {
}

fn main() {}
