//! Programs that print without end. This is a binary of its own: what it measures is the memory of its whole process.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

#[expect(dead_code, reason = "other tests use the rest of it")]
mod script;

use std::fs;

use haft_child::{Ending, Limits};
use script::Script;

#[tokio::test]
async fn output_without_end_is_cut_and_takes_no_memory() {
    let mut script = Script::new("head -c 1000000000 /dev/zero");
    script.program.limits.stdout = 100_000;
    let before = peak_memory();
    let finished = script.run().await;
    script.assert_nothing_left();
    assert_eq!(finished.ending, Ending::OutputLimit);
    assert_eq!(finished.stdout.bytes.len(), 100_000);
    assert!(finished.stdout.truncated());

    let script = Script::new("head -c 1000000000 /dev/zero >&2; echo end >&2");
    let finished = script.run().await;
    assert_eq!(finished.ending, Ending::Exited(0));
    assert_eq!(finished.stderr.total, 1_000_000_004);
    assert_eq!(finished.stderr.bytes.len(), Limits::default().stderr);
    assert!(finished.stderr.bytes.ends_with(b"\0end\n"));
    let grown = peak_memory() - before;
    assert!(grown < 8 << 10, "{grown} KiB more");
}

/// In KiB.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim_end_matches("kB").trim().parse().unwrap()
}
