//! A log that cannot write says so, loses nothing in silence, and goes on once it can.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::{Duration, Instant};

use haft_store::audit::{AuditError, AuditLog, Event, Options, verify};

use super::{SOON, at, entries, notes, open, record, write_batch};

#[test]
fn a_log_that_cannot_write_refuses_records_until_it_can_again() {
    // A folder in the place of a file: nobody can write there, whoever it is.
    for blocked in ["w01.head", "w01-000002.jsonl"] {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::default();
        options.segment_bytes = 1;
        let log = AuditLog::open(folder.path(), options, at(0)).unwrap();
        let path = folder.path().join(blocked);
        let _absent = fs::remove_file(&path);
        fs::create_dir(&path).unwrap();

        log.append(&record(1, Event::Intent)).unwrap();
        let error = log.flush(SOON).unwrap_err();
        assert!(matches!(error, AuditError::Unwritable { .. }), "{error:?}");
        for _ in 0..3 {
            assert!(matches!(log.append(&record(2, Event::Intent)), Err(AuditError::Unwritable { .. })));
        }
        assert!(log.check().is_err());

        fs::remove_dir(&path).unwrap();
        log.flush(SOON).unwrap();
        log.check().unwrap();
        write_batch(&log, 3);
        drop(log);
        assert_eq!(notes(folder.path()), ["opened", "3 records before this one were refused and are lost"]);
        let seconds: Vec<_> = entries(folder.path()).iter().map(|entry| entry.time[17..19].to_owned()).collect();
        assert_eq!(seconds, ["00", "01", "02", "03", "03"], "{blocked}: what was taken is written");
        assert!(verify(folder.path()).unwrap().is_intact());
    }
}

#[test]
fn a_writer_that_failed_tries_again_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    let head = folder.path().join("w01.head");
    fs::remove_file(&head).unwrap();
    fs::create_dir(&head).unwrap();
    log.append(&record(1, Event::Intent)).unwrap();
    assert!(log.flush(SOON).is_err());
    fs::remove_dir(&head).unwrap();
    let deadline = Instant::now() + SOON;
    while log.check().is_err() {
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    }
    assert_eq!(log.append(&record(2, Event::Intent)).unwrap(), 3, "no record is lost by it");
}

#[test]
fn what_a_failed_attempt_left_is_no_part_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::default();
    options.segment_bytes = 2000;
    let log = AuditLog::open(folder.path(), options, at(0)).unwrap();
    // In the file that is written, and in the one that comes next.
    for name in ["w01-000001.jsonl", "w01-000002.jsonl"] {
        let path = folder.path().join(name);
        let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path).unwrap();
        file.write_all(b"{\"seq\":2,\"ev").unwrap();
        for second in 1..5 {
            write_batch(&log, second);
        }
    }
    drop(log);
    let report = verify(folder.path()).unwrap();
    assert!(report.is_intact() && report.writers[0].segments > 2, "{report:?}");
}

#[test]
fn records_that_come_faster_than_they_are_written_are_refused_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::default();
    (options.buffer_bytes, options.flush_after) = (2000, Duration::from_hours(1));
    let log = AuditLog::open(folder.path(), options, at(0)).unwrap();
    let taken = (0..100).filter(|second| match log.append(&record(*second, Event::Intent)) {
        Ok(_) => true,
        Err(AuditError::Full { bytes }) => {
            assert!(bytes <= 2000);
            false
        }
        Err(error) => panic!("{error:?}"),
    });
    let taken = taken.count();
    assert!((2..20).contains(&taken), "{taken}");
    log.flush(SOON).unwrap();
    log.append(&record(100, Event::Intent)).unwrap();
    drop(log);
    let lost: usize =
        notes(folder.path()).iter().filter_map(|note| note.split(' ').next()?.parse::<usize>().ok()).sum();
    assert_eq!(lost + taken, 100);
    assert_eq!(entries(folder.path()).iter().filter(|entry| entry.event == "intent").count(), taken + 1);
}

#[test]
fn a_folder_that_others_may_write_to_holds_no_log() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o770)).unwrap();
    let opened = AuditLog::open(folder.path(), Options::default(), at(0));
    assert!(matches!(opened, Err(AuditError::Unusable { .. })));
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    drop(open(folder.path()));
    fs::write(folder.path().join("key"), "short").unwrap();
    let opened = AuditLog::open(folder.path(), Options::default(), at(0));
    assert!(matches!(opened, Err(AuditError::Unusable { .. })));
}

#[test]
fn a_flush_waits_as_long_as_it_may_and_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    log.append(&record(1, Event::Intent)).unwrap();
    let begun = Instant::now();
    let flushed = log.flush(Duration::ZERO);
    assert!(begun.elapsed() < SOON);
    assert!(matches!(flushed, Ok(()) | Err(AuditError::Late { .. })), "{flushed:?}");
    log.flush(SOON).unwrap();
}
