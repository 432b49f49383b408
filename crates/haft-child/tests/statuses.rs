//! A process that its parent told to ignore the end of children.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "functions that tests share")]

mod script;

use haft_child::{Ending, run};
use script::{Script, until, zombies};

#[tokio::test]
async fn statuses_arrive_although_the_parent_ignored_the_end_of_children() {
    if std::env::var_os(INNER).is_some() {
        let script = Script::new("ready; sleep 0.01; exit 5");
        assert_eq!(script.run().await.ending, Ending::Exited(5));
        script.ready().await;
        script.assert_nothing_left();
        return;
    }
    let mut program = script::shell("trap '' CHLD; exec \"$0\" \"$@\"");
    let this = std::env::current_exe().unwrap();
    let name = "statuses_arrive_although_the_parent_ignored_the_end_of_children";
    program.arguments.extend([this.into(), "--exact".into(), name.into()]);
    program.environment.push((INNER.into(), "1".into()));
    let finished = run(program).await.unwrap();
    let output = String::from_utf8_lossy(&finished.stdout.bytes);
    assert_eq!(finished.ending, Ending::Exited(0), "{output}");
    until("no zombie is left", || zombies() == 0).await;
    assert!(output.contains("1 passed"), "{output}");
}

const INNER: &str = "INNER";
