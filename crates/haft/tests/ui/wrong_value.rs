#![allow(unused_variables)]

use haft::tool;

/// Claims.
#[tool(read_only = "yes", title = Title, description, name = 5)]
async fn claims() {}

/// Bounds.
#[tool(timeout = "5", concurrency = 0, rate = "10")]
async fn bounds() {}

/// More bounds.
#[tool(timeout = 5, concurrency = "4", rate = "0/1s")]
async fn more_bounds() {}

/// Arguments.
#[tool]
async fn arguments(
    #[arg(range = 5)] a: u32,
    #[arg(range = 10..=1)] b: u32,
    #[arg(range = ..)] c: u32,
    #[arg(range = "a"..="z")] d: u32,
    #[arg(one_of = "a")] e: String,
    #[arg(one_of = [])] f: String,
    #[arg(one_of = ["a", "a"])] g: String,
    #[arg(example = first())] h: String,
    #[arg(nested = true)] i: u32,
    #[arg(min_length = -1)] j: String,
    #[arg(name = "")] k: u32,
    #[arg(name = "b")] l: u32,
    #[arg(default)] m: u32,
) {
}

/// Syntax.
#[tool(read_only destructive)]
async fn syntax(#[arg(= 5)] a: u32) -> u32 {
    a
}

fn main() {}
