//! What is printed when there is nothing to do, or when it cannot be done.

use expect_test::expect;

use crate::binary::Folder;

#[test]
fn help_names_the_commands_and_exit_codes() {
    let folder = Folder::empty();
    folder.run(&["--help"]).check(&expect![[r#"
        exit code: 0
        stdout:
        MCP tools, end to end: define, serve, list, call

        Usage: haft [OPTIONS] <COMMAND>

        Commands:
          approvals    See and answer what a server asks a person about
          audit        Read the audit log of a server, and check it
          call         Call a tool of any server
          check        Check a manifest and start nothing
          completions  Print a completion script for a shell
          inspect      Say what a server is and can do
          list         List the tools of any server
          policy       Explain decisions of the policy, or try them
          serve        Serve the tools of a manifest to MCP clients
          trust        Let programs that a file names be started, once looked at
          help         Print this message or the help of the given subcommand(s)

        Options:
          -v, --verbose...  Log more to stderr: -v what happens, -vv every step. `HAFT_LOG` selects by
                            module, such as `haft_core=trace`
          -h, --help        Print help
          -V, --version     Print version

        Exit codes:
          0  done
          1  a tool failed or was refused, or what was checked has errors
          2  it could not be done: wrong usage, an unusable file, a server that cannot be reached
        stderr:
    "#]]);
    folder.run(&[]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        MCP tools, end to end: define, serve, list, call

        Usage: haft [OPTIONS] <COMMAND>

        Commands:
          approvals    See and answer what a server asks a person about
          audit        Read the audit log of a server, and check it
          call         Call a tool of any server
          check        Check a manifest and start nothing
          completions  Print a completion script for a shell
          inspect      Say what a server is and can do
          list         List the tools of any server
          policy       Explain decisions of the policy, or try them
          serve        Serve the tools of a manifest to MCP clients
          trust        Let programs that a file names be started, once looked at
          help         Print this message or the help of the given subcommand(s)

        Options:
          -v, --verbose...  Log more to stderr: -v what happens, -vv every step. `HAFT_LOG` selects by
                            module, such as `haft_core=trace`
          -h, --help        Print help
          -V, --version     Print version

        Exit codes:
          0  done
          1  a tool failed or was refused, or what was checked has errors
          2  it could not be done: wrong usage, an unusable file, a server that cannot be reached
    "#]]);
}

#[test]
fn help_names_what_serving_takes() {
    Folder::empty().run(&["serve", "-h"]).check(&expect![[r#"
        exit code: 0
        stdout:
        Serve the tools of a manifest to MCP clients

        Usage: haft serve [OPTIONS] [FILE]

        Arguments:
          [FILE]  The manifest, or its directory. Without it: the haft.toml here, or in the nearest
                  directory above

        Options:
              --stdio                  Serve the one client that started this, over stdin and stdout
              --http <ADDR>            Serve HTTP at this address, such as 127.0.0.1:7878; port 0 takes one
                                       that is free
              --no-auth                Serve HTTP to everybody who reaches the address: any program of any
                                       user of this machine can call the tools. Web pages still cannot.
                                       Refused for an address that other machines reach
              --token-file <FILE>      Read the token that HTTP clients must send from this file. Without
                                       it: `HAFT_TOKEN`; without that, on this machine only, a random token
                                       that is kept for the next start
              --allow-host <HOST>      A name in `Host` that HTTP clients may use for this server, such as
                                       `tools.example.com`; may be repeated. On this machine's own
                                       addresses, its names come on top; elsewhere every name is taken until
                                       one is given
              --allow-origin <ORIGIN>  An origin of web pages that may use this server, such as
                                       `https://app.example.com`; may be repeated
              --audit                  Write every decision, run and outcome to an audit log in the state
                                       folder
              --audit-dir <DIR>        Write the audit log to this directory instead
              --state <DIR>            Keep what outlives a start, such as the token, in this directory
                                       instead of the user's state folder
          -v, --verbose...             Log more to stderr: -v what happens, -vv every step. `HAFT_LOG`
                                       selects by module, such as `haft_core=trace`
          -h, --help                   Print help (see more with '--help')
        stderr:
    "#]]);
}

#[test]
fn the_version_is_one_line() {
    let finished = Folder::empty().run(&["--version"]);
    assert_eq!(finished.stdout, concat!("haft ", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""));
}

#[test]
fn what_was_mistyped_is_named_with_what_was_meant() {
    let folder = Folder::empty();
    folder.run(&["srve"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: unrecognized subcommand 'srve'

          tip: a similar subcommand exists: 'serve'

        Usage: haft [OPTIONS] <COMMAND>

        For more information, try '--help'.
    "#]]);
    folder.run(&["serve", "--sdtio"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: unexpected argument '--sdtio' found

          tip: a similar argument exists: '--stdio'

        Usage: haft serve --stdio [FILE]

        For more information, try '--help'.
    "#]]);
    folder.run(&["serve", "--stdio", "--http", "127.0.0.1:0"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the argument '--stdio' cannot be used with '--http <ADDR>'

        Usage: haft serve --stdio [FILE]

        For more information, try '--help'.
    "#]]);
    folder.run(&["serve", "--http", "example.com:80"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: invalid value 'example.com:80' for '--http <ADDR>': expected an address with a port such as `127.0.0.1:7878`, or `unix:` and a path

        For more information, try '--help'.
    "#]]);
}

#[test]
fn a_manifest_that_is_not_there_is_named() {
    let folder = Folder::empty();
    folder.run(&["serve", "--stdio"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: no `haft.toml` here or in a directory above

        hint: name the manifest: `haft serve path/to/haft.toml`
    "#]]);
    folder.run(&["serve", "--stdio", "missing.toml"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: cannot read the manifest
        --> missing.toml

        Caused by:
            No such file or directory (os error 2)
    "#]]);
    folder.run(&["serve", "--stdio", "."]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: cannot read the manifest
        --> ./haft.toml

        Caused by:
            No such file or directory (os error 2)
    "#]]);
}

#[test]
fn a_manifest_with_errors_is_shown_where_they_are() {
    let folder = Folder::with(
        "[server]\nname = \"x\"\nversoin = \"1\"\n\n[[tool]]\nname = \"t\"\ndescription = \"Does it.\"\n\
         command = { argv = [\"no-such-program\"] }\n",
    );
    let mut haft = folder.haft(&["serve", "--stdio"]);
    haft.env("PATH", "/nowhere");
    folder.finish(haft).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: unknown key `versoin`
         --> haft.toml:3:1
          |
        3 | versoin = "1"
          | ^^^^^^^ did you mean `version`?

        error: program `no-such-program` is missing
         --> haft.toml:8:21
          |
        8 | command = { argv = ["no-such-program"] }
          |                     ^^^^^^^^^^^^^^^^^

        Caused by:
            no program `no-such-program` in `/nowhere`

        2 errors in `haft.toml`
    "#]]);
}

#[test]
fn a_log_filter_that_is_none_is_refused() {
    let folder = Folder::with("[server]\nname = \"x\"\n");
    let mut haft = folder.haft(&["check"]);
    haft.env("HAFT_LOG", "=,=");
    folder.finish(haft).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: `HAFT_LOG` is no log filter

        Caused by:
            invalid filter directive

        hint: `HAFT_LOG=info` or `HAFT_LOG=haft_core=debug,haft_child=trace`
    "#]]);
}

#[test]
fn without_a_terminal_or_a_pipe_nobody_guesses() {
    let folder = Folder::with("[server]\nname = \"x\"\n");
    folder.run(&["serve"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: stdin is neither a terminal nor a pipe, so nobody says how to serve

        hint: `haft serve --http 127.0.0.1:7878` or `haft serve --stdio`
    "#]]);
    let mut haft = folder.haft(&["serve"]);
    haft.stdin(std::fs::File::open(folder.path().join("haft.toml")).unwrap());
    assert_eq!(folder.finish(haft).code, Some(2), "a file is no pipe");
}
