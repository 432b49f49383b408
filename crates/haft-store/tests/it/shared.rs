//! Several who use one file at once: a server and `haft approvals`, or two servers.

use std::sync::Barrier;
use std::thread;

use haft_store::{Call, Grant, Limits, Spent, SqliteStore, Store, StoreError};

use crate::stores::{MINUTE, NOW, ask, call, grant_once};

#[test]
fn one_process_asks_another_answers_and_the_first_may_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let server = SqliteStore::open(&path, Limits::default()).unwrap();
    let ticket = ask(&server, call());
    let person = SqliteStore::open(&path, Limits::default()).unwrap();
    assert_eq!(person.tickets(NOW).unwrap(), std::slice::from_ref(&ticket));
    person.allow(&ticket.id, Grant::Once { expires: NOW.plus(MINUTE) }, "ann", NOW).unwrap();
    assert!(matches!(server.spend(&call().binding(), NOW).unwrap(), Spent::Granted(_)));
    assert_eq!(person.spend(&call().binding(), NOW).unwrap(), Spent::Unasked);
    drop((server, person));
    let restarted = SqliteStore::open(&path, Limits::default()).unwrap();
    assert_eq!(restarted.spend(&call().binding(), NOW).unwrap(), Spent::Unasked);
}

#[test]
fn of_all_who_race_for_one_grant_exactly_one_wins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let stores = [0, 1].map(|_| SqliteStore::open(&path, Limits::default()).unwrap());
    let stores = &stores;
    for round in 0..25 {
        let tool = format!("tool_{round}");
        let call = Call { tool: &tool, ..call() };
        grant_once(&stores[round % 2], call);
        // Two threads on each connection: processes race, and so do calls inside of one.
        let start = Barrier::new(4);
        let race = &|store: &SqliteStore| {
            start.wait();
            let spent = store.spend(&call.binding(), NOW).unwrap();
            let nonce = store.spend_nonce(tool.as_bytes(), NOW.plus(MINUTE), NOW).unwrap();
            (matches!(spent, Spent::Granted(_)), nonce)
        };
        let (granted, first): (Vec<bool>, Vec<bool>) = thread::scope(|scope| {
            let racers: Vec<_> = (0..4).map(|index| scope.spawn(move || race(&stores[index % 2]))).collect();
            racers.into_iter().map(|racer| racer.join().unwrap()).unzip()
        });
        assert_eq!(granted.iter().filter(|won| **won).count(), 1, "round {round}");
        assert_eq!(first.iter().filter(|won| **won).count(), 1, "round {round}");
    }
}

#[test]
fn all_who_ask_the_same_at_once_get_one_ticket() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let start = Barrier::new(8);
    let ask_first = || {
        start.wait();
        // The file is made by whoever is first.
        ask(&SqliteStore::open(&path, Limits::default()).unwrap(), call()).id
    };
    let ids: Vec<_> = thread::scope(|scope| {
        let askers: Vec<_> = (0..8).map(|_| scope.spawn(ask_first)).collect();
        askers.into_iter().map(|asker| asker.join().unwrap()).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[test]
fn a_store_that_another_process_holds_is_an_error_after_a_while_and_no_grant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    let store = SqliteStore::open(&path, Limits::default()).unwrap();
    grant_once(&store, call());
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(matches!(store.spend(&call().binding(), NOW), Err(StoreError::Busy { .. })));
    assert_eq!(store.tickets(NOW).unwrap().len(), 1, "reading goes on");
    other.execute_batch("ROLLBACK").unwrap();
    assert!(matches!(store.spend(&call().binding(), NOW).unwrap(), Spent::Granted(_)));
}
