//! The `haft` program that tests start.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The `haft` to test: `$HAFT_BIN`, or the one of this build, which is brought up to date first, once per process.
///
/// # Panics
///
/// When it cannot be built.
pub fn haft_binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| env::var_os("HAFT_BIN").map_or_else(|| program("haft-cli", "haft"), PathBuf::from))
}

/// The top of the repository.
///
/// # Panics
///
/// Never: this package lies one folder below it.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is a folder of the repository")
}

/// A program of this workspace, brought up to date first. Cargo builds the programs of a test's own package only.
///
/// # Panics
///
/// When it cannot be built.
pub fn program(package: &str, binary: &str) -> PathBuf {
    let folder = profile_folder();
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--package", package, "--bin", binary, "--profile", profile]);
    cargo.arg("--target-dir").arg(folder.parent().unwrap_or(&folder)).current_dir(repository());
    let status = cargo.status().unwrap_or_else(|error| panic!("cargo could not be started: {error}"));
    assert!(status.success(), "`{binary}` could not be built: {cargo:?}");
    folder.join(binary)
}

/// `target/debug`, for a test that runs as `target/debug/deps/it-0123`.
fn profile_folder() -> PathBuf {
    let test = env::current_exe().expect("the path of the running test is known");
    let deps = test.ancestors().find(|folder| folder.ends_with("deps")).expect("a test lies in `deps`");
    deps.parent().expect("`deps` lies in the folder of its profile").to_owned()
}
