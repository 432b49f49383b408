//! Programs that run until somebody ends them.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "functions that tests share")]

#[expect(dead_code, reason = "other tests use the rest of it")]
mod script;

use std::{
    fs,
    time::{Duration, Instant},
};

use haft_child::{Ending, Spawned, spawn};
use script::{GRACE, Script, until};

async fn read(spawned: &mut Spawned) -> String {
    let mut buffer = [0; 1000];
    let count = spawned.stdout.read(&mut buffer).await.unwrap();
    String::from_utf8(buffer[..count].to_vec()).unwrap()
}

#[tokio::test]
async fn its_pipes_are_the_callers() {
    let script = Script::new("echo began >&2; read line; echo \"heard $line\"; cat; exit 4");
    let mut spawned = spawn(script.program.clone()).unwrap();
    assert!(fs::exists(format!("/proc/{}", spawned.running.number())).unwrap());
    assert_eq!(spawned.stdin.write(b"a\nb").await.unwrap(), 3);
    let mut heard = String::new();
    while heard.len() < 9 {
        heard += &read(&mut spawned).await;
    }
    assert_eq!(heard, "heard a\nb");
    let mut buffer = [0; 100];
    let count = spawned.stderr.read(&mut buffer).await.unwrap();
    assert_eq!(buffer[..count], *b"began\n");
    let Spawned { running, stdin, mut stdout, .. } = spawned;
    drop(stdin);
    running.exited().await;
    assert_eq!(stdout.read(&mut buffer).await.unwrap(), 0);
    assert_eq!(running.end(GRACE).await, Ending::Exited(4));
}

#[tokio::test]
async fn it_ends_with_all_that_it_started() {
    for (text, ending) in [
        ("exec sleep 1000", Ending::Signalled(15)),
        ("trap 'exit 3' TERM; ready; while :; do sleep 0.01; done", Ending::Exited(3)),
        ("trap '' TERM; (setsid @hang &); ready; exec @hang", Ending::Signalled(9)),
    ] {
        let script = Script::new(text);
        let spawned = spawn(script.program.clone()).unwrap();
        if text.contains("ready") {
            script.ready().await;
        }
        let begun = Instant::now();
        assert_eq!(spawned.running.end(GRACE).await, ending, "{text}");
        assert!(begun.elapsed() < Duration::from_secs(3));
        script.assert_nothing_left();
    }
}

#[tokio::test]
async fn dropped_it_leaves_nothing() {
    let script = Script::new("(setsid @hang &); ready; exec @hang");
    let spawned = spawn(script.program.clone()).unwrap();
    script.ready().await;
    drop(spawned.running);
    until("nothing is left", || script.processes().is_empty()).await;
}
