//! The client's end of a pipe: programs that are shell scripts, well behaved and not.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use haft_transport::client::{Closed, End, Inbox, Incoming, Launch, Link, LinkError, Outgoing, Sent};
use tempfile::TempDir;

use crate::stage::soon;

/// A script with a folder of its own, by which its processes are known.
struct Script {
    folder: TempDir,
    launch: Launch,
}

impl Script {
    fn new(text: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let path = std::env::var_os("PATH").unwrap();
        let program = haft_child::resolve(OsStr::new("sh"), &path, Path::new("/")).unwrap();
        let mut launch = Launch::new(program, folder.path());
        launch.arguments = vec!["-c".into(), text.into()];
        launch.environment = vec![("PATH".into(), path), ("PLACE".into(), folder.path().into())];
        launch.grace = Duration::from_millis(100);
        Self { folder, launch }
    }

    fn start(&self) -> (Link, Inbox) {
        Link::child(self.launch.clone()).unwrap()
    }

    fn processes(&self) -> usize {
        let place = self.folder.path().to_str().unwrap();
        let folders = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
        let ours = folders.filter(|folder| {
            let stat = fs::read(folder.join("stat")).unwrap_or_default();
            let environment = fs::read(folder.join("environ")).unwrap_or_default();
            let is_zombie = String::from_utf8_lossy(&stat).contains(") Z ");
            !is_zombie && String::from_utf8_lossy(&environment).contains(place)
        });
        ours.count()
    }

    async fn until_nothing_is_left(&self) {
        until("its processes are gone", || self.processes() == 0).await;
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }
}

async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(10), "not within 10 s: {what}");
        // bounded: by the assertion above.
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn send(link: &Link, text: &str) -> Result<(), LinkError> {
    soon(link.send(Outgoing::message(text))).await
}

/// Everything up to the end, in short.
async fn all(inbox: &mut Inbox) -> (Vec<String>, Closed) {
    let mut found = Vec::new();
    loop {
        match soon(inbox.next()).await.unwrap() {
            Incoming::Closed(closed) => {
                assert!(soon(inbox.next()).await.is_none());
                return (found, closed);
            }
            other => found.push(short(other)),
        }
    }
}

fn short(incoming: Incoming) -> String {
    match incoming {
        Incoming::Message { bytes, request: None, head: None } => String::from_utf8(bytes).unwrap(),
        Incoming::Noise(excerpt) => format!("noise: {excerpt}"),
        Incoming::Stderr(excerpt) => format!("stderr: {excerpt}"),
        other => panic!("unexpected {other:?}"),
    }
}

async fn next(inbox: &mut Inbox) -> String {
    short(soon(inbox.next()).await.unwrap())
}

#[tokio::test]
async fn each_message_is_a_line_and_each_line_a_message() {
    let script = Script::new("exec cat");
    let (link, mut inbox) = script.start();
    assert!(!link.is_http());
    for text in ["{\"a\":\n1,\r\n\"b\":2}", "[1]"] {
        send(&link, text).await.unwrap();
    }
    assert_eq!(next(&mut inbox).await, "{\"a\": 1,  \"b\":2}");
    assert_eq!(next(&mut inbox).await, "[1]");
    // Nobody waits for it, but half a message must not be there.
    drop(tokio::time::timeout(Duration::ZERO, link.send(Outgoing::message(vec![b'1'; 100_000]))).await);
    send(&link, "{}").await.unwrap();
    assert!(next(&mut inbox).await.starts_with("noise: 11"));
    assert_eq!(next(&mut inbox).await, "{}");
    soon(link.clone().close()).await;
    assert!(matches!(soon(inbox.next()).await, Some(Incoming::Closed(Closed { end: End::WeClosed, .. }))));
    assert!(soon(inbox.next()).await.is_none());
    let error = send(&link, "{}").await.unwrap_err();
    assert_eq!((error.to_string().as_str(), error.sent()), ("the connection is closed", Sent::No));
    assert_eq!(script.processes(), 0);
}

#[tokio::test]
async fn what_is_no_message_is_noise_and_harms_nothing() {
    let script = Script::new(
        r#"printf 'Starting \033[2Jserver\n\r\n  \n[INFO] up\n{not json}\n{"a":1}\r\n\377\n{"jsonrpc":"2.0","id":1,"res'; echo 'it
broke' >&2; exit 3"#,
    );
    let (_link, mut inbox) = script.start();
    let (found, closed) = all(&mut inbox).await;
    let expected = [
        "noise: Starting \\u{1b}[2Jserver",
        "noise: [INFO] up",
        "noise: {not json}",
        "{\"a\":1}",
        "noise: \u{fffd}",
        "noise: {\"jsonrpc\":\"2.0\",\"id\":1,\"res…",
    ];
    assert_eq!(found, expected);
    assert_eq!((closed.end, closed.stderr.to_string().as_str()), (End::Exited(3), "it\\nbroke"));
    assert_eq!(closed.end.to_string(), "the program exited with status 3");
}

#[tokio::test]
async fn the_end_says_how_it_came() {
    for (text, end) in [
        ("exit 0", End::Exited(0)),
        ("kill -SEGV $$", End::Signalled(11)),
        ("exec >&-; sleep 1000", End::Hung),
        ("head -c 100000 /dev/zero; sleep 1000", End::TooLarge(50_000)),
        ("sleep 1000 & exit 1", End::Exited(1)),
    ] {
        let mut script = Script::new(text);
        script.launch.message_bytes = 50_000;
        let (_link, mut inbox) = script.start();
        let (found, closed) = all(&mut inbox).await;
        assert_eq!((found, closed.end), (Vec::new(), end), "{text}");
        assert_eq!(script.processes(), 0, "{text}");
    }
}

#[tokio::test]
async fn closing_leaves_nothing_whatever_the_program_does_against_it() {
    for text in [
        "trap '' TERM HUP INT; exec 0<&-; while :; do sleep 100; done",
        "trap '' TERM; setsid sh -c 'trap \"\" TERM; : > $PLACE/ready; sleep 1000; sleep 1000' & : ; sleep 1000",
        "(setsid setsid sleep 1000 &) ; cat >/dev/null; sleep 1000",
        "yes '{}'",
        "yes '{}' >&2",
    ] {
        let script = Script::new(text);
        let (link, inbox) = script.start();
        if text.contains("ready") {
            until("the script is ready", || script.file("ready").exists()).await;
        }
        soon(link.close()).await;
        assert_eq!(script.processes(), 0, "{text}");
        drop(inbox);
    }
}

#[tokio::test]
async fn a_link_or_an_inbox_that_is_dropped_leaves_nothing_either() {
    let text = "trap '' TERM; setsid sleep 1000 & while :; do sleep 100; done";
    let script = Script::new(text);
    let (link, mut inbox) = script.start();
    until("it runs", || script.processes() > 2).await;
    drop(link);
    script.until_nothing_is_left().await;
    assert!(soon(inbox.next()).await.is_none());

    let script = Script::new(text);
    let (link, inbox) = script.start();
    until("it runs", || script.processes() > 2).await;
    drop(inbox);
    script.until_nothing_is_left().await;
    assert!(matches!(send(&link, "{}").await, Err(LinkError::Closed { .. })));
}

#[tokio::test]
async fn a_program_that_ends_when_its_input_does_is_not_killed() {
    let mut script = Script::new("cat >/dev/null; sleep 0.05; echo '{\"bye\":1}'; : > $PLACE/done");
    script.launch.grace = Duration::from_secs(8);
    let (link, mut inbox) = script.start();
    soon(link.close()).await;
    assert!(script.file("done").exists());
    let (found, closed) = all(&mut inbox).await;
    assert_eq!((found, closed.end), (vec!["{\"bye\":1}".to_owned()], End::WeClosed));
}

#[tokio::test]
async fn a_program_that_does_not_read_is_an_error_and_no_hang() {
    let mut script = Script::new("sleep 1000");
    script.launch.write_timeout = Duration::from_millis(100);
    let (link, mut inbox) = script.start();
    let error = send(&link, &"x".repeat(1_000_000)).await.unwrap_err();
    assert!(matches!(error, LinkError::Stalled { sent: Sent::Maybe, .. }), "{error}");
    assert_eq!(error.to_string(), "the program does not read what it is sent: nothing within 0.1 s");
    assert_eq!(all(&mut inbox).await.1.end, End::Stalled);
    assert_eq!(script.processes(), 0);
}

#[tokio::test]
async fn a_message_of_which_nothing_was_read_is_withdrawn_and_the_next_one_can_go() {
    let mut script = Script::new("while ! [ -e $PLACE/go ]; do sleep 0.01; done; exec cat");
    script.launch.write_timeout = Duration::from_millis(500);
    let (link, mut inbox) = script.start();
    // As much as a pipe holds.
    let first = format!("[{}]", " ".repeat((64 << 10) - 3));
    send(&link, &first).await.unwrap();
    let error = send(&link, "[2]").await.unwrap_err();
    assert!(matches!(error, LinkError::Stalled { sent: Sent::No, .. }), "{error}");
    fs::write(script.file("go"), "").unwrap();
    send(&link, "[3]").await.unwrap();
    assert_eq!(next(&mut inbox).await, first);
    assert_eq!(next(&mut inbox).await, "[3]");
}

#[tokio::test]
async fn what_a_program_reports_is_kept_to_a_bound_and_never_holds_it_up() {
    let mut script = Script::new("yes report | head -c 9999997 >&2; printf last >&2; echo '{}'");
    script.launch.stderr_lines = true;
    script.launch.stderr_bytes = 100;
    let (link, mut inbox) = script.start();
    // Nobody reads until it is over.
    until("it has ended", || script.processes() == 0).await;
    let (found, closed) = all(&mut inbox).await;
    assert!(found.contains(&"{}".to_owned()) && found.contains(&"stderr: report".to_owned()));
    assert!(found.len() < 100, "{}", found.len());
    assert!(closed.stderr.is_cut() && closed.stderr.as_str().ends_with("report\nlast"));
    assert_eq!((closed.end, closed.stderr.as_str().len()), (End::Exited(0), 100));
    drop(link);
}

#[tokio::test]
async fn a_program_that_cannot_be_started_is_an_error_at_once() {
    let folder = TempDir::new().unwrap();
    let error = Link::child(Launch::new(folder.path().join("missing"), folder.path())).unwrap_err();
    assert!(matches!(error, LinkError::Start(_)) && error.sent() == Sent::No);
    assert!(error.to_string().contains("cannot be started"), "{error}");
    let launch = Launch::new("/bin/sh", folder.path());
    let outside = std::thread::spawn(move || Link::child(launch).map(|_| ()).unwrap_err());
    assert!(matches!(outside.join().unwrap(), LinkError::NoRuntime));
}

#[test]
fn what_may_be_secret_is_not_shown() {
    let mut launch = Launch::new("/bin/sh", "/");
    launch.arguments = vec!["--token=secret".into()];
    launch.environment = vec![("TOKEN".into(), "secret".into())];
    let shown = format!("{launch:?}");
    assert!(shown.contains("TOKEN") && !shown.contains("secret"), "{shown}");
    let message = Incoming::Message { bytes: b"\"secret\"".to_vec(), request: Some(1), head: None };
    assert_eq!(format!("{message:?}"), "Message { bytes: 8, request: Some(1), head: None }");
}
