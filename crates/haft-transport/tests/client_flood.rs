//! A program that writes without end, to a client that does not read. This is a binary of its own: what it measures is the
//! memory of its whole process.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::Duration;

use haft_transport::client::{Inbox, Incoming, Launch, Link};

#[tokio::test]
async fn a_program_that_floods_is_slowed_and_takes_no_memory() {
    let (link, mut inbox) = start("yes '{\"a\":\"0123456789012345678901234567890123456789\"}'", 10_000);
    let before = peak_memory();
    for _ in 0..100_000 {
        next(&mut inbox).await;
    }
    assert!(peak_memory() - before < 4 << 10);
    soon(link.close()).await;

    let script = "while :; do printf '{\"a\":\"'; head -c 900000 /dev/zero | tr '\\0' x; echo '\"}'; done";
    let (link, mut inbox) = start(script, 1_000_000);
    let before = peak_memory();
    for _ in 0..60 {
        assert_eq!(next(&mut inbox).await, 900_008);
    }
    let grown = peak_memory() - before;
    assert!(grown < 12 << 10, "{grown} KiB more");
    soon(link.close()).await;

    let (link, mut inbox) = start("tr '\\0' x </dev/zero", 5_000_000);
    let before = peak_memory();
    assert!(matches!(soon(inbox.next()).await, Some(Incoming::Closed(_))));
    let grown = peak_memory() - before;
    assert!(grown < 20 << 10, "{grown} KiB more");
    soon(link.close()).await;
}

fn start(script: &str, message_bytes: usize) -> (Link, Inbox) {
    let path = std::env::var_os("PATH").unwrap();
    let mut launch = Launch::new(haft_child::resolve(OsStr::new("sh"), &path, Path::new("/")).unwrap(), "/");
    launch.arguments = vec!["-c".into(), script.into()];
    launch.environment = vec![("PATH".into(), path)];
    launch.message_bytes = message_bytes;
    launch.grace = Duration::from_millis(100);
    Link::child(launch).unwrap()
}

/// The size of the next message.
async fn next(inbox: &mut Inbox) -> usize {
    match soon(inbox.next()).await {
        Some(Incoming::Message { bytes, .. }) => bytes.len(),
        other => panic!("unexpected {other:?}"),
    }
}

async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(10), future).await.unwrap()
}

/// In KiB.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim_end_matches("kB").trim().parse().unwrap()
}
