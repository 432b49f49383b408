//! Programs that a file names, and `haft trust`.

use expect_test::expect;

use crate::binary::Folder;
use crate::pty::Terminal;
use crate::script::{ECHO, answering};

fn listed() -> Folder {
    let folder = answering(ECHO, r#"{"content":[{"type":"text","text":"hi"}]}"#);
    let entry = r#"{"command":"sh","args":["server","a b\u001b"],"env":{"KEY":"secret"}}"#;
    folder.write(".mcp.json", &format!(r#"{{"mcpServers":{{"files":{entry}}}}}"#));
    folder
}

#[test]
fn an_entry_that_nobody_trusts_is_not_started() {
    let folder = listed();
    folder.run(&["list", ".mcp.json#files"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: this needs to be trusted first
         |
         = note: the entry `files` of `$FOLDER/.mcp.json` starts
         = note:   sh server 'a b\u{1b}'
         = note: in `$FOLDER`
         = note: with `KEY`

        hint: `haft trust .mcp.json#files` asks whether to trust it
    "#]]);
    for arguments in [&["call", ".mcp.json#files", "echo", "text=x"][..], &["inspect", ".mcp.json"]] {
        assert_eq!(folder.run(arguments).code, Some(2));
    }
    assert!(!folder.path().join("heard").exists());
    let mut finished = folder.run(&["trust", ".mcp.json#files"]);
    // It is over the path, too, which differs from run to run.
    let digest = finished.stderr.split_once("digest ").unwrap().1.lines().next().unwrap().to_owned();
    finished.stderr = finished.stderr.replace(&digest, &format!("… of {} digits", digest.len()));
    finished.check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        the entry `files` of `$FOLDER/.mcp.json` starts
          sh server 'a b\u{1b}'
        in `$FOLDER`
        with `KEY`
        digest … of 64 digits
        error: nobody is here to ask whether to trust this

        hint: run `haft trust` in a terminal
    "#]]);
}

#[test]
fn an_entry_is_trusted_once_and_until_it_changes() {
    let folder = listed();
    let mut terminal = Terminal::start(&folder, &["trust", ".mcp.json#files"]);
    terminal.wait_for("[y/N] ");
    terminal.type_line("y");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0));
    assert!(screen.contains(r"sh server 'a b\u{1b}'") && !screen.contains("secret"), "{screen}");
    let finished = folder.run(&["list", ".mcp.json#files"]);
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""));
    // Its tools are known by the name of the entry.
    let finished = folder.run(&["call", ".mcp.json#files", "echo", "text=x"]);
    assert!(finished.stderr.contains("`files.echo`"), "{}", finished.stderr);
    let finished = folder.run(&["trust", "--list"]);
    assert!(finished.stdout.trim_end().ends_with("$FOLDER/.mcp.json#files  sh"), "{}", finished.stdout);

    folder.write(".mcp.json", &folder.read(".mcp.json").replace("a b", "a c"));
    assert_eq!(folder.run(&["list", ".mcp.json#files"]).code, Some(2));
    folder.write(".mcp.json", &folder.read(".mcp.json").replace("a c", "a b"));
    let forgotten = folder.run(&["trust", "--forget", ".mcp.json#files"]);
    assert_eq!((forgotten.code, forgotten.stderr.as_str()), (Some(0), "forgotten\n"));
    assert_eq!(folder.run(&["list", ".mcp.json#files"]).code, Some(2));
}

#[test]
fn a_no_trusts_nothing() {
    let folder = listed();
    let mut terminal = Terminal::start(&folder, &["trust", ".mcp.json#files"]);
    terminal.wait_for("[y/N] ");
    terminal.type_line("");
    assert_eq!(terminal.finish().0, Some(1));
    assert_eq!(folder.run(&["trust", "--list"]).stdout, "");
}

#[test]
fn a_manifest_that_was_found_needs_trust_and_one_that_was_named_does_not() {
    let folder = Folder::with_script("echo ran", "");
    folder.run(&["list"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: this needs to be trusted first
         |
         = note: `$FOLDER/haft.toml` was found, not named
         = note: its tools can start the programs that it names, and each change of it asks again

        hint: `haft trust` asks whether to trust it
    "#]]);
    assert_eq!(folder.run(&["list", "haft.toml"]).code, Some(0));
    let mut terminal = Terminal::start(&folder, &["trust"]);
    terminal.wait_for("[y/N] ");
    terminal.type_line("y");
    assert_eq!(terminal.finish().0, Some(0));
    assert_eq!(folder.run(&["list"]).code, Some(0));
}

#[test]
fn a_program_gets_a_few_variables_and_those_of_its_entry() {
    let folder = Folder::empty();
    folder.write("server", "env | sort >environment; exit 1");
    let mut haft = folder.haft(&["list", "--", "sh", "server"]);
    haft.env("SECRET", "x").env("LANG", "C").env("XDG_DATA_HOME", "/d").env("AWS_SECRET_ACCESS_KEY", "x");
    assert_eq!(folder.finish(haft).code, Some(2));
    let environment = folder.read("environment");
    for (name, is_there) in
        [("LANG=", true), ("HOME=", true), ("PATH=", true), ("XDG_DATA_HOME=", true), ("SECRET", false)]
    {
        assert_eq!(environment.contains(name), is_there, "{name}: {environment}");
    }
}

#[test]
fn variables_are_sent_nowhere_before_somebody_agreed() {
    let folder = Folder::empty();
    let entry = r#"{"type":"http","url":"http://127.0.0.1:9/mcp","headers":{"X-Key":"${PRIVATE_KEY}"}}"#;
    folder.write(".mcp.json", &format!(r#"{{"mcpServers":{{"web":{entry}}}}}"#));
    let mut haft = folder.haft(&["list", ".mcp.json#web"]);
    haft.env("PRIVATE_KEY", "very private");
    folder.finish(haft).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: this needs to be trusted first
         |
         = note: the entry `web` of `$FOLDER/.mcp.json` sends the value of
         = note:   `PRIVATE_KEY`
         = note: to `http://127.0.0.1:9/mcp`

        hint: `haft trust .mcp.json#web` asks whether to trust it
    "#]]);
}

#[test]
fn the_value_of_a_variable_in_an_address_is_never_printed_and_never_kept() {
    let folder = Folder::empty();
    for (place, url, shown) in [
        ("path", "http://127.0.0.1:9/${PRIVATE_KEY}/mcp", "http://127.0.0.1:9/${PRIVATE_KEY}/mcp"),
        ("query", "http://127.0.0.1:9/mcp?key=${PRIVATE_KEY}", "http://127.0.0.1:9/mcp?…"),
        ("host", "http://${PRIVATE_KEY}.invalid/mcp", "http://${PRIVATE_KEY}.invalid/mcp"),
    ] {
        folder.write(".mcp.json", &format!(r#"{{"mcpServers":{{"{place}":{{"type":"http","url":"{url}"}}}}}}"#));
        let target = format!(".mcp.json#{place}");
        let run = |arguments: &[&str]| {
            let mut haft = folder.haft(arguments);
            haft.env("PRIVATE_KEY", "very-private");
            folder.finish(haft)
        };
        let refused = run(&["list", &target]);
        assert!(refused.stderr.contains(&format!("= note: to `{shown}`\n")), "{}", refused.stderr);
        let mut terminal = Terminal::start_with(&folder, &["trust", &target], &[("PRIVATE_KEY", "very-private")]);
        terminal.wait_for("[y/N] ");
        terminal.type_line("y");
        let (code, screen) = terminal.finish();
        assert_eq!(code, Some(0), "{screen}");
        assert!(screen.contains(&format!("to `{shown}`\n")), "{screen}");
        let unreachable = run(&["-vv", "list", &target, "--timeout", "4s"]);
        assert_eq!(unreachable.code, Some(2), "{}", unreachable.stderr);
        assert!(!unreachable.stderr.contains("needs to be trusted"), "{}", unreachable.stderr);
        let grants = folder.run(&["trust", "--list"]);
        assert!(grants.stdout.contains(&format!("#{place}  {shown}\n")), "{}", grants.stdout);
        let printed = [&refused, &unreachable, &grants].map(|run| format!("{}{}", run.stdout, run.stderr)).concat();
        assert!(!format!("{printed}{screen}").contains("very-private"), "{place}: {printed}{screen}");
    }
    let mut folders = vec![folder.path().join("home")];
    let mut files = 0;
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files += 1;
                assert!(!std::fs::read_to_string(&path).unwrap().contains("very-private"), "{}", path.display());
            }
        }
    }
    assert_eq!(files, 3, "the grants were looked at");
}
