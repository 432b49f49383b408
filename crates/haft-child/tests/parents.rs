//! A call that is dropped while it starts something. Alone in this file, because a drop makes do with what another call
//! may have seen a few milliseconds before.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

#[expect(dead_code, reason = "other tests use the rest of it")]
mod script;

use haft_child::run;
use script::{Script, until, zombies};

#[tokio::test]
async fn descendant_without_environment_is_found_through_its_parents_after_a_drop() {
    let script = Script::new("env -i /usr/bin/env setsid sh -c ': > ready; exec @hang' & sleep 100");
    let running = tokio::spawn(run(script.program.clone()));
    script.ready().await;
    running.abort();
    until("nothing is left", || script.processes().is_empty() && zombies() == 0).await;
}
