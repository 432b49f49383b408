//! Processes that nothing ties to their call any more. Alone in this file, because each call that runs at the same
//! time could have started them.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

mod script;

use haft_child::{Ending, adopt_orphans, run};
use script::{Script, until, zombies};

/// Another group, another session, no parent, and no environment.
const STRANGER: &str = "(env -i /usr/bin/env setsid sh -c ': > ready; exec @hang' &)\n";

#[tokio::test(flavor = "multi_thread")]
async fn stranger_goes_with_the_last_call_that_may_have_started_it() {
    assert!(adopt_orphans().unwrap());
    assert!(adopt_orphans().unwrap(), "twice is once");

    let script = Script::new(&format!("{STRANGER} await_ready; exit 0"));
    assert_eq!(script.run().await.ending, Ending::Exited(0));
    script.assert_nothing_left();

    let script = Script::new(&format!("{STRANGER} sleep 100"));
    let running = tokio::spawn(run(script.program.clone()));
    script.ready().await;
    running.abort();
    until("nothing is left", || script.processes().is_empty() && zombies() == 0).await;

    let long = Script::new("ready; sleep 100");
    let running = tokio::spawn(run(long.program.clone()));
    long.ready().await;
    let short = Script::new(&format!("{STRANGER} await_ready"));
    assert_eq!(short.run().await.ending, Ending::Exited(0));
    assert!(!short.processes().is_empty(), "it could be of the other call");
    running.abort();
    until("nothing is left", || short.processes().is_empty() && zombies() == 0).await;
}
