//! What a person in a terminal gets.

use std::process::{Command, Stdio};

use rustix::process::Signal;

use crate::binary::{Folder, Guard, until};

/// The port is a fixed one, which something else may have: then the error names it, and that is the same choice.
#[test]
fn in_a_terminal_http_is_served_at_the_standard_address() {
    let folder = Folder::with("[server]\nname = \"x\"\n");
    let binary = env!("CARGO_BIN_EXE_haft");
    // `script` gives its child a terminal.
    let mut command = Command::new("script");
    command.args(["-qefc", &format!("{binary} serve"), "out"]).current_dir(folder.path()).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", folder.path()).env("SHELL", "/bin/sh");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let guard = Guard(command.spawn().unwrap());
    until("it serves, or says that the port is busy", || {
        let output = folder.read("out");
        output.contains("listening on http://127.0.0.1:7878/mcp") || output.contains("127.0.0.1:7878")
    });
    guard.signal(Signal::TERM);
}
