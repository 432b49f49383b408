//! Whether a call is made: rules, the person at the prompt, and nobody there.

use expect_test::expect;

use crate::binary::Folder;
use crate::pty::Terminal;
use crate::script::{ECHO, WRITE, answering, doing, heard, page, shaking};

const RESULT: &str = r#"{"content":[{"type":"text","text":"written"}]}"#;
const CALL: [&str; 6] = ["call", "write", "path=a\u{202e}b", "--", "sh", "server"];

fn writing() -> Folder {
    answering(&format!("{ECHO},{WRITE}"), RESULT)
}

#[test]
fn without_a_terminal_a_call_that_is_to_be_asked_about_is_refused_at_once() {
    let folder = writing();
    folder.run(&CALL).check(&expect![[r#"
        exit code: 1
        stdout:
        stderr:
        error: the call of `sh.write` has to be asked about, and nobody is here to ask

        Caused by:
            by default a tool that may change something is asked about

        hint: call it in a terminal, or let a rule of `$FOLDER/home/.config/haft/policy.toml` allow it; `haft policy explain write -- …` says what decides
    "#]]);
    assert_eq!(heard(&folder, "tools/call"), 0);
}

#[test]
fn a_claim_to_read_only_is_believed_at_the_prompt_alone() {
    let arguments = ["call", "echo", "text=x", "--", "sh", "server"];
    let folder = answering(ECHO, RESULT);
    assert_eq!(folder.run(&arguments).code, Some(1));
    assert_eq!(heard(&folder, "tools/call"), 0);
    let (code, screen) = Terminal::start(&folder, &arguments).finish();
    assert_eq!((code, screen.as_str()), (Some(0), "written\n"));
}

#[test]
fn a_person_sees_what_haft_knows_before_what_the_server_says_and_agrees() {
    let folder = writing();
    let mut terminal = Terminal::start(&folder, &CALL);
    terminal.wait_for("[y/N] ");
    assert_eq!(heard(&folder, "tools/call"), 0);
    terminal.type_line("y");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0));
    expect![[r#"

        server     sh server
        tool       sh.write
        definition b0ee3f781bcf2c4ec09cdc51b820002a1f9c52b641f2dceaaae94f4d57565317
        arguments  {
                     "path": "a\u{202e}b"
                   }
        hints      destructive, open-world (default)
        decision   ask: by default a tool that may change something is asked about
        the server says of the tool:
          | Writes it. \u{1b}[2J
        make this call? [y/N] y
        written
    "#]]
    .assert_eq(&screen);
    assert_eq!(heard(&folder, "tools/call"), 1);
}

#[test]
fn everything_but_a_yes_is_a_no() {
    for answer in ["", "n", "yess", "maybe y"] {
        let folder = writing();
        let mut terminal = Terminal::start(&folder, &CALL);
        terminal.wait_for("[y/N] ");
        terminal.type_line(answer);
        let (code, screen) = terminal.finish();
        assert_eq!(code, Some(1), "{answer}: {screen}");
        assert!(screen.contains("the call of `sh.write` was not agreed to"), "{screen}");
        assert_eq!(heard(&folder, "tools/call"), 0);
    }
}

#[test]
fn what_was_typed_before_the_question_is_no_answer_to_it() {
    let folder = writing();
    folder.write("slow", "while [ ! -e go ]; do sleep 0.01; done; exec sh server");
    let mut terminal = Terminal::start(&folder, &["call", "write", "--", "sh", "slow"]);
    terminal.type_line("y");
    terminal.wait_for("y");
    folder.write("go", "");
    terminal.wait_for("[y/N] ");
    terminal.type_line("n");
    assert_eq!(terminal.finish().0, Some(1));
    assert_eq!(heard(&folder, "tools/call"), 0);
}

#[test]
fn a_rule_denies_and_no_terminal_helps() {
    let folder = writing();
    let rule = "[[policy.rule]]\nname = \"hands-off\"\ntools = \"sh.write\"\nthen = \"deny\"\nreason = \"not here\"\n";
    folder.write("home/.config/haft/policy.toml", rule);
    folder.run(&CALL).check(&expect![[r#"
        exit code: 1
        stdout:
        stderr:
        error: the call of `sh.write` is refused: rule `hands-off` of the user's policy: not here

        hint: `haft policy explain write -- …` says what decides
    "#]]);
    assert_eq!(Terminal::start(&folder, &CALL).finish().0, Some(1));
    assert_eq!(heard(&folder, "tools/call"), 0);
}

#[test]
fn a_policy_that_cannot_be_read_lets_nothing_run() {
    let folder = answering(ECHO, RESULT);
    folder.write("home/.config/haft/policy.toml", "[[policy.rule]]\ntols = \"*\"\nthen = \"allow\"\n");
    let finished = folder.run(&["call", "echo", "text=x", "--", "sh", "server"]);
    assert_eq!(finished.code, Some(2));
    assert!(finished.stderr.contains("did you mean `tools`?"), "{}", finished.stderr);
    assert!(!folder.path().join("heard").exists());
}

#[test]
fn a_dry_run_shows_the_request_and_the_decision_and_sends_nothing() {
    let folder = writing();
    folder.run(&["call", "--dry-run", "write", "path=x", "--", "sh", "server"]).check(&expect![[r#"
        exit code: 0
        stdout:
        server     sh server
        tool       sh.write
        definition b0ee3f781bcf2c4ec09cdc51b820002a1f9c52b641f2dceaaae94f4d57565317
        arguments  {
                     "path": "x"
                   }
        decision   ask: by default a tool that may change something is asked about
        hints
          read_only    false  the protocol's default
          destructive  true   the protocol's default
          idempotent   false  the protocol's default
          open_world   true   the protocol's default
        stderr:
    "#]]);
    assert_eq!((heard(&folder, "tools/list"), heard(&folder, "tools/call")), (1, 0));
}

#[test]
fn questions_of_the_server_are_answered_at_the_prompt() {
    let asks = r#"say '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Which?\u001b[2J","requestedSchema":{"type":"object","properties":{"colour":{"type":"string","title":"Colour","enum":["red","green"]},"count":{"type":"integer","default":3},"note":{"type":"string"}},"required":["colour"]}}}'; hear; say '{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"thanks"}]}}'"#;
    let arguments = ["call", "echo", "text=x", "--", "sh", "server"];
    let folder = doing(ECHO, asks);
    let mut terminal = Terminal::start(&folder, &arguments);
    terminal.wait_for("(default): ");
    terminal.type_line("y");
    terminal.wait_for("green\r\n  > ");
    terminal.type_line("blue");
    terminal.wait_for("another string\r\n  > ");
    terminal.type_line("2");
    terminal.wait_for("an empty line is 3\r\n  > ");
    terminal.type_line("");
    terminal.wait_for("note (string)\r\n  > ");
    terminal.type_line("");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0));
    expect![[r#"

        sh server, which calls itself `script`, asks:
          | Which?\u{1b}[2J
        it asks for `colour`, `count`, `note`
        answer? [y]es, [n]o, [c]ancel (default): y
        colour “Colour” (string, required)
          1) red
          2) green
          > blue
          expected one of `red`, `green`, got another string
          > 2
        count (integer)
          an empty line is 3
          > 
        note (string)
          > 
        thanks
    "#]]
    .assert_eq(&screen);
    let heard = folder.read("heard");
    assert!(heard.contains(r#""action":"accept","content":{"colour":"green","count":3}"#), "{heard}");

    for (answer, action) in [("n", "decline"), ("", "cancel")] {
        let folder = doing(ECHO, asks);
        let mut terminal = Terminal::start(&folder, &arguments);
        terminal.wait_for("(default): ");
        terminal.type_line(answer);
        assert_eq!(terminal.finish().0, Some(0));
        assert!(folder.read("heard").contains(&format!(r#""action":"{action}""#)), "{}", folder.read("heard"));
    }
}

#[test]
fn an_address_is_shown_whole_and_never_opened() {
    let asks = r#"say '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"mode":"url","elicitationId":"1","message":"Log in","url":"https://example.com/login?next=\u202e"}}'; hear; say '{"jsonrpc":"2.0","id":4,"result":{"content":[]}}'"#;
    let folder = doing(ECHO, asks);
    let arguments = ["call", "echo", "text=x", "--protocol", "2025-11-25", "--", "sh", "server"];
    folder.write(
        "server",
        &folder
            .read("server")
            .replace("2025-06-18", "2025-11-25")
            .replace(
                "hear; say '{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"what?\"}}'\n",
                "",
            )
            .replace("\"id\":2", "\"id\":1")
            .replace("\"id\":3", "\"id\":2")
            .replace("\"id\":4", "\"id\":3"),
    );
    let mut terminal = Terminal::start(&folder, &arguments);
    terminal.wait_for("https://example.com/login?next=\\u{202e}");
    terminal.wait_for("(default): ");
    terminal.type_line("y");
    assert_eq!(terminal.finish().0, Some(0));
    assert!(folder.read("heard").contains(r#""action":"accept""#), "{}", folder.read("heard"));
}

#[test]
fn progress_is_one_line_that_goes_away() {
    let reports = r#"token=${line#*\"progressToken\":}; token=${token%%[,\}]*}
say '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":'$token',"progress":1,"total":2,"message":"half\u001b[2J"}}'
while [ ! -e go ]; do sleep 0.01; done
say '{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"done"}]}}'"#;
    let folder = doing(ECHO, reports);
    let terminal = Terminal::start(&folder, &["call", "echo", "text=x", "--", "sh", "server"]);
    terminal.wait_for("[##########----------]  50 %  half\\u{1b}[2J");
    folder.write("go", "");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0));
    assert_eq!(screen, "\r[##########----------]  50 %  half\\u{1b}[2J\u{1b}[K\r\u{1b}[Kdone\n");
}

#[test]
fn ctrl_c_cancels_the_call_and_ends_the_server() {
    let folder = doing(ECHO, "echo $$ >pids; hear; hear");
    let terminal = Terminal::start(&folder, &["call", "echo", "text=x", "--", "sh", "server"]);
    folder.wait_for_pids(1);
    terminal.interrupt();
    let (code, screen) = terminal.finish();
    assert_eq!((code, screen.as_str()), (Some(130), "interrupted\n"));
    folder.wait_until_gone();
    assert_eq!(heard(&folder, "notifications/cancelled"), 1);
}

#[test]
fn ctrl_c_at_the_question_is_no_yes() {
    let folder = writing();
    let terminal = Terminal::start(&folder, &CALL);
    terminal.wait_for("[y/N] ");
    terminal.interrupt();
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(130), "{screen}");
    assert_eq!(heard(&folder, "tools/call"), 0);
}

#[test]
fn a_definition_that_changes_while_the_person_thinks_is_not_called() {
    let listed = page(3, WRITE, None);
    let changes = r#"while [ ! -e go ]; do sleep 0.01; done; say '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'; echo noise"#;
    let changed = page(4, &WRITE.replace("Writes it", "Deletes it"), None);
    let folder = shaking(&format!("{listed}{changes}\n{changed}"));
    folder.write("server", &folder.read("server").replace(r#""tools":{}"#, r#""tools":{"listChanged":true}"#));
    let mut terminal = Terminal::start(&folder, &CALL);
    terminal.wait_for("[y/N] ");
    folder.write("go", "");
    // What comes behind it was read, so it was, too.
    terminal.wait_for("no message: noise");
    terminal.type_line("y");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(2), "{screen}");
    assert!(screen.contains("the server changed the definition of `write` since it was looked at"), "{screen}");
    assert_eq!(heard(&folder, "tools/call"), 0);
}

#[test]
fn ctrl_c_ends_a_tool_of_a_manifest_with_all_that_it_started() {
    let folder = Folder::with_script("sleep 100 & echo $! >>pids; echo $$ >>pids; wait", "");
    let terminal = Terminal::start(&folder, &["call", "haft.toml", "t"]);
    folder.wait_for_pids(2);
    terminal.interrupt();
    assert_eq!(terminal.finish().0, Some(130));
    folder.wait_until_gone();
}

#[test]
fn an_answer_that_never_fits_closes_the_question() {
    let asks = r#"say '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}}'; hear; say '{"jsonrpc":"2.0","id":4,"result":{"content":[]}}'"#;
    let folder = doing(ECHO, asks);
    let mut terminal = Terminal::start(&folder, &["call", "echo", "text=x", "--", "sh", "server"]);
    terminal.wait_for("(default): ");
    for answer in ["y", "", "x", "1.5", "", "no"] {
        terminal.type_line(answer);
    }
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0));
    assert!(screen.contains("that was no answer too often; the question is closed"), "{screen}");
    assert!(folder.read("heard").contains(r#""action":"cancel""#));
}

#[test]
fn a_server_that_asks_and_asks_is_cancelled_after_twenty_questions() {
    let ask = r#"say '{"jsonrpc":"2.0","id":"q'$number'","method":"elicitation/create","params":{"message":"number '$number'","requestedSchema":{"type":"object","properties":{}}}}'; hear"#;
    let script = format!(
        "number=1; while [ $number -le 200 ]; do {ask}; number=$((number+1)); done; \
         say '{{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"done\"}}]}}}}'"
    );
    let folder = doing(ECHO, &script);
    let mut terminal = Terminal::start(&folder, &["call", "echo", "text=x", "--", "sh", "server"]);
    for number in 1..=20 {
        terminal.wait_for(&format!("number {number}\r\n"));
        terminal.type_line("n");
    }
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(screen.matches("answer? ").count(), 20, "{screen}");
    assert!(
        screen.ends_with("\nsh server asked 20 times in this call; what else it asks is cancelled\ndone\n"),
        "{screen}"
    );
    let heard = folder.read("heard");
    assert_eq!((heard.matches("decline").count(), heard.matches("\"cancel\"").count()), (20, 180), "{heard}");
}
