//! `haft check`.

use expect_test::expect;

use crate::binary::Folder;

#[test]
fn a_manifest_that_is_fine_is_described() {
    let folder = Folder::with(
        "[server]\nname = \"x\"\nversion = \"1.0\"\n[[tool]]\nname = \"read_it\"\ndescription = \"Reads it. Not more.\"\n\
         annotations = { read_only = true }\ncommand = { argv = [\"true\"] }\n[[tool]]\nname = \"a\"\ntitle = \"Adds\"\n\
         description = \"Adds to it.\"\nannotations = { destructive = false }\ncommand = { argv = [\"true\"] }\n[[tool]]\n\
         name = \"other\"\ndescription = \"First \\u001b line\\nSecond line\"\ncommand = { argv = [\"true\"] }\n",
    );
    folder.run(&["check"]).check(&expect![[r#"
        exit code: 0
        stdout:
        x 1.0: 3 tools
          read_it  read-only    Reads it. Not more.
          a        additive     Adds
          other    may destroy  First \u{1b} line
        stderr:
    "#]]);
    folder.write("deep/er/x", "");
    let mut haft = folder.haft(&["check"]);
    haft.current_dir(folder.path().join("deep/er"));
    assert_eq!(folder.finish(haft).code, Some(0), "the manifest stands above");
}

#[test]
fn nothing_is_started() {
    let folder = Folder::with_script("echo $$ >pids", "");
    assert_eq!(folder.run(&["check"]).code, Some(0));
    assert!(folder.pids().is_empty());
}

#[test]
fn errors_of_a_manifest_are_all_printed_and_counted() {
    let folder = Folder::with("[server]\nnam = \"x\"\nversion = 1\n");
    folder.run(&["check", "haft.toml"]).check(&expect![[r#"
        exit code: 1
        stdout:
        stderr:
        error: unknown key `nam`
         --> haft.toml:2:1
          |
        2 | nam = "x"
          | ^^^ did you mean `name`?

        error: `version` has to be a string, not this integer
         --> haft.toml:3:11
          |
        3 | version = 1
          |           ^

        2 errors in `haft.toml`
    "#]]);
}

#[test]
fn a_file_that_cannot_be_read_is_no_finding() {
    let folder = Folder::empty();
    folder.run(&["check", "missing.toml"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: cannot read the manifest
        --> missing.toml

        Caused by:
            No such file or directory (os error 2)
    "#]]);
    std::fs::write(folder.path().join("latin.toml"), b"name = \"\xe4\"").unwrap();
    folder.run(&["check", "latin.toml"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: the manifest is not UTF-8
        --> latin.toml

        Caused by:
            invalid utf-8 sequence of 1 bytes from index 8
    "#]]);
}
