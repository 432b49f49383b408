//! `tests/requirements.toml`: each requirement that the project claims names the tests that show it.

use std::collections::BTreeSet;
use std::fs;

use serde::Deserialize;

use super::assert_none;
use super::tree::{root, sources};

/// The file as a whole.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Requirements {
    /// What the project claims to do.
    ids: Vec<String>,
    #[serde(default)]
    requirement: Vec<Requirement>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Requirement {
    id: String,
    /// Names of test functions, anywhere in the repository.
    tests: Vec<String>,
    /// What a reader should know: a deviation, a part that another test shows.
    #[serde(default)]
    #[expect(dead_code, reason = "read by people only")]
    note: String,
}

fn faults(text: &str, names_of_tests: &BTreeSet<&str>) -> Vec<String> {
    let Requirements { ids, requirement } = match toml::from_str(text) {
        Ok(requirements) => requirements,
        Err(error) => return vec![error.to_string()],
    };
    let mut faults = Vec::new();
    let claimed: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    let cited: BTreeSet<&str> = requirement.iter().map(|requirement| requirement.id.as_str()).collect();
    let all = ids.iter().chain(requirement.iter().map(|requirement| &requirement.id));
    faults.extend(all.filter(|id| !is_id(id)).map(|id| format!("`{id}` is not an id: AREA-000")));
    faults.extend(twice(ids.iter()).map(|id| format!("`{id}` is claimed twice")));
    faults.extend(
        twice(requirement.iter().map(|requirement| &requirement.id)).map(|id| format!("`{id}` has two entries")),
    );
    faults.extend(claimed.difference(&cited).map(|id| format!("`{id}` is claimed and no test shows it")));
    faults.extend(cited.difference(&claimed).map(|id| format!("`{id}` has an entry and is not among the `ids`")));
    for Requirement { id, tests, .. } in &requirement {
        if tests.is_empty() {
            faults.push(format!("`{id}` names no test"));
        }
        let gone = tests.iter().filter(|name| !names_of_tests.contains(name.as_str()));
        faults.extend(gone.map(|name| format!("`{id}`: there is no test `{name}`")));
        faults.extend(twice(tests.iter()).map(|name| format!("`{id}` names `{name}` twice")));
    }
    faults
}

fn twice<'a>(names: impl Iterator<Item = &'a String>) -> impl Iterator<Item = &'a String> {
    let mut seen = BTreeSet::new();
    names.filter(move |name| !seen.insert(*name))
}

/// An area in capitals and a number of three digits.
fn is_id(id: &str) -> bool {
    id.split_once('-').is_some_and(|(area, number)| {
        let is_area = !area.is_empty() && area.chars().all(|character| character.is_ascii_uppercase());
        is_area && number.len() == 3 && number.chars().all(|character| character.is_ascii_digit())
    })
}

#[test]
fn every_claimed_requirement_is_shown_by_a_test_that_exists() {
    let text = fs::read_to_string(root().join("tests/requirements.toml")).unwrap();
    let names_of_tests = sources().iter().flat_map(super::source::Source::names_of_tests).collect();
    assert_none(&faults(&text, &names_of_tests));
}

mod samples {
    use super::{BTreeSet, faults, is_id};

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(faults(text, &BTreeSet::from(["pings", "lists"])), expected, "{text}");
    }

    #[test]
    fn a_claim_with_a_test_that_exists_is_fine() {
        check("ids = []", &[]);
        check(
            "ids = [\"RPC-001\", \"HTTPL-020\"]\n[[requirement]]\nid = \"RPC-001\"\ntests = [\"pings\", \"lists\"]\n\
             [[requirement]]\nid = \"HTTPL-020\"\ntests = [\"lists\"]\nnote = \"x\"",
            &[],
        );
    }

    #[test]
    fn claims_without_tests_and_tests_that_do_not_exist_are_faults() {
        check("ids = [\"RPC-001\"]", &["`RPC-001` is claimed and no test shows it"]);
        check("ids = [\"RPC-001\"]\n[[requirement]]\nid = \"RPC-001\"\ntests = []", &["`RPC-001` names no test"]);
        check(
            "ids = [\"RPC-001\"]\n[[requirement]]\nid = \"RPC-001\"\ntests = [\"pongs\"]",
            &["`RPC-001`: there is no test `pongs`"],
        );
        check(
            "ids = []\n[[requirement]]\nid = \"RPC-001\"\ntests = [\"pings\", \"pings\"]",
            &["`RPC-001` has an entry and is not among the `ids`", "`RPC-001` names `pings` twice"],
        );
    }

    #[test]
    fn ids_twice_wrong_ids_and_unknown_keys_are_faults() {
        let entry = "[[requirement]]\nid = \"RPC-001\"\ntests = [\"pings\"]\n";
        check(
            &format!("ids = [\"RPC-001\", \"RPC-001\"]\n{entry}{entry}"),
            &["`RPC-001` is claimed twice", "`RPC-001` has two entries"],
        );
        check(
            "ids = [\"rpc-1\"]\n[[requirement]]\nid = \"rpc-1\"\ntests = [\"pings\"]",
            &["`rpc-1` is not an id: AREA-000", "`rpc-1` is not an id: AREA-000"],
        );
        let unknown = faults(&format!("ids = [\"RPC-001\"]\n{entry}nots = \"\""), &BTreeSet::new());
        assert!(unknown[0].contains("unknown field `nots`"), "{unknown:?}");
        assert!(is_id("ERA-007"));
        for id in ["ERA007", "-007", "ERA-07", "ERA-0007", "Era-007", "ERA-00x"] {
            assert!(!is_id(id), "{id}");
        }
    }
}
