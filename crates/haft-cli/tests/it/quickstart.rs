//! The quickstart, over a repository of its own: every tool, and what a hostile repository or caller could make of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::binary::Folder;
use crate::client::{Pipe, modern};

/// The quickstart as it is shipped.
fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/quickstart/haft.toml")
}

/// A repository with two commits, and the quickstart beneath its top.
fn repository() -> Folder {
    let folder = Folder::empty();
    folder.write("examples/quickstart/haft.toml", &fs::read_to_string(shipped()).unwrap());
    folder.write(".gitignore", "ignored\nhome\n/state\n");
    folder.write("src/main.rs", "fn main() {\n    // TODO: greet\n}\n");
    folder.write("-dash/file.txt", "one\ntwo\nthree\n");
    folder.write("ignored", "secret of the machine\n");
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder, "Begin");
    folder.write("src/main.rs", "fn main() {\n    println!(\"Hello\");\n}\n");
    commit(&folder, "Greet whoever runs it");
    folder.write("new.txt", "not in a commit yet, TODO\n");
    folder
}

fn git(folder: &Folder, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder.path()).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "Ada").env(format!("GIT_{role}_EMAIL"), "ada@example.com");
        command.env(format!("GIT_{role}_DATE"), "2026-01-02T03:04:05Z");
    }
    assert!(command.args(arguments).status().unwrap().success(), "git {arguments:?}");
}

fn commit(folder: &Folder, message: &str) {
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", message]);
}

fn start(folder: &Folder) -> Pipe {
    Pipe::start(folder, &["examples/quickstart/haft.toml"])
}

fn check(pipe: &mut Pipe, tool: &str, arguments: Value, expected: &str) {
    let said = pipe.call(tool, arguments.clone());
    assert_eq!(said, expected, "{tool} {arguments}");
}

#[test]
fn every_tool_does_what_it_says() {
    let folder = repository();
    let mut pipe = start(&folder);
    let pipe = &mut pipe;
    check(pipe, "list_directory", json!({ "path": "src" }), "f 37 main.rs");
    check(pipe, "find_files", json!({ "pattern": "*.RS" }), "src/main.rs");
    check(pipe, "find_files", json!({ "pattern": "new*" }), "new.txt");
    check(pipe, "find_files", json!({ "pattern": "ignored" }), "No file has such a path.");
    check(pipe, "search_text", json!({ "pattern": "^not in a commit" }), "new.txt:1:not in a commit yet, TODO");
    check(
        pipe,
        "search_text",
        json!({ "pattern": "hello", "ignore_case": true, "files": "*.rs", "context": 1 }),
        "src/main.rs-1-fn main() {\nsrc/main.rs:2:    println!(\"Hello\");\nsrc/main.rs-3-}",
    );
    check(pipe, "search_text", json!({ "pattern": "-nothing" }), "No line matches.");
    check(pipe, "read_file", json!({ "path": "-dash/file.txt", "first": 2 }), "two\nthree");
    check(pipe, "read_file", json!({ "path": "-dash/file.txt", "first": 1, "last": 1.0 }), "one");
    check(pipe, "read_file", json!({ "path": "-dash/file.txt", "first": 9, "last": 8 }), "The file has no such lines.");
    let log = pipe.call("git_log", json!({ "limit": 1 }));
    assert!(log.ends_with(" 2026-01-02 Ada: Greet whoever runs it"), "{log}");
    let log = pipe.call("git_log", json!({ "path": "-dash" }));
    assert!(log.ends_with(" 2026-01-02 Ada: Begin") && log.lines().count() == 1, "{log}");
    check(pipe, "git_log", json!({ "contains": "no such commit" }), "No commit matches.");
    let shown = pipe.call("git_show", json!({ "commit": "HEAD", "path": "src/main.rs" }));
    assert!(shown.contains("-    // TODO: greet\n+    println!(\"Hello\");"), "{shown}");
    let summary = pipe.call("git_show", json!({ "commit": "main~1", "summary": true }));
    assert!(summary.contains(" 4 files changed") && !summary.contains("diff --git"), "{summary}");
}

#[test]
fn mistakes_are_answered_and_nothing_leads_out_of_the_repository() {
    let folder = repository();
    std::os::unix::fs::symlink("/etc", folder.path().join("link")).unwrap();
    let mut pipe = start(&folder);
    for (tool, arguments, part) in [
        ("read_file", json!({ "path": "../x" }), "`/path`: expected a path without `..`"),
        ("read_file", json!({ "path": "/etc/passwd" }), "one that leads out of it"),
        ("read_file", json!({ "path": "link/passwd" }), "one that leads out of it"),
        ("list_directory", json!({ "path": "link" }), "one that leads out of it"),
        ("read_file", json!({ "path": ".git/config" }), "one that it leaves out"),
        ("list_directory", json!({ "path": ".git" }), "one that it leaves out"),
        ("read_file", json!({ "path": "src" }), "exit status"),
        ("read_file", json!({ "path": "missing" }), "No such file or directory"),
        ("search_text", json!({ "pattern": "(" }), "exit status 128"),
        ("find_files", json!({ "pattern": "../*" }), "exit status 128"),
        ("git_show", json!({ "commit": "--output=owned" }), "`/commit`"),
        ("git_log", json!({ "revision": "--output=owned" }), "`/revision`"),
        ("git_show", json!({ "commit": "nobody" }), "exit status 128"),
        ("git_log", json!({ "limit": 0 }), "`/limit`: expected"),
        ("list_directory", json!({ "path": ".", "depth": 1.5 }), "`/depth`: expected an integer"),
    ] {
        let said = pipe.call(tool, arguments.clone());
        assert!(said.starts_with("error: ") && said.contains(part), "{tool} {arguments}: {said}");
    }
    assert!(!folder.path().join("owned").exists());
}

#[test]
fn a_repository_cannot_make_git_start_programs() {
    let folder = repository();
    let touch = folder.path().join("touch");
    fs::write(&touch, format!("#!/bin/sh\ntouch {}\ncat\n", folder.path().join("owned").display())).unwrap();
    fs::set_permissions(&touch, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let program = touch.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "gpg.program",
        "pager.log",
    ] {
        git(&folder, &["config", key, program]);
    }
    git(&folder, &["config", "log.showSignature", "true"]);
    folder.write(".git/info/attributes", "* diff=x\n");
    let mut pipe = start(&folder);
    for (tool, arguments) in [
        ("list_directory", json!({})),
        ("find_files", json!({ "pattern": "*" })),
        ("search_text", json!({ "pattern": "main" })),
        ("git_log", json!({})),
        ("git_show", json!({ "commit": "HEAD" })),
    ] {
        let said = pipe.call(tool, arguments);
        assert!(!said.starts_with("error"), "{tool}: {said}");
        assert!(!folder.path().join("owned").exists(), "{tool} started a program of the repository");
    }
}

#[test]
fn descriptions_are_short_and_every_argument_has_one() {
    let folder = repository();
    let listed = start(&folder).ask(&modern(1, "tools/list", json!({})));
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 6);
    for tool in tools {
        // Hosts cut at 1,024 characters; that is well below 500 tokens, too.
        let description = tool["description"].as_str().unwrap();
        assert!(
            description.len() < 1024 && description.contains("Use it") && description.contains("Not for"),
            "{description}"
        );
        assert_eq!(tool["annotations"], json!({ "readOnlyHint": true, "openWorldHint": false }));
        for (name, argument) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(argument["description"].is_string(), "{name}");
        }
    }
}

#[test]
fn the_shipped_file_serves_the_repository_that_it_stands_in() {
    let folder = Folder::empty();
    let path = shipped();
    let finished = folder.run(&["check", path.to_str().unwrap()]);
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    let mut pipe = Pipe::start(&folder, &[path.to_str().unwrap()]);
    assert!(pipe.call("read_file", json!({ "path": "Cargo.toml" })).contains("[workspace]"));
}
