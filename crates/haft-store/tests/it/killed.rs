//! A process that is killed between a grant and the run.

use std::env;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use haft_store::{Call, Limits, Spent, SqliteStore, Store};

use crate::stores::{NOW, call, grant_once};

const NAME: &str = "killed::what_a_killed_process_has_spent_is_never_granted_again";
const STORE: &str = "HAFT_TEST_STORE";
const CALLS: usize = 30;

/// Spends one grant after the other, says so, and waits to be killed.
fn spend_until_killed(path: &Path) {
    let store = SqliteStore::open(path, Limits::default()).unwrap();
    let mut stderr = std::io::stderr();
    for index in 0..CALLS {
        if is_granted(&store, index) {
            stderr.write_all(format!("spent {index}\n").as_bytes()).unwrap();
        }
    }
    // Whoever started this process holds the other end, and never writes.
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

fn is_granted(store: &SqliteStore, index: usize) -> bool {
    let tool = index.to_string();
    matches!(store.spend(&Call { tool: &tool, ..call() }.binding(), NOW).unwrap(), Spent::Granted(_))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "this test binary again, killed below")]
fn what_a_killed_process_has_spent_is_never_granted_again() {
    if let Some(path) = env::var_os(STORE) {
        return spend_until_killed(Path::new(&path));
    }
    for kill_after in [1, 2, 5, 12, CALLS] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        let store = SqliteStore::open(&path, Limits::default()).unwrap();
        for index in 0..CALLS {
            grant_once(&store, Call { tool: &index.to_string(), ..call() });
        }
        drop(store);

        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", NAME, "--nocapture"])
            .env(STORE, &path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        let spent = |line: String| line.strip_prefix("spent ").and_then(|index| index.parse().ok());
        let mut told: Vec<usize> = lines.by_ref().filter_map(spent).take(kill_after).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        told.extend(lines.filter_map(spent));
        assert!(told.len() >= kill_after, "{told:?}");

        let store = SqliteStore::open(&path, Limits::default()).unwrap();
        let left: Vec<usize> = (0..CALLS).filter(|index| is_granted(&store, *index)).collect();
        assert!(left.iter().all(|index| !told.contains(index)), "ran twice: {told:?} and {left:?}");
        // One may be spent and not told of: lost, which is the safe side.
        assert!(told.len() + left.len() >= CALLS - 1, "{told:?} and {left:?}");
    }
}
