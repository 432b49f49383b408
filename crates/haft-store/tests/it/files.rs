//! Files that are damaged, foreign, newer or open to others.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use haft_store::{Call, Limits, SqliteStore, Store, StoreError};
use rusqlite::Connection;

use crate::stores::{NOW, ask, call};

fn open(path: &Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, Limits::default())
}

/// A store that holds some tickets, in one file.
fn filled(path: &Path) {
    let store = open(path).unwrap();
    for index in 0..20 {
        ask(&store, Call { principal: &index.to_string(), ..call() });
    }
    drop(store);
    assert!(!path.with_extension("sqlite-wal").exists(), "the last to leave puts everything into the file");
}

fn change(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn the_file_is_for_its_user_alone_while_it_is_in_use_too() {
    let top = tempfile::tempdir().unwrap();
    let folder = top.path().join("a/b");
    let store = open(&folder.join("store.sqlite")).unwrap();
    ask(&store, call());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    assert!(files.iter().all(|file| mode(file) == 0o600), "{files:?}");
}

#[test]
fn a_file_that_others_may_read_or_change_is_refused() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("store.sqlite");
    filled(&path);
    for (path, mode) in [(path.as_path(), 0o644), (path.as_path(), 0o660), (top.path(), 0o777)] {
        let before = fs::metadata(path).unwrap().permissions();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let store = top.path().join("store.sqlite");
        assert!(matches!(open(&store), Err(StoreError::Unusable { .. })), "{mode:o}");
        fs::set_permissions(path, before).unwrap();
        assert!(open(&store).is_ok());
    }
}

#[test]
fn a_file_that_is_no_store_of_this_version_is_refused_and_kept() {
    let top = tempfile::tempdir().unwrap();
    let newer = top.path().join("newer.sqlite");
    filled(&newer);
    change(&newer, "PRAGMA user_version = 2");
    let foreign = top.path().join("foreign.sqlite");
    change(&foreign, "CREATE TABLE ticket (id TEXT); INSERT INTO ticket VALUES ('precious')");
    let text = top.path().join("text.sqlite");
    fs::write(&text, "not a database, but long enough to be asked whether it is one\n".repeat(100)).unwrap();
    for path in [&newer, &foreign, &text] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
        let before = fs::read(path).unwrap();
        let error = open(path).unwrap_err();
        let is_expected = match &error {
            StoreError::Newer { found: 2, known: 1, .. } => path == &newer,
            StoreError::NotAStore { .. } => path == &foreign,
            StoreError::Corrupt { .. } => path == &text,
            _ => false,
        };
        assert!(is_expected, "{error:?}");
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
        assert_eq!(fs::read(path).unwrap(), before);
    }
}

#[test]
fn a_damaged_file_is_an_error_and_never_a_grant() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("store.sqlite");
    filled(&path);
    let whole = fs::read(&path).unwrap();
    let mut refused = 0;
    for at in (0..whole.len()).step_by(509) {
        let mut damaged = whole.clone();
        let end = (at + 64).min(damaged.len());
        damaged[at..end].fill(0xff);
        fs::write(&path, damaged).unwrap();
        let used = open(&path).and_then(|store| {
            store.tickets(NOW)?;
            (0..20).try_for_each(|index| {
                let spent = store.spend(&Call { principal: &index.to_string(), ..call() }.binding(), NOW)?;
                assert!(!matches!(spent, haft_store::Spent::Granted(_)), "at {at}");
                Ok(())
            })
        });
        refused += usize::from(used.is_err());
        for rest in ["sqlite-wal", "sqlite-shm"] {
            let _absent = fs::remove_file(path.with_extension(rest));
        }
    }
    assert!(refused > 10, "{refused}");
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert!(matches!(open(&path), Err(StoreError::Corrupt { .. })));
}

#[test]
fn rows_that_haft_never_wrote_are_an_error() {
    for sql in [
        "UPDATE ticket SET shown = '{}'",
        "UPDATE ticket SET shown = 'x'",
        "UPDATE ticket SET id = 'short'",
        "UPDATE ticket SET state = 1",
        "UPDATE ticket SET expires = 9223372036854775807, created = -1",
    ] {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("store.sqlite");
        ask(&open(&path).unwrap(), call());
        change(&path, sql);
        let store = open(&path).unwrap();
        for error in [store.tickets(NOW).unwrap_err(), store.spend(&call().binding(), NOW).unwrap_err()] {
            assert!(matches!(error, StoreError::Corrupt { .. }), "{sql}: {error:?}");
        }
    }
}
