//! Which word of `haft call` is what.

use haft_client::target::split_positionals;

#[test]
fn words_are_a_target_a_tool_and_arguments() {
    let cases: [(&str, bool, &str); 17] = [
        ("", false, "None None []"),
        ("", true, "None None []"),
        ("search", false, "None search []"),
        ("search", true, "None search []"),
        ("haft.toml search", false, "haft.toml search []"),
        (".mcp.json#a search q=x n:=1", false, ".mcp.json#a search q=x n:=1"),
        ("search q=x", false, "None search q=x"),
        ("search q=x", true, "None search q=x"),
        ("https://x.example/mcp?a=b search q=x", false, "https://x.example/mcp?a=b search q=x"),
        (
            "haft.toml search",
            true,
            "`search` is one word too many: the command after `--` is the target, so only TOOL stands before it",
        ),
        ("a b c", false, "`c` is no argument; arguments are written `key=value`"),
        ("a b q=x c", false, "`c` is no argument; arguments are written `key=value`"),
        ("a q=x c", true, "`c` is no argument; arguments are written `key=value`"),
        ("q=x", false, "no tool is named before the arguments"),
        ("q=x n=1", true, "no tool is named before the arguments"),
        ("https://x.example/mcp?key=s3cret", false, "no tool is named; `https://x.example/mcp` is a target"),
        ("https://x.example/mcp q=x", false, "no tool is named; `https://x.example/mcp` is a target"),
    ];
    for (words, has_command, expected) in cases {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let found = split_positionals(&words, has_command).map_or_else(
            |error| error.to_string(),
            |found| {
                let word = |word: Option<String>| word.unwrap_or_else(|| "None".to_owned());
                let arguments = if found.arguments.is_empty() { "[]".to_owned() } else { found.arguments.join(" ") };
                format!("{} {} {arguments}", word(found.target), word(found.tool))
            },
        );
        assert_eq!(found, expected, "{words:?} {has_command}");
    }
}
