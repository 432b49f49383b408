//! What may be started, and what has to be asked about first.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Barrier;
use std::thread;

use haft_client::target::trust::{Standing, TrustStore};
use haft_client::target::{Surroundings, Target};

use crate::folder::Folder;

const LIST: &str =
    r#"{"mcpServers": {"a": {"command": "npx", "args": ["-y", "it's", "x\u001b[2J"], "env": {"KEY": "${TOKEN}"}}}}"#;

fn is_trusted(store: &TrustStore, target: &Target) -> bool {
    store.check(target).unwrap() == Standing::Trusted
}

#[test]
fn the_program_of_a_file_is_trusted_after_somebody_saw_all_of_it() {
    let folder = Folder::new();
    folder.write("m.json", LIST);
    let store = TrustStore::new(&folder.path().join("state"));
    let target = folder.parse("m.json").unwrap().target;
    let Standing::NeedsTrust(question) = store.check(&target).unwrap() else { unreachable!() };
    let path = folder.path().display();
    assert_eq!(question.argv, r"npx -y 'it'\''s' 'x\u{1b}[2J'");
    assert_eq!(
        question.lines,
        [
            format!("the entry `a` of `{path}/m.json` starts"),
            format!("  {}", question.argv),
            format!("in `{path}`"),
            "with `KEY`".to_owned(),
        ]
    );
    assert!(!format!("{question:?} {target:?}").contains("s3cret"));
    store.trust(&target).unwrap();
    assert!(is_trusted(&store, &target));
    let grants = store.list().unwrap();
    assert_eq!(grants.len(), 1);
    assert_eq!(grants[0].digest, question.digest);
    assert_eq!((grants[0].entry.as_deref(), grants[0].program.as_deref()), (Some("a"), Some("npx")));
    assert!(store.forget(&target).unwrap());
    assert!(!store.forget(&target).unwrap());
    assert!(!is_trusted(&store, &target));
    assert!(store.list().unwrap().is_empty());
}

#[test]
fn each_change_of_what_is_started_asks_again() {
    let folder = Folder::new();
    let store = TrustStore::new(folder.path());
    let target = |name: &str, entry: &str| {
        folder.write(name, format!("{{\"mcpServers\": {{{entry}}}}}"));
        folder.parse(name).unwrap().target
    };
    folder.write("sub/x", "");
    store.trust(&target("m.json", r#""a": {"command": "x", "args": ["b", "c"], "env": {"K": "v"}}"#)).unwrap();
    assert!(is_trusted(&store, &target("m.json", r#""a": {"env": {"K": "v"}, "command": "x", "args": ["b", "c"]}"#)));
    for (name, entry) in [
        ("n.json", r#""a": {"command": "x", "args": ["b", "c"], "env": {"K": "v"}}"#),
        ("m.json", r#""b": {"command": "x", "args": ["b", "c"], "env": {"K": "v"}}"#),
        ("m.json", r#""a": {"command": "y", "args": ["b", "c"], "env": {"K": "v"}}"#),
        ("m.json", r#""a": {"command": "x", "args": ["b"], "env": {"K": "v"}}"#),
        ("m.json", r#""a": {"command": "x", "args": ["bc", ""], "env": {"K": "v"}}"#),
        ("m.json", r#""a": {"command": "x", "args": ["c", "b"], "env": {"K": "v"}}"#),
        ("m.json", r#""a": {"command": "x", "args": ["b", "c"], "env": {"K": "w"}}"#),
        ("m.json", r#""a": {"command": "x", "args": ["b", "c"], "env": {"L": "v"}}"#),
        ("m.json", r#""a": {"command": "x", "args": ["b", "c"]}"#),
        ("m.json", r#""a": {"command": "x", "args": ["b", "c"], "env": {"K": "v"}, "cwd": "sub"}"#),
    ] {
        assert!(!is_trusted(&store, &target(name, entry)), "{name} {entry}");
    }
}

#[test]
fn what_a_person_names_and_what_starts_nothing_needs_no_trust() {
    let folder = Folder::new();
    folder.write("haft.toml", "[server]\n");
    folder.write("tools.json", "[]");
    folder.write("m.json", r#"{"mcpServers": {"a": {"url": "https://x.example/"}}}"#);
    let store = TrustStore::new(&folder.path().join("state"));
    for text in ["haft.toml", "tools.json", "m.json", "https://x.example/"] {
        assert!(is_trusted(&store, &folder.parse(text).unwrap().target), "{text}");
    }
    assert!(is_trusted(&store, &Target::command(vec!["x".into()], &folder.surroundings()).unwrap().target));
    assert!(!folder.path().join("state").exists(), "looking leaves nothing behind");
}

#[test]
fn a_manifest_that_was_found_is_trusted_until_it_changes() {
    let folder = Folder::new();
    folder.write("haft.toml", "[server]\n");
    let store = TrustStore::new(&folder.path().join("state"));
    let sub = folder.path().join("sub");
    fs::create_dir(&sub).unwrap();
    let found = Target::discover(&Surroundings::new(&sub, &crate::folder::variable)).unwrap().target;
    let Standing::NeedsTrust(question) = store.check(&found).unwrap() else { unreachable!() };
    assert!(question.lines[0].ends_with("haft.toml` was found, not named"), "{question:?}");
    store.trust(&found).unwrap();
    assert!(is_trusted(&store, &found));
    folder.write("haft.toml", "[server]\n# changed\n");
    assert!(!is_trusted(&store, &found));
}

#[test]
fn a_grant_that_is_damaged_or_open_to_others_is_an_error() {
    let folder = Folder::new();
    folder.write("m.json", LIST);
    let store = TrustStore::new(folder.path());
    let target = folder.parse("m.json").unwrap().target;
    store.trust(&target).unwrap();
    let grant = folder.path().join(format!("trust/{}.json", store.list().unwrap()[0].digest));
    assert_eq!(fs::metadata(&grant).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(folder.path().join("trust")).unwrap().permissions().mode() & 0o777, 0o700);
    let whole = fs::read(&grant).unwrap();
    let other = String::from_utf8(whole.clone()).unwrap().replace("digest\":\"", "digest\":\"0");
    let large = [whole.clone(), vec![b' '; 70_000]].concat();
    for content in [&whole[..whole.len() - 1], b"", b"null", b"{}", other.as_bytes(), &large] {
        fs::write(&grant, content).unwrap();
        let error = store.check(&target).unwrap_err().to_string();
        assert!(error.contains("is no grant of trust: "), "{error}");
        assert!(store.list().is_err());
    }
    store.trust(&target).unwrap();
    assert!(is_trusted(&store, &target), "trusting again replaces it");
    for (path, mode) in [(grant.clone(), 0o620), (folder.path().join("trust"), 0o777)] {
        let before = fs::metadata(&path).unwrap().permissions();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let error = store.check(&target).unwrap_err().to_string();
        assert!(error.starts_with("others can write to `"), "{error}");
        fs::set_permissions(&path, before).unwrap();
    }
    folder.write("trust/.0-1-0", "half of a gr");
    assert_eq!(store.list().unwrap().len(), 1, "what was never renamed is nothing");
    fs::remove_file(&grant).unwrap();
    std::os::unix::fs::symlink(folder.write("elsewhere", &whole), &grant).unwrap();
    assert!(store.check(&target).is_err(), "a link is no grant");
    assert!(!store.forget_digest("../m").unwrap());
    assert!(folder.path().join("m.json").exists());
}

#[test]
fn many_can_grant_and_forget_at_once() {
    const MANY: usize = 8;
    let folder = Folder::new();
    let entries: Vec<String> = (0..MANY).map(|number| format!("\"e{number}\": {{\"command\": \"x\"}}")).collect();
    folder.write("m.json", format!("{{\"mcpServers\": {{{}}}}}", entries.join(",")));
    let store = TrustStore::new(folder.path());
    let all_ready = Barrier::new(MANY);
    thread::scope(|scope| {
        for number in 0..MANY {
            let (folder, store, all_ready) = (&folder, &store, &all_ready);
            scope.spawn(move || {
                let own = folder.parse(&format!("m.json#e{number}")).unwrap().target;
                let shared = folder.parse("m.json#e0").unwrap().target;
                all_ready.wait();
                for _ in 0..20 {
                    store.trust(&own).unwrap();
                    store.trust(&shared).unwrap();
                    assert!(is_trusted(store, &own));
                    store.list().unwrap();
                    if number > 0 {
                        assert!(store.forget(&own).unwrap());
                    }
                }
                store.trust(&own).unwrap();
            });
        }
    });
    assert_eq!(store.list().unwrap().len(), MANY);
    assert_eq!(fs::read_dir(folder.path().join("trust")).unwrap().count(), MANY, "nothing is left beside");
}

#[test]
fn variables_go_where_a_file_says_only_after_somebody_saw_it() {
    let folder = Folder::new();
    let store = TrustStore::new(&folder.path().join("state"));
    let target = |entry: &str| {
        folder.write("m.json", format!("{{\"mcpServers\": {{\"a\": {entry}}}}}"));
        folder.parse("m.json").unwrap().target
    };
    let plain = target(r#"{"url": "https://x.example/mcp?a=b", "headers": {"A": "own"}}"#);
    assert!(is_trusted(&store, &plain), "it takes nothing of the person's");
    let lending = r#"{"url": "https://x.example/mcp?key=${TOKEN}", "headers": {"A": "${env:HOST}"}}"#;
    let Standing::NeedsTrust(question) = store.check(&target(lending)).unwrap() else { unreachable!() };
    assert_eq!(question.lines[1..], ["  `HOST`, `TOKEN`".to_owned(), "to `https://x.example/mcp?…`".to_owned()]);
    store.trust(&target(lending)).unwrap();
    assert!(is_trusted(&store, &target(lending)));
    let fresh = |name: &str| (name == "TOKEN" || name == "HOST").then(|| "fresh".to_owned());
    let fresh = Target::parse("m.json", &Surroundings::new(folder.path(), &fresh)).unwrap().target;
    assert!(is_trusted(&store, &fresh), "a fresh token asks nothing");
    for other in [
        r#"{"url": "https://y.example/mcp?key=${TOKEN}", "headers": {"A": "${env:HOST}"}}"#,
        r#"{"url": "http://x.example/mcp?key=${TOKEN}", "headers": {"A": "${env:HOST}"}}"#,
        r#"{"url": "https://x.example/other?key=${TOKEN}", "headers": {"A": "${env:HOST}"}}"#,
        r#"{"url": "https://x.example/mcp?key=${TOKEN}"}"#,
        r#"{"url": "https://x.example/mcp?key=${TOKEN}", "headers": {"A": "${HOME:-x}"}}"#,
        r#"{"url": "https://x.example/mcp", "bearer_token_env_var": "TOKEN"}"#,
        r#"{"url": "https://x.example/mcp", "env_http_headers": {"A": "TOKEN"}}"#,
    ] {
        assert!(!is_trusted(&store, &target(other)), "{other}");
    }
    // What the person types goes where the person says.
    let flag = haft_client::target::HeaderFlag::parse("A: ${TOKEN}", &folder.surroundings()).unwrap();
    let typed = folder.parse("https://x.example/").unwrap().target.with_headers(vec![flag]).unwrap();
    assert!(is_trusted(&store, &typed));
}

#[test]
fn the_value_of_a_variable_in_an_address_is_neither_shown_nor_kept() {
    let cases = [
        ("https://x.example/${TOKEN}", "https://x.example/${TOKEN}"),
        ("https://x.example/a/${env:TOKEN}/mcp", "https://x.example/a/${TOKEN}/mcp"),
        ("https://${TOKEN}.x.example/mcp", "https://${TOKEN}.x.example/mcp"),
        ("https://x.example/mcp?key=${TOKEN}", "https://x.example/mcp?…"),
        ("https://${TOKEN}/${TOKEN:-x}?${TOKEN}", "https://${TOKEN}/${TOKEN}?…"),
        ("https://x.example/${EMPTY}${TOKEN}${UNSET:-b}", "https://x.example/${EMPTY}${TOKEN}b"),
        ("${ADDRESS}/mcp", "${ADDRESS}/mcp"),
        ("${ADDRESS_WITH_KEY}", "${ADDRESS_WITH_KEY}?…"),
        ("https://x.example/${input:key}", "https://x.example/${input:key}"),
    ];
    let variable = |name: &str| match name {
        "ADDRESS" => Some("https://s3cret.example/s3cret".to_owned()),
        "ADDRESS_WITH_KEY" => Some("https://x.example/?key=s3cret".to_owned()),
        name => crate::folder::variable(name),
    };
    for (written, shown) in cases {
        let folder = Folder::new();
        let list = format!(r#"{{"inputs": [{{"id": "key"}}], "servers": {{"a": {{"url": "{written}"}}}}}}"#);
        folder.write("m.json", list);
        let surroundings = Surroundings::new(folder.path(), &variable).input("key", "s3cret");
        let target = Target::parse("m.json", &surroundings).unwrap().target;
        let Target::Remote { url, .. } = &target else { unreachable!() };
        assert!(url.uri().to_string().contains("s3cret"), "it is connected to what the values say: {written}");
        assert_eq!(url.to_string(), shown);
        let store = TrustStore::new(&folder.path().join("state"));
        let Standing::NeedsTrust(question) = store.check(&target).unwrap() else { panic!("{written}") };
        assert_eq!(question.lines.last().unwrap(), &format!("to `{shown}`"));
        store.trust(&target).unwrap();
        assert!(is_trusted(&store, &target), "{written}");
        let grants = store.list().unwrap();
        assert_eq!(grants[0].program.as_deref(), Some(shown));
        let kept = fs::read_to_string(folder.path().join(format!("state/trust/{}.json", question.digest))).unwrap();
        for text in [kept, format!("{target:?} {question:?} {grants:?}")] {
            assert!(!text.contains("s3cret"), "{written}: {text}");
        }
    }
}

#[test]
fn a_fresh_token_in_a_path_asks_nothing_and_another_host_or_path_asks_again() {
    let folder = Folder::new();
    let store = TrustStore::new(&folder.path().join("state"));
    let target = |url: &str, token: &'static str, host: &'static str| {
        folder.write("m.json", format!(r#"{{"mcpServers": {{"a": {{"url": "{url}"}}}}}}"#));
        let variable = |name: &str| match name {
            "TOKEN" => Some(token.to_owned()),
            "HOST" => Some(host.to_owned()),
            _ => None,
        };
        Target::parse("m.json", &Surroundings::new(folder.path(), &variable)).unwrap().target
    };
    let url = "https://${HOST}/${TOKEN}/mcp";
    store.trust(&target(url, "old", "x.example")).unwrap();
    assert!(is_trusted(&store, &target(url, "fresh", "x.example")));
    for (other, token, host) in [
        (url, "old", "y.example"),
        ("https://${HOST}/old/mcp", "old", "x.example"),
        ("https://${HOST}/${TOKEN}/mc", "old", "x.example"),
        ("https://${HOST}/${TOKEN}${TOKEN}/mcp", "old", "x.example"),
        ("https://${HOST}/mcp/${TOKEN}", "old", "x.example"),
        ("http://${HOST}/${TOKEN}/mcp", "old", "x.example"),
    ] {
        assert!(!is_trusted(&store, &target(other, token, host)), "{other} {token} {host}");
    }
}
