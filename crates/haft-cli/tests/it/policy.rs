//! `haft policy`.

use expect_test::expect;

use crate::binary::Folder;
use crate::script::{ECHO, WRITE, answering, heard};

const POLICY: &str = "[[policy.rule]]\nname = \"data\"\ntools = \"sh.write\"\n\
    when.args = { required = [\"path\"], properties = { path = { type = \"string\", pattern = \"^/data/\" } } }\n\
    then = \"allow\"\n\n[[policy.rule]]\nname = \"asks\"\ntools = \"*\"\nthen = \"ask\"\nask = \"person\"\n";

#[test]
fn a_decision_is_explained_with_what_nearly_decided() {
    let folder = answering(&format!("{ECHO},{WRITE}"), "{}");
    folder.write("home/.config/haft/policy.toml", POLICY);
    let explain = ["policy", "explain", "write"];
    let command = ["--", "sh", "server"];
    folder.run(&[&explain[..], &["path=/etc/x"], &command].concat()).check(&expect![[r#"
        exit code: 0
        stdout:
        sh.write
          read_only    false  the protocol's default
          destructive  true   the protocol's default
          idempotent   false  the protocol's default
          open_world   true   the protocol's default
        ask the person: rule `asks` of the user's policy
        nearly matches: rule `data` of the user's policy (allow), but for `when.args`
        stderr:
    "#]]);
    folder.run(&[&explain[..], &command].concat()).check(&expect![[r#"
        exit code: 0
        stdout:
        whatever the arguments are:
        sh.write
          read_only    false  the protocol's default
          destructive  true   the protocol's default
          idempotent   false  the protocol's default
          open_world   true   the protocol's default
        ask the person: rule `asks` of the user's policy
        nearly matches: rule `data` of the user's policy (allow), but for `when.args`
        stderr:
    "#]]);
    assert_eq!(heard(&folder, "tools/call"), 0);
}

#[test]
fn expected_decisions_are_tried_and_counted() {
    let folder = Folder::empty();
    folder.write("policy.toml", POLICY);
    let good = "[[case]]\ntool = \"sh.write\"\nargs = { path = \"/data/x\" }\nexpect = \"ask\"\nask = \"person\"\n";
    folder.write("cases.toml", good);
    folder.run(&["policy", "test", "cases.toml", "--policy", "policy.toml"]).check(&expect![[r#"
        exit code: 0
        stdout:
        1 case, 0 failed
        stderr:
    "#]]);
    folder.write("cases.toml", &format!("{good}[[case]]\nname = \"wrong\"\ntool = \"x.y\"\nexpect = \"allow\"\n"));
    folder.run(&["policy", "test", "cases.toml", "--policy", "policy.toml"]).check(&expect![[r#"
        exit code: 1
        stdout:
        failed: wrong
          expected `allow`, got `ask the person`: rule `asks` of the user's policy
        2 cases, 1 failed
        stderr:
    "#]]);
    folder.run(&["policy", "test", "missing.toml"]).check(&expect![[r#"
        exit code: 2
        stdout:
        stderr:
        error: cannot read the table of expected decisions
        --> missing.toml

        Caused by:
            No such file or directory (os error 2)
    "#]]);
}

#[test]
fn the_policy_of_a_project_tightens() {
    let folder = Folder::with(
        "[server]\nname = \"x\"\n[[tool]]\nname = \"t\"\ndescription = \"Does.\"\nannotations = { read_only = true }\n\
         command = { argv = [\"true\"] }\n[[policy.rule]]\nname = \"never\"\ntools = \"t\"\nthen = \"deny\"\n",
    );
    let finished = folder.run(&["call", "haft.toml", "t"]);
    assert_eq!(finished.code, Some(1));
    assert!(finished.stderr.contains("rule `never` of the project's policy"), "{}", finished.stderr);
}
