//! The end of a process that adopts all orphans. Alone in this file, because it ends all calls.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

#[expect(dead_code, reason = "other tests use the rest of it")]
mod script;

use std::time::Duration;

use haft_child::{Ending, adopt_orphans, kill_all, run};
use script::{Script, until, zombies};
use tokio::runtime::{Builder, Runtime};

/// A descendant that left the group, the session and its parent, and has no environment: either of two calls could
/// have started it.
const STRANGER: &str = "(env -i /usr/bin/env setsid sh -c ': > ready; exec @hang' &)\n";

fn two() -> [Script; 2] {
    [(); 2].map(|()| Script::new(&format!("{STRANGER} sleep 100")))
}

#[test]
fn last_sweep_kills_what_either_of_two_calls_could_have_started() {
    assert!(adopt_orphans().unwrap());
    // Of one thread, so that nobody ends a call while all are killed.
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let start = |scripts: &[Script; 2]| {
        let running = [0, 1].map(|number: usize| runtime.spawn(run(scripts[number].program.clone())));
        for script in scripts {
            runtime.block_on(script.ready());
        }
        running
    };
    let scripts = two();
    let running = start(&scripts);
    assert!(kill_all());
    scripts.iter().for_each(Script::assert_nothing_left);
    for call in running {
        assert_eq!(runtime.block_on(call).unwrap().unwrap().ending, Ending::Killed);
    }

    let scripts = two();
    start(&scripts);
    // Drops all tasks, and the calls with them.
    runtime.shutdown_timeout(Duration::from_secs(5));
    assert!(kill_all());
    scripts.iter().for_each(Script::assert_nothing_left);
    Runtime::new().unwrap().block_on(until("no zombie is left", || zombies() == 0));
}
