//! The rows of crates: each depends on earlier rows only.

use cargo_metadata::{DependencyKind, MetadataCommand};

use super::assert_none;
use super::tree::root;

/// From the bottom up. A crate that is not here has no row yet: decide on one when it is made.
const ROWS: [&[&str]; 11] = [
    &["haft-diag", "haft-wire"],
    &["haft-child", "haft-hosts", "haft-schema", "haft-store"],
    // Conditions on arguments are schemas; the core decides by it.
    &["haft-policy"],
    &["haft-core", "haft-lint"],
    &["haft-manifest", "haft-transport"],
    &["haft-client"],
    &["haft-gateway"],
    // One row with `haft` to a reader; `haft` re-exports it.
    &["haft-macros"],
    &["haft"],
    // The examples are users of `haft`: they need nothing below it.
    &["example-dynamic", "example-tickets", "example-weather", "haft-cli"],
    &["haft-benches", "haft-tests", "xtask"],
];

/// A crate of the workspace and what it needs to be built.
#[derive(Debug)]
struct Package {
    name: String,
    dependencies: Vec<String>,
}

fn packages() -> Vec<Package> {
    let metadata = MetadataCommand::new().current_dir(root()).no_deps().exec().unwrap();
    let packages = metadata.packages.into_iter().map(|package| {
        let built = package.dependencies.into_iter().filter(|dependency| dependency.kind == DependencyKind::Normal);
        Package { name: package.name.to_string(), dependencies: built.map(|dependency| dependency.name).collect() }
    });
    packages.collect()
}

fn row(name: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&name))
}

fn faults(packages: &[Package]) -> Vec<String> {
    let mut faults = Vec::new();
    for Package { name, dependencies } in packages {
        let Some(own) = row(name) else {
            faults.push(format!("`{name}` has no row"));
            continue;
        };
        let ours = |dependency: &&String| packages.iter().any(|package| package.name == **dependency);
        for dependency in dependencies.iter().filter(ours) {
            if row(dependency).is_none_or(|row| row >= own) {
                faults.push(format!("`{name}` depends on `{dependency}`, which is not in an earlier row"));
            }
        }
    }
    faults
}

fn foreign_to_the_wire(packages: &[Package]) -> Vec<String> {
    let wire = packages.iter().filter(|package| package.name == "haft-wire");
    let foreign =
        wire.flat_map(|wire| &wire.dependencies).filter(|name| !["serde", "serde_json"].contains(&name.as_str()));
    foreign.map(|name| format!("`haft-wire` depends on `{name}`: it has serde and serde_json only")).collect()
}

#[test]
fn a_crate_depends_on_earlier_rows_only() {
    let packages = packages();
    assert!(packages.iter().any(|package| package.name == "haft-wire"));
    assert_none(&faults(&packages));
}

#[test]
fn the_wire_has_serde_and_serde_json_only() {
    assert_none(&foreign_to_the_wire(&packages()));
}

mod samples {
    use super::{Package, faults, foreign_to_the_wire};

    fn packages(list: &[(&str, &[&str])]) -> Vec<Package> {
        let package = |(name, dependencies): &(&str, &[&str])| Package {
            name: (*name).to_owned(),
            dependencies: dependencies.iter().map(|&name| name.to_owned()).collect(),
        };
        list.iter().map(package).collect()
    }

    #[test]
    fn later_rows_the_same_row_and_unknown_crates_are_faults() {
        let found = faults(&packages(&[
            ("haft-wire", &["serde", "haft-core"]),
            ("haft-core", &["haft-wire", "haft-wire-extra", "tokio"]),
            ("haft-diag", &["haft-wire"]),
            ("haft-macros", &["syn"]),
            ("haft", &["haft-macros", "haft-core"]),
            ("haft-wire-extra", &[]),
        ]));
        assert_eq!(
            found,
            [
                "`haft-wire` depends on `haft-core`, which is not in an earlier row",
                "`haft-core` depends on `haft-wire-extra`, which is not in an earlier row",
                "`haft-diag` depends on `haft-wire`, which is not in an earlier row",
                "`haft-wire-extra` has no row",
            ]
        );
    }

    #[test]
    fn any_other_dependency_of_the_wire_is_a_fault() {
        assert!(foreign_to_the_wire(&packages(&[("haft-wire", &["serde", "serde_json"])])).is_empty());
        assert_eq!(foreign_to_the_wire(&packages(&[("haft-wire", &["serde", "bytes"])])).len(), 1);
        assert!(foreign_to_the_wire(&packages(&[("haft-core", &["bytes"])])).is_empty());
    }
}
