//! What a program gets, and what comes back.
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

use std::{
    error::Error,
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStringExt,
    path::Path,
    time::Duration,
};

use haft_child::{Ending, Finished, MARKER, Program, StartError, Stdin, resolve, run};
use tempfile::TempDir;

fn program(name: &str, arguments: &[&str]) -> Program {
    let path = std::env::var_os("PATH").unwrap();
    let mut program = Program::new(resolve(OsStr::new(name), &path, Path::new("/")).unwrap(), "/");
    program.arguments = arguments.iter().map(OsString::from).collect();
    program.environment = vec![("PATH".into(), path)];
    program
}

async fn shell(script: &str) -> Finished {
    run(program("sh", &["-c", script])).await.unwrap()
}

#[tokio::test]
async fn both_outputs_and_the_status_come_back() {
    let finished = shell("printf out; printf error >&2; exit 42").await;
    assert_eq!(finished.stdout.bytes, b"out");
    assert_eq!(finished.stderr.bytes, b"error");
    assert_eq!((finished.stdout.total, finished.stderr.total), (3, 5));
    assert!(!finished.stdout.truncated() && !finished.stderr.truncated());
    assert_eq!(finished.ending, Ending::Exited(42));
    assert!(finished.elapsed > Duration::ZERO);
}

#[tokio::test]
async fn signal_that_ended_the_program_is_told() {
    assert_eq!(shell("kill -SEGV $$").await.ending, Ending::Signalled(11));
    assert_eq!(shell("kill -KILL $$").await.ending, Ending::Signalled(9));
}

#[tokio::test]
async fn each_argument_arrives_as_it_is() {
    let arguments =
        ["", " ", "a b", "'", "\"", "$HOME", "`id`", "; rm -rf x", "a\nb", "-e", "--", "*", "\\", "ü", "%s", "\t"];
    let mut all = vec!["-c", "for argument; do printf '%s\\0' \"$argument\"; done", "name"];
    all.extend(arguments);
    let mut program = program("sh", &all);
    program.arguments.push(OsString::from_vec(b"\xff\xfe".to_vec()));
    let finished = run(program).await.unwrap();
    let mut expected: Vec<u8> = arguments.iter().flat_map(|argument| [argument.as_bytes(), b"\0"].concat()).collect();
    expected.extend(b"\xff\xfe\0");
    assert_eq!(finished.stdout.bytes, expected);
}

#[tokio::test]
async fn environment_is_what_was_given_and_the_mark() {
    let mut program = program("env", &["-0"]);
    program.environment = vec![("A".into(), "1\n2".into()), (MARKER.into(), "forged".into())];
    let finished = run(program).await.unwrap();
    let mut variables: Vec<_> = finished.stdout.bytes.split(|byte| *byte == 0).collect();
    variables.sort_unstable();
    assert_eq!(variables.len(), 3, "{variables:?}");
    assert_eq!(variables[0], b"");
    assert_eq!(variables[1], b"A=1\n2");
    assert!(variables[2].starts_with(b"HAFT_CALL=") && !variables[2].ends_with(b"forged"));
}

#[tokio::test]
async fn program_runs_in_its_directory() {
    let folder = TempDir::new().unwrap();
    let mut program = program("pwd", &["-P"]);
    program.directory = folder.path().to_owned();
    let finished = run(program).await.unwrap();
    let expected = format!("{}\n", folder.path().canonicalize().unwrap().display());
    assert_eq!(finished.stdout.bytes, expected.as_bytes());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn program_has_three_open_files_and_none_of_ours() {
    let _ours = std::fs::File::open("/").unwrap();
    let others = tokio::spawn(run(program("sleep", &["100"])));
    let finished = shell("exec ls /proc/self/fd").await;
    others.abort();
    let listed = String::from_utf8(finished.stdout.bytes).unwrap();
    // The fourth is the listing itself.
    let unexpected = listed.lines().filter(|number| !["0", "1", "2", "3"].contains(number) && !inherited(number));
    assert_eq!(unexpected.collect::<Vec<_>>(), Vec::<&str>::new());
}

/// Whether we have got this descriptor from who started us, who meant everybody to have it.
#[cfg(target_os = "linux")]
fn inherited(number: &str) -> bool {
    let flags = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default();
    let flags = flags.lines().find_map(|line| line.strip_prefix("flags:"));
    // `O_CLOEXEC`, which everything that Rust opens has.
    flags.is_some_and(|flags| u32::from_str_radix(flags.trim(), 8).unwrap() & 0o2_000_000 == 0)
}

#[tokio::test]
async fn output_need_not_be_text() {
    let finished = shell(r"printf '\377\000\376'").await;
    assert_eq!(finished.stdout.bytes, [0xff, 0, 0xfe]);
}

#[tokio::test]
async fn standard_input_is_empty_unless_given() {
    for stdin in [Stdin::Null, Stdin::Bytes(Vec::new())] {
        let mut program = program("cat", &[]);
        program.stdin = stdin;
        let finished = run(program).await.unwrap();
        assert_eq!(finished.stdout.bytes, b"");
        assert_eq!(finished.ending, Ending::Exited(0));
    }
}

#[tokio::test]
async fn input_larger_than_a_pipe_goes_through() {
    let input: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    let mut program = program("cat", &[]);
    program.stdin = Stdin::Bytes(input.clone());
    program.limits.stdout = input.len();
    let finished = run(program).await.unwrap();
    assert!(finished.stdout.bytes == input, "other bytes came back");
    assert_eq!(finished.ending, Ending::Exited(0));
}

#[tokio::test]
async fn input_that_is_not_read_hinders_nobody() {
    let mut reads_nothing = program("true", &[]);
    reads_nothing.stdin = Stdin::Bytes(vec![b'x'; 10_000_000]);
    assert_eq!(run(reads_nothing).await.unwrap().ending, Ending::Exited(0));

    let mut hangs = program("sleep", &["100"]);
    hangs.stdin = Stdin::Bytes(vec![b'x'; 10_000_000]);
    hangs.limits.timeout = Duration::from_millis(100);
    let finished = run(hangs).await.unwrap();
    assert_eq!(finished.ending, Ending::TimedOut);
    assert!(finished.elapsed < Duration::from_secs(2), "{finished:?}");
}

#[tokio::test]
async fn output_may_reach_its_limit_but_not_pass_it() {
    for (limit, ending, kept) in [
        (6, Ending::Exited(0), "abcdef"),
        (5, Ending::OutputLimit, "abcde"),
        (1, Ending::OutputLimit, "a"),
        (0, Ending::OutputLimit, ""),
    ] {
        let mut program = program("printf", &["abcdef"]);
        program.limits.stdout = limit;
        let finished = run(program).await.unwrap();
        assert_eq!((finished.ending, finished.stdout.bytes.as_slice()), (ending, kept.as_bytes()), "limit {limit}");
    }
}

#[tokio::test]
async fn only_the_end_of_standard_error_is_kept() {
    for (limit, kept) in [(6, "abcdef"), (3, "def"), (0, "")] {
        let mut program = program("sh", &["-c", "printf abc >&2; printf def >&2"]);
        program.limits.stderr = limit;
        let finished = run(program).await.unwrap();
        assert_eq!(finished.stderr.bytes, kept.as_bytes(), "limit {limit}");
        assert_eq!(finished.stderr.total, 6);
        assert_eq!(finished.ending, Ending::Exited(0));
    }
}

#[tokio::test]
async fn longest_timeout_and_grace_are_possible() {
    let mut program = program("true", &[]);
    program.limits.timeout = Duration::MAX;
    program.limits.grace = Duration::MAX;
    assert_eq!(run(program).await.unwrap().ending, Ending::Exited(0));
}

async fn check_not_started(program: Program, message: &str) {
    let error: StartError = run(program).await.unwrap_err();
    assert_eq!(error.to_string(), message);
    assert!(error.source().is_some());
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let mut elsewhere = program("true", &[]);
    elsewhere.directory = "/no such".into();
    check_not_started(elsewhere, "working directory `/no such` cannot be entered").await;
    check_not_started(Program::new("/no such", "/"), "program `/no such` cannot be started").await;
    check_not_started(Program::new("/etc", "/"), "program `/etc` cannot be started").await;
    let mut zero = Program::new("/bin/sh", "/");
    zero.arguments = vec!["a\0b".into()];
    check_not_started(zero, "program `/bin/sh` cannot be started").await;
    let mut long = Program::new("/bin/sh", "/");
    long.arguments = vec!["x".repeat(10_000_000).into()];
    check_not_started(long, "program `/bin/sh` cannot be started").await;
}
