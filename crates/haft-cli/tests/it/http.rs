//! Serving over HTTP: who is let in, and what is said about it.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;

use expect_test::expect;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::binary::{Folder, Guard, until};
use crate::client::{Web, call, modern, text};

const MANIFEST: &str = r#"
[server]
name = "web tools"

[[tool]]
name = "echo"
title = "Echo"
description = "Says it again."
annotations = { read_only = true }
args.text = { type = "string" }
command = { argv = ["printf", "%s", "{text}"] }
"#;

fn echo(said: &str) -> Value {
    call(1, "echo", json!({ "text": said }))
}

fn status(web: &Web, headers: &[(&str, &str)]) -> u16 {
    web.post(headers, &echo("x")).0
}

/// What was printed, without what differs from start to start.
fn printed(web: &Web, folder: &Folder) -> String {
    let binary = env!("CARGO_BIN_EXE_haft");
    let text = web.announcement.replace(&web.authority, "$ADDRESS").replace(folder.path().to_str().unwrap(), "$FOLDER");
    text.replace(binary, "$HAFT")
}

#[test]
fn whoever_has_the_printed_token_is_let_in_and_nobody_else() {
    let folder = Folder::with(MANIFEST);
    let web = Web::start(&folder, &[]);
    let token = web.token();
    let bearer = format!("Bearer {token}");
    let (status_of, body) = web.post(&[("Authorization", &bearer)], &echo("hello"));
    assert_eq!((status_of, text(&serde_json::from_str(&body).unwrap()).as_str()), (200, "hello"));
    for wrong in ["", "Bearer", "Bearer x", &bearer[..bearer.len() - 1], &format!("Basic {token}")] {
        assert_eq!(status(&web, &[("Authorization", wrong)]), 401, "{wrong}");
    }
    assert_eq!(status(&web, &[]), 401);
    let expected = expect![[r#"
        serving `web tools` from $FOLDER/haft.toml
          echo  read-only    Echo

        listening on http://$ADDRESS/mcp

        Claude Code:
          claude mcp add --transport http web-tools http://$ADDRESS/mcp --header "Authorization: Bearer $TOKEN"
        VS Code, .vscode/mcp.json:
          {"servers":{"web-tools":{"type":"http","url":"http://$ADDRESS/mcp","headers":{"Authorization":"Bearer $TOKEN"}}}}
        Cursor, .cursor/mcp.json:
          {"mcpServers":{"web-tools":{"url":"http://$ADDRESS/mcp","headers":{"Authorization":"Bearer $TOKEN"}}}}
        Clients that start their servers:
          {"mcpServers":{"web-tools":{"command":"$HAFT","args":["serve","--stdio","$FOLDER/haft.toml"]}}}

        Ctrl-C ends it.
    "#]];
    expected.assert_eq(&printed(&web, &folder).replace(&token, "$TOKEN"));
}

#[test]
fn the_token_is_kept_for_the_next_start_and_for_its_user_alone() {
    let folder = Folder::with(MANIFEST);
    let first = Web::start(&folder, &["--state", "state"]).token();
    assert_eq!(Web::start(&folder, &["--state", "state"]).token(), first);
    let mode = |name: &str| std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("state"), mode("state/token")), (0o700, 0o600));
    // Another manifest has another token.
    let in_home = Web::start(&folder, &[]).token();
    folder.write("other/haft.toml", MANIFEST);
    assert_ne!(in_home, first);
    assert_ne!(Web::start(&folder, &["other"]).token(), in_home);
}

#[test]
fn a_token_that_somebody_set_is_asked_for_and_never_printed() {
    let folder = Folder::with(MANIFEST);
    let token = "a-token-of-somebody";
    folder.write("token", &format!("{token}\n"));
    let from_file = Web::start(&folder, &["--token-file", "token"]);
    let mut command = folder.haft(&["serve", "--http", "127.0.0.1:0"]);
    command.env("HAFT_TOKEN", token);
    let from_environment = Web::spawn(command);
    for web in [&from_file, &from_environment] {
        assert!(!web.announcement.contains(token), "{}", web.announcement);
        assert_eq!(status(web, &[("Authorization", &format!("Bearer {token}"))]), 200);
        assert_eq!(status(web, &[]), 401);
    }
    assert!(from_file.announcement.starts_with("warning: other users of this machine may read the token\n"));
}

#[test]
fn without_a_token_everybody_on_this_machine_is_let_in_but_no_page() {
    let folder = Folder::with(MANIFEST);
    let web = Web::start(
        &folder,
        &["--no-auth", "--allow-origin", "https://app.example.com", "--allow-host", "tools.example.com"],
    );
    assert_eq!(status(&web, &[]), 200);
    assert_eq!(status(&web, &[("Origin", "https://evil.example")]), 403);
    assert_eq!(status(&web, &[("Origin", "null")]), 403);
    assert_eq!(status(&web, &[("Host", "evil.example")]), 403);
    assert_eq!(status(&web, &[("Origin", "https://app.example.com")]), 200);
    assert_eq!(status(&web, &[("Host", "tools.example.com")]), 200);
    let expected = expect![[r#"
        serving `web tools` from $FOLDER/haft.toml
          echo  read-only    Echo

        listening on http://$ADDRESS/mcp

        Nobody is asked who they are (`--no-auth`): every program of every user of this machine can call these tools.
        Pages in a browser still cannot: their origin is checked.

        Claude Code:
          claude mcp add --transport http web-tools http://$ADDRESS/mcp
        VS Code, .vscode/mcp.json:
          {"servers":{"web-tools":{"type":"http","url":"http://$ADDRESS/mcp"}}}
        Cursor, .cursor/mcp.json:
          {"mcpServers":{"web-tools":{"url":"http://$ADDRESS/mcp"}}}
        Clients that start their servers:
          {"mcpServers":{"web-tools":{"command":"$HAFT","args":["serve","--stdio","$FOLDER/haft.toml"]}}}

        Ctrl-C ends it.
    "#]];
    expected.assert_eq(&printed(&web, &folder));
}

#[test]
fn both_eras_are_served() {
    let folder = Folder::with(MANIFEST);
    let web = Web::start(&folder, &["--no-auth"]);
    let (status, body) = web.post(&[], &modern(1, "tools/list", json!({})));
    assert_eq!(status, 200, "{body}");
    let initialize = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "old", "version": "1" } },
    });
    let headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    let (status, body) = web.request("POST", &headers, &initialize.to_string());
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("\"protocolVersion\":\"2025-06-18\""), "{body}");
}

#[test]
fn a_socket_in_the_file_system_is_for_its_user_without_a_token() {
    let folder = Folder::with(MANIFEST);
    let path = folder.path().join("run/haft.sock");
    let mut command = folder.haft(&["serve", "--http"]);
    let mut server = Guard(command.arg(format!("unix:{}", path.display())).spawn().unwrap());
    until("it listens", || UnixStream::connect(&path).is_ok());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let mut stream = UnixStream::connect(&path).unwrap();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let length = body.len();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
                    Connection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    server.signal(Signal::TERM);
    assert_eq!(server.code(), Some(0));
    assert!(!path.exists());
}

#[test]
fn a_call_of_the_same_user_finds_the_token_while_it_is_served() {
    let folder = Folder::with(MANIFEST);
    let rule = "[[policy.rule]]\ntools = \"127_0_0_1:*.*\"\nthen = \"allow\"\n";
    folder.write("home/.config/haft/policy.toml", rule);
    let mut web = Web::start(&folder, &[]);
    let url = format!("http://{}/mcp", web.authority);
    let call = ["call", url.as_str(), "echo", "text=hello"];
    let finished = folder.run(&call);
    assert_eq!((finished.code, finished.stdout.as_str(), finished.stderr.as_str()), (Some(0), "hello\n", ""));
    // Somebody without the state folder is nobody.
    let mut stranger = folder.haft(&["list", &url]);
    stranger.env("XDG_STATE_HOME", folder.path().join("elsewhere"));
    let mut finished = folder.finish(stranger);
    finished.stderr = finished.stderr.replace(&web.authority, "$ADDRESS");
    finished.check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the server wants authorization: status 401 (Bearer)

        hint: `--header 'Authorization: Bearer ${TOKEN}'` sends a token from a variable
    "#]]);
    folder.write("authorization", &format!("Bearer {}\n", web.token()));
    let mut stranger = folder.haft(&["list", &url, "--header", "Authorization: @authorization"]);
    stranger.env("XDG_STATE_HOME", folder.path().join("elsewhere"));
    assert_eq!(folder.finish(stranger).code, Some(0));
    // Whoever listens there afterwards gets no token.
    web.server.signal(Signal::KILL);
    web.server.code();
    let listener = std::net::TcpListener::bind(&web.authority).unwrap();
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = [0; 1024];
        let count = stream.read(&mut head).unwrap();
        String::from_utf8_lossy(&head[..count]).to_lowercase()
    });
    folder.run(&["list", &url, "--timeout", "2s"]);
    let heard = heard.join().unwrap();
    assert!(heard.starts_with("post /mcp") && !heard.contains("authorization"), "{heard}");
}
