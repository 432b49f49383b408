//! Stores of both kinds, and a call to ask about.

use std::time::Duration;

use haft_store::{Call, Digest, Grant, Limits, MemoryStore, Moment, Request, SqliteStore, Store, Ticket};

pub(crate) const MINUTE: Duration = Duration::from_mins(1);
pub(crate) const NOW: Moment = Moment::from_millis(1_800_000_000_000);

/// Runs a test with an empty store of each kind.
pub(crate) fn with_each(limits: Limits, test: impl Fn(&dyn Store)) {
    test(&MemoryStore::new(limits));
    let folder = tempfile::tempdir().unwrap();
    test(&SqliteStore::open(&folder.path().join("state/store.sqlite"), limits).unwrap());
}

pub(crate) fn call() -> Call<'static> {
    Call {
        principal: "person\nuid\n1000",
        source: "files",
        tool: "write_file",
        definition: Digest::from_bytes([7; 32]),
        arguments: r#"{"path":"/data/a"}"#,
    }
}

pub(crate) fn request(call: Call<'_>) -> Request<'_> {
    Request { call, caller: "uid 1000", server: "files 1.2", rule: "default", expires: NOW.plus(10 * MINUTE) }
}

pub(crate) fn ask(store: &dyn Store, call: Call<'_>) -> Ticket {
    store.ask(&request(call), NOW).unwrap()
}

/// A grant for one run of `call`.
pub(crate) fn grant_once(store: &dyn Store, call: Call<'_>) -> Ticket {
    let ticket = ask(store, call);
    store.allow(&ticket.id, Grant::Once { expires: NOW.plus(10 * MINUTE) }, "ann", NOW).unwrap()
}
