//! Whatever is done to a log without its key is found, and where.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use haft_store::audit::{AuditError, AuditLog, Break, Fault, Options, read, verify};
use tempfile::TempDir;

use super::{at, copy, open, open_short, write_batch};

/// A log of three batches in two files and a second writer with one.
fn written() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    write_batch(&log, 1);
    let second = open(folder.path());
    drop(log);
    let log = open_short(folder.path());
    assert_eq!(log.writer(), "w01");
    drop((log, second));
    assert!(verify(folder.path()).unwrap().is_intact());
    assert!(folder.path().join("w01-000002.jsonl").exists());
    folder
}

/// What is found when `name` has the content `content`.
fn found(folder: &Path, name: &str, content: &[u8]) -> Option<Break> {
    let path = folder.join(name);
    let before = fs::read(&path).unwrap();
    assert_ne!(before, content);
    fs::write(&path, content).unwrap();
    let report = verify(folder).unwrap();
    fs::write(&path, before).unwrap();
    report.first_break().cloned()
}

fn lines(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}

fn is_at(found: Option<&Break>, path: &Path, line: u64) -> bool {
    found.is_some_and(|found| found.file == path && (found.first..=found.last).contains(&line))
}

const LOGS: [&str; 3] = ["w01-000001.jsonl", "w01-000002.jsonl", "w02-000001.jsonl"];

#[test]
fn a_changed_byte_is_found_in_its_line() {
    let folder = written();
    for name in LOGS.into_iter().chain(["w01.head", "w02.head"]) {
        let path = folder.path().join(name);
        let content = fs::read(&path).unwrap();
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        let mut line = 1;
        for (at, byte) in (0..).zip(content) {
            // A neighbour, the other case of a letter, and no ASCII at all.
            let bits = [0x01, 0x20, 0x80][usize::try_from(at % 3).unwrap()];
            file.write_all_at(&[byte ^ bits], at).unwrap();
            let report = verify(folder.path()).unwrap();
            let found = report.first_break();
            assert!(is_at(found, &path, line), "{name}, byte {at} in line {line}: {found:?}");
            file.write_all_at(&[byte], at).unwrap();
            line += u64::from(byte == b'\n');
        }
        assert!(verify(folder.path()).unwrap().is_intact());
    }
}

#[test]
fn lines_that_are_removed_doubled_swapped_or_added_are_found() {
    let folder = written();
    for name in LOGS {
        let path = folder.path().join(name);
        let content = fs::read(&path).unwrap();
        let lines = lines(&content);
        for index in 0..lines.len() {
            let mut removed = lines.clone();
            removed.remove(index);
            let mut doubled = lines.clone();
            doubled.insert(index, lines[index]);
            let mut added = lines.clone();
            added.insert(index, b"{\"seq\":1}\n");
            let mut changes = vec![("removed", removed), ("doubled", doubled), ("added", added)];
            for other in index + 1..lines.len() {
                let mut swapped = lines.clone();
                swapped.swap(index, other);
                changes.push(("swapped", swapped));
            }
            for (change, lines) in changes {
                let found = found(folder.path(), name, &lines.concat());
                assert!(
                    found.as_ref().is_some_and(|found| found.file == path),
                    "{name}, line {index} {change}: {found:?}"
                );
                // What comes before the line was not changed, and is not blamed by more than its batch.
                assert!(found.is_some_and(|found| found.last >= index as u64), "{name}, line {index} {change}");
            }
        }
        let found = found(folder.path(), name, &[&content[..], b"{\"seq\":9}\n"].concat()).unwrap();
        let line = lines.len() as u64 + 1;
        let fault = if name == "w01-000001.jsonl" { Fault::Changed } else { Fault::Unsealed };
        assert_eq!((found.first, found.last, found.fault), (line, line, fault));
    }
}

#[test]
fn an_end_that_was_cut_off_is_found() {
    let folder = written();
    for name in LOGS {
        let content = fs::read(folder.path().join(name)).unwrap();
        let file = OpenOptions::new().write(true).open(folder.path().join(name)).unwrap();
        for length in (0..content.len() as u64).rev() {
            file.set_len(length).unwrap();
            assert!(!verify(folder.path()).unwrap().is_intact(), "{name} cut to {length}");
        }
        fs::write(folder.path().join(name), content).unwrap();
    }
    let content = fs::read(folder.path().join("w01-000002.jsonl")).unwrap();
    let found = found(folder.path(), "w01-000002.jsonl", b"").unwrap();
    assert_eq!((found.first, found.last, found.fault), (1, 1, Fault::Cut));
    assert!(lines(&content).len() > 1);
}

#[test]
fn a_file_that_is_gone_is_found() {
    let folder = written();
    for name in LOGS.into_iter().chain(["w01.head", "w02.head"]) {
        let path = folder.path().join(name);
        let content = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let report = verify(folder.path()).unwrap();
        let found = report.first_break().unwrap();
        assert_eq!((&found.file, found.fault), (&path, Fault::Missing));
        fs::write(&path, content).unwrap();
        set_private(&path);
    }
    // Of the last writer everything but the lock.
    for name in ["w02.head", "w02-000001.jsonl"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert!(!verify(folder.path()).unwrap().is_intact());
    fs::remove_file(folder.path().join("key")).unwrap();
    assert!(matches!(verify(folder.path()), Err(AuditError::Unusable { .. })));
}

#[test]
fn a_log_that_is_whole_and_of_another_key_writer_or_time_is_found() {
    let (folder, other) = (written(), written());
    let check = |name: &str, content: &[u8], expected| {
        let found = found(folder.path(), name, content).unwrap();
        assert_eq!((found.file, found.fault), (folder.path().join(name), expected), "{name}");
    };
    let of = |folder: &TempDir, name: &str| fs::read(folder.path().join(name)).unwrap();
    check("w01-000001.jsonl", &of(&other, "w01-000001.jsonl"), Fault::Forged);
    check("w01.head", &of(&other, "w01.head"), Fault::Forged);
    check("w01-000001.jsonl", &of(&folder, "w02-000001.jsonl"), Fault::Changed);
    check("w01.head", &of(&folder, "w02.head"), Fault::Forged);
    let older = tempfile::tempdir().unwrap();
    copy(folder.path(), older.path());
    write_batch(&open(folder.path()), 9);
    check("w01-000002.jsonl", &of(&older, "w01-000002.jsonl"), Fault::Cut);
    // Another history of the same key, as long as this one.
    write_batch(&open(older.path()), 8);
    check("w01-000002.jsonl", &of(&older, "w01-000002.jsonl"), Fault::Changed);
    // One batch of it in the middle of this one: as many lines, each with the numbers that it has here.
    let (ours, theirs) = (of(&folder, "w01-000002.jsonl"), of(&older, "w01-000002.jsonl"));
    write_batch(&open(folder.path()), 10);
    let later = of(&folder, "w01-000002.jsonl");
    check("w01-000002.jsonl", &[&theirs, &later[ours.len()..]].concat(), Fault::Changed);
}

#[test]
fn a_log_that_was_changed_is_not_gone_on_with() {
    let folder = written();
    let path = folder.path().join("w01-000002.jsonl");
    let content = fs::read(&path).unwrap();
    let mut changed = content.clone();
    changed[content.len() / 2] ^= 1;
    let cases: [(&Path, Vec<u8>); 3] = [
        (&path, changed),
        (&path, content[..content.len() / 2].to_vec()),
        (&folder.path().join("w01.head"), b"x".to_vec()),
    ];
    for (path, content) in cases {
        let before = fs::read(path).unwrap();
        fs::write(path, &content).unwrap();
        match AuditLog::open(folder.path(), Options::default(), at(9)) {
            Err(AuditError::Broken(found)) => assert_eq!(found.file, path),
            other => panic!("{other:?}"),
        }
        assert_eq!(fs::read(path).unwrap(), content, "what was found stays to be looked at");
        fs::write(path, before).unwrap();
    }
    for name in ["w01-000002.jsonl", "w01.head"] {
        let aside: PathBuf = folder.path().join("aside");
        fs::rename(folder.path().join(name), &aside).unwrap();
        let opened = AuditLog::open(folder.path(), Options::default(), at(9));
        assert!(matches!(opened, Err(AuditError::Broken(_))), "{name}: {opened:?}");
        fs::rename(&aside, folder.path().join(name)).unwrap();
    }
    assert!(AuditLog::open(folder.path(), Options::default(), at(9)).is_ok());
}

#[test]
fn a_log_that_lacks_what_its_head_names_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w01-000001.jsonl");
    let log = open(folder.path());
    write_batch(&log, 1);
    let shorter = fs::metadata(&path).unwrap().len();
    write_batch(&log, 2);
    drop(log);
    let refused = || match AuditLog::open(folder.path(), Options::default(), at(9)) {
        Err(AuditError::Broken(found)) => *found,
        other => panic!("{other:?}"),
    };
    OpenOptions::new().write(true).open(&path).unwrap().set_len(shorter).unwrap();
    let line = lines(&fs::read(&path).unwrap()).len() as u64 + 1;
    assert_eq!(refused(), verify(folder.path()).unwrap().first_break().unwrap().clone());
    assert_eq!((refused().first, refused().last, refused().fault), (line, line, Fault::Cut));
    fs::remove_file(&path).unwrap();
    assert_eq!((refused().file, refused().fault), (path, Fault::Missing));
}

#[test]
fn a_line_that_haft_never_wrote_deceives_nobody_who_reads_it() {
    let folder = written();
    let path = folder.path().join("w01-000002.jsonl");
    let members = ["event", "time", "writer", "tool", "rule", "by", "outcome", "text", "values", "definition"];
    let members = members.map(|name| format!(r#","{name}":"\u001b[2J\u202e""#)).concat();
    fs::write(&path, format!("{{\"seq\":1{members},\"unknown\":[1]}}\n{{\"seq\":\"\u{1b}\"}}\n")).unwrap();
    let (read, refused): (Vec<_>, Vec<_>) = read(folder.path()).unwrap().partition(Result::is_ok);
    let entry =
        read.into_iter().map(Result::unwrap).find(|entry| entry.event != "note" && entry.rule.is_some()).unwrap();
    let texts = [entry.tool, entry.rule, entry.by, entry.outcome, entry.text, entry.values, entry.definition];
    let texts = texts.into_iter().flatten().chain([entry.event, entry.time, entry.writer]);
    assert!(texts.eq(std::iter::repeat_n(r"\u{1b}[2J\u{202e}".to_owned(), 10)));
    assert_eq!(refused.len(), 1);
}

#[test]
fn anything_in_the_place_of_a_file_is_a_break_and_no_panic() {
    let folder = written();
    let path = folder.path().join("w01-000002.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    assert!(whole.starts_with("{\"event\":\"segment\"") && whole.contains("\"batch\":2,\"seq\":3,"), "{whole}");
    let largest = whole.replacen("\"batch\":2,", &format!("\"batch\":{},", u64::MAX), 1);
    let last = whole.replacen("\"seq\":3,", &format!("\"seq\":{},", u64::MAX), 1);
    let cases = [
        largest.into_bytes(),
        last.into_bytes(),
        b"{\"seq\":1}\n".repeat(1000),
        vec![b'x'; 3_000_000],
        vec![b'\n'; 3000],
        b"\xff\xfe\n\0\n".to_vec(),
        b"[".repeat(200_000),
        [b"{\"event\":\"end\",".to_vec(), b"[".repeat(200_000)].concat(),
    ];
    for (number, content) in cases.into_iter().enumerate() {
        let found = found(folder.path(), "w01-000002.jsonl", &content).unwrap();
        assert_eq!(found.file, path, "case {number}");
        let before = fs::read(&path).unwrap();
        fs::write(&path, content).unwrap();
        // Lines that can be read are shown, and those that cannot are errors.
        assert!(read(folder.path()).unwrap().count() < 2000);
        let opened = AuditLog::open(folder.path(), Options::default(), at(9));
        assert!(matches!(opened, Err(AuditError::Broken(_))), "case {number}: {opened:?}");
        fs::write(&path, before).unwrap();
    }
}

fn set_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}
