//! The end of the whole process, with a program that nobody ended. Alone in this file, because it ends all calls.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

#[expect(dead_code, reason = "other tests use the rest of it")]
mod script;

use haft_child::{Ending, kill_all, spawn};
use script::{GRACE, Script};

#[tokio::test(flavor = "multi_thread")]
async fn what_kills_all_kills_it_as_well() {
    let script = Script::new("ready; exec @hang");
    let spawned = spawn(script.program.clone()).unwrap();
    script.ready().await;
    assert!(tokio::task::spawn_blocking(kill_all).await.unwrap());
    spawned.running.exited().await;
    assert_eq!(spawned.running.end(GRACE).await, Ending::Killed);
    script.assert_nothing_left();
}
