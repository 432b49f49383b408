//! Headers from flags.

use std::error::Error as _;

use haft_client::target::{HeaderFlag, Target};

use crate::folder::Folder;

#[test]
fn the_value_of_a_header_comes_from_the_flag_a_variable_or_a_file() {
    let folder = Folder::new();
    folder.write("token.txt", "Bearer from-file\r\n");
    folder.write("two.txt", "one\ntwo\n");
    folder.write("bytes.txt", [0xff]);
    for (flag, expected) in [
        ("X-A: b", "x-a: b"),
        ("X-A:b:c ", "x-a: b:c"),
        ("X-A:", "x-a: "),
        ("Authorization: Bearer ${TOKEN}", "authorization: Bearer s3cret"),
        ("X-A: ${SCRIPT}", "x-a: ${TOKEN}"),
        ("X-A: $${TOKEN} $TOKEN ${", "x-a: ${TOKEN} $TOKEN ${"),
        ("Authorization: @token.txt", "authorization: Bearer from-file"),
        ("X-A: @@b", "x-a: @b"),
        ("no colon s3cret", "a header is written `Name: value`"),
        ("a b: s3cret", "the name of a header has letters, digits and `-` only"),
        ("X-A: ${NOWHERE}", "the header `x-a` uses `${NOWHERE}`, which is not set"),
        ("X-A: s3\ncret", "the value of the header `x-a` holds a character that no header may hold"),
        ("X-A: @two.txt", "the value of the header `x-a` holds a character that no header may hold"),
        ("X-A: @bytes.txt", "the header `x-a` cannot have the content of `~/bytes.txt`"),
        (
            "X-A: @nowhere",
            "the header `x-a` comes from `~/nowhere`, which cannot be read: No such file or directory (os error 2)",
        ),
        ("Content-Length: 5", "the header `content-length` is not for a person to set"),
        ("Mcp-Session-Id: 5", "the header `mcp-session-id` is not for a person to set"),
    ] {
        let parsed = HeaderFlag::parse(flag, &folder.surroundings());
        let found = match parsed {
            Ok(header) => {
                assert!(!format!("{header:?}").contains("s3cret"));
                let target = folder.parse("http://x.example/").unwrap().target.with_headers(vec![header]).unwrap();
                assert!(!format!("{target:?}").contains("s3cret"));
                let Target::Remote { headers, .. } = target else { unreachable!() };
                let (name, value) = headers.iter().next().unwrap();
                format!("{name}: {}", value.to_str().unwrap())
            }
            Err(error) => {
                let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
                format!("{error}{source}").replace(folder.path().to_str().unwrap(), "~")
            }
        };
        assert_eq!(found, expected, "{flag}");
    }
}

#[test]
fn a_flag_goes_before_the_file_and_two_flags_are_both_sent() {
    let folder = Folder::new();
    folder.write(
        "m.json",
        r#"{"mcpServers": {"a": {"url": "http://x.example/", "headers": {"A": "file", "B": "file"}}}}"#,
    );
    let flag = |text| HeaderFlag::parse(text, &folder.surroundings()).unwrap();
    let target = folder.parse("m.json").unwrap().target.with_headers(vec![flag("a: 1"), flag("A: 2")]).unwrap();
    let Target::Remote { headers, .. } = target else { unreachable!() };
    assert_eq!(headers.get_all("a").iter().collect::<Vec<_>>(), ["1", "2"]);
    assert_eq!(headers.get("b").unwrap(), "file");
    let program = Target::command(vec!["x".into()], &folder.surroundings()).unwrap().target;
    assert!(program.clone().with_headers(Vec::new()).is_ok());
    let error = program.with_headers(vec![flag("a: 1")]).unwrap_err();
    assert_eq!(error.to_string(), "headers are for servers that are named by a URL");
}
