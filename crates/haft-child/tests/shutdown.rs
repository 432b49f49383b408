//! The end of the whole process, and how it began.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod script;

use std::time::Duration;

use haft_child::{Ending, Program, kill_all, run};
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
}

#[tokio::test]
async fn statuses_arrive_although_the_parent_ignored_the_end_of_children() {
    if std::env::var_os(INNER).is_some() {
        assert_eq!(Script::new("exit 5").run().await.ending, Ending::Exited(5));
        return;
    }
    let mut program: Program = script::shell("trap '' CHLD; exec \"$0\" \"$@\"");
    let this = std::env::current_exe().unwrap();
    let name = "statuses_arrive_although_the_parent_ignored_the_end_of_children";
    program.arguments.extend([this.into(), "--exact".into(), name.into()]);
    program.environment.push((INNER.into(), "1".into()));
    let finished = run(program).await.unwrap();
    let output = String::from_utf8_lossy(&finished.stdout.bytes);
    assert_eq!(finished.ending, Ending::Exited(0), "{output}");
    assert!(output.contains("1 passed"), "{output}");
}

const INNER: &str = "INNER";
