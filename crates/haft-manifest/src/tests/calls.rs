//! What a call comes to.

use std::fs;

use serde_json::json;

use super::conversation::{Called, Served};
use super::one_tool;

/// The result of a script's run; `keys` are further ones of `command`.
async fn run(script: &str, keys: &str) -> Called {
    run_as("", script, keys).await
}

async fn run_as(tool: &str, script: &str, keys: &str) -> Called {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("script"), script).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    let manifest = one_tool(&format!("{tool}\ncommand = {{ argv = [\"sh\", \"./script\"], {keys} }}"));
    Served::new(&manifest, folder.path()).call("t", json!({})).await
}

async fn check(script: &str, keys: &str, expected: &str) {
    assert_eq!(run(script, keys).await.text(), expected, "{script}");
}

#[tokio::test]
async fn output_is_text_without_its_last_line_break() {
    check("echo hello", "", "hello").await;
    check("printf 'a\\n\\nb\\n\\n'", "", "a\n\nb\n").await;
    check("printf ' a '; echo warned >&2", "", " a ").await;
}

#[tokio::test]
async fn no_output_is_said_in_words() {
    check("true", "", "The command ended without output.").await;
    check("true", "empty = \"No line matches.\"", "No line matches.").await;
}

#[tokio::test]
async fn an_exit_status_is_an_error_unless_it_is_said_to_be_none() {
    check("exit 3", "", "error: the command ended with exit status 3").await;
    check(
        "echo out; echo err >&2; exit 1",
        "",
        "error: the command ended with exit status 1\nstderr:\nerr\nstdout:\nout",
    )
    .await;
    check("exit 1", "ok_exit = [0, 1], empty = \"Nothing.\"", "Nothing.").await;
    check("exit 0", "ok_exit = [1]", "error: the command ended with exit status 0").await;
}

#[tokio::test]
async fn an_error_shows_the_end_of_stderr_and_the_beginning_of_stdout() {
    let text = run("seq 1 9000; seq 1 9000 >&2; exit 1", "").await.text();
    assert!(text.contains("stderr (the last 4000 bytes):\n"), "{text}");
    assert!(text.contains("\n9000\nstdout (the first 4000 bytes):\n1\n2\n"), "{text}");
    assert!(text.len() < 8_300, "{}", text.len());
}

#[tokio::test]
async fn a_cut_goes_through_no_character() {
    let text = run("yes ü | tr -d '\\n'", "max_output = \"1001B\"").await.text();
    assert!(text.starts_with("error: üü") && !text.contains('\u{fffd}'), "{text}");
    assert!(text.contains("was cut after 1000 bytes"), "{text}");
    let text = run("yes xüü | head -c 20001 >&2; exit 1", "").await.text();
    assert!(text.contains("stderr (the last") && !text.contains('\u{fffd}'), "{text}");
    let text = run("printf 'a\\377' >&2; exit 1", "").await.text();
    assert!(text.ends_with("stderr (not all UTF-8):\na\u{fffd}"), "{text}");
}

#[tokio::test]
async fn a_signal_is_an_error_that_names_it() {
    check("kill -9 $$", "", "error: the command was ended by signal 9").await;
}

#[tokio::test]
async fn what_is_no_text_is_said_to_be_none() {
    check(
        "printf 'a\\377b\\n'",
        "",
        "a\u{fffd}b\n---\nThe output is not all text: 1 invalid UTF-8 sequences are shown as U+FFFD.",
    )
    .await;
    check(
        "printf '\"\\377\"'",
        "output = \"json\"",
        "error: the command's output is no JSON: it is not UTF-8\nstdout (not all UTF-8):\n\"\u{fffd}\"",
    )
    .await;
}

#[tokio::test]
async fn json_becomes_data_in_one_line() {
    let called = run("printf '{\\n  \"b\": 1.50,\\n  \"a\": [12345678901234567890]\\n}\\n'", "output = \"json\"").await;
    let text = r#"{"b":1.50,"a":[12345678901234567890]}"#;
    assert_eq!(called.text(), text);
    assert_eq!(called.0["structuredContent"]["a"][0].to_string(), "12345678901234567890");
    for output in ["", "{", "{\"a\":1,\"a\":2}", "1 2", "nothing"] {
        let text = run(&format!("printf '%s' '{output}'"), "output = \"json\"").await.text();
        assert!(text.starts_with("error: the command's output is no JSON: "), "{output}: {text}");
    }
}

#[tokio::test]
async fn an_output_schema_makes_the_output_data() {
    let schema = "output_schema = { type = \"object\", properties = { n = { type = \"integer\" } } }";
    let called = run_as(schema, "echo '{\"n\": 1}'", "").await;
    assert_eq!(called.0["structuredContent"], json!({ "n": 1 }));
}

#[tokio::test]
async fn too_much_output_is_cut_at_a_line_and_said_to_be_cut() {
    let endless = "yes 0123456789";
    let cut = "The output was cut after 990 bytes: the command wrote more than 1 kB and was stopped. Ask for less.";
    let read_only = run_as("annotations = { read_only = true }", endless, "max_output = \"1KB\"").await.text();
    let (shown, note) = read_only.split_once("\n---\n").unwrap();
    assert_eq!((shown.len(), note), (989, cut));
    // It may have been stopped in the middle of what it was to do.
    let other = run(endless, "max_output = \"1KB\"").await.text();
    assert!(other.starts_with("error: 0123456789\n") && other.ends_with(cut), "{other}");
    let data = run(endless, "max_output = \"1KB\", output = \"json\"").await.text();
    assert!(
        data.starts_with(
            "error: the command wrote more than 1 kB and was stopped; ask for less\nstdout (the first 1000 bytes):\n"
        ),
        "{data}"
    );
}

#[tokio::test]
async fn stdin_is_what_the_manifest_says_and_never_ours() {
    check("cat", "", "The command ended without output.").await;
    check("cat", "stdin = \"fixed {{}}\"", "fixed {}").await;
    let manifest = one_tool(
        "args.s = { type = \"string\", required = false }\ncommand = { argv = [\"cat\"], stdin = \"<{s}>\", empty = \"none\" }",
    );
    let folder = tempfile::tempdir().unwrap();
    let served = Served::new(&manifest, folder.path());
    assert_eq!(served.call("t", json!({ "s": "-a\nb" })).await.text(), "<-a\nb>");
    assert_eq!(served.call("t", json!({})).await.text(), "none");
}

#[tokio::test]
async fn a_program_sees_the_allowed_variables_and_those_of_the_manifest() {
    check(
        "env | grep -v -e ^HAFT_CALL= -e ^PWD= -e ^SHLVL= -e ^_= -e ^OLDPWD= | sort",
        "env = { A = \"1\", B = \"${FOLDER}-$${FOLDER}-$FOLDER\", HOME = \"/elsewhere\" }",
        "A=1\nB=src-${FOLDER}-$FOLDER\nHOME=/elsewhere\nLANG=C.UTF-8\nPATH=/usr/bin:/bin",
    )
    .await;
}

#[tokio::test]
async fn a_secret_of_the_environment_stays_out_of_results() {
    let keys = "env = { TOKEN = \"Bearer ${API_TOKEN}\" }";
    check("echo \"got $TOKEN\"", keys, "got Bearer [secret]").await;
    check("echo \"$TOKEN\" >&2; exit 1", keys, "error: the command ended with exit status 1\nstderr:\nBearer [secret]")
        .await;
}

#[tokio::test]
async fn a_program_runs_where_the_manifest_stands_or_says() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    let top = folder.path().canonicalize().unwrap();
    for (keys, expected) in [
        ("", top.clone()),
        ("directory = \"src\"", top.join("src")),
        ("directory = \"${FOLDER}/..\"", top.clone()),
        ("directory = \"/\"", "/".into()),
    ] {
        let manifest = one_tool(&format!("command = {{ argv = [\"pwd\", \"-P\"], {keys} }}"));
        let text = Served::new(&manifest, folder.path()).call("t", json!({})).await.text();
        assert_eq!(text, expected.to_str().unwrap(), "{keys}");
    }
}

#[tokio::test]
async fn a_program_with_a_slash_in_its_name_stands_beside_the_manifest() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    fs::write(&script, "#!/bin/sh\necho here\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let manifest = one_tool("command = { argv = [\"./script\"], directory = \"/\" }");
    let served = Served::new(&manifest, folder.path());
    assert_eq!(served.call("t", json!({})).await.text(), "here");
    fs::remove_file(&script).unwrap();
    let text = served.call("t", json!({})).await.text();
    assert!(text.starts_with("error: `t` failed. The server's log explains it under reference "), "{text}");
}
