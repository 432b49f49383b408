//! `haft call`: arguments, results, exit codes.

use std::fs;

use expect_test::expect;

use crate::binary::Folder;
use crate::script::{ECHO, answering, doing, heard, page, shaking};

/// A user's policy that lets everything of `sh` run, as the scripts are started.
const ALLOWED: &str = "[[policy.rule]]\nname = \"scripts\"\ntools = \"sh.*\"\nthen = \"allow\"\n";

fn allowed(folder: Folder) -> Folder {
    folder.write("home/.config/haft/policy.toml", ALLOWED);
    folder
}

fn call<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    [&["call", "echo", "text=hi"], flags, &["--", "sh", "server"]].concat()
}

#[test]
fn text_goes_to_stdout_and_a_failure_is_the_tools() {
    let folder =
        allowed(answering(ECHO, r#"{"content":[{"type":"text","text":"one\n"},{"type":"text","text":"two"}]}"#));
    folder.run(&call(&[])).check(&expect![[r#"
        exit code: 0
        stdout:
        one
        two
        stderr:
    "#]]);
    let folder = allowed(answering(ECHO, r#"{"content":[{"type":"text","text":"not found"}],"isError":true}"#));
    folder.run(&call(&[])).check(&expect![[r#"
        exit code: 1
        stdout:
        not found
        stderr:
        the tool says that it failed
    "#]]);
}

#[test]
fn the_raw_result_is_exact_and_data_is_pretty_where_there_is_no_text() {
    let result = r#"{ "content":[], "structuredContent":{"n":1.0,"big":123456789012345678901234567890}, "x": [ 1 ]}"#;
    let folder = allowed(answering(ECHO, result));
    folder.run(&call(&[])).check(&expect![[r#"
        exit code: 0
        stdout:
        {
          "n": 1.0,
          "big": 123456789012345678901234567890
        }
        stderr:
    "#]]);
    let finished = folder.run(&call(&["--json"]));
    assert_eq!((finished.code, finished.stdout), (Some(0), format!("{result}\n")));
}

#[test]
fn images_are_saved_beside_what_is_there() {
    let result = r#"{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"},{"type":"audio","data":"aGk=","mimeType":"audio/wav"},{"type":"resource","resource":{"uri":"file:///x","mimeType":"application/pdf","blob":"aGk="}},{"type":"resource_link","uri":"file:///y\u001b","name":"y"},{"type":"image","data":"!!","mimeType":"image/png"}]}"#;
    let folder = allowed(answering(ECHO, result));
    folder.write("echo-1.png", "mine");
    folder.run(&call(&[])).check(&expect![[r#"
        exit code: 1
        stdout:
        image: echo-2.png (image/png, 2 bytes)
        audio: echo-1.wav (audio/wav, 2 bytes)
        resource file:///x: echo-1.pdf (application/pdf, 2 bytes)
        resource link: file:///y\u{1b} (y)
        stderr:
        error: image of the result is not base64, so it could not be saved

        hint: `--json` prints it as it came
    "#]]);
    assert_eq!((folder.read("echo-1.png"), folder.read("echo-2.png")), ("mine".to_owned(), "hi".to_owned()));
    fs::create_dir(folder.path().join("out")).unwrap();
    folder.run(&call(&["--output", "out"]));
    assert_eq!(folder.read("out/echo-1.png"), "hi");
}

#[test]
fn wrong_words_are_not_sent_and_say_what_was_meant() {
    let folder = allowed(answering(ECHO, "{}"));
    for (arguments, expected) in [
        (&["call", "ecko", "text=x"][..], "did you mean `echo`?"),
        (&["call", "echo", "txt=x"], "did you mean `text`?"),
        (&["call", "echo", "text=x", "times=few"], "expected an integer, found a text"),
        (&["call", "echo"], "`/text`: required, missing"),
        (&["call", "echo", "--args", "{\"text\":5}"], "`/text`: expected a string"),
        (&["call", "echo", "--args", "[]"], "`--args` has to be a JSON object"),
        (&["call", "echo", "--args", "{\"text\":\"a\",\"text\":\"b\"}"], "`--args` is no JSON"),
        (&["call", "echo", "text=x", "--args", "{}"], "`text` is one more"),
        (&["call", "echo", "x"], "is one word too many"),
        (&["call"], "no tool is named"),
        (&["call", "text=x"], "no tool is named before the arguments"),
    ] {
        let finished = folder.run(&[arguments, &["--", "sh", "server"]].concat());
        assert_eq!((finished.code, finished.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(finished.stderr.contains(expected), "{arguments:?}: {}", finished.stderr);
    }
    assert_eq!(heard(&folder, "tools/call"), 0);
    folder.run(&["call", ".mcp.json#x"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: no tool is named; `.mcp.json#x` is a target

        hint: `haft list .mcp.json#x` prints its tools; `haft call [TARGET] TOOL [key=value…] [-- COMMAND…]`
    "#]]);
}

#[test]
fn arguments_come_from_words_files_and_stdin_as_they_are() {
    for (arguments, expected) in [
        (&["text=5", "times=3"][..], r#"{"text":"5","times":3}"#),
        (&["--args", "{\"text\": \"x\", \"times\": 3}"], r#"{"text": "x", "times": 3}"#),
        (&["--args", "@arguments"], r#"{ "text":"from a file" }"#),
        (&["text=@arguments"], r#"{"text":"{ \"text\":\"from a file\" }"}"#),
    ] {
        let folder = allowed(answering(ECHO, r#"{"content":[]}"#));
        folder.write("arguments", r#"{ "text":"from a file" }"#);
        let finished = folder.run(&[&["call", "echo"], arguments, &["--", "sh", "server"]].concat());
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        assert!(folder.read("heard").contains(&format!("\"arguments\":{expected}")), "{}", folder.read("heard"));
    }
}

#[test]
fn what_a_server_does_instead_of_answering_is_said_by_name() {
    let dies = allowed(doing(ECHO, "echo 'out of ink' >&2; exit 7"));
    dies.run(&call(&[])).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the connection ended before `tools/call` was answered: the program exited with status 7
               its last words: out of ink
         |
         = note: the tool may have run
    "#]]);
    let silent = allowed(doing(ECHO, "hear; hear"));
    silent.run(&call(&["--timeout", "300ms"])).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: no answer to `tools/call` within 0.3 s
         |
         = note: the tool may have run

        hint: `--timeout 5m` waits longer
    "#]]);
    let message = r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"no\u001b[31m\n\nhint: run me"}}"#;
    let refuses = allowed(doing(ECHO, &format!("say '{message}'")));
    refuses.run(&call(&[])).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the server answered `tools/call` with an error

        Caused by:
            error -32603: no\u{1b}[31m\n\nhint: run me
    "#]]);
}

#[test]
fn a_result_that_is_not_what_was_declared_is_printed_and_no_success() {
    let declared =
        ECHO.replace("\"inputSchema\"", r#""outputSchema":{"type":"object","required":["n"]},"inputSchema""#);
    let folder = allowed(answering(&declared, r#"{"content":[{"type":"text","text":"hi"}],"structuredContent":{}}"#));
    folder.run(&call(&[])).check(&expect![[r#"
        exit code: 1
        stdout:
        hi
        stderr:
        error: the result of `echo` does not fit the schema that the server declares:
               - `/n`: required, missing
               Smallest valid example: {"n":null}
    "#]]);
    assert_eq!(folder.run(&call(&["--no-check"])).code, Some(0));
}

#[test]
fn a_question_of_the_server_without_anybody_to_answer_is_not_declared() {
    let asks = r#"say '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}'; hear; say '{"jsonrpc":"2.0","id":4,"result":{"content":[]}}'"#;
    let folder = allowed(doing(ECHO, asks));
    assert_eq!(folder.run(&call(&[])).code, Some(0));
    let heard = folder.read("heard");
    assert!(!heard.contains("elicitation"), "{heard}");
    assert!(heard.contains(r#""id":"q","error""#), "{heard}");
}

#[test]
fn a_tool_of_a_manifest_is_called_with_its_defaults() {
    let folder = Folder::with(
        "[server]\nname = \"x\"\n[[tool]]\nname = \"say\"\ndescription = \"Says.\"\nannotations = { read_only = true }\n\
         args.word = { type = \"string\", default = \"hello\" }\ncommand = { argv = [\"printf\", \"%s\", \"{word}\"] }\n\
         [[tool]]\nname = \"change\"\ndescription = \"Changes.\"\ncommand = { argv = [\"touch\", \"changed\"] }\n",
    );
    folder.run(&["call", "haft.toml", "say"]).check(&expect![[r#"
        exit code: 0
        stdout:
        hello
        stderr:
    "#]]);
    folder.run(&["call", "--dry-run", "haft.toml", "say"]).check(&expect![[r#"
        exit code: 0
        stdout:
        server     the tools of $FOLDER/haft.toml
        tool       local.say
        definition a174448efc6f90d8113ab9781d6841075ed3d1c48df23ac248dee5c14642bd66
        arguments  {
                     "word": "hello"
                   }
        decision   allow: by default a tool that is known to read only is allowed
        hints
          read_only    true   said by its own definition
          destructive  false  follows from read_only
          idempotent   true   follows from read_only
          open_world   true   the protocol's default
        stderr:
    "#]]);
    folder.run(&["call", "haft.toml", "change"]).check(&expect![[r#"
        exit code: 1
        stdout:
        stderr:
        error: the call of `local.change` has to be asked about, and nobody is here to ask

        Caused by:
            by default a tool that may change something is asked about

        hint: call it in a terminal, or let a rule of `$FOLDER/home/.config/haft/policy.toml` allow it; `haft policy explain haft.toml change` says what decides
    "#]]);
    assert!(!folder.path().join("changed").exists());
}

#[test]
fn a_tool_that_is_not_in_the_part_of_a_list_that_could_be_read_may_be_in_the_rest() {
    let folder = shaking(&format!("{}{}", page(3, ECHO, Some("a")), page(4, "", Some("a"))));
    folder.run(&["call", "echos", "--", "sh", "server"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the server has no tool `echos`, as far as its list can be read: after page 2 the list begins again: the cursor is one that was followed before; did you mean `echo`?
    "#]]);
    let folder = shaking(&format!("{}{}", page(3, ECHO, Some("a")), page(4, "", Some("a"))));
    folder.run(&["call", "other", "--", "sh", "server"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the server has no tool `other`, as far as its list can be read: after page 2 the list begins again: the cursor is one that was followed before

        hint: `haft list -- …` prints what there is
    "#]]);
}

#[test]
fn a_long_error_of_a_server_is_cut() {
    let script = r#"long=$(printf '%5000000s' x | tr ' ' a); say '{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"'$long'"}}'"#;
    let finished = allowed(doing(ECHO, script)).run(&call(&[]));
    assert_eq!(finished.code, Some(2));
    let expected = format!("    error -32603: {}…\n", "a".repeat(4096));
    assert!(finished.stderr.ends_with(&expected), "{} bytes", finished.stderr.len());
    assert!(finished.stderr.len() < 4300, "{} bytes", finished.stderr.len());
}
