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

#[tokio::test]
async fn nothing_is_left_of_calls_that_end_together_though_no_process_shows_whose_it_is() {
    prepare();
    let escape = "(env -i setsid sh -c 'trap \"\" TERM HUP; : >left; exec sleep 1000' &); \
                  while ! [ -e left ]; do sleep 0.01; done; ready; sleep 100";
    let scripts: Vec<Script> = (0..8).map(|_| Script::new(escape)).collect();
    let running: Vec<_> = scripts.iter().map(|script| tokio::spawn(run(script.program.clone()))).collect();
    for script in &scripts {
        script.ready().await;
    }
    for call in running {
        call.abort();
    }
    until("nothing is left", || scripts.iter().all(|script| script.processes().is_empty()) && zombies() == 0).await;
}
