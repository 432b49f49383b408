//! What is written, by whom, and in which order it is read.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use haft_diag::is_deceptive;
use haft_store::audit::{ApprovalStep, AuditLog, Event, Options, Values, Verdict, read, verify};

use super::{ANSWERED, SOON, at, entries, notes, open, open_short, record, write_batch};

#[test]
fn every_event_is_a_line_that_says_what_happened() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    let events = [
        Event::Decision { verdict: Verdict::Ask, rule: "default" },
        Event::Approval { step: ApprovalStep::Granted, ticket: "7K3F", by: "ann" },
        Event::Intent,
        ANSWERED,
    ];
    for event in events {
        log.append(&record(1, event)).unwrap();
    }
    drop(log);
    let entries = entries(folder.path());
    let kinds: Vec<_> = entries.iter().map(|entry| entry.event.as_str()).collect();
    assert_eq!(kinds, ["note", "decision", "approval", "intent", "outcome"]);
    assert!((1..).zip(&entries).all(|(seq, entry)| entry.seq == seq && entry.writer == "w01"));
    let [_, decision, approval, intent, outcome] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!((decision.verdict.as_deref(), decision.rule.as_deref()), (Some("ask"), Some("default")));
    let said = (approval.step.as_deref(), approval.ticket.as_deref(), approval.by.as_deref());
    assert_eq!(said, (Some("granted"), Some("7K3F"), Some("ann")));
    assert_eq!((outcome.outcome.as_deref(), outcome.elapsed_us), (Some("answered"), Some(1500)));
    assert_eq!(intent.time, "2027-01-15T08:00:01.000Z");
    assert_eq!((intent.source.as_deref(), intent.tool.as_deref()), (Some("files"), Some("write_file")));
    assert_eq!(intent.definition, Some("07".repeat(32)));
    assert_eq!(intent.arguments.as_ref().map(String::len), Some(64));
    assert_eq!(intent.arguments, outcome.arguments);
}

#[test]
fn arguments_are_a_keyed_digest_unless_it_is_said_that_they_are_written() {
    let mut digests = Vec::new();
    for values in [Values::Redacted, Values::Written] {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::default();
        options.values = values;
        let log = AuditLog::open(folder.path(), options, at(0)).unwrap();
        write_batch(&log, 1);
        drop(log);
        let text = fs::read_to_string(folder.path().join("w01-000001.jsonl")).unwrap();
        assert_eq!(text.contains("s3cret"), values == Values::Written);
        digests.push(entries(folder.path())[1].arguments.clone());
    }
    assert_ne!(digests[0], digests[1], "each folder has a key of its own");
}

#[test]
fn no_text_breaks_a_line_or_deceives_and_none_is_without_end() {
    let hostile = "a\n\r{\"seq\":1}\u{1b}[2J\u{202e}\u{2028}\u{200b}\"\\".repeat(20_000);
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::default();
    options.values = Values::Written;
    let log = AuditLog::open(folder.path(), options, at(0)).unwrap();
    let mut record = record(1, Event::Decision { verdict: Verdict::Deny, rule: &hostile });
    (record.call, record.principal, record.source, record.tool) = (&hostile, &hostile, &hostile, &hostile);
    record.arguments = Some(&hostile);
    log.append(&record).unwrap();
    drop(log);
    assert!(verify(folder.path()).unwrap().is_intact());
    let text = fs::read_to_string(folder.path().join("w01-000001.jsonl")).unwrap();
    assert!(!text.chars().any(|character| character != '\n' && is_deceptive(character)));
    assert!(text.len() < 1_000_000, "{}", text.len());
    let entries = entries(folder.path());
    assert_eq!(entries.len(), 2);
    let tool = entries[1].tool.as_ref().unwrap();
    assert!(tool.starts_with(r#"a\n\r{"seq":1}\u{1b}[2J\u{202e}"#) && tool.ends_with(" bytes in all)"), "{tool}");
}

#[test]
fn a_later_writer_goes_on_with_the_chain_of_one_that_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    for second in [1, 2, 3] {
        let log = open(folder.path());
        assert_eq!(log.writer(), "w01");
        write_batch(&log, second);
    }
    let report = verify(folder.path()).unwrap();
    assert!(report.is_intact(), "{report:?}");
    let [writer] = &report.writers[..] else { panic!("{report:?}") };
    assert_eq!((writer.segments, writer.batches, writer.records, writer.is_open), (1, 6, 9, false));
    let numbers: Vec<u64> = entries(folder.path()).iter().map(|entry| entry.seq).collect();
    assert!(numbers.into_iter().eq(1..=9));
}

#[test]
fn writers_of_one_folder_have_files_of_their_own_and_are_read_by_time() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (open(folder.path()), open(folder.path()));
    assert_eq!((first.writer(), second.writer()), ("w01", "w02"));
    for (log, second) in [(&first, 1), (&second, 2), (&first, 3), (&second, 3), (&second, 4), (&first, 5)] {
        log.append(&record(second, Event::Intent)).unwrap();
    }
    for log in [&first, &second] {
        log.flush(SOON).unwrap();
    }
    let entries = entries(folder.path());
    let order: Vec<_> = entries.iter().map(|entry| (&entry.time[17..19], entry.writer.as_str())).collect();
    let expected = [
        ("00", "w01"),
        ("00", "w02"),
        ("01", "w01"),
        ("02", "w02"),
        ("03", "w01"),
        ("03", "w02"),
        ("04", "w02"),
        ("05", "w01"),
    ];
    assert_eq!(order, expected);
    let report = verify(folder.path()).unwrap();
    assert!(report.is_intact() && report.writers.iter().all(|writer| writer.is_open), "{report:?}");
    drop(first);
    assert_eq!(open(folder.path()).writer(), "w01", "the place of one that has ended is taken again");
}

#[test]
fn the_chain_goes_on_across_files() {
    let folder = tempfile::tempdir().unwrap();
    for second in [1, 2] {
        let log = open_short(folder.path());
        write_batch(&log, second);
        write_batch(&log, second + 2);
    }
    let report = verify(folder.path()).unwrap();
    assert!(report.is_intact(), "{report:?}");
    assert_eq!((report.writers[0].segments, report.writers[0].batches, report.writers[0].records), (6, 6, 10));
    assert_eq!(entries(folder.path()).len(), 10);
}

#[test]
fn records_of_many_threads_are_all_there_in_the_order_of_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    let append = |thread: u64| {
        for index in 0..500 {
            log.append(&record(thread * 1000 + index, Event::Intent)).unwrap();
        }
    };
    thread::scope(|scope| (0..4).for_each(|thread| drop(scope.spawn(move || append(thread)))));
    log.flush(SOON).unwrap();
    let report = verify(folder.path()).unwrap();
    assert!(report.is_intact(), "{report:?}");
    assert_eq!(report.writers[0].records, 2001);
    let mut numbers: Vec<u64> = read(folder.path()).unwrap().map(|entry| entry.unwrap().seq).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(1..=2001));
}

#[test]
fn a_log_that_is_being_written_is_intact_whenever_it_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()));
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for second in 1..=10 {
                let log = open_short(folder.path());
                write_batch(&log, second);
                write_batch(&log, second);
            }
            is_done.store(true, Ordering::Release);
        });
        while !is_done.load(Ordering::Acquire) {
            let report = verify(folder.path()).unwrap();
            assert!(report.is_intact(), "{report:?}");
        }
    });
}

#[test]
fn what_was_appended_is_written_without_a_flush() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path());
    let before = entries(folder.path()).len();
    log.append(&record(1, Event::Intent)).unwrap();
    // The flush that comes by itself; the nextest limit bounds the loop.
    while entries(folder.path()).len() == before {
        thread::yield_now();
    }
    assert_eq!(notes(folder.path()), ["opened"]);
}

#[test]
fn all_files_are_for_their_user_alone() {
    let top = tempfile::tempdir().unwrap();
    let folder = top.path().join("audit");
    let log = open_short(&folder);
    write_batch(&log, 1);
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.iter().all(|file| mode(file) == 0o600), "{files:?}");
    files.sort();
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["key", "w01-000001.jsonl", "w01-000002.jsonl", "w01.head", "w01.lock"]);
}
