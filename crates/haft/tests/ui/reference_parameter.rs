#![allow(unused_variables)]

use haft::{Context, State, tool};

/// Borrows.
#[tool]
async fn borrows(a: &str, b: &u32, c: &mut Context, d: &[String], e: impl ToString, f: *const u8, g: fn()) {}

/// No arguments.
#[tool]
async fn no_arguments(#[arg(default = 5)] cx: &Context, #[arg(nested)] state: State<u32>) {}

fn main() {}
