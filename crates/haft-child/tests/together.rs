//! Calls that end at the same time, with orphans that each of them could have started. Alone in this file, because so
//! could each other call.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

#[expect(dead_code, reason = "other tests use the rest of it")]
mod script;

use haft_child::{adopt_orphans, run};
use script::{Script, until, zombies};

#[tokio::test]
async fn nothing_is_left_of_calls_that_end_together_though_no_process_shows_whose_it_is() {
    assert!(adopt_orphans().unwrap());
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
