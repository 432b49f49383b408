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
