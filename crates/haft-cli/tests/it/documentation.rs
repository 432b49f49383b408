//! The manifests in the documentation are manifests.

use crate::binary::Folder;

#[test]
fn every_manifest_in_the_documentation_can_be_served() {
    let page = include_str!("../../../../docs/manifest.md");
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let finished = Folder::with(block).run(&["check"]);
        assert_eq!(finished.code, Some(0), "{}\n{block}", finished.stderr);
    }
}

#[test]
fn every_key_is_documented() {
    // An unknown key is answered with all that are known.
    let page = include_str!("../../../../docs/manifest.md");
    let folder = Folder::with(
        "[server]\nname = \"x\"\nzzzzzz = 1\n[[tool]]\nname = \"t\"\ndescription = \"D\"\nzzzzzz = 1\nannotations = { zzzzzz = 1 }\n\
         args.a = { type = \"string\", zzzzzz = 1 }\nrate = { calls = 1, per = \"1s\", zzzzzz = 1 }\n\
         command = { argv = [\"echo\", \"--\", \"{a}\"], zzzzzz = 1 }\n",
    );
    let finished = folder.run(&["check"]);
    let notes: Vec<&str> =
        finished.stderr.lines().filter_map(|line| line.split_once("= note: ")).map(|(_, note)| note).collect();
    assert_eq!(notes.len(), 6, "{}", finished.stderr);
    for note in notes {
        let (_, keys) = note.split_once(" takes ").unwrap();
        for key in keys.split(", ") {
            let plain = key.trim_matches('`');
            assert!(page.contains(key) || page.contains(&format!("{plain} =")), "{key} is not documented");
        }
    }
}

#[test]
fn the_commands_of_the_pages_about_approvals_and_audit_are_commands() {
    let folder = Folder::empty();
    for (page, least) in
        [(include_str!("../../../../docs/approvals.md"), 7), (include_str!("../../../../docs/audit.md"), 6)]
    {
        let in_text = page.split('`').skip(1).step_by(2).filter(|text| text.starts_with("haft "));
        let in_blocks = page.lines().filter_map(|line| line.strip_prefix("$ "));
        let commands: Vec<&str> = in_text.chain(in_blocks).collect();
        assert!(commands.len() >= least, "{commands:?}");
        for command in commands {
            let words = command.split(' ').skip(1).chain(["--help"]);
            let finished = folder.run(&words.collect::<Vec<_>>());
            assert_eq!(finished.code, Some(0), "{command}: {}", finished.stderr);
        }
    }
    for flag in ["--for", "--always", "--file", "--state"] {
        assert!(include_str!("../../../../docs/approvals.md").contains(flag), "{flag}");
    }
    for flag in ["--audit", "--audit-dir", "--file", "--state", "--tool", "--json"] {
        assert!(include_str!("../../../../docs/audit.md").contains(flag), "{flag}");
    }
}
