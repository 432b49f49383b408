//! The end of the whole process. Alone in this file, because it ends all calls.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

mod script;

use std::time::Duration;

use haft_child::{Ending, kill_all, run};
use script::{Script, until, zombies};

#[test]
fn last_sweep_kills_what_a_runtime_left_running() {
    let script = Script::new("(setsid sh -c ': > ready; exec @hang' &) ; @hang");
    let other = Script::new("trap '' TERM; @hang");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let waiting = runtime.spawn(run(other.program.clone()));
    runtime.spawn(run(script.program.clone()));
    runtime.block_on(script.ready());

    assert!(kill_all());
    script.assert_nothing_left();
    other.assert_nothing_left();
    let finished = runtime.block_on(waiting).unwrap().unwrap();
    assert_eq!(finished.ending, Ending::Killed);

    runtime.spawn(run(script.program.clone()));
    runtime.block_on(until("it runs", || !script.processes().is_empty()));
    // Drops all tasks.
    runtime.shutdown_timeout(Duration::from_secs(5));
    assert!(kill_all());
    script.assert_nothing_left();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(until("no zombie is left", || zombies() == 0));
    let next = runtime.block_on(Script::new("exit 5").run());
    assert_eq!(next.ending, Ending::Exited(5), "it is no lock");
}
