//! What the text of a target means.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use haft_client::target::Target;

use crate::folder::Folder;

/// A folder with one file of each kind.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("haft.toml", "[server]\nname = \"x\"\n");
    folder.write("other.toml", "[[tool]]\nname = \"x\"\n");
    folder.write("broken/haft.toml", "[server");
    folder.write("array.json", r#"[{"name": "a", "inputSchema": {}}]"#);
    folder.write("object.json", "\u{feff}{\"tools\": []}");
    folder.write("response.json", r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "a"}]}}"#);
    folder.write("list.mcp", r#"{"mcpServers": {"files": {"command": "x"}, "a#b": {"command": "y"}}}"#);
    folder.write("with#hash.json", r#"{"mcpServers": {"one": {"command": "z"}}}"#);
    folder.write("empty/.mcp.json", r#"{"mcpServers": {}}"#);
    folder.write("openapi.json", r#"{"openapi": "3.1.0", "servers": [], "paths": {}}"#);
    folder.write("package.json", r#"{"name": "x", "a": 1, "b": 2, "c": 3, "d": 4}"#);
    folder.write("broken.json", "{\"mcpServers\": {\n  \"a\": s3cret }}");
    folder.write("broken.toml", "[mcp_servers.a]\ncommand = s3cret");
    folder.write("notes.txt", "s3cret words");
    folder.write("Cargo.toml", "[package]\nname = \"x\"");
    folder.write("bytes.json", [0xff, 0xfe]);
    folder.write("two.json", r#"{"mcpServers": {"a": {"command": "x"}}, "servers": {"a": {"command": "y"}}}"#);
    folder
}

#[test]
fn a_target_is_what_its_content_says() {
    let folder = folder();
    for (text, expected) in [
        ("haft.toml", "manifest ~/haft.toml"),
        (".", "manifest ~/./haft.toml"),
        ("other.toml", "manifest ~/other.toml"),
        ("broken", "manifest ~/broken/haft.toml"),
        ("broken/haft.toml", "manifest ~/broken/haft.toml"),
        ("array.json", "tools ~/array.json"),
        ("object.json", "tools ~/object.json"),
        ("response.json", "tools ~/response.json"),
        ("list.mcp#files", "[x] in ~"),
        ("list.mcp#a#b", "[y] in ~"),
        ("with#hash.json", "[z] in ~"),
        ("with#hash.json#one", "[z] in ~"),
        ("https://x.example/mcp?a=b", "https://x.example/mcp?a=b"),
        ("HTTP://127.0.0.1:7878/mcp", "http://127.0.0.1:7878/mcp"),
        ("http://[::1]:80/mcp", "http://[::1]:80/mcp"),
    ] {
        assert_eq!(folder.meaning(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_target_says_what_was_looked_for() {
    let folder = folder();
    let looked_for = "\nhint: looked for a `haft.toml` (`[server]`, `[[tool]]`), saved tools (an array of tools or \
        `tools`), servers (`mcpServers`, `servers`, `context_servers`), or Codex's `[mcp_servers.NAME]`";
    for (text, expected, hint) in [
        (
            "list.mcp",
            "`~/list.mcp` lists 2 servers",
            "\nhint: pick one, such as `~/list.mcp#a#b`; there are `a#b`, `files`",
        ),
        ("list.mcp#fils", "no entry `fils` in `~/list.mcp`", "\nhint: did you mean `~/list.mcp#files`?"),
        ("list.mcp#zzz", "no entry `zzz` in `~/list.mcp`", "\nhint: there are `a#b`, `files`"),
        ("two.json#a", "`~/two.json` has the key `a` twice in one object", ""),
        ("haft.toml#a", "`~/haft.toml` is no target: it lists no servers, so `#` picks nothing", looked_for),
        ("empty", "no `haft.toml` in `~/empty`", "\nhint: it has a list of servers: name `~/empty/.mcp.json`"),
        (".#a", "`~/.` is not a regular file", ""),
        ("empty/.mcp.json", "`~/empty/.mcp.json` is no target: a list of servers that is empty", looked_for),
        ("openapi.json", "`~/openapi.json` is no target: JSON with `openapi`, `paths`, `servers`", looked_for),
        ("package.json", "`~/package.json` is no target: JSON with `a`, `b`, `c`, `d`, …", looked_for),
        ("Cargo.toml", "`~/Cargo.toml` is no target: TOML with `package`", looked_for),
        ("notes.txt", "`~/notes.txt` is no target: neither JSON nor TOML", looked_for),
        ("broken.json", "`~/broken.json` is not valid JSON: line 2: expected value", ""),
        (
            "broken.toml",
            "`~/broken.toml` is not valid TOML: line 2: string values must be quoted, expected literal string",
            "",
        ),
        ("bytes.json", "`~/bytes.json` is not UTF-8 text", ""),
        ("nowhere.json", "no file `~/nowhere.json`", ""),
        ("localhost:7878/mcp", "no file `~/localhost:7878/mcp`", "\nhint: a URL begins with `http://` or `https://`"),
        ("", "the target: expected a file or a URL, found an empty text", ""),
        (
            "ws://x.example",
            "the URL cannot be used: MCP does not run over WebSocket; streamable HTTP begins with `https://`",
            "",
        ),
        ("https://", "the URL cannot be used: it is no URL", ""),
        (
            "https://x.example/mcp#a",
            "the URL cannot be used: a fragment (`#…`) means nothing to a server; `#name` picks an \
            entry of a file only",
            "",
        ),
        ("https://x.example:99999/", "the URL cannot be used: its port is no number up to 65535", ""),
        (
            "https://x.example/ s3cret",
            "the URL cannot be used: it holds a space or a character that cannot be seen",
            "",
        ),
        ("https://u:s3cret@x.example/", "the URL cannot be used: it holds credentials; send them in a header", ""),
    ] {
        assert_eq!(folder.meaning(text), format!("error: {expected}{hint}"), "{text}");
    }
}

#[test]
fn without_a_target_the_nearest_manifest_above_is_meant() {
    let folder = folder();
    fs::create_dir_all(folder.path().join("a/b")).unwrap();
    let above = haft_client::target::Surroundings::new(&folder.path().join("a/b"), &crate::folder::variable);
    assert_eq!(folder.written(Target::discover(&above)), "manifest ~/haft.toml (discovered)");
    let nowhere = haft_client::target::Surroundings::new(std::path::Path::new("/"), &crate::folder::variable);
    assert_eq!(
        folder.written(Target::discover(&nowhere)),
        "error: no `haft.toml` in `/` or in a directory above\nhint: name a target: a `haft.toml`, a `tools.json`, \
         `.mcp.json#name`, a URL, or a command after `--`"
    );
}

#[test]
fn the_words_after_two_dashes_are_a_program() {
    let folder = folder();
    let argv = ["npx", "-y", "a b"].map(Into::into).to_vec();
    assert_eq!(folder.written(Target::command(argv, &folder.surroundings())), "[npx|-y|a b] in ~");
    let nothing = folder.written(Target::command(Vec::new(), &folder.surroundings()));
    assert_eq!(nothing, "error: after `--`: expected a command, found nothing");
}

#[test]
fn a_program_is_found_beside_its_file_or_in_the_path_of_its_entry() {
    let folder = Folder::new();
    let tool = folder.write("bin/tool", "");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    folder.write("elsewhere/x", "");
    folder.write(
        ".vscode/mcp.json",
        r#"{"servers": {
            "path": {"command": "bin/tool", "cwd": "elsewhere"},
            "name": {"command": "tool", "env": {"PATH": "${workspaceFolder}/bin"}},
            "caller": {"command": "tool"},
            "words": {"command": "tool --all"}, "home": {"command": "~/tool"}
        }}"#,
    );
    let found = |entry: &str, search_path: &str| {
        let Target::Program(program) = folder.parse(&format!(".vscode/mcp.json#{entry}")).unwrap().target else {
            unreachable!()
        };
        let resolved = program.resolve(OsStr::new(search_path));
        let text = resolved.map_or_else(
            |error| format!("{error} ({})", error.hint().unwrap_or_default()),
            |path| path.display().to_string(),
        );
        text.replace(folder.path().to_str().unwrap(), "~")
    };
    let bin = folder.path().join("bin");
    assert_eq!(found("path", ""), "~/bin/tool");
    assert_eq!(found("name", "/nowhere"), "~/bin/tool");
    assert_eq!(found("caller", bin.to_str().unwrap()), "~/bin/tool");
    assert_eq!(found("caller", "/nowhere"), "cannot find the program `tool` ()");
    let apart = "`command` is the program alone; its arguments belong into `args`";
    assert_eq!(found("words", "/nowhere"), format!("cannot find the program `tool --all` ({apart})"));
    let home = "`~` is not expanded; write the whole path, or `${userHome}`";
    assert!(found("home", "/nowhere").ends_with(&format!("({home})")), "{}", found("home", "/nowhere"));
}
