//! Conversations over stdin and stdout.

use std::process::Stdio;

use serde_json::json;

use crate::binary::Folder;
use crate::client::{Pipe, call, modern, text};

const ECHO: &str = r#"
[server]
name = "echoes"
title = "Echoes"
version = "1.2.3"
instructions = "Say something."

[[tool]]
name = "echo"
description = "Says it again. Use it to hear yourself; not for thinking."
annotations = { destructive = false }
args.text = { type = "string", description = "What to say" }
command = { argv = ["printf", "%s", "{text}"] }

[[tool]]
name = "nothing"
description = "Reads all that it can."
annotations = { destructive = false }
command = { argv = ["sh", "-c", "cat; echo printed >&2; echo end"] }
"#;

#[test]
fn one_process_answers_a_legacy_and_a_modern_conversation_interleaved() {
    let folder = Folder::with(ECHO);
    let mut pipe = Pipe::start(&folder, &[]);
    let discovered = pipe.ask(&modern(1, "server/discover", json!({})));
    let supported = discovered["result"]["supportedVersions"].as_array().unwrap();
    assert!(supported.contains(&json!("2026-07-28")), "{discovered}");

    let initialize = json!({
        "jsonrpc": "2.0", "id": "begin", "method": "initialize",
        "params": { "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": { "name": "old", "version": "1" } },
    });
    let initialized = pipe.ask(&initialize);
    assert_eq!(initialized["result"]["protocolVersion"], "2025-03-26");
    assert_eq!(initialized["result"]["serverInfo"]["name"], "echoes");
    assert_eq!(initialized["result"]["instructions"], "Say something.");
    pipe.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));

    assert_eq!(pipe.call("echo", json!({ "text": "modern" })), "modern");
    let legacy = json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": { "name": "echo", "arguments": { "text": "legacy" } },
    });
    let answer = pipe.ask(&legacy);
    assert_eq!(text(&answer), "legacy");
    assert!(answer["result"]["resultType"].is_null(), "{answer}");
    let answer = pipe.ask(&call(8, "echo", json!({ "text": "again" })));
    assert_eq!((text(&answer).as_str(), &answer["result"]["resultType"]), ("again", &json!("complete")));

    let old = pipe.ask(&json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/list" }));
    let new = pipe.ask(&modern(10, "tools/list", json!({})));
    let names = |answer: &serde_json::Value| -> Vec<String> {
        let tools = answer["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&old), ["echo", "nothing"]);
    assert_eq!(names(&new), names(&old));

    pipe.close();
    assert_eq!(pipe.server.code(), Some(0));
}

#[test]
fn wrong_arguments_are_answered_with_what_to_do() {
    let folder = Folder::with(ECHO);
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    let said = pipe.call("echo", json!({ "txt": "x" }));
    assert!(said.starts_with("error: ") && said.contains("did you mean `text`?"), "{said}");
    let said = pipe.call("echo", json!({ "text": 5 }));
    assert!(said.contains("`/text`: expected a string, got an integer"), "{said}");
    let unknown = pipe.ask(&call(2, "ecko", json!({})));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
}

#[test]
fn a_tool_cannot_read_the_conversation_nor_write_into_it() {
    let folder = Folder::with(ECHO);
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    pipe.send(&call(1, "nothing", json!({})));
    pipe.send(&call(2, "echo", json!({ "text": "not eaten" })));
    let mut said = [pipe.receive(), pipe.receive()].map(|answer| (answer["id"].as_u64(), text(&answer)));
    said.sort();
    assert_eq!(said, [(Some(1), "end".to_owned()), (Some(2), "not eaten".to_owned())]);
}

#[test]
fn the_end_of_the_input_is_the_end_and_what_was_asked_is_answered() {
    let folder = Folder::with(ECHO);
    let mut child = folder.haft(&["serve"]).stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    crate::binary::write_in_background(stdin, format!("{}\n", call(1, "echo", json!({ "text": "last" }))));
    let output = child.wait_with_output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(text(&answer), "last");
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}
