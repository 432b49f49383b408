//! Tools that misbehave, under a server that goes on.

use std::fs;

use rustix::process::Signal;
use serde_json::json;

use crate::binary::{Folder, until};
use crate::client::{Pipe, call, text};

const MANIFEST: &str = r#"
[server]
name = "hostile"

[[tool]]
name = "flood"
description = "Writes a gigabyte."
annotations = { read_only = true }
command = { argv = ["sh", "-c", "echo $$ >>pids; exec head -c 1000000000 /dev/zero"], max_output = "1MB" }

[[tool]]
name = "complain"
description = "Writes a gigabyte to stderr."
annotations = { destructive = false }
command = { argv = ["sh", "-c", "echo $$ >>pids; head -c 1000000000 /dev/zero >&2; exit 1"] }

[[tool]]
name = "escape"
description = "Leaves a process in a session of its own, without the mark that it was given."
annotations = { destructive = false }
command = { argv = ["sh", "./escape"] }

[[tool]]
name = "hang"
description = "Never ends, and does not want to."
annotations = { destructive = false }
command = { argv = ["sh", "-c", "trap '' TERM INT HUP; echo $$ >>pids; while :; do sleep 1000; done"], timeout = "300ms" }

[[tool]]
name = "die"
description = "Ends by a signal."
annotations = { destructive = false }
command = { argv = ["sh", "-c", "kill -11 $$"] }

[[tool]]
name = "fine"
description = "Does what it should."
annotations = { destructive = false }
command = { argv = ["echo", "fine"] }
"#;

const ESCAPE: &str = "env -i setsid sh -c 'trap \"\" TERM HUP; echo $$ >>pids; exec sleep 1000' </dev/null >/dev/null 2>&1 &\n\
                      while [ ! -s pids ]; do sleep 0.01; done\necho gone\n";

fn start() -> (Folder, Pipe) {
    let folder = Folder::with(MANIFEST);
    folder.write("escape", ESCAPE);
    let pipe = Pipe::start(&folder, &["--stdio"]);
    (folder, pipe)
}

/// The most memory that a process ever had, in MiB.
fn peak(pipe: &Pipe) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", pipe.server.0.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

#[test]
fn the_next_call_is_answered_whatever_the_one_before_did_and_no_process_is_left() {
    let (folder, mut pipe) = start();
    for (tool, expected) in [
        ("flood", "and was stopped. Ask for less."),
        ("complain", "error: the command ended with exit status 1\nstderr (the last 4000 bytes):\n"),
        ("escape", "gone"),
        ("hang", "error: the command did not end within 300 ms and was stopped; ask for less"),
        ("die", "error: the command was ended by signal 11"),
    ] {
        let said = pipe.call(tool, json!({}));
        assert!(said.contains(expected), "{tool}: {said:.200}");
        folder.wait_until_gone();
        assert_eq!(pipe.call("fine", json!({})), "fine", "after {tool}");
    }
    assert!(peak(&pipe) < 100, "{} MiB", peak(&pipe));
    pipe.close();
    assert_eq!(pipe.server.code(), Some(0));
}

#[test]
fn hostile_tools_at_the_same_time_do_not_keep_others_waiting() {
    let (folder, mut pipe) = start();
    for id in 0..8 {
        for (kind, tool) in ["flood", "hang", "escape"].into_iter().enumerate() {
            pipe.send(&call(100 + id * 10 + u32::try_from(kind).unwrap(), tool, json!({})));
        }
    }
    pipe.send(&call(1, "fine", json!({})));
    let mut answers = 0;
    let mut is_answered = false;
    while answers < 25 {
        let answer = pipe.receive();
        answers += 1;
        if answer["id"] == 1 {
            is_answered = true;
            assert_eq!(text(&answer), "fine");
        }
    }
    assert!(is_answered);
    folder.wait_until_gone();
    assert!(peak(&pipe) < 200, "{} MiB", peak(&pipe));
}

#[test]
fn the_end_of_the_input_and_a_signal_end_what_hangs() {
    let folder = Folder::with_script("trap '' TERM; echo $$ >>pids; sleep 1000", "timeout = \"1h\"");
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    pipe.send(&call(1, "t", json!({})));
    folder.wait_for_pids(1);
    // Calls may go on for ten seconds after this, for whoever still reads; a client that has no such patience sends
    // signals.
    pipe.close();
    let mut code = None;
    until("the server ends", || {
        pipe.server.signal(Signal::TERM);
        code = pipe.server.0.try_wait().unwrap().map(|status| status.code());
        code.is_some()
    });
    assert!(matches!(code.flatten(), Some(0 | 143)), "{code:?}");
    folder.wait_until_gone();
}
