//! Opening the file: it is private, it is ours, it is whole, and it is of a version that is known here.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::StoreError;
use super::fault::Fault;
use crate::private;

pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    let unusable = |source| StoreError::Unusable { path: path.to_owned(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    private::folder(folder).map_err(unusable)?;
    // SQLite gives the files beside it the mode of this one. It is not opened here: to close it again would drop the
    // locks that another connection of this process holds on it.
    private::make(path, b"").map_err(unusable)?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        match connect(path) {
            // Not every step of opening waits by itself while another process does the same.
            Err(fault) if fault.is_busy() && Instant::now() < deadline => {
                // bounded: the deadline above ends the loop
                sleep(PAUSE);
            }
            connected => return connected.map_err(|fault| fault.at(path)),
        }
    }
}

fn connect(path: &Path) -> Result<Connection, Fault> {
    // Neither CREATE, the file is there, nor URI, a path is a path.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")?;
    let kind = Kind::of(&connection.transaction()?)?;
    kind.check(path)?;
    if kind != Kind::Empty {
        whole(&connection)?;
    }
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(Fault::Content("it cannot be shared between processes where it lies"));
    }
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;")?;
    if kind == Kind::Empty {
        create(&mut connection, path)?;
    }
    Ok(connection)
}

/// What a file is, by the two numbers in its head.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Empty,
    Foreign,
    Store { version: i64 },
}

impl Kind {
    /// All numbers in one transaction: another process may be making the file.
    fn of(connection: &Transaction<'_>) -> Result<Self, Fault> {
        let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
        let application = number("PRAGMA application_id")?;
        let version = number("PRAGMA user_version")?;
        let tables = number("SELECT count(*) FROM sqlite_schema")?;
        Ok(match (application, version, tables) {
            (0, 0, 0) => Self::Empty,
            (APPLICATION, version @ 1.., _) => Self::Store { version },
            _ => Self::Foreign,
        })
    }

    fn check(self, path: &Path) -> Result<(), StoreError> {
        match self {
            Self::Foreign => Err(StoreError::NotAStore { path: path.to_owned() }),
            Self::Store { version: found } if found > VERSION => {
                Err(StoreError::Newer { path: path.to_owned(), found, known: VERSION })
            }
            Self::Empty | Self::Store { .. } => Ok(()),
        }
    }
}

fn whole(connection: &Connection) -> Result<(), Fault> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" { Ok(()) } else { Err(Fault::Content("the check of the database failed")) }
}

fn create(connection: &mut Connection, path: &Path) -> Result<(), Fault> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been first.
    let kind = Kind::of(&transaction)?;
    kind.check(path)?;
    if kind == Kind::Empty {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    Ok(transaction.commit()?)
}

/// "haft" in ASCII: what the file says it is.
const APPLICATION: i64 = 0x6861_6674;
/// The version of the tables below. A change of them makes a new one and a step that leads there.
const VERSION: i64 = 1;
/// How long another process may hold the file.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(5);
/// `state`: 0 waiting, 1 granted once, 2 granted repeatedly, 3 denied.
const TABLES: &str = "
    CREATE TABLE ticket (
        id TEXT NOT NULL PRIMARY KEY,
        binding BLOB NOT NULL UNIQUE CHECK (length(binding) = 32),
        principal BLOB NOT NULL CHECK (length(principal) = 32),
        shown TEXT NOT NULL,
        state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
        answered_by TEXT,
        created INTEGER NOT NULL,
        expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ticket_by_principal ON ticket (principal, state);
    CREATE INDEX ticket_by_end ON ticket (expires);
    CREATE TABLE nonce (
        digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
        expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX nonce_by_end ON nonce (expires);
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_connection_synchronizes_each_change_to_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        for _ in ["made", "opened"] {
            let connection = open(&path).unwrap();
            let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0)).unwrap();
            // 2 is FULL: in WAL mode anything less may lose what was committed when the power fails.
            assert_eq!(number("PRAGMA synchronous"), 2);
            assert_eq!(number("PRAGMA busy_timeout"), 5000);
            let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
            assert_eq!(mode, "wal");
        }
    }
}
