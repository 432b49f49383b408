//! What `haft serve --http` refuses before anybody can connect.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;

use expect_test::{Expect, expect};

use crate::binary::Folder;

const MANIFEST: &str = "[server]\nname = \"x\"\n";

fn check(arguments: &[&str], variables: &[(&str, &str)], expected: &Expect) {
    let folder = Folder::with(MANIFEST);
    let mut haft = folder.haft(&["serve"]);
    haft.args(arguments).envs(variables.iter().copied());
    folder.finish(haft).check(expected);
}

#[test]
fn an_address_that_other_machines_reach_needs_a_token_that_somebody_set() {
    check(
        &["--http", "0.0.0.0:0"],
        &[],
        &expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: other machines reach `0.0.0.0:0`, and no token is set for them

        hint: set `HAFT_TOKEN` or `--token-file`, or listen at 127.0.0.1
    "#]],
    );
    check(
        &["--http", "[::]:0", "--no-auth"],
        &[],
        &expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: `--no-auth` at `[::]:0` would let other machines call the tools

        hint: set `HAFT_TOKEN` or `--token-file`, or listen at 127.0.0.1
    "#]],
    );
}

#[test]
fn a_token_and_no_token_at_once_are_refused() {
    let token = [("HAFT_TOKEN", "0123456789abcdef")];
    check(
        &["--http", "127.0.0.1:0", "--no-auth"],
        &token,
        &expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: `--no-auth` does not ask for the token that `HAFT_TOKEN` sets

        hint: leave out one of the two: `env -u HAFT_TOKEN haft serve --no-auth`
    "#]],
    );
    check(
        &["--no-auth", "--token-file", "x"],
        &[],
        &expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the argument '--no-auth' cannot be used with '--token-file <FILE>'

        Usage: haft serve --no-auth [FILE]

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn a_token_that_is_none_is_refused_and_not_shown() {
    let http = ["--http", "127.0.0.1:0"];
    check(
        &http,
        &[("HAFT_TOKEN", "")],
        &expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: `HAFT_TOKEN` is no usable token

        Caused by:
            it is empty

        hint: `openssl rand -hex 32` makes one
    "#]],
    );
    check(
        &http,
        &[("HAFT_TOKEN", "tooshort")],
        &expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: `HAFT_TOKEN` is no usable token

        Caused by:
            it is shorter than 16 characters

        hint: `openssl rand -hex 32` makes one
    "#]],
    );
    check(
        &["--token-file", "missing"],
        &[],
        &expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: cannot read the token
        --> missing

        Caused by:
            No such file or directory (os error 2)
    "#]],
    );
    check(
        &["--token-file", "haft.toml"],
        &[],
        &expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the file has no usable token
        --> haft.toml

        Caused by:
            it has a character outside of `A-Z a-z 0-9 - . _ ~ + / =`

        hint: `openssl rand -hex 32` makes one
    "#]],
    );
}

#[test]
fn a_state_folder_that_cannot_be_used_is_refused() {
    check(
        &["--http", "127.0.0.1:0", "--state", "haft.toml/x"],
        &[],
        &expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the state folder cannot be used
        --> haft.toml/x

        Caused by:
            Not a directory (os error 20)

        hint: name another one with `--state DIR`, or set `HAFT_TOKEN`
    "#]],
    );
    let folder = Folder::with(MANIFEST);
    folder.write("state/token", "0123456789abcdef");
    std::fs::set_permissions(folder.path().join("state/token"), std::fs::Permissions::from_mode(0o644)).unwrap();
    folder.run(&["serve", "--http", "127.0.0.1:0", "--state", "state"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the state folder cannot be used
        --> state/token

        Caused by:
            other users may read or change it

        hint: name another one with `--state DIR`, or set `HAFT_TOKEN`
    "#]]);
    let mut haft = folder.haft(&["serve", "--http", "127.0.0.1:0"]);
    haft.env_remove("HOME");
    folder.finish(haft).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: no place to keep anything: neither `XDG_STATE_HOME` nor `HOME` is set

        hint: name a folder with `--state DIR`, or set `HAFT_TOKEN`
    "#]]);
}

#[test]
fn a_busy_port_is_an_error_that_says_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = Folder::with(MANIFEST);
    let mut finished = folder.run(&["serve", "--http", &address]);
    finished.stderr = finished.stderr.replace(&address, "$ADDRESS");
    finished.check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: cannot listen at `$ADDRESS`

        Caused by:
            Address already in use (os error 98)

        hint: something else listens there; take another port, `--http 127.0.0.1:0` takes one that is free
    "#]]);
}
