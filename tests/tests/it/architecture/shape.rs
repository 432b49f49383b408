//! Files are one concept each: they begin with what they are for, are of a readable size, and have a name that says it.

use super::assert_none;
use super::source::Source;
use super::tree::sources;

/// The most lines of code in a file, tests not counted.
const MOST_LINES: usize = 600;

/// Names that say nothing of what is inside.
const EMPTY_NAMES: [&str; 4] = ["helper", "helpers", "util", "utils"];

fn too_long(source: &Source) -> Option<String> {
    let lines = source.code_lines();
    (lines > MOST_LINES).then(|| format!("{}: {lines} lines of code; {MOST_LINES} are the most", source.path))
}

fn without_head(source: &Source) -> Option<String> {
    let has_head = source.lines.first().is_some_and(|line| line.starts_with("//! "));
    (!has_head).then(|| format!("{}: does not begin with `//!` and what the file is for", source.path))
}

fn empty_name(path: &str) -> Option<String> {
    let mut names = path.trim_end_matches(".rs").split('/');
    names.any(|name| EMPTY_NAMES.contains(&name)).then(|| format!("{path}: the name says nothing of what is inside"))
}

/// Whether a file belongs to a crate's own sources or to these tests.
fn is_ours_to_explain(path: &str) -> bool {
    path.starts_with("tests/tests/it/") || path.split('/').any(|folder| folder == "src")
}

#[test]
fn no_file_is_too_long() {
    assert_none(&sources().iter().filter_map(too_long).collect::<Vec<_>>());
}

#[test]
fn every_file_begins_with_what_it_is_for() {
    let ours = sources().iter().filter(|source| is_ours_to_explain(&source.path));
    assert_none(&ours.filter_map(without_head).collect::<Vec<_>>());
}

#[test]
fn no_file_has_an_empty_name() {
    assert_none(&sources().iter().filter_map(|source| empty_name(&source.path)).collect::<Vec<_>>());
}

mod samples {
    use super::{MOST_LINES, Source, empty_name, is_ours_to_explain, too_long, without_head};

    #[test]
    fn one_line_more_than_the_most_is_too_long() {
        let lines = |count: usize| Source::parse("a.rs", &"const A: u8 = 0; // x\n\n".repeat(count)).unwrap();
        assert_eq!(too_long(&lines(MOST_LINES)), None);
        assert_eq!(too_long(&lines(MOST_LINES + 1)).unwrap(), "a.rs: 601 lines of code; 600 are the most");
    }

    #[test]
    fn a_head_is_the_first_line() {
        let head = |text: &str| without_head(&Source::parse("a.rs", text).unwrap());
        assert_eq!(head("//! Says it.\nfn a() {}"), None);
        for text in ["", "//!\nfn a() {}", "\n//! Late.", "// Not this.\n//! Late.", "fn a() {}"] {
            assert!(head(text).is_some(), "{text}");
        }
        assert!(is_ours_to_explain("crates/haft/src/a/b.rs") && is_ours_to_explain("tests/tests/it/main.rs"));
        assert!(!is_ours_to_explain("crates/haft-macros/tests/fail/no_description.rs"));
    }

    #[test]
    fn an_empty_name_is_found_in_files_and_folders() {
        assert!(empty_name("crates/a/src/utils.rs").is_some());
        assert!(empty_name("crates/a/src/helpers/mod.rs").is_some());
        assert_eq!(empty_name("crates/a/src/utilisation.rs"), None);
    }
}
