//! The `haft` binary.
fn main() {}
