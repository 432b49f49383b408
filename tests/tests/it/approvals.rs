//! A real client before tools that are asked about: its person sees the question in both eras, and without one the call is refused.

use std::fs;
use std::process::Command;

use haft_tests::{Preference, Running, Target, converse_answering};

use super::home::Home;

const MANIFEST: &str = r#"
[server]
name = "notes"

[[tool]]
name = "remove"
description = "Removes a note."
annotations = { destructive = true }
args.id = { type = "integer", description = "Which" }
command = { argv = ["sh", "-c", "echo removed $1 >>effects; echo gone", "sh", "{id}"] }
"#;

const PLAN: &str = r#"[{ "tool": "remove", "arguments": { "id": 7 } }]"#;

/// What came of the call: the text of the result, what the person was asked, and what the tool did.
fn outcome(preference: Preference, is_http: bool, answer: Option<&str>) -> (String, Vec<String>, String) {
    let home = Home::allowing_everything();
    home.forget_the_policy();
    let (manifest, plan) = (home.folder().join("haft.toml"), home.folder().join("plan.json"));
    fs::write(&manifest, MANIFEST).unwrap();
    fs::write(&plan, PLAN).unwrap();
    let report = if is_http {
        let mut serve: Command = home.haft();
        let mut server = Running::start(serve.arg("serve").arg(&manifest).args(["--http", "127.0.0.1:0", "--no-auth"]));
        let url = server.url();
        converse_answering("python-mcp", preference, &plan, Target::Http { url: &url, token: None }, answer)
    } else {
        let state = home.folder().join("state");
        let haft = haft_tests::haft_binary();
        let words = [
            haft.as_os_str(),
            "serve".as_ref(),
            manifest.as_os_str(),
            "--stdio".as_ref(),
            "--state".as_ref(),
            state.as_os_str(),
        ];
        converse_answering("python-mcp", preference, &plan, Target::Stdio { command: &words }, answer)
    };
    let call = &report.calls[0];
    let mark = if call.is_error { "error: " } else { "" };
    let effects = fs::read_to_string(home.folder().join("effects")).unwrap_or_default();
    (format!("{mark}{}", call.text), report.asked, effects)
}

#[test]
fn the_person_behind_a_python_client_is_asked_in_both_eras() {
    for preference in [Preference::Default, Preference::Legacy] {
        for is_http in [false, true] {
            let (text, asked, effects) = outcome(preference, is_http, Some("yes"));
            assert_eq!((text.as_str(), effects.as_str()), ("gone", "removed 7\n"), "{preference} {is_http}");
            assert_eq!(asked.len(), 1, "{preference} {is_http}");
            assert!(asked[0].contains("Tool: local.remove") && asked[0].contains("\"id\": 7"), "{asked:?}");

            let (text, asked, effects) = outcome(preference, is_http, Some("no"));
            assert!(
                text.starts_with("error: ") && text.contains("the person said no"),
                "{preference} {is_http}: {text}"
            );
            assert_eq!((asked.len(), effects.as_str()), (1, ""));
        }
    }
}

#[test]
fn a_python_client_with_nobody_behind_it_is_refused_at_once() {
    for preference in [Preference::Default, Preference::Legacy] {
        for is_http in [false, true] {
            let (text, asked, effects) = outcome(preference, is_http, None);
            assert!(text.starts_with("error: `remove` was not run: "), "{preference} {is_http}: {text}");
            assert_eq!((asked.len(), effects.as_str()), (0, ""));
        }
    }
}
