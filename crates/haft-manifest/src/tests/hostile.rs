//! Programs that misbehave: the next call is answered, memory stays bounded, nothing is left.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::conversation::Served;
use super::one_tool;

/// A served script that can leave its process number in `pids`, one on each line.
struct Script {
    folder: tempfile::TempDir,
    served: Served,
}

impl Script {
    fn new(script: &str, keys: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("script"), script).unwrap();
        let manifest = one_tool(&format!("command = {{ argv = [\"sh\", \"./script\"], {keys} }}"));
        let served = Served::new(&manifest, folder.path());
        Self { folder, served }
    }

    fn pids(&self) -> Vec<String> {
        let pids = fs::read_to_string(self.folder.path().join("pids")).unwrap_or_default();
        pids.lines().map(str::to_owned).collect()
    }

    /// Waits, but not for ever, until so many processes have said that they run.
    async fn runs(&self, processes: usize) {
        until("the processes run", || self.pids().len() >= processes).await;
    }

    /// Waits, but not for ever, until none of the processes is there any more.
    async fn is_gone(&self) {
        until("no process is left", || self.pids().iter().all(|pid| !is_running(pid))).await;
    }
}

async fn until(what: &str, condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_secs(5), "not within five seconds: {what}");
        // bounded: by the assertion above
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A zombie runs no more; who adopted it takes its status when it likes.
fn is_running(pid: &str) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    status.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

#[tokio::test]
async fn a_program_that_never_ends_is_stopped_with_all_that_it_said() {
    let script = Script::new("echo $$ >>pids; echo begun; sleep 1000 & echo $! >>pids; wait", "timeout = \"200ms\"");
    let text = script.served.call("t", json!({})).await.text();
    assert_eq!(text, "error: the command did not end within 200 ms and was stopped; ask for less\nstdout:\nbegun");
    script.is_gone().await;
}

#[tokio::test]
async fn a_child_that_leaves_its_session_and_hangs_dies_with_its_program() {
    let script = Script::new(
        "setsid sh -c 'echo $$ >>pids; trap \"\" TERM HUP; sleep 1000 & echo $! >>pids; wait' </dev/null >/dev/null 2>&1 &\n\
         while [ \"$(wc -l <pids)\" -lt 2 ]; do :; done 2>/dev/null\necho done",
        "timeout = \"10s\"",
    );
    assert_eq!(script.served.call("t", json!({})).await.text(), "done");
    script.is_gone().await;
}

#[tokio::test]
async fn a_gigabyte_of_output_is_not_kept() {
    let script = Script::new("echo $$ >>pids; exec head -c 1000000000 /dev/zero", "max_output = \"64KiB\"");
    let text = script.served.call("t", json!({})).await.text();
    assert!(text.len() < 200_000, "{}", text.len());
    assert!(text.ends_with("the command wrote more than 64 KiB and was stopped. Ask for less."), "{}", text.len());
    script.is_gone().await;
}

#[tokio::test]
async fn a_dropped_call_takes_its_processes_with_it() {
    let script = Script::new("echo $$ >>pids; sleep 1000 & echo $! >>pids; wait", "timeout = \"1h\"");
    {
        let mut call = Box::pin(script.served.call("t", json!({})));
        tokio::select! {
            called = &mut call => panic!("{called:?}"),
            () = script.runs(2) => {}
        }
    }
    script.is_gone().await;
}

#[tokio::test]
async fn a_program_cannot_read_the_input_of_the_server() {
    let script = Script::new("readlink /proc/$$/fd/0; cat", "");
    assert_eq!(script.served.call("t", json!({})).await.text(), "/dev/null");
}

#[tokio::test]
async fn the_next_call_is_answered_after_each_of_these() {
    let script = Script::new("case $(cat count) in x) kill -9 $$;; xx) exit 200;; *) echo fine;; esac", "");
    for (count, expected) in [
        ("x", "error: the command was ended by signal 9"),
        ("xx", "error: the command ended with exit status 200"),
        ("xxx", "fine"),
    ] {
        fs::write(script.folder.path().join("count"), count).unwrap();
        assert_eq!(script.served.call("t", json!({})).await.text(), expected);
    }
}
