//! What the sources must look like: the rows of crates, the size and head of files, words that have no place here.
//!
//! Each checker takes text and returns faults, so that small bad samples show that it can fail.

mod manifests;
mod paths;
mod public_api;
mod requirements;
mod rows;
mod shape;
mod source;
mod tree;
mod words;

/// Fails with all faults at once, each on a line.
#[track_caller]
fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
