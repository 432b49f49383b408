//! How a server ends.

use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;

use rustix::process::Signal;
use serde_json::json;

use crate::binary::{Folder, until};
use crate::client::{Pipe, Web, call, headers, text};

/// A tool that ends when it may, and one that never does and leaves a process that does not want to end.
fn folder() -> Folder {
    let folder = Folder::with(
        r#"
[server]
name = "slow"

[[tool]]
name = "slow"
description = "Ends when it may."
annotations = { destructive = false }
command = { argv = ["sh", "-c", "echo $$ >>pids; while [ ! -e go ]; do sleep 0.01; done; echo finished"] }

[[tool]]
name = "endless"
description = "Never ends."
annotations = { destructive = false }
command = { argv = ["sh", "./endless"], timeout = "1h" }
"#,
    );
    folder.write(
        "endless",
        "echo $$ >>pids\nsetsid sh -c 'trap \"\" TERM INT HUP; echo $$ >>pids; sleep 1000; :' &\nwait\n",
    );
    folder
}

#[test]
fn a_signal_lets_calls_over_stdio_finish() {
    let folder = folder();
    let mut pipe = Pipe::start(&folder, &[]);
    pipe.send(&call(1, "slow", json!({})));
    folder.wait_for_pids(1);
    pipe.server.signal(Signal::TERM);
    folder.write("go", "");
    assert_eq!(text(&pipe.receive()), "finished");
    assert_eq!(pipe.server.code(), Some(0));
    folder.wait_until_gone();
}

#[test]
fn a_signal_lets_calls_over_http_finish() {
    let folder = folder();
    let mut web = Web::start(&folder, &["--no-auth"]);
    let body = thread::scope(|scope| {
        let answer = scope.spawn(|| web.post(&[], &call(1, "slow", json!({}))).1);
        folder.wait_for_pids(1);
        web.server.signal(Signal::TERM);
        folder.write("go", "");
        answer.join().unwrap()
    });
    assert_eq!(text(&serde_json::from_str(&body).unwrap()), "finished");
    assert_eq!(web.server.code(), Some(0));
    folder.wait_until_gone();
}

#[test]
fn a_second_signal_over_stdio_ends_everything_at_once() {
    let folder = folder();
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    pipe.send(&call(1, "endless", json!({})));
    folder.wait_for_pids(2);
    // Two of a kind could come as one.
    pipe.server.signal(Signal::TERM);
    pipe.server.signal(Signal::INT);
    assert_eq!(pipe.server.code(), Some(130));
    folder.wait_until_gone();
}

#[test]
fn a_second_signal_over_http_ends_everything_at_once() {
    let folder = folder();
    let mut web = Web::start(&folder, &["--no-auth"]);
    let message = call(1, "endless", json!({}));
    let mut stream = TcpStream::connect(&web.authority).unwrap();
    web.write(&mut stream, "POST", &headers(&message), &message.to_string());
    folder.wait_for_pids(2);
    web.server.signal(Signal::TERM);
    until("it takes no more connections", || TcpStream::connect(&web.authority).is_err());
    web.server.signal(Signal::TERM);
    assert_eq!(web.server.code(), Some(143));
    folder.wait_until_gone();
}

#[test]
fn a_client_that_goes_away_takes_its_calls_with_it() {
    let folder = folder();
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    pipe.send(&call(1, "endless", json!({})));
    folder.wait_for_pids(2);
    pipe.server.signal(Signal::HUP);
    assert_eq!(pipe.server.code(), Some(0));
    folder.wait_until_gone();
}

#[test]
fn a_hangup_that_was_ignored_at_the_start_stays_ignored() {
    let folder = folder();
    let mut ignoring = Command::new("sh");
    ignoring
        .args(["-c", "trap '' HUP; exec \"$0\" serve --http 127.0.0.1:0 --no-auth"])
        .arg(env!("CARGO_BIN_EXE_haft"));
    ignoring.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut web = Web::spawn(ignoring);
    web.server.signal(Signal::HUP);
    folder.write("go", "");
    let (_, body) = web.post(&[], &call(1, "slow", json!({})));
    assert_eq!(text(&serde_json::from_str(&body).unwrap()), "finished");
    web.server.signal(Signal::TERM);
    assert_eq!(web.server.code(), Some(0));
}
