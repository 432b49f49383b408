//! The public API of the crates that promise to stay is committed as text, so that a change shows in review.

use std::fs;

use xtask::api::{SNAPSHOT_CRATES, snapshot, snapshot_path};

use super::assert_none;
use super::tree::root;

fn difference(name: &str, committed: &str, current: &str) -> Option<String> {
    let only_in = |one: &str, other: &str, mark: char| {
        let lines: Vec<&str> = one.lines().filter(|line| !other.lines().any(|known| known == *line)).collect();
        lines.iter().fold(String::new(), |text, line| format!("{text}    {mark} {line}\n"))
    };
    let changed = only_in(committed, current, '-') + &only_in(current, committed, '+');
    (committed != current).then(|| format!("the public API of `{name}` changed; run: cargo xtask docs\n{changed}"))
}

#[test]
fn the_public_api_is_the_committed_one() {
    let root = root();
    let differences = SNAPSHOT_CRATES.into_iter().filter_map(|name| {
        let current = snapshot(&root, name).unwrap_or_else(|error| panic!("{error}"));
        let committed = fs::read_to_string(snapshot_path(&root, name)).unwrap_or_default();
        difference(name, &committed, &current)
    });
    assert_none(&differences.collect::<Vec<_>>());
}

mod samples {
    use super::difference;

    #[test]
    fn a_changed_line_is_shown_with_what_to_run() {
        assert_eq!(difference("haft", "a\nb\n", "a\nb\n"), None);
        assert_eq!(
            difference("haft", "a\nb\n", "a\nc\n").unwrap(),
            "the public API of `haft` changed; run: cargo xtask docs\n    - b\n    + c\n"
        );
        assert!(difference("haft", "", "a\n").is_some());
        assert!(difference("haft", "a\nb\n", "b\na\n").is_some(), "an edit by hand changed the order");
    }
}
