#![allow(unused_variables)]

use haft::tool;

/// Types.
#[tool]
async fn types(
    #[arg(default = "ten")] a: u32,
    #[arg(default = 10)] b: String,
    #[arg(default = 1)] c: f64,
) -> String {
    format!("{a}{b}{c}")
}

/// Bounds.
#[tool]
async fn bounds(
    #[arg(default = 0, range = 1..=100)] a: u32,
    #[arg(default = 100, range = 1..100)] b: u32,
    #[arg(default = "c", one_of = ["a", "b"])] c: String,
    #[arg(default = 10)] d: Option<u32>,
) {
}

struct Unit;

/// No JSON.
#[tool]
async fn no_json(#[arg(default = Unit)] unit: Unit) {
    drop(unit);
}

fn main() {}
