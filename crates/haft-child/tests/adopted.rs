//! Hostile programs, run by a process that adopts all orphans.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

mod script;
mod situations;

use haft_child::{adopt_orphans, run};
use script::{Script, until, zombies};

fn prepare() {
    assert!(adopt_orphans().unwrap());
}

#[tokio::test]
async fn orphans_that_end_during_a_call_are_reaped_during_it() {
    prepare();
    let script = Script::new("for n in 1 2 3 4 5 6 7 8 9; do (setsid true &); done; ready; sleep 100");
    let running = tokio::spawn(run(script.program.clone()));
    script.ready().await;
    until("no zombie is left", || zombies() == 0).await;
    assert!(!script.processes().is_empty());
    running.abort();
    until("nothing is left", || script.processes().is_empty() && zombies() == 0).await;
}
