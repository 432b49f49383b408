//! Hostile programs, run by a process that has other children, too.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

mod script;
mod situations;

use std::{
    fs,
    process::{Child, Command},
    time::Duration,
};

use haft_child::{Ending, adopt_orphans};
use script::{Script, until};

fn prepare() {}

#[tokio::test]
async fn children_of_others_are_left_alone() {
    let mut running = other_child("exec sleep 100");
    let mut ended = other_child("exit 7");
    assert!(!adopt_orphans().unwrap(), "orphans could be those of the other children");
    let script = Script::new("setsid sleep 100 & exit 0");
    assert_eq!(script.run().await.ending, Ending::Exited(0));
    script.assert_nothing_left();

    assert_eq!(running.try_wait().unwrap(), None);
    running.kill().unwrap();
    running.wait().unwrap();
    assert_eq!(ended.wait().unwrap().code(), Some(7));
}

#[tokio::test]
async fn process_that_escaped_and_holds_the_outputs_does_not_keep_the_call() {
    let script =
        Script::new("(env -i /usr/bin/env setsid sh -c ': > ready; echo $$ > number; exec sleep 3' &) ; await_ready");
    let finished = script.run().await;
    assert_eq!(finished.ending, Ending::Exited(0));
    assert!(finished.elapsed < Duration::from_secs(2), "{finished:?}");
    until("it ended by itself", || script.processes().is_empty()).await;
}

/// A child in a session of its own, as one that a terminal library starts.
fn other_child(script: &str) -> Child {
    #[expect(clippy::disallowed_methods, reason = "a child that is not ours is the point")]
    let child = Command::new("setsid").args(["sh", "-c", script]).spawn();
    let child = child.unwrap();
    assert!(fs::exists(format!("/proc/{}", child.id())).unwrap());
    child
}
