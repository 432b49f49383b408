//! `haft list` and `haft call` against eight servers that many people use, as they were published: what they offer is listed, and
//! calls have the results that they should.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use haft_tests::{Ended, peer_program, run_to_end};
use serde_json::Value;

use crate::home::Home;

/// A server. `{}` in a word is the test's own folder.
struct Server {
    name: &'static str,
    /// What is started in front of the server.
    before: &'static [&'static str],
    /// What it is started with.
    arguments: &'static [&'static str],
    /// What is agreed on when nobody asks for a version.
    speaks: &'static str,
    /// How many tools it has at least; those of `tools` are among them.
    at_least: usize,
    tools: &'static [&'static str],
    /// Made one after the other, each with a server of its own.
    calls: &'static [Call],
}

/// A call, and how it has to end.
struct Call {
    /// What stands behind `haft call`.
    words: &'static [&'static str],
    code: i32,
    /// A part of the printed result.
    told: &'static str,
}

const HANDSHAKE: &str = "2025-11-25";
const STATELESS: &str = "2026-07-28";

const EVERYTHING: Server = Server {
    name: "server-everything",
    before: &[],
    arguments: &[],
    speaks: HANDSHAKE,
    at_least: 13,
    tools: &[
        "echo",
        "get-env",
        "get-structured-content",
        "get-sum",
        "get-tiny-image",
        "trigger-long-running-operation",
    ],
    calls: &[
        Call { words: &["get-sum", "a=2", "b=3"], code: 0, told: "The sum of 2 and 3 is 5." },
        Call {
            words: &["get-structured-content", "location=Chicago", "--json"],
            code: 0,
            told: r#""conditions":"Light rain"#,
        },
        Call { words: &["get-tiny-image", "--output", "{}"], code: 0, told: "get-tiny-image-1.png (image/png" },
        Call { words: &["trigger-long-running-operation", "duration=1", "steps=2"], code: 0, told: "Steps: 2" },
    ],
};

const FILESYSTEM: Server = Server {
    name: "server-filesystem",
    before: &[],
    arguments: &["{}"],
    speaks: HANDSHAKE,
    at_least: 14,
    tools: &["edit_file", "list_directory", "read_text_file", "search_files", "write_file"],
    calls: &[
        Call { words: &["write_file", "path={}/note.txt", "content=It fits."], code: 0, told: "Successfully wrote" },
        Call { words: &["read_text_file", "path={}/note.txt"], code: 0, told: "It fits." },
        Call { words: &["read_text_file", "path=/etc/hostname"], code: 1, told: "Access denied" },
    ],
};

const GIT: Server = Server {
    name: "server-git",
    before: &[],
    arguments: &["--repository", "{}"],
    speaks: STATELESS,
    at_least: 12,
    tools: &["git_diff", "git_log", "git_show", "git_status"],
    calls: &[
        Call { words: &["git_log", "repo_path={}", "max_count=1"], code: 0, told: "The first of all commits" },
        Call { words: &["git_status", "repo_path={}"], code: 0, told: "nothing to commit" },
    ],
};

/// What is remembered lies in a file, so that another server of the same kind finds it.
const MEMORY: Server = Server {
    name: "server-memory",
    before: &["env", "MEMORY_FILE_PATH={}/memory.jsonl"],
    arguments: &[],
    speaks: HANDSHAKE,
    at_least: 9,
    tools: &["add_observations", "create_entities", "delete_entities", "read_graph", "search_nodes"],
    calls: &[
        Call {
            words: &[
                "create_entities",
                "--args",
                r#"{"entities":[{"name":"haft","entityType":"tool","observations":["has a handle"]}]}"#,
            ],
            code: 0,
            told: "has a handle",
        },
        Call {
            words: &["search_nodes", "query=handle", "--json"],
            code: 0,
            told: r#""structuredContent":{"entities":[{"name":"haft""#,
        },
    ],
};

/// There is no browser, whatever the machine has: the server says so in a result.
const PLAYWRIGHT: Server = Server {
    name: "server-playwright",
    before: &[],
    arguments: &["--executable-path", "{}/no-browser"],
    speaks: HANDSHAKE,
    at_least: 25,
    tools: &["browser_click", "browser_close", "browser_navigate", "browser_snapshot", "browser_type"],
    calls: &[Call { words: &["browser_navigate", "url=about:blank"], code: 1, told: "executable doesn't exist at" }],
};

const SEQUENTIAL_THINKING: Server = Server {
    name: "server-sequential-thinking",
    before: &[],
    arguments: &[],
    speaks: HANDSHAKE,
    at_least: 1,
    tools: &["sequentialthinking"],
    calls: &[Call {
        words: &[
            "sequentialthinking",
            "thought=It fits.",
            "nextThoughtNeeded=false",
            "thoughtNumber=1",
            "totalThoughts=1",
        ],
        code: 0,
        told: r#""thoughtHistoryLength": 1"#,
    }],
};

const SQLITE: Server = Server {
    name: "server-sqlite",
    before: &[],
    arguments: &["--db-path", "{}/test.db"],
    speaks: HANDSHAKE,
    at_least: 6,
    tools: &["create_table", "describe_table", "list_tables", "read_query", "write_query"],
    calls: &[
        Call { words: &["create_table", "query=CREATE TABLE t (n INTEGER)"], code: 0, told: "created" },
        Call { words: &["write_query", "query=INSERT INTO t VALUES (2), (3)"], code: 0, told: "'affected_rows': 2" },
        Call { words: &["read_query", "query=SELECT sum(n) AS n FROM t"], code: 0, told: "[{'n': 5}]" },
    ],
};

const TIME: Server = Server {
    name: "server-time",
    before: &[],
    arguments: &["--local-timezone", "Etc/UTC"],
    speaks: STATELESS,
    at_least: 2,
    tools: &["convert_time", "get_current_time"],
    calls: &[
        Call {
            words: &["convert_time", "source_timezone=Asia/Tokyo", "time=12:00", "target_timezone=Etc/UTC"],
            code: 0,
            told: r#""time_difference": "-9.0h""#,
        },
        Call { words: &["get_current_time", "timezone=Nowhere/Else"], code: 1, told: "Invalid timezone" },
    ],
};

/// The tests of each server: they run side by side, and a failure names the server.
macro_rules! with_each_server {
    ($($module:ident => $server:expr),+ $(,)?) => {
        $(mod $module {
            use super::{answers, lists};

            #[test]
            fn the_list_has_its_tools() {
                lists(&$server);
            }

            #[test]
            fn calls_have_their_results() {
                answers(&$server);
            }
        })+
    };
}

with_each_server! {
    everything => super::EVERYTHING,
    filesystem => super::FILESYSTEM,
    git => super::GIT,
    memory => super::MEMORY,
    playwright => super::PLAYWRIGHT,
    sequential_thinking => super::SEQUENTIAL_THINKING,
    sqlite => super::SQLITE,
    time => super::TIME,
}

fn lists(server: &Server) {
    let place = Place::new(server);
    let ended = place.haft(&["list", "--json"], server);
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    let list: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(list["server"]["protocolVersion"], server.speaks);
    assert_eq!(list["setAside"], Value::Array(Vec::new()));
    let tools: BTreeSet<_> =
        list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(tools.len() >= server.at_least, "{tools:?}");
    let missing: Vec<_> = server.tools.iter().filter(|name| !tools.contains(*name)).collect();
    assert!(missing.is_empty(), "{missing:?} are not among {tools:?}");

    // Each of them speaks the oldest, and what none agrees to is said.
    for (version, is_spoken) in [("2024-11-05", true), (STATELESS, server.speaks == STATELESS)] {
        let ended = place.haft(&["list", "--protocol", version], server);
        if is_spoken {
            assert_eq!(ended.status.code(), Some(0), "{version}: {}", ended.stderr);
            assert!(server.tools.iter().all(|name| ended.stdout.contains(name)), "{version}: {}", ended.stdout);
        } else {
            assert_eq!(ended.status.code(), Some(2), "{version}: {}", ended.stdout);
            assert!(ended.stderr.starts_with("error: no common version"), "{version}: {}", ended.stderr);
        }
    }
}

fn answers(server: &Server) {
    let place = Place::new(server);
    for call in server.calls {
        let ended = place.haft(&[&["call"], call.words].concat(), server);
        let printed = format!("{:?}: {}{}", call.words, ended.stdout, ended.stderr);
        assert_eq!(ended.status.code(), Some(call.code), "{printed}");
        assert!(ended.stdout.contains(call.told), "{printed}");
    }
}

/// Without a terminal and without a rule nothing is written, though nobody forbade it.
#[test]
fn a_write_is_refused_where_nobody_can_be_asked() {
    let place = Place::new(&FILESYSTEM);
    place.0.forget_the_policy();
    let ended = place.haft(&["call", "write_file", "path={}/note.txt", "content=It fits."], &FILESYSTEM);
    assert_eq!(ended.status.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("server-filesystem.write_file"), "{}", ended.stderr);
    assert!(!place.folder().join("note.txt").exists());
}

/// What the servers work on: a folder, and a repository with one commit where it is for that.
struct Place(Home);

impl Place {
    fn new(server: &Server) -> Self {
        let place = Self(Home::allowing_everything());
        if server.name == GIT.name {
            place.commit();
        }
        place
    }

    fn folder(&self) -> &Path {
        self.0.folder()
    }

    fn commit(&self) {
        fs::write(self.folder().join(".gitignore"), "*\n").unwrap();
        let steps: [&[&str]; 3] = [
            &["init", "--quiet"],
            &["add", "--force", ".gitignore"],
            &[
                "-c",
                "user.name=haft",
                "-c",
                "user.email=haft@example.com",
                "commit",
                "--quiet",
                "--message=The first of all commits",
            ],
        ];
        for step in steps {
            let mut git = Command::new("git");
            git.args(step)
                .current_dir(self.folder())
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .env("GIT_CONFIG_SYSTEM", "/dev/null");
            let ended = run_to_end(&mut git, LIMIT);
            assert!(ended.status.success(), "{git:?}: {}", ended.stderr);
        }
    }

    /// Runs `haft` with these words and the server behind them.
    fn haft(&self, words: &[&str], server: &Server) -> Ended {
        let folder = self.folder().display().to_string();
        let fill = |word: &&str| word.replace("{}", &folder);
        // Arguments that are JSON have braces of their own.
        let words = words.iter().map(|word| if word.starts_with("{\"") { (*word).to_owned() } else { fill(word) });
        let behind = server.arguments.iter().map(fill);
        let mut command = self.0.haft();
        command.args(words).arg("--").args(server.before.iter().map(fill)).arg(peer_program(server.name)).args(behind);
        run_to_end(&mut command, LIMIT)
    }
}

/// A server in Python takes a second or two to start, and more where all start at once.
const LIMIT: Duration = Duration::from_mins(2);
