//! The files of the repository: those that git would commit.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::source::Source;

/// The top of the repository.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The paths of all files, relative to the top; what git ignores is left out.
pub(super) fn files() -> BTreeSet<String> {
    let root = root();
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(&root)
        .output();
    match listed {
        Ok(output) if output.status.success() => {
            let paths = String::from_utf8(output.stdout).unwrap();
            paths.split('\0').filter(|path| root.join(path).is_file()).map(str::to_owned).collect()
        }
        _ => {
            let mut paths = BTreeSet::new();
            walk(&root, &root, &mut paths);
            paths
        }
    }
}

/// All Rust files, read once for all tests of this process.
pub(super) fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
        let is_rust = |path: &String| Path::new(path).extension().is_some_and(|extension| extension == "rs");
        let mut sources: Vec<Source> = files()
            .into_iter()
            .filter(is_rust)
            .map(|path| {
                let text = fs::read_to_string(root().join(&path)).unwrap();
                Source::parse(&path, &text).unwrap_or_else(|error| panic!("{path} is not Rust: {error}"))
            })
            .collect();
        let modules_of_tests: Vec<String> = sources.iter().flat_map(Source::modules_of_tests).collect();
        for source in &mut sources {
            source.is_test_file = modules_of_tests.iter().any(|module| {
                let rest = source.path.strip_prefix(module.as_str());
                rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
            });
        }
        sources
    });
    &SOURCES
}

/// An archive of the sources has no git: then everything counts but what a build leaves.
fn walk(folder: &Path, root: &Path, paths: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if [".git", ".peers", "node_modules", "target"].contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            walk(&path, root, paths);
        } else {
            paths.insert(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
        }
    }
}

#[test]
fn the_repository_lists_its_own_sources_and_not_what_a_build_leaves() {
    let mut walked = BTreeSet::new();
    walk(&root(), &root(), &mut walked);
    for files in [files(), walked] {
        assert!(files.contains("Cargo.toml") && files.contains("tests/tests/it/architecture/tree.rs"));
        assert!(!files.iter().any(|path| path.starts_with("target/") || path.starts_with(".git/")));
    }
}
