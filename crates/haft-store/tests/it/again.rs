//! This test binary again, as a process that is killed.

use std::env;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FOLDER: &str = "HAFT_TEST_FOLDER";

/// The folder to work in, in the process that is to be killed.
pub(crate) fn folder() -> Option<PathBuf> {
    env::var_os(FOLDER).map(PathBuf::from)
}

/// Says that something is done.
pub(crate) fn tell(number: usize) {
    std::io::stderr().write_all(format!("done {number}\n").as_bytes()).unwrap();
}

/// Waits to be killed.
pub(crate) fn wait() {
    // Whoever started this process holds the other end, and never writes.
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

/// Runs the test `name` in a process of its own until it has told `count` times, kills it, and returns all that it told.
#[expect(clippy::disallowed_methods, reason = "this test binary again, killed below")]
pub(crate) fn killed(name: &str, folder: &Path, count: usize) -> Vec<usize> {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let done = |line: String| line.strip_prefix("done ").and_then(|number| number.parse().ok());
    let mut told: Vec<usize> = lines.by_ref().filter_map(done).take(count).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    told.extend(lines.filter_map(done));
    assert!(told.len() >= count, "{told:?}");
    told
}
