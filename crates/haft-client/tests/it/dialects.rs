//! Lists of servers as each host writes them.

use crate::folder::Folder;

/// The file, what is in it, the target, and what that means.
fn check(cases: &[(&str, &str, &str, &str)]) {
    for (file, content, target, expected) in cases {
        let folder = Folder::new();
        folder.write(file, content);
        folder.write("sub/.env", "FROM_FILE='x y'\nTOKEN=old\n");
        assert_eq!(folder.meaning(target), *expected, "{target} of {content}");
    }
}

#[test]
fn claude_names_a_program_or_a_url() {
    check(&[
        (
            ".mcp.json",
            r#"{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files", "${TOKEN}"], "env": {"KEY": "a${TOKEN}b", "N": 5}}}}"#,
            ".mcp.json#files",
            "[npx|-y|files|s3cret] in ~ KEY=as3cretb N=5",
        ),
        (
            ".mcp.json",
            r#"{"mcpServers": {"a": {"type": "http", "url": "https://${HOST}/mcp?key=${TOKEN}", "headers": {"Authorization": "Bearer ${TOKEN}"}}}}"#,
            ".mcp.json",
            "https://tickets.example/mcp?key=s3cret authorization: Bearer s3cret;",
        ),
        (
            ".mcp.json",
            r#"{"mcpServers": {"a": {"command": "${NONE:-node}", "args": ["${EMPTY:-x}", "${TOKEN:-x}", "${NONE:-}"]}}}"#,
            ".mcp.json",
            "[node||s3cret|] in ~",
        ),
        // What a variable holds is not read again.
        (".mcp.json", r#"{"mcpServers": {"a": {"command": "${SCRIPT}"}}}"#, ".mcp.json", "[${TOKEN}] in ~"),
        (
            "claude_desktop_config.json",
            r#"{"globalShortcut": "x", "mcpServers": {"a": {"command": "./bin/server", "cwd": "sub"}}}"#,
            "claude_desktop_config.json#a",
            "[~/./bin/server] in ~/sub",
        ),
        (
            ".mcp.json",
            r#"{"mcpServers": {"a": {"type": "streamable-http", "url": "https://x.example/sse", "timeout": 5, "oauth": {}, "color": 1}}}"#,
            ".mcp.json",
            "https://x.example/sse\nnote: `~/.mcp.json#a`: `color` unknown, not used\n\
             note: `~/.mcp.json#a`: `oauth` not used: haft sends the headers it is given\n\
             note: `~/.mcp.json#a`: `timeout` not used: hosts count it in different units",
        ),
    ]);
}

#[test]
fn a_list_of_vs_code_has_comments_inputs_and_the_folder_above() {
    let content = r#"{
        // asked once
        "inputs": [
            {"type": "promptString", "id": "api-key", "description": "The key", "password": true},
            {"type": "pickString", "id": "mode", "options": ["fast", {"label": "Slow", "value": "slow"}], "default": "slow"},
            {"type": "command", "id": "made", "command": "x.y"},
        ],
        "servers": {
            "one": {
                "type": "stdio",
                "command": "${workspaceFolder}/bin/x", /* here */
                "args": ["${input:api-key}", "--mode=${input:mode}", "${workspaceFolder}${/}y", "${userHome}"],
                "envFile": "${workspaceFolder}/sub/.env",
                "env": {"TOKEN": "${env:TOKEN}", "GONE": null},
            },
            "made": {"command": "x", "args": ["${input:made}"]},
            "unknown": {"command": "x", "args": ["${input:other}"]},
            "config": {"command": "x", "args": ["${config:editor.tabSize}"]},
            "unset": {"command": "x", "env": {"A": "${env:NOWHERE}"}},
        },
    }"#;
    let file = ".vscode/mcp.json";
    check(&[
        (
            file,
            content,
            ".vscode/mcp.json#one",
            "[~/bin/x|s3cret-from-variable|--mode=slow|~/y|/home/anna] in ~ FROM_FILE=x y TOKEN=s3cret\n\
             note: `~/.vscode/mcp.json#one`: `args[1]`: the input `mode` has its default; `--input mode=…` gives another\n\
             note: `~/.vscode/mcp.json#one`: `env.GONE` is null, so it is not set",
        ),
        (
            file,
            content,
            ".vscode/mcp.json#made",
            "error: `~/.vscode/mcp.json#made`: `args[0]`: `${input:made}` is not set\nhint: give it: `--input made=…`, \
             or the variable `HAFT_INPUT_MADE`, which others cannot see; VS Code takes it from a command of its own",
        ),
        (
            file,
            content,
            ".vscode/mcp.json#unknown",
            "error: `~/.vscode/mcp.json#unknown`: `args[0]`: `${input:other}` is not set\nhint: give it: \
             `--input other=…`, or the variable `HAFT_INPUT_OTHER`, which others cannot see",
        ),
        (
            file,
            content,
            ".vscode/mcp.json#config",
            "error: `~/.vscode/mcp.json#config`: `args[0]`: `${config:editor.tabSize}` needs the editor that the file \
             was written for",
        ),
        (
            file,
            content,
            ".vscode/mcp.json#unset",
            "error: `~/.vscode/mcp.json#unset`: `env.A`: `${env:NOWHERE}` is not set\nhint: set it first: \
             `export NOWHERE=…`",
        ),
        (
            "settings.json",
            r#"{"editor.tabSize": 4, "mcp": {"inputs": [{"id": "i", "default": "d"}], "servers": {"a": {"command": "${input:i}"}}}}"#,
            "settings.json#a",
            "[d] in ~\nnote: `~/settings.json#a`: `command`: the input `i` has its default; `--input i=…` gives another",
        ),
    ]);
}

#[test]
fn an_input_has_its_value_from_the_command_line_first() {
    let folder = Folder::new();
    folder.write(
        "mcp.json",
        r#"{"inputs": [{"type": "pickString", "id": "mode", "options": ["fast", "slow"]}],
            "servers": {"a": {"command": "x", "args": ["${input:api-key}"]}, "b": {"command": "x", "args": ["${input:mode}"]}}}"#,
    );
    let given = folder.surroundings().input("api-key", "typed").input("mode", "s3cret");
    let meaning = |text| folder.written(haft_client::target::Target::parse(text, &given));
    assert_eq!(meaning("mcp.json#a"), "[x|typed] in ~");
    assert_eq!(
        meaning("mcp.json#b"),
        "error: `~/mcp.json#b`: `args[0]`: the input `mode`: expected one of `fast`, `slow`, found another text"
    );
}

#[test]
fn other_hosts_have_names_of_their_own_for_the_same() {
    check(&[
        (
            ".cursor/mcp.json",
            r#"{"mcpServers": {"a": {"command": "${userHome}/x", "args": ["${workspaceFolder}"], "env": {"A": "${env:TOKEN}"}}}}"#,
            ".cursor/mcp.json",
            "[/home/anna/x|~] in ~ A=s3cret",
        ),
        (
            "mcp_config.json",
            r#"{"mcpServers": {"a": {"serverUrl": "https://x.example/mcp", "headers": {"A": "${env:TOKEN}"}, "disabledTools": []}}}"#,
            "mcp_config.json#a",
            "https://x.example/mcp a: s3cret;\nnote: `~/mcp_config.json#a`: `disabledTools` not used: all tools are listed",
        ),
        (
            ".gemini/settings.json",
            r#"{"theme": "x", "mcpServers": {"a": {"httpUrl": "https://x.example/mcp", "trust": true, "includeTools": ["b"], "headers": {"B": "$TOKEN"}}}}"#,
            ".gemini/settings.json",
            "https://x.example/mcp b: $TOKEN;\nnote: `~/.gemini/settings.json#a`: `headers.B`: `$TOKEN` is taken as it \
             stands; a variable is written `${NAME}`\nnote: `~/.gemini/settings.json#a`: `includeTools` not used: all \
             tools are listed\nnote: `~/.gemini/settings.json#a`: `trust` not used: what may run unasked is for \
             haft's policy to say",
        ),
        (
            "cline_mcp_settings.json",
            r#"{"mcpServers": {"a": {"type": "streamableHttp", "url": "http://127.0.0.1:1/mcp", "disabled": false, "autoApprove": ["x"], "alwaysAllow": []}}}"#,
            "cline_mcp_settings.json",
            "http://127.0.0.1:1/mcp\nnote: `~/cline_mcp_settings.json#a`: `alwaysAllow`, `autoApprove` not used: what \
             may run unasked is for haft's policy to say",
        ),
        (
            "settings.json",
            r#"{"context_servers": {"a": {"source": "custom", "command": "x", "args": ["${TOKEN}"], "env": {}}}}"#,
            "settings.json",
            "[x|${TOKEN}] in ~",
        ),
        (
            "settings.json",
            r#"{"context_servers": {"a": {"command": {"path": "x", "args": ["y"], "env": {"A": "b"}}, "settings": {}}}}"#,
            "settings.json",
            "[x|y] in ~ A=b\nnote: `~/settings.json#a`: `settings` not used",
        ),
        (
            "settings.json",
            r#"{"context_servers": {"a": {"source": "extension", "settings": {}}}}"#,
            "settings.json",
            "error: `~/settings.json#a`: `source`: only the extension of the editor knows its program",
        ),
    ]);
}

#[test]
fn a_toml_with_mcp_servers_is_of_codex() {
    let content = r#"
model = "x"
[mcp_servers.files]
command = "npx"
args = ["-y", "files", "${TOKEN}"]
env_vars = ["TOKEN", { name = "NOWHERE", source = "local" }]
cwd = "sub"
startup_timeout_sec = 2.5
tool_timeout_sec = 60
[mcp_servers.files.env]
A = "b"
[mcp_servers.remote]
url = "https://x.example/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { "X-A" = "b" }
env_http_headers = { "X-B" = "HOST" }
enabled = false
default_tools_approval_mode = "approve"
[mcp_servers.unset]
url = "https://x.example/mcp"
bearer_token_env_var = "NOWHERE"
[mcp_servers.inline]
url = "https://x.example/mcp"
bearer_token = "s3cret"
"#;
    let file = ".codex/config.toml";
    check(&[
        (
            file,
            content,
            ".codex/config.toml#files",
            "[npx|-y|files|${TOKEN}] in ~/sub A=b TOKEN=s3cret start Some(2.5s) call Some(60s)\n\
             note: `~/.codex/config.toml#files`: `env_vars`: `NOWHERE` is not set",
        ),
        (
            file,
            content,
            ".codex/config.toml#remote",
            "https://x.example/mcp x-a: b; x-b: tickets.example; authorization: Bearer s3cret;\n\
             note: `~/.codex/config.toml#remote`: disabled in its file; used because it was named\n\
             note: `~/.codex/config.toml#remote`: `default_tools_approval_mode` not used: what may run unasked is for \
             haft's policy to say",
        ),
        (
            file,
            content,
            ".codex/config.toml#unset",
            "error: `~/.codex/config.toml#unset`: `bearer_token_env_var`: `NOWHERE` is not set\nhint: set it first: \
             `export NOWHERE=…`",
        ),
        (
            file,
            content,
            ".codex/config.toml#inline",
            "error: `~/.codex/config.toml#inline`: `bearer_token`: Codex does not read it; name a variable in \
             `bearer_token_env_var`",
        ),
        (
            file,
            content,
            ".codex/config.toml",
            "error: `~/.codex/config.toml` lists 4 servers\nhint: pick one, such as `~/.codex/config.toml#files`; \
             there are `files`, `inline`, `remote`, `unset`",
        ),
    ]);
}

#[test]
fn an_entry_that_cannot_be_used_says_why() {
    for (entry, expected) in UNUSABLE {
        check(&[("m.json", &format!("{{\"mcpServers\": {{\"a\": {entry}}}}}"), "m.json", expected)]);
    }
}

/// The only entry of `m.json`, and what it means.
const UNUSABLE: &[(&str, &str)] = &[
    (
        r#"{"type": "sse", "url": "https://x.example/sse"}"#,
        "error: `~/m.json#a`: `type`: the HTTP+SSE transport of \
             2024-11-05 is not spoken; ask the server's documentation for its streamable HTTP address, and write \
             `http` here",
    ),
    (
        r#"{"url": "https://x.example/v1/sse"}"#,
        "https://x.example/v1/sse\nnote: `~/m.json#a`: `url`: the address \
             looks like one of the HTTP+SSE transport of 2024-11-05, which haft does not speak; servers mostly have a \
             streamable HTTP address beside it, often ending in `/mcp`",
    ),
    (
        r#"{"type": "ws", "url": "wss://x.example"}"#,
        "error: `~/m.json#a`: `type`: MCP does not run over WebSocket; \
             the transports are `stdio` and `http`",
    ),
    (
        r#"{"type": "carrier", "url": "https://x.example"}"#,
        "error: `~/m.json#a`: `type`: expected `stdio`, `http` \
             or `streamable-http`, found another word",
    ),
    (r#"{"command": "x", "url": "https://x.example"}"#, "error: `~/m.json#a`: expected `command` or a URL, found both"),
    (
        r#"{"url": "https://x.example", "serverUrl": "https://x.example"}"#,
        "error: `~/m.json#a`: expected one URL, \
             found `url` and `serverUrl`",
    ),
    (
        r#"{"type": "stdio", "url": "https://x.example"}"#,
        "error: `~/m.json#a`: expected `command`, as the type is \
             `stdio`, found a URL",
    ),
    (
        r#"{"type": "http", "command": "x"}"#,
        "error: `~/m.json#a`: expected a URL, as the type is HTTP, found `command`",
    ),
    (
        r#"{"comand": "x"}"#,
        "error: `~/m.json#a`: expected `command` or `url`, found neither; did `comand` mean `command`?",
    ),
    ("{}", "error: `~/m.json#a`: expected `command` or `url`, found neither"),
    ("[]", "error: `~/m.json#a`: expected an object, found an array"),
    (r#"{"command": ["x"]}"#, "error: `~/m.json#a`: `command`: expected a string, found an array"),
    (r#"{"command": "x", "args": "y"}"#, "error: `~/m.json#a`: `args`: expected an array of strings, found a string"),
    (r#"{"command": "x", "args": ["y", 1]}"#, "error: `~/m.json#a`: `args[1]`: expected a string, found a number"),
    (
        r#"{"command": "x", "env": {"A": ["s3cret"]}}"#,
        "error: `~/m.json#a`: `env.A`: expected a string, found an array",
    ),
    (
        r#"{"command": "x", "env": {"A=B": "s3cret"}}"#,
        "error: `~/m.json#a`: expected variables that a program can be \
             given, found one with `=` or a zero byte",
    ),
    (
        r#"{"command": "x\u0000"}"#,
        "error: `~/m.json#a`: expected a command, found a zero byte in it, which no program \
             can be given",
    ),
    (
        r#"{"command": "x", "cwd": "nowhere"}"#,
        "error: `~/m.json#a`: `cwd`: expected a directory, found a path that is none",
    ),
    (
        r#"{"command": "x", "args": ["${A:-${B}}"]}"#,
        "error: `~/m.json#a`: `args[0]`: a variable inside a variable is \
             not expanded; give one of them a value of its own",
    ),
    (r#"{"url": "ftp://x.example"}"#, "error: `~/m.json#a`: `url`: only `http` and `https` can be connected to"),
    (
        r#"{"url": "https://anna:s3cret@x.example"}"#,
        "error: `~/m.json#a`: `url`: it holds credentials; send them in a header",
    ),
    (
        r#"{"url": "https://x.example", "headersHelper": "x"}"#,
        "error: `~/m.json#a`: `headersHelper`: a program that \
             makes headers is not run; give them with `--header`",
    ),
    (
        r#"{"url": "https://x.example", "headers": {"A b": "s3cret"}}"#,
        "error: `~/m.json#a`: `headers.A b`: expected \
             the name of a header, found another text",
    ),
    (
        r#"{"url": "https://x.example", "headers": {"A": "s3cret\n"}}"#,
        "error: `~/m.json#a`: `headers.A`: expected the \
             value of a header, found a text with a character that no header may hold",
    ),
    (
        r#"{"url": "https://x.example/", "headers": {"Content-Type": "x"}}"#,
        "https://x.example/\nnote: `~/m.json#a`: \
             `headers.Content-Type` not sent: the protocol sets it",
    ),
    (
        r#"{"command": "x", "envFile": "m.json"}"#,
        "error: `~/m.json` is not valid environment file: line 1: expected \
             `NAME=value`",
    ),
    (
        r#"{"url": "https://x.example/", "env": {"A": "s3cret"}, "args": []}"#,
        "https://x.example/\nnote: `~/m.json#a`: `args`, `env` not used: a server with a URL is not started here",
    ),
    (
        r#"{"command": "x", "headers": {"A": "s3cret"}}"#,
        "[x] in ~\nnote: `~/m.json#a`: `headers` not used: a program is sent no headers",
    ),
    (
        r#"{"command": "x", "disabled": true}"#,
        "error: the entry `a` of `~/m.json` is disabled\nhint: name it to use \
             it all the same: `~/m.json#a`",
    ),
];
