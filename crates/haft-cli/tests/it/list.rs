//! `haft list`.

use expect_test::expect;

use crate::binary::Folder;
use crate::pty::Terminal;
use crate::script::{ECHO, WRITE, answering, page, paged, server, shaking};

#[test]
fn tools_are_a_table_with_what_holds_of_them() {
    let folder = answering(&format!("{ECHO},{WRITE}"), "{}");
    folder.run(&["list", "--", "sh", "server"]).check(&expect![[r#"
        exit code: 0
        stdout:
        TOOL   MAY                      BY                          WHAT IT DOES
        echo   destructive, open-world  default (claims read-only)  Says it again.
        write  destructive, open-world  default                     Writes it.
        2 tools
        stderr:
    "#]]);
}

#[test]
fn everything_about_each_tool_is_printed_on_demand() {
    let tools = r#"{"name":"t","title":"The tool","description":"One.\nTwo.","inputSchema":{"type":"object","properties":{"a":{"type":"string","description":"An a"},"b":{"type":"integer","default":3},"c":{"enum":["x","y"]},"d":{"type":"array","items":{"type":"string"}}},"required":["a"]},"outputSchema":{"type":"object"}},{"name":"odd","inputSchema":{"type":"nonsense"}}"#;
    answering(tools, "{}").run(&["list", "--long", "--", "sh", "server"]).check(&expect![[r#"
        exit code: 0
        stdout:
        t
          title: The tool
          may be: destructive, open-world
            read_only false: the protocol's default
            destructive true: the protocol's default
            idempotent false: the protocol's default
            open_world true: the protocol's default
          | One.
          | Two.
          arguments:
            a (string, required): An a
            b (integer, default 3)
            c (one of "x", "y")
            d (array of string)
          structured result: yes, with a schema

        odd
          may be: destructive, open-world
            read_only false: the protocol's default
            destructive true: the protocol's default
            idempotent false: the protocol's default
            open_world true: the protocol's default
          arguments: none that are declared
          the input schema cannot be used: schema is not valid at `/type`: expected one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`
          structured result: not declared

        2 tools
        stderr:
    "#]]);
}

#[test]
fn json_is_what_the_server_sent_byte_for_byte() {
    let odd =
        r#"{ "name":"t", "x-big": 123456789012345678901234567890, "inputSchema": {"type":"object","maximum":1.0} }"#;
    let folder = answering(&format!("{odd},{{\"name\":\"bad\"}}"), "{}");
    let finished = folder.run(&["list", "--json", "--", "sh", "server"]);
    assert!(finished.stdout.contains(odd), "{}", finished.stdout);
    finished.check(&expect![[r#"
        exit code: 0
        stdout:
        {"tools":[{ "name":"t", "x-big": 123456789012345678901234567890, "inputSchema": {"type":"object","maximum":1.0} }],"setAside":[{"name":"bad","reason":"`inputSchema` has to be an object"}],"server":{"protocolVersion":"2025-06-18","info":{"name":"script","version":"1"}}}
        stderr:
        set aside: `bad`: `inputSchema` has to be an object
    "#]]);
}

#[test]
fn a_list_in_pages_is_followed_to_its_end() {
    let tool = |number: usize| format!(r#"{{"name":"tool_{number}","inputSchema":{{"type":"object"}}}}"#);
    let pages: Vec<String> = [1..=50, 51..=100, 101..=101]
        .map(|numbers| numbers.map(tool).collect::<Vec<_>>().join(","))
        .into_iter()
        .collect();
    let finished = paged(&pages).run(&["list", "--", "sh", "server"]);
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(lines.len(), 103);
    assert!(lines[101].starts_with("tool_101 "), "{}", lines[101]);
    assert_eq!(lines[102], "101 tools in 3 pages");
}

#[test]
fn a_list_that_never_ends_is_cut_and_is_no_success() {
    let script = format!("{}{}", page(3, ECHO, Some("a")), page(4, "", Some("a")));
    shaking(&script).run(&["list", "--", "sh", "server"]).check(&expect![[r#"
        exit code: 1
        stdout:
        TOOL  MAY                      BY                          WHAT IT DOES
        echo  destructive, open-world  default (claims read-only)  Says it again.
        1 tool in 2 pages
        stderr:
        error: the list is not whole

        Caused by:
            after page 2 the list begins again: the cursor is one that was followed before
    "#]]);
}

#[test]
fn hostile_names_move_no_cursor_and_open_no_line() {
    let hostile = r#"{"name":"a\u001b[2J\r\nb\u202ec\u009b1A","description":"\u001b]0;owned\u0007x\nsecond\u2028line","inputSchema":{"type":"object"}}"#;
    let tools = format!("{hostile},{{\"name\":\"\\u001b[31mred\"}}");
    let folder = answering(&tools, "{}");
    for arguments in [&["list"][..], &["list", "--long"]] {
        let finished = folder.run(&[arguments, &["--", "sh", "server"]].concat());
        for output in [&finished.stdout, &finished.stderr] {
            let deceptive = output.chars().find(|letter| *letter != '\n' && haft_diag::is_deceptive(*letter));
            assert_eq!(deceptive, None, "{output:?}");
        }
    }
    folder.run(&["list", "--", "sh", "server"]).check(&expect![[r#"
        exit code: 0
        stdout:
        TOOL                              MAY                      BY       WHAT IT DOES
        a\u{1b}[2J\r\nb\u{202e}c\u{9b}1A  destructive, open-world  default  \u{1b}]0;owned\u{7}x
        1 tool, 1 set aside
        stderr:
        set aside: `\u{1b}[31mred`: `inputSchema` has to be an object
    "#]]);
    // A terminal gets the same JSON, with nothing in it to obey.
    let (code, screen) = Terminal::start(&folder, &["list", "--json", "--", "sh", "server"]).finish();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains(r"b\u202ec\u009b1A"), "{screen}");
    assert!(!screen.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{screen:?}");
}

#[test]
fn in_a_terminal_lines_are_cut_to_its_width() {
    let wide = format!(r#"{{"name":"wide","description":"{}","inputSchema":{{"type":"object"}}}}"#, "世界".repeat(50));
    let folder = answering(&format!("{ECHO},{wide}"), "{}");
    let (code, screen) = Terminal::start(&folder, &["list", "--", "sh", "server"]).finish();
    assert_eq!(code, Some(0));
    expect![[r#"
        TOOL  MAY                      BY       WHAT IT DOES
        echo  read-only, open-world    claimed  Says it again.
        wide  destructive, open-world  default  世界世界世界世界世界世界世界世界世界世…
        2 tools
    "#]]
    .assert_eq(&screen);
}

#[test]
fn definitions_for_the_api_of_a_model_have_names_that_it_takes() {
    let dotted = r#"{"name":"a.b","description":"Does.","inputSchema":{"properties":{}}}"#;
    let folder =
        answering(&format!("{ECHO},{dotted},{{\"name\":\"a_b\",\"inputSchema\":{{\"type\":\"object\"}}}}"), "{}");
    folder.run(&["list", "--as", "anthropic", "--", "sh", "server"]).check(&expect![[r#"
        exit code: 0
        stdout:
        [
        {"name":"echo","description":"Says it again. Use it for tests.","input_schema":{"type":"object","properties":{"text":{"type":"string"},"times":{"type":"integer"}},"required":["text"]}},
        {"name":"a_b_2","description":"Does.","input_schema":{"type":"object","properties":{}}},
        {"name":"a_b","input_schema":{"type":"object"}}
        ]
        stderr:
        // `a_b_2` stands for `a.b`
    "#]]);
    let finished = folder.run(&["list", "--as", "openai", "--", "sh", "server"]);
    let definitions: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(definitions[1]["function"]["name"], "a_b_2");
    assert_eq!(definitions[0]["function"]["parameters"]["required"][0], "text");
}

#[test]
fn saved_tools_are_listed_and_nothing_else() {
    let folder = Folder::empty();
    folder.write("tools.json", &format!("{{\"tools\": [{ECHO}, {{\"name\": \"bad\"}}], // saved\n}}"));
    folder.run(&["list", "tools.json"]).check(&expect![[r#"
        exit code: 0
        stdout:
        TOOL  MAY                      BY                          WHAT IT DOES
        echo  destructive, open-world  default (claims read-only)  Says it again.
        1 tool, 1 set aside
        stderr:
        set aside: `bad`: `inputSchema` has to be an object
    "#]]);
    folder.run(&["call", "tools.json", "echo", "text=x"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: saved tools can be listed, but nobody is there to ask
        --> $FOLDER/tools.json

        hint: name the server that they come from
    "#]]);
}

#[test]
fn a_manifest_is_listed_without_being_started() {
    let folder = Folder::with_script("echo $$ >pids", "");
    folder.run(&["list", "haft.toml"]).check(&expect![[r#"
        exit code: 0
        stdout:
        TOOL  MAY                   BY   WHAT IT DOES
        t     additive, open-world  own  Runs a script.
        1 tool
        stderr:
    "#]]);
    assert!(folder.pids().is_empty());
}

#[test]
fn what_cannot_be_reached_is_said_by_name() {
    let folder = Folder::empty();
    folder.run(&["list"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: no `haft.toml` in `$FOLDER` or in a directory above

        hint: name a target: a `haft.toml`, a `tools.json`, `.mcp.json#name`, a URL, or a command after `--`
    "#]]);
    folder.run(&["list", "missing.json"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: no file `$FOLDER/missing.json`
    "#]]);
    let mut haft = folder.haft(&["list", "--", "no-such-program"]);
    haft.env("PATH", "/usr/bin:/bin");
    folder.finish(haft).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: cannot find the program `no-such-program`

        Caused by:
            no program `no-such-program` in `/usr/bin`, `/bin`
    "#]]);
    folder.run(&["list", "x", "--", "y"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the command after `--` is the target, and so is `x`

        hint: leave out one of the two
    "#]]);
    server("echo 'no licence' >&2; exit 3").run(&["list", "--", "sh", "server"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the connection ended before `initialize` was answered: the program exited with status 3
               its last words: no licence
    "#]]);
    answering(ECHO, "{}").run(&["list", "--protocol", "2020-01-01", "--", "sh", "server"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: there is no protocol version `2020-01-01`; known are 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05
    "#]]);
}

#[test]
fn a_tool_that_the_policy_hides_is_not_listed_and_named_as_hidden() {
    let tool = |name: &str| {
        format!(
            "[[tool]]\nname = \"{name}\"\ndescription = \"Is {name}.\"\nannotations = {{ read_only = true }}\n\
             command = {{ argv = [\"true\"] }}\n"
        )
    };
    let rules = "[[policy.rule]]\ntools = \"gone\"\nthen = \"deny\"\n\
                 [[policy.rule]]\ntools = \"kept\"\nthen = \"deny\"\nwhen.args = { required = [\"x\"] }\n";
    let folder = Folder::with(&format!("[server]\nname = \"x\"\n{}{}{rules}", tool("kept"), tool("gone")));
    folder.run(&["list", "haft.toml"]).check(&expect![[r#"
        exit code: 0
        stdout:
        TOOL  MAY                    BY   WHAT IT DOES
        kept  read-only, open-world  own  Is kept.
        1 tool, 1 set aside
        stderr:
        set aside: `gone`: the policy denies every call of it, so `haft serve` does not list it
    "#]]);
    let json = folder.run(&["list", "haft.toml", "--json"]).stdout;
    let listed: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(listed["tools"].as_array().unwrap().len(), 1, "{json}");
    assert_eq!(listed["setAside"][0]["name"], "gone", "{json}");
}
