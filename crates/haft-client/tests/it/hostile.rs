//! Files that mean harm.

use std::fs::File;

use crate::folder::Folder;

#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_read() {
    let folder = Folder::new();
    folder.write("large.json", "{}");
    // Sparse: it takes no space on the disk.
    File::options().write(true).open(folder.path().join("large.json")).unwrap().set_len(100 << 20).unwrap();
    assert_eq!(folder.meaning("large.json"), "error: `~/large.json` is larger than 16 MiB");
    folder.write("m.json", r#"{"mcpServers": {"a": {"command": "x", "envFile": "large.json"}}}"#);
    assert_eq!(folder.meaning("m.json"), "error: `~/large.json` is larger than 1 MiB");
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let folder = Folder::new();
    assert_eq!(folder.meaning("/dev/zero"), "error: `/dev/zero` is not a regular file");
    assert_eq!(folder.meaning("/dev/tty#a"), "error: `/dev/tty` is not a regular file");
}

#[test]
fn a_file_that_is_nested_too_deep_is_refused() {
    let folder = Folder::new();
    for depth in [200, 100_000] {
        folder.write("deep.json", format!("{{\"mcpServers\": {{\"a\": {}", "[".repeat(depth)));
        let meaning = folder.meaning("deep.json");
        assert!(meaning.starts_with("error: `~/deep.json` is not valid JSON: line 1: recursion limit"), "{meaning}");
        folder.write("deep.toml", format!("mcp_servers = {}", "[".repeat(depth)));
        let meaning = folder.meaning("deep.toml");
        assert!(meaning.starts_with("error: `~/deep.toml` is not valid TOML: line 1: "), "{meaning}");
    }
}

#[test]
fn a_file_of_nothing_but_values_is_refused() {
    let folder = Folder::new();
    folder.write("m.json", format!("{{\"mcpServers\": {{\"a\": [{}0]}}}}", "0,".repeat(1 << 20)));
    assert_eq!(
        folder.meaning("m.json"),
        "error: `~/m.json` is not valid JSON: line 1: there are more than a million values"
    );
    folder.write("c.toml", format!("mcp_servers = [{}0]", "0,".repeat(3 << 20)));
    assert_eq!(folder.meaning("c.toml"), "error: `~/c.toml` is larger than 4 MiB");
}

#[test]
fn a_file_that_is_cut_anywhere_has_a_meaning_or_an_error() {
    let folder = Folder::new();
    let list = r#"{"inputs": [{"id": "é", "default": "d"}], /* x */ "servers": {"a": {"command": "${input:é}${TOKEN:-x}", // y
        "args": ["\u00e9", ], "env": {"A": null, "B": 1e9}, "type": "stdio", "url": "https://[::1]:1/a?b#c"}}}"#;
    let codex = "[mcp_servers.a]\ncommand = '''é'''\nenv = { A = \"\\u00e9\" }\ntool_timeout_sec = -1.5\n";
    for (name, text) in [("m.json", list), ("c.toml", codex), ("haft.toml", codex)] {
        for end in (0..=text.len()).step_by(3) {
            let path = folder.write(name, &text.as_bytes()[..end]);
            assert!(!folder.meaning(name).is_empty());
            // The other way round: without its beginning.
            std::fs::write(path, &text.as_bytes()[end..]).unwrap();
            assert!(!folder.meaning(&format!("{name}#a")).is_empty());
        }
    }
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    let folder = Folder::new();
    for list in [
        r#"{"mcpServers": {"a": {"command": "x", "command": "y"}}}"#,
        r#"{"mcpServers": {"a": {}}, "x": [{"command": 1, "comm\u0061nd": 2}]}"#,
    ] {
        folder.write("m.json", list);
        assert_eq!(folder.meaning("m.json"), "error: `~/m.json` has the key `command` twice in one object");
    }
    folder.write("c.toml", "[mcp_servers.a]\ncommand = \"x\"\ncommand = \"s3cret\"\n");
    assert_eq!(folder.meaning("c.toml"), "error: `~/c.toml` is not valid TOML: line 3: duplicate key");
}

#[test]
fn names_do_not_reach_the_terminal_as_they_are() {
    let folder = Folder::new();
    folder.write(
        "m.json",
        r#"{"mcpServers": {"\u001b[2J\u202ea": {"command": "x", "\u001b]0;b\u0007": 1}, "b\nc": {"url": 1}, "d": {"env": {"\u001b": []}, "command": "x"}}}"#,
    );
    for target in ["m.json", "m.json#zz", "m.json#\u{1b}[2J\u{202e}a", "m.json#b\nc", "m.json#d", "m\u{1b}.json"] {
        let meaning = folder.meaning(target);
        let is_harmless = |line: &str| !line.chars().any(haft_diag::is_deceptive);
        assert!(meaning.split('\n').all(is_harmless), "{meaning:?}");
    }
    assert!(folder.meaning("m.json#b\nc").contains(r"#b\nc`: `url`: expected a string, found a number"));
}

#[test]
fn no_error_and_no_debug_output_shows_a_value() {
    let folder = Folder::new();
    folder.write(
        "m.json",
        r#"{"inputs": [{"id": "i", "default": "s3cret"}], "mcpServers": {
            "program": {"command": "x", "args": ["--key=${TOKEN}"], "env": {"A": "${TOKEN}", "B": "s3cret"}, "envFile": "v"},
            "url": {"url": "https://x.example/mcp?key=s3cret", "headers": {"A": "s3cret"}},
            "broken": {"url": "https://x.example\\?s3cret s3cret"},
            "input": {"command": "x", "env": {"A": "${input:i}", "B": "${s3:cret}"}}
        }}"#,
    );
    folder.write("v", "C=s3cret\n");
    for entry in ["program", "url", "broken", "input"] {
        let result = folder.parse(&format!("m.json#{entry}"));
        assert!(!format!("{result:?}").contains("s3cret"), "{result:?}");
        if let Err(error) = &result {
            assert!(!format!("{error} {:?}", error.hint()).contains("s3cret"), "{error}");
        }
    }
    let url = folder.parse("https://x.example/mcp?key=s3cret").unwrap();
    assert!(!format!("{url:?}").contains("s3cret"));
}
