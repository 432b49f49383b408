//! Words that have no place: revisions outside the wire, `unsafe`, tests that do not run, tests that sleep.

use super::assert_none;
use super::source::{Source, Word};
use super::tree::sources;

/// Only the wire and `admit` know that revisions differ.
fn revisions(source: &Source) -> Vec<String> {
    let is_product = source.path.starts_with("crates/") && source.path.contains("/src/");
    let may_know = KNOW_REVISIONS.iter().any(|path| source.path.starts_with(path));
    if !is_product || may_know {
        return Vec::new();
    }
    let known = source.product_words().filter(|word| ["Era", "Revision"].contains(&word.text.as_str()));
    known.map(|word| fault(source, word, &format!("`{}` is for the wire and `admit` alone", word.text))).collect()
}

const KNOW_REVISIONS: [&str; 3] = ["crates/haft-wire/", "crates/haft-core/src/admit.rs", "crates/haft-core/src/admit/"];

/// The benches and what the fuzzer's macro expands to may need it. Files under `tests/ui` are meant not to compile.
fn unsafe_code(source: &Source) -> Vec<String> {
    let may_need_it = ["benches/", "fuzz/"].iter().any(|folder| source.path.starts_with(folder));
    if may_need_it || source.path.contains("/tests/ui/") {
        return Vec::new();
    }
    let words = source.words.windows(2).filter(|words| {
        // `Token![unsafe]` reads the word and is none.
        words[0].text == "unsafe" && ["(", "extern", "fn", "impl", "trait", "{"].contains(&words[1].text.as_str())
    });
    words.map(|words| fault(source, &words[0], "`unsafe`")).collect()
}

fn idle_tests(source: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    for (index, word) in source.words.iter().enumerate() {
        let next = source.words.get(index + 1).map_or("", |next| next.text.as_str());
        if word.text == "#" && next == "[" {
            faults.extend(idle_attribute(source, index).map(|why| fault(source, word, why)));
        }
        if word.text == "fn" && next.starts_with("test_") {
            faults.push(fault(source, word, &format!("`{next}`: the name of a test is a sentence of behaviour")));
        }
    }
    faults
}

fn idle_attribute(source: &Source, start: usize) -> Option<&'static str> {
    let words = source.words[start + 2..].iter().map(|word| word.text.as_str());
    let attribute: Vec<&str> = words.take_while(|word| *word != "]").collect();
    let has = |name: &str| match attribute.first() {
        Some(&"cfg_attr") => attribute.contains(&name),
        first => first == Some(&name),
    };
    if has("ignore") {
        Some("`#[ignore]`: a test that does not run shows nothing")
    } else if has("should_panic") {
        Some("`#[should_panic]`: any panic would do; assert on the error")
    } else {
        None
    }
}

/// In tests only; a wait that needs one says why it ends, in a comment on its line or the line above.
fn sleeps(source: &Source) -> Vec<String> {
    let is_test_path = source.path.split('/').any(|folder| folder == "tests");
    let mut faults = Vec::new();
    for (index, word) in source.words.iter().enumerate() {
        if !is_test_path || !["sleep", "sleep_until"].contains(&word.text.as_str()) {
            continue;
        }
        let text = |at: Option<usize>| at.and_then(|at| source.words.get(at)).map_or("", |word| word.text.as_str());
        let before = text(index.checked_sub(1));
        let is_call = text(Some(index + 1)) == "(" && !["fn", "."].contains(&before);
        // `thread::sleep` may be handed on without a call; an import alone sleeps nowhere.
        let is_path = before == ":" && ![";", ",", "}"].contains(&text(Some(index + 1)));
        if (is_call || is_path) && !is_explained(source, word.line) {
            faults.push(fault(source, word, "sleeps: wait for what is expected, or say `// bounded:` and why"));
        }
    }
    faults
}

fn is_explained(source: &Source, line: usize) -> bool {
    let says_why = |line: &String| line.split_once("// bounded:").is_some_and(|(_, why)| !why.trim().is_empty());
    let above = line.checked_sub(2).and_then(|above| source.lines.get(above));
    source.lines.get(line - 1).is_some_and(says_why)
        || above.is_some_and(|above| above.trim_start().starts_with("//") && says_why(above))
}

fn fault(source: &Source, word: &Word, why: &str) -> String {
    format!("{}:{}: {why}", source.path, word.line)
}

#[test]
fn only_the_wire_and_admit_know_that_revisions_differ() {
    assert_none(&sources().iter().flat_map(revisions).collect::<Vec<_>>());
}

#[test]
fn there_is_no_unsafe_code() {
    assert_none(&sources().iter().flat_map(unsafe_code).collect::<Vec<_>>());
}

#[test]
fn every_test_runs_and_has_a_sentence_for_a_name() {
    assert_none(&sources().iter().flat_map(idle_tests).collect::<Vec<_>>());
}

#[test]
fn no_test_sleeps_without_a_reason() {
    assert_none(&sources().iter().flat_map(sleeps).collect::<Vec<_>>());
}

mod samples {
    use super::{Source, idle_tests, revisions, sleeps, unsafe_code};

    fn check(checker: fn(&Source) -> Vec<String>, path: &str, text: &str, faults: usize) {
        let found = checker(&Source::parse(path, text).unwrap());
        assert_eq!(found.len(), faults, "{path}: {text}: {found:?}");
    }

    #[test]
    fn revisions_are_found_in_products_only() {
        let text = "use haft_wire::Revision;\nfn a(era: Era) {}\n#[cfg(test)]\nmod tests { use super::Era; }";
        check(revisions, "crates/haft-core/src/dispatch.rs", text, 2);
        check(revisions, "crates/haft-core/src/admission.rs", text, 2);
        check(revisions, "crates/haft-core/src/admit.rs", text, 0);
        check(revisions, "crates/haft-core/src/admit/facts.rs", text, 0);
        check(revisions, "crates/haft-wire/src/revision.rs", text, 0);
        check(revisions, "crates/haft-core/tests/call.rs", text, 0);
        check(revisions, "crates/haft/src/lib.rs", "// Era\nstruct Eraser;", 0);
    }

    #[test]
    fn unsafe_is_found_in_tests_too() {
        check(unsafe_code, "crates/a/src/b.rs", "unsafe fn a() {} fn b() { unsafe {} }", 2);
        check(unsafe_code, "tests/tests/it/main.rs", "#[cfg(test)] mod t { unsafe impl Send for A {} }", 1);
        check(unsafe_code, "crates/a/src/b.rs", "#![forbid(unsafe_code)] // unsafe\nconst A: &str = \"unsafe\";", 0);
        check(unsafe_code, "crates/a/src/b.rs", "#[unsafe(no_mangle)] unsafe extern \"C\" fn a() {}", 2);
        check(unsafe_code, "crates/a/src/b.rs", "fn a() { b.peek(Token![unsafe]); }", 0);
        check(unsafe_code, "benches/src/main.rs", "unsafe fn a() {}", 0);
        check(unsafe_code, "crates/a/tests/ui/signature.rs", "unsafe fn a() {}", 0);
    }

    #[test]
    fn tests_that_do_not_run_are_found() {
        check(idle_tests, "a.rs", "#[test] #[ignore] fn a() {} #[test] #[ignore = \"slow\"] fn b() {}", 2);
        check(idle_tests, "a.rs", "#[should_panic] fn a() {} #[should_panic(expected = \"x\")] fn b() {}", 2);
        check(idle_tests, "a.rs", "#[cfg_attr(windows, ignore)] fn a() {}", 1);
        check(idle_tests, "a.rs", "#[test] fn test_a() {}", 1);
        check(idle_tests, "a.rs", "#[test] fn a() {} fn ignore() {} #[expect(x)] fn attest_a() {}", 0);
        check(idle_tests, "a.rs", "const A: &str = \"#[ignore] fn test_x\";", 0);
    }

    #[test]
    fn sleeps_without_a_reason_are_found() {
        let path = "crates/a/tests/b.rs";
        check(sleeps, path, "fn a() { std::thread::sleep(x); tokio::time::sleep(y).await; sleep(z); }", 3);
        check(sleeps, path, "use std::thread::sleep;\nuse tokio::time::{sleep, timeout};", 0);
        check(sleeps, path, "fn a() { call(std::thread::sleep) }", 1);
        check(sleeps, path, "fn a() { sleep(x); // bounded: a second at most\n}", 0);
        check(sleeps, path, "fn a() {\n    // bounded: a second at most\n    sleep(x);\n}", 0);
        check(sleeps, path, "fn a() { sleep(x); // bounded:\n}", 1);
        check(sleeps, path, "fn a() { sleep(x); // a second at most\n}", 1);
        check(sleeps, path, "fn sleep(x: u8) {} fn a() { tool.sleep(); let sleep = \"sleep\"; }", 0);
        check(sleeps, "crates/a/src/b.rs", "fn a() { std::thread::sleep(x); }", 0);
    }
}
