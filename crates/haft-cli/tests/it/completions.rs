//! `haft completions`.

use std::process::Stdio;

use crate::binary::Folder;

#[test]
fn every_shell_gets_a_script_on_stdout() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let finished = Folder::empty().run(&["completions", shell]);
        assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(
            ["allow-host", "dry-run", "inspect", "explain"].iter().all(|word| finished.stdout.contains(word)),
            "{shell}: {}",
            finished.stdout
        );
    }
}

#[test]
fn a_reader_that_closes_the_pipe_is_no_failure() {
    let folder = Folder::empty();
    let mut child = folder.haft(&["completions", "zsh"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
