//! Each dependency is named once, in the workspace manifest, with its reason beside it.

use std::fs;

use super::assert_none;
use super::tree::{files, root};

/// The dependencies of the workspace manifest that no comment stands above; an empty line ends what a comment covers.
fn without_reason(manifest: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let (mut is_listed, mut has_reason) = (false, false);
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            is_listed = line == "[workspace.dependencies]";
            has_reason = false;
        } else if line.is_empty() {
            has_reason = false;
        } else if line.starts_with('#') {
            has_reason = true;
        } else if let Some((name, _)) = line.split_once('=')
            && is_listed
            && !has_reason
            && name.trim().chars().all(|character| character.is_alphanumeric() || "-_.".contains(character))
        {
            faults.push(format!("Cargo.toml: `{}` has no comment that says what for", name.trim()));
        }
    }
    faults
}

/// The dependencies of a crate that go round the workspace manifest.
fn own_versions(path: &str, manifest: &str) -> Vec<String> {
    let manifest: toml::Table = manifest.parse().unwrap();
    let mut tables = vec![&manifest];
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    tables.extend(targets.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table));
    let mut faults = Vec::new();
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let lists = tables.iter().filter_map(|table| table.get(kind).and_then(toml::Value::as_table));
        for (name, dependency) in lists.flatten() {
            let is_shared = dependency.get("workspace").is_some() || dependency.get("path").is_some();
            if !is_shared {
                faults.push(format!("{path}: `{name}` needs `workspace = true`, and its reason in Cargo.toml"));
            }
        }
    }
    faults
}

/// Packages of the workspace; the others (fuzz, the peers, an example to copy) have manifests of their own.
fn is_member(path: &str) -> bool {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["crates" | "examples", _, "Cargo.toml"] => true,
        [folder, "Cargo.toml"] => ["benches", "tests", "xtask"].contains(&folder),
        _ => false,
    }
}

#[test]
fn every_dependency_has_its_reason_beside_it() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("\n[workspace.dependencies]\n"));
    assert_none(&without_reason(&manifest));
}

#[test]
fn crates_take_their_dependencies_from_the_workspace() {
    let members = files().into_iter().filter(|path| is_member(path));
    let faults = members.flat_map(|path| own_versions(&path, &fs::read_to_string(root().join(&path)).unwrap()));
    assert_none(&faults.collect::<Vec<_>>());
}

mod samples {
    use super::{is_member, own_versions, without_reason};

    #[test]
    fn a_dependency_without_a_comment_is_found() {
        let manifest = "[workspace]\nresolver = \"3\"\n[workspace.dependencies]\nbare = \"1\"\n# Why.\na = \"1\"\nb = { version = \"1\", \
             features = [\n    \"x=y\",\n] }\n\nafter-a-gap = \"1\"\n[profile.dev]\ndebug = 1\n";
        assert_eq!(
            without_reason(manifest),
            [
                "Cargo.toml: `bare` has no comment that says what for",
                "Cargo.toml: `after-a-gap` has no comment that says what for",
            ]
        );
    }

    #[test]
    fn a_version_of_its_own_is_found_in_every_table() {
        let manifest = "[dependencies]\na = \"1\"\nb.workspace = true\nc = { path = \"../c\" }\n[dev-dependencies]\n\
             d = { version = \"1\" }\n[target.'cfg(unix)'.dependencies]\ne = \"1\"\n";
        let found = own_versions("crates/x/Cargo.toml", manifest);
        let names: Vec<&str> = found.iter().filter_map(|fault| fault.split('`').nth(1)).collect();
        assert_eq!(names, ["a", "e", "d"]);
    }

    #[test]
    fn members_are_the_packages_of_the_workspace() {
        assert!(is_member("crates/haft/Cargo.toml") && is_member("tests/Cargo.toml"));
        assert!(!is_member("Cargo.toml") && !is_member("fuzz/Cargo.toml") && !is_member("tests/peers/x/Cargo.toml"));
    }
}
