//! What a crash leaves, and how the next writer goes on.

use std::fs;
use std::path::Path;

use haft_store::audit::{AuditLog, Event, verify};

use super::{SOON, copy, entries, notes, open, open_short, record, write_batch};
use crate::again;

/// Opens a log of which a crash has left `left` in the file `name`, and returns the notes that this leads to.
fn after_crash(before: &Path, name: &str, left: &[u8], open: fn(&Path) -> AuditLog) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    copy(before, folder.path());
    fs::write(folder.path().join(name), left).unwrap();
    let mode = fs::metadata(before.join("key")).unwrap().permissions();
    fs::set_permissions(folder.path().join(name), mode).unwrap();
    let (known, notes_before) = (entries(before), notes(before).len());
    write_batch(&open(folder.path()), 9);
    let report = verify(folder.path()).unwrap();
    assert!(report.is_intact(), "{name}, {}: {report:?}", left.len());
    let all = entries(folder.path());
    assert_eq!(all[..known.len()], known, "nothing of what was flushed is lost");
    assert!((1..).zip(&all).all(|(seq, entry)| entry.seq == seq), "{all:?}");
    let mut notes = notes(folder.path()).split_off(notes_before);
    assert_eq!(notes.remove(0), "opened");
    assert_eq!(report.writers[0].torn, notes.len());
    notes
}

#[test]
fn a_part_of_a_batch_is_set_aside_and_noted() {
    for (open, name, next) in [
        (open as fn(&Path) -> AuditLog, "w01-000001.jsonl", "w01-000001.jsonl"),
        // The crash comes while a new file is begun.
        (open_short, "w01-000002.jsonl", "w01-000003.jsonl"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let before = tempfile::tempdir().unwrap();
        let log = open(folder.path());
        write_batch(&log, 1);
        copy(folder.path(), before.path());
        write_batch(&log, 2);
        drop(log);
        let known = if name == next { fs::read(before.path().join(name)).unwrap().len() } else { 0 };
        let whole = fs::read(folder.path().join(next)).unwrap();
        for length in (known..whole.len()).step_by(37).chain([known + 1, whole.len() - 1]) {
            let notes = after_crash(before.path(), next, &whole[..length], open);
            let is_clean = length == known;
            assert_eq!(notes.len(), usize::from(!is_clean), "{length}: {notes:?}");
            if let Some(note) = notes.first() {
                let expected = format!("set aside {} bytes behind the last whole batch: `w01-", length - known);
                assert!(note.starts_with(&expected), "{note}");
            }
        }
        // A part in the middle never reached the disk.
        let mut holed = whole.clone();
        holed[known + 100..known + 200].fill(0);
        assert_eq!(after_crash(before.path(), next, &holed, open).len(), 1);
        // All of it did, and only the head is of before.
        assert_eq!(after_crash(before.path(), next, &whole, open), Vec::<String>::new());
    }
}

#[test]
fn two_crashes_at_one_place_are_both_kept() {
    let folder = tempfile::tempdir().unwrap();
    write_batch(&open(folder.path()), 1);
    let path = folder.path().join("w01-000001.jsonl");
    for (attempt, text) in [(1, "first"), (2, "second")] {
        let content = fs::read_to_string(&path).unwrap();
        fs::write(&path, content + text).unwrap();
        drop(open(folder.path()));
        let aside = folder.path().join(format!("w01-000001.torn-{attempt}"));
        assert_eq!(fs::read_to_string(aside).unwrap(), text);
    }
    assert!(verify(folder.path()).unwrap().is_intact());
}

const NAME: &str = "audit::crash::what_was_flushed_outlives_a_killed_process";

#[test]
fn what_was_flushed_outlives_a_killed_process() {
    if let Some(folder) = again::folder() {
        let log = open_short(&folder);
        for number in 1..=40 {
            log.append(&record(number as u64, Event::Intent)).unwrap();
            log.flush(SOON).unwrap();
            again::tell(number);
        }
        return again::wait();
    }
    let folder = tempfile::tempdir().unwrap();
    for kill_after in [1, 4, 9] {
        let before = entries(folder.path()).into_iter().filter(|entry| entry.event == "intent").count();
        let told = again::killed(NAME, folder.path(), kill_after);
        drop(open(folder.path()));
        let report = verify(folder.path()).unwrap();
        assert!(report.is_intact(), "{report:?}");
        let after = entries(folder.path()).into_iter().filter(|entry| entry.event == "intent").count();
        assert!(after >= before + told.len(), "{before} and {} made {after}", told.len());
    }
}
