//! Calls that a person has to allow: asked by one process, answered in another, used up in the first.

use expect_test::expect;
use serde_json::json;

use crate::binary::Folder;
use crate::client::{Pipe, modern, text};

const MANIFEST: &str = r#"
[server]
name = "notes"
version = "1.0"

[[tool]]
name = "remove"
description = "Removes a note."
annotations = { destructive = true }
args.id = { type = "integer" }
command = { argv = ["sh", "-c", "echo removed >>effects; cat effects", "sh", "{id}"] }

[[tool]]
name = "look"
description = "Looks."
annotations = { read_only = true }
command = { argv = ["echo", "seen"] }

[[policy.rule]]
name = "by-hand"
tools = "remove"
then = "ask"
ask = "person"
"#;

fn ticket(refusal: &str) -> String {
    let (_, rest) = refusal.split_once("ticket ").unwrap_or_else(|| panic!("no ticket: {refusal}"));
    rest.split(';').next().unwrap().to_owned()
}

#[test]
fn the_default_policy_refuses_at_once_what_nobody_can_be_asked_about() {
    let manifest = MANIFEST.split("[[policy.rule]]").next().unwrap();
    let folder = Folder::with(manifest);
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    assert_eq!(pipe.call("look", json!({})), "seen");
    let refused = pipe.call("remove", json!({ "id": 1 }));
    // There is a state folder, so a person can allow it there.
    assert!(
        refused
            .starts_with("error: `remove` was not run: approval is required by the default policy. A person is asked"),
        "{refused}"
    );
    assert_eq!(folder.read("effects"), "");
}

#[test]
fn a_client_that_can_show_a_question_is_asked_by_default() {
    let manifest = MANIFEST.split("[[policy.rule]]").next().unwrap();
    let folder = Folder::with(manifest);
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    let round = |more: serde_json::Value| {
        let mut request = modern(1, "tools/call", json!({ "name": "remove", "arguments": { "id": 1 } }));
        request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({ "elicitation": {} });
        for (key, value) in more.as_object().unwrap() {
            request["params"][key] = value.clone();
        }
        request
    };
    let asked = pipe.ask(&round(json!({})));
    let message = &asked["result"]["inputRequests"]["haft.approval"]["params"]["message"];
    assert!(message.as_str().unwrap().contains("Tool: local.remove"), "{asked}");
    let yes = json!({ "haft.approval": { "action": "accept", "content": { "confirmed": true } } });
    let said = json!({ "requestState": asked["result"]["requestState"], "inputResponses": yes });
    assert_eq!(text(&pipe.ask(&round(said.clone()))), "removed");
    // The state is used up, also for a server that is started anew with another key.
    assert!(text(&pipe.ask(&round(said))).contains("used before"));
    assert_eq!(folder.read("effects"), "removed\n");
}

#[test]
fn a_ticket_is_answered_in_another_process_and_used_up_by_the_identical_call() {
    let folder = Folder::with(MANIFEST);
    let mut pipe = Pipe::start(&folder, &["--stdio", "--audit"]);
    let refused = pipe.call("remove", json!({ "id": 1 }));
    let ticket = ticket(&refused);
    let listed = folder.run(&["approvals", "list"]);
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    for part in [ticket.as_str(), "local.remove", r#"{"id":1}"#, "by-hand", "waits for an answer"] {
        assert!(listed.stdout.contains(part), "{part}: {}", listed.stdout);
    }
    let allowed = folder.run(&["approvals", "allow", &ticket[..9]]);
    assert_eq!((allowed.code, allowed.stdout.as_str()), (Some(0), ""), "{}", allowed.stderr);
    assert!(pipe.call("remove", json!({ "id": 2 })).contains("ticket"));
    assert_eq!(pipe.call("remove", json!({ "id": 1 })), "removed");
    assert!(pipe.call("remove", json!({ "id": 1 })).contains("ticket"));
    assert_eq!(folder.read("effects"), "removed\n");

    pipe.close();
    assert_eq!(pipe.server.code(), Some(0));
    let shown = folder.run(&["audit", "show", "--tool", "remove"]).stdout;
    for part in [
        "decision local.remove ask rule=by-hand",
        "approval local.remove granted",
        "approval local.remove spent",
        "intent",
        "outcome local.remove answered",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let verified = folder.run(&["audit", "verify"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
}

#[test]
fn the_log_of_a_manifest_elsewhere_is_found_by_its_file() {
    let folder = Folder::empty();
    folder.write("tools/haft.toml", MANIFEST);
    let mut pipe = Pipe::start(&folder, &["tools", "--stdio", "--audit"]);
    pipe.call("look", json!({}));
    pipe.close();
    assert_eq!(pipe.server.code(), Some(0));
    for file in ["tools", "tools/haft.toml"] {
        let shown = folder.run(&["audit", "show", "--file", file]);
        assert!(shown.stdout.contains("outcome local.look answered"), "{shown:?}");
        assert_eq!(folder.run(&["audit", "verify", "--file", file]).code, Some(0));
    }
    folder.run(&["audit", "show"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: no `haft.toml` here or in a directory above

        hint: name the manifest: `haft audit show --file path/to/haft.toml`
    "#]]);
    let both = folder.run(&["audit", "verify", "log", "--file", "tools"]);
    assert_eq!(both.code, Some(2));
    assert!(both.stderr.contains("cannot be used with"), "{}", both.stderr);
}

#[test]
fn a_changed_log_is_found() {
    let folder = Folder::with(MANIFEST);
    let mut pipe = Pipe::start(&folder, &["--stdio", "--audit-dir", "log"]);
    pipe.call("look", json!({}));
    pipe.close();
    assert_eq!(pipe.server.code(), Some(0));
    assert_eq!(folder.run(&["audit", "verify", "log"]).code, Some(0));
    let text = folder.read("log/w01-000001.jsonl");
    folder.write("log/w01-000001.jsonl", &text.replacen("look", "loot", 1));
    let verified = folder.run(&["audit", "verify", "log"]);
    assert_eq!(verified.code, Some(1));
    assert!(verified.stderr.contains("not as it was written"), "{}", verified.stderr);
}

#[test]
fn a_no_counts_and_a_yes_can_last() {
    let folder = Folder::with(MANIFEST);
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    let denied = ticket(&pipe.call("remove", json!({ "id": 1 })));
    assert_eq!(folder.run(&["approvals", "deny", &denied]).code, Some(0));
    assert!(pipe.call("remove", json!({ "id": 1 })).contains("a person said no"));
    let lasting = ticket(&pipe.call("remove", json!({ "id": 2 })));
    assert_eq!(folder.run(&["approvals", "allow", &lasting, "--for", "8h"]).code, Some(0));
    for _ in 0..2 {
        assert!(pipe.call("remove", json!({ "id": 2 })).starts_with("removed"));
    }
    let unknown = folder.run(&["approvals", "allow", "ZZZZ"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("hint: `haft approvals list`"), "{}", unknown.stderr);
}

#[test]
fn always_is_a_rule_for_exactly_one_call_and_beats_no_other_rule() {
    let manifest = MANIFEST.split("[[policy.rule]]").next().unwrap();
    let folder = Folder::with(manifest);
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    let asked = ticket(&pipe.call("remove", json!({ "id": 1 })));
    let allowed = folder.run(&["approvals", "allow", &asked, "--always"]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.stderr);
    let written = folder.read("home/.config/haft/policy.toml");
    assert!(written.contains("local.remove") && written.contains("id = 1"), "{written}");
    drop(pipe);

    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    for _ in 0..3 {
        assert!(pipe.call("remove", json!({ "id": 1 })).starts_with("removed"));
    }
    assert!(pipe.call("remove", json!({ "id": 2 })).contains("ticket"));
    drop(pipe);
    // A project may tighten, and an allow of the user does not beat that.
    folder.write("haft.toml", MANIFEST);
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    // The yes itself was for one run, and is there still.
    assert!(pipe.call("remove", json!({ "id": 1 })).starts_with("removed"));
    assert!(pipe.call("remove", json!({ "id": 1 })).contains("by-hand"));
}

#[test]
fn a_policy_that_cannot_be_read_serves_nothing() {
    let folder = Folder::with(MANIFEST);
    folder.write("home/.config/haft/policy.toml", "[[policy.rule]]\ntool = \"x\"\nthen = \"deny\"\n");
    let refused = folder.run(&["serve", "--stdio"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("did you mean `tools`?"), "{}", refused.stderr);
}

#[test]
fn rules_that_are_only_tried_let_run_and_are_counted() {
    let folder = Folder::with(&MANIFEST.replace("[[policy.rule]]", "[policy]\nmode = \"shadow\"\n\n[[policy.rule]]"));
    folder.write("home/.config/haft/policy.toml", "[policy]\nmode = \"shadow\"\n");
    let mut command = folder.haft(&["serve", "--stdio"]);
    command.stdin(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    for id in [1, 2] {
        let call = crate::client::call(id, "remove", json!({ "id": 1 }));
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), format!("{call}\n").as_bytes()).unwrap();
    }
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(stdout.matches(r#""isError":false"#).count(), 2, "{stdout}");
    assert!(stderr.contains("of 2 calls, 2 would have been asked about and 0 denied"), "{stderr}");
    assert!(stderr.contains("rule `by-hand` of the project's policy: 2 asked about"), "{stderr}");
}

#[test]
fn always_is_refused_where_a_rule_would_be_wider_than_the_call() {
    let manifest =
        MANIFEST.split("[[policy.rule]]").next().unwrap().replace(r#"type = "integer""#, r#"type = "number""#);
    let folder = Folder::with(&manifest);
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    for number in ["12345678901234567890123", "0.1", "18446744073709551615"] {
        let asked = ticket(&pipe.call("remove", serde_json::from_str(&format!(r#"{{"id":{number}}}"#)).unwrap()));
        let refused = folder.run(&["approvals", "allow", &asked, "--always"]);
        assert_eq!(refused.code, Some(2));
        assert!(refused.stderr.contains("no whole ones of 64 bits"), "{}", refused.stderr);
        // The question still waits.
        assert_eq!(folder.run(&["approvals", "deny", &asked]).code, Some(0));
        let denied = folder.run(&["approvals", "allow", &asked, "--always"]);
        assert_eq!(denied.code, Some(2));
    }
    assert_eq!(folder.read("home/.config/haft/policy.toml"), "");
}

#[test]
fn a_no_that_was_given_leaves_no_rule_behind() {
    let folder = Folder::with(MANIFEST);
    let mut pipe = Pipe::start(&folder, &["--stdio"]);
    let asked = ticket(&pipe.call("remove", json!({ "id": 1 })));
    assert_eq!(folder.run(&["approvals", "deny", &asked]).code, Some(0));
    let refused = folder.run(&["approvals", "allow", &asked, "--always"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("already denied"), "{}", refused.stderr);
    assert_eq!(folder.read("home/.config/haft/policy.toml"), "");
}

#[test]
fn approvals_that_cannot_be_read_are_an_error_that_names_them() {
    let folder = Folder::with(MANIFEST);
    folder.write("state/approvals.sqlite", "garbage");
    std::fs::set_permissions(folder.path().join("state"), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let refused = folder.run(&["serve", "--stdio", "--state", "state"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("approvals.sqlite"), "{}", refused.stderr);
}

#[test]
fn a_policy_that_others_can_write_counts_for_nothing() {
    let folder = Folder::with(MANIFEST);
    folder.write("home/.config/haft/policy.toml", "[[policy.rule]]\ntools = \"*\"\nthen = \"allow\"\n");
    let path = folder.path().join("home/.config/haft/policy.toml");
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o666)).unwrap();
    let refused = folder.run(&["serve", "--stdio"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("others can write this policy"), "{}", refused.stderr);
}
