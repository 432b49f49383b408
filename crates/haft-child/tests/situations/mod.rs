//! What hostile programs do, run once by a process that adopts orphans and once by one that does not.

use std::time::Duration;

use haft_child::{Ending, run};

use crate::{
    prepare,
    script::{GRACE, Script, until, zombies},
};

fn ends_after(milliseconds: u64, script: &str) -> Script {
    let mut script = Script::new(script);
    script.program.limits.timeout = Duration::from_millis(milliseconds);
    script
}

/// The script ends so, within the time, and leaves nothing.
async fn check(script: Script, ending: Ending, longest: Duration) {
    let finished = script.run().await;
    script.assert_nothing_left();
    assert_eq!(finished.ending, ending, "{finished:?}");
    assert!(finished.elapsed < longest, "{finished:?}");
    until("no zombie is left", || zombies() == 0).await;
}

/// The script is dropped once it is ready, and soon leaves nothing.
async fn check_dropped(script: Script) {
    let running = tokio::spawn(run(script.program.clone()));
    script.ready().await;
    assert!(!script.processes().is_empty());
    running.abort();
    until("nothing is left", || script.processes().is_empty() && zombies() == 0).await;
}

/// Long before anything of it ends by itself, on a machine that does other things, too.
const SOON: Duration = Duration::from_secs(15);

/// A descendant that left the group, the session and its parent.
const DAEMON: &str = "(setsid sh -c 'ready() { : > ready; }; ready; exec @hang' &)\n";

#[tokio::test]
async fn child_in_the_background_does_not_outlive_the_call() {
    prepare();
    check(Script::new("sleep 100 & exit 3"), Ending::Exited(3), SOON).await;
    check(Script::new("sleep 100 >/dev/null 2>&1 & exit 0"), Ending::Exited(0), SOON).await;
    check(Script::new("@hang & exit 0"), Ending::Exited(0), SOON).await;
}

#[tokio::test]
async fn daemon_does_not_outlive_the_call() {
    prepare();
    check(Script::new(&format!("{DAEMON} await_ready; exit 0")), Ending::Exited(0), SOON).await;
}

#[tokio::test]
async fn daemon_does_not_outlive_the_timeout() {
    prepare();
    check(ends_after(500, &format!("{DAEMON} sleep 100")), Ending::TimedOut, SOON).await;
}

#[tokio::test]
async fn daemon_does_not_outlive_a_dropped_call() {
    prepare();
    check_dropped(Script::new(&format!("{DAEMON} sleep 100"))).await;
    check_dropped(Script::new(&format!("trap '' TERM; {DAEMON} await_ready; @hang"))).await;
}

#[tokio::test]
async fn daemon_does_not_outlive_the_output_limit() {
    prepare();
    let mut script = Script::new(&format!("{DAEMON} await_ready; setsid yes & yes"));
    script.program.limits.stdout = 10_000;
    check(script, Ending::OutputLimit, SOON).await;
}

#[tokio::test]
async fn program_that_ignores_the_request_to_end_is_killed_after_the_grace() {
    prepare();
    let script = ends_after(300, "trap '' TERM; while :; do sleep 100; done");
    let finished = script.run().await;
    script.assert_nothing_left();
    assert_eq!(finished.ending, Ending::TimedOut);
    assert!(finished.elapsed >= Duration::from_millis(300) + GRACE, "{finished:?}");
    assert!(finished.elapsed < SOON, "{finished:?}");
}

#[tokio::test]
async fn program_that_hears_the_request_to_end_can_say_a_last_word() {
    prepare();
    let mut script = ends_after(300, "trap 'echo bye; exit 0' TERM; echo hello; while :; do sleep 0.01; done");
    script.program.limits.grace = Duration::from_secs(20);
    let finished = script.run().await;
    script.assert_nothing_left();
    assert_eq!(finished.ending, Ending::TimedOut);
    assert_eq!(finished.stdout.bytes, b"hello\nbye\n");
    assert!(finished.elapsed < SOON, "{finished:?}");
}

#[tokio::test]
async fn descendant_without_environment_is_found_through_its_parents() {
    prepare();
    let text = "env -i /usr/bin/env setsid sh -c ': > ready; exec @hang' & sleep 100";
    check(ends_after(500, text), Ending::TimedOut, SOON).await;
}

#[tokio::test]
async fn stopped_program_is_ended_too() {
    prepare();
    check(ends_after(300, "kill -STOP $$"), Ending::TimedOut, SOON).await;
    check(Script::new("setsid sh -c 'kill -STOP $$' & exit 0"), Ending::Exited(0), SOON).await;
}

#[tokio::test]
async fn program_that_keeps_replacing_itself_is_caught() {
    prepare();
    // Each generation lives just long enough to start the next one, in a session of its own.
    let text = "cat > runner <<'END'\n#!/bin/sh\n: > ready\nsetsid $place/runner &\nEND\n\
                chmod +x runner; export place; ./runner >/dev/null 2>&1 </dev/null; await_ready;";
    check(Script::new(&format!("{text} exit 0")), Ending::Exited(0), SOON).await;
    check_dropped(Script::new(&format!("{text} sleep 100"))).await;
}

#[tokio::test]
async fn program_that_forks_without_end_is_caught() {
    prepare();
    let text = "trap '' TERM; n=0; while [ $n -lt 300 ]; do @hang & setsid @hang & n=$((n+1)); ready; done; wait";
    // All are killed at once, but on a busy machine hundreds of them take the kernel longer than a call waits.
    let script = ends_after(200, text);
    assert_eq!(script.run().await.ending, Ending::TimedOut);
    until("nothing is left", || script.processes().is_empty() && zombies() == 0).await;
    check_dropped(Script::new(text)).await;
}

#[tokio::test]
async fn output_through_a_process_that_is_not_waited_for_is_kept() {
    prepare();
    let script = Script::new("(sleep 0.03; echo late) & echo early");
    let finished = script.run().await;
    assert_eq!(finished.stdout.bytes, b"early\nlate\n");
    assert_eq!(finished.ending, Ending::Exited(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_calls_at_once_leave_nothing() {
    prepare();
    let scripts: Vec<_> =
        (0..50).map(|number| Script::new(&format!("{DAEMON} await_ready; echo {number}; exit {number}"))).collect();
    let running: Vec<_> = scripts.iter().map(|script| tokio::spawn(run(script.program.clone()))).collect();
    for (number, (script, running)) in (0..).zip(scripts.iter().zip(running)) {
        let finished = running.await.unwrap().unwrap();
        script.assert_nothing_left();
        assert_eq!(finished.ending, Ending::Exited(number));
        assert_eq!(finished.stdout.bytes, format!("{number}\n").as_bytes());
    }
    until("no zombie is left", || zombies() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn call_that_ends_does_not_touch_the_daemon_of_another() {
    prepare();
    let long = Script::new(&format!("{DAEMON} exec sleep 100"));
    let running = tokio::spawn(run(long.program.clone()));
    // Itself and the child of its daemon. From here on it starts nothing more.
    let complete = || long.processes().iter().filter(|process| process.starts_with("sleep 100 ")).count() == 2;
    until("both hang", complete).await;
    let before = long.processes().len();
    for _ in 0..5 {
        check_ending(Script::new(&format!("{DAEMON} await_ready"))).await;
    }
    assert_eq!(long.processes().len(), before);
    running.abort();
    until("nothing is left", || long.processes().is_empty()).await;
}

async fn check_ending(script: Script) {
    assert_eq!(script.run().await.ending, Ending::Exited(0));
    script.assert_nothing_left();
}
