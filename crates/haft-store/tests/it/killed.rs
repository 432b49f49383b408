//! A process that is killed between a grant and the run.

use haft_store::{Call, Limits, Spent, SqliteStore, Store};

use crate::again;
use crate::stores::{NOW, call, grant_once};

const NAME: &str = "killed::what_a_killed_process_has_spent_is_never_granted_again";
const CALLS: usize = 30;

fn is_granted(store: &SqliteStore, index: usize) -> bool {
    let tool = index.to_string();
    matches!(store.spend(&Call { tool: &tool, ..call() }.binding(), NOW).unwrap(), Spent::Granted(_))
}

#[test]
fn what_a_killed_process_has_spent_is_never_granted_again() {
    if let Some(folder) = again::folder() {
        let store = SqliteStore::open(&folder.join("store.sqlite"), Limits::default()).unwrap();
        (0..CALLS).filter(|index| is_granted(&store, *index)).for_each(again::tell);
        return again::wait();
    }
    for kill_after in [1, 2, 5, 12, CALLS] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        let store = SqliteStore::open(&path, Limits::default()).unwrap();
        for index in 0..CALLS {
            grant_once(&store, Call { tool: &index.to_string(), ..call() });
        }
        // It stays open: what another process has spent is spent here, too.
        let told = again::killed(NAME, folder.path(), kill_after);

        let left: Vec<usize> = (0..CALLS).filter(|index| is_granted(&store, *index)).collect();
        assert!(left.iter().all(|index| !told.contains(index)), "ran twice: {told:?} and {left:?}");
        drop(store);
        let store = SqliteStore::open(&path, Limits::default()).unwrap();
        assert!((0..CALLS).all(|index| !is_granted(&store, index)));
        // One may be spent and not told of: lost, which is the safe side.
        assert!(told.len() + left.len() >= CALLS - 1, "{told:?} and {left:?}");
    }
}
