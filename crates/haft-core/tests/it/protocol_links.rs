//! What tools return as links, and what `resources/read` makes of them.

use std::sync::Arc;
use std::time::Duration;

use haft_core::{Limits, Principal, Tool};
use serde_json::{Value, json};

use crate::peer::{Client, modern, soon, tool};
use crate::protocol::{HANDSHAKE, REVISIONS, STATELESS, Speaker, legacy};

fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        tool("bytes", |context| async move { context.link_bytes("picture", "image/png", &[0, 159, 255]) }),
        tool("text", |context| async move { context.link("report", "text/plain", "zwölf\n".to_owned()) }),
    ]
}

fn client(limits: Limits) -> Client {
    Client::with(tools(), |builder| builder.links(true).limits(limits))
}

/// The address in a result, whatever form the link took.
fn address(result: &Value) -> String {
    let block = &result["content"][0];
    let text = block["uri"].as_str().or_else(|| block["text"].as_str()).unwrap();
    let begin = text.find("haft://").unwrap();
    text[begin..].trim_end_matches(')').to_owned()
}

#[tokio::test]
async fn a_link_that_a_tool_returns_is_read_by_its_caller_in_every_revision() {
    for version in REVISIONS {
        let speaker = Speaker::new(client(Limits::default()), version, json!({}));
        for (name, contents) in [
            ("text", json!({ "mimeType": "text/plain", "text": "zwölf\n" })),
            ("bytes", json!({ "mimeType": "image/png", "blob": "AJ//" })),
        ] {
            let result = speaker.call(name, json!({})).await;
            let uri = address(&result);
            let knows_links = !["2024-11-05", "2025-03-26"].contains(&version);
            assert_eq!(result["content"][0]["type"], if knows_links { "resource_link" } else { "text" }, "{version}");
            let mut expected = contents;
            expected["uri"] = json!(uri);
            let read = speaker.ask("resources/read", json!({ "uri": uri })).await["result"].take();
            assert_eq!(read["contents"], json!([expected]), "{version} {name}");
            // What is linked to is not listed, so that the list is the same for everybody.
            assert_eq!(speaker.ask("resources/list", json!({})).await["result"]["resources"], json!([]));
        }
    }
}

#[tokio::test]
async fn an_address_is_read_exactly_or_not_at_all() {
    let client = client(Limits::default());
    let uri = address(&client.call("text", json!({})).await);
    let (scheme_and_host, id) = uri.rsplit_once('/').unwrap();
    let wrong = [
        String::new(),
        "haft:".to_owned(),
        "file:///etc/passwd".to_owned(),
        format!("{scheme_and_host}/../result/{id}"),
        format!("{scheme_and_host}/%2e%2e/result/{id}"),
        uri.replace("haft://", "HAFT://"),
        format!("{uri}/"),
        format!("{uri}#x"),
        format!("{uri}\u{0}"),
        uri.to_uppercase(),
        format!("{scheme_and_host}/{:032x}", 1),
    ];
    for uri in wrong {
        let refused = client.ask(&modern(1, "resources/read", json!({ "uri": uri }))).await;
        assert_eq!(refused["error"]["code"], -32602, "{uri}: {refused}");
        assert_eq!(refused["error"]["data"]["uri"], uri);
        assert_eq!(refused.get("result"), None);
    }
    for version in HANDSHAKE {
        let speaker = Speaker::new(Client::of(client.server.clone(), Principal::anonymous()), version, json!({}));
        let refused = speaker.ask("resources/read", json!({ "uri": "haft://x" })).await;
        assert_eq!(refused["error"]["code"], -32002, "{version}");
    }
    assert!(client.ask(&modern(1, "resources/read", json!({ "uri": uri }))).await["result"].is_object());
}

#[tokio::test]
async fn whoever_has_an_address_still_has_to_be_the_one_it_was_made_for() {
    let client = client(Limits::default());
    let of = |principal| Client::of(client.server.clone(), principal);
    let owner = of(Principal::client("token", "ada").with_groups(["a"]));
    let uri = address(&owner.call("text", json!({})).await);
    let read = modern(1, "resources/read", json!({ "uri": uri }));
    for stranger in [
        Principal::anonymous(),
        Principal::client("token", "bob"),
        Principal::client("other", "ada"),
        Principal::person("token", "ada"),
        Principal::client("token", "ada ").with_groups(["a"]),
    ] {
        let refused = of(stranger.clone()).ask(&read).await;
        assert_eq!(refused["error"]["code"], -32602, "{stranger:?}");
    }
    // Whatever groups its owner is in by now.
    assert!(of(Principal::client("token", "ada")).ask(&read).await["result"].is_object());
}

#[tokio::test]
async fn addresses_cannot_be_guessed_and_do_not_last() {
    let client = client(Limits::default());
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..100 {
        let uri = address(&client.call("text", json!({})).await);
        let id = uri.strip_prefix("haft://result/").unwrap().to_owned();
        // 128 bits.
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        assert!(seen.insert(id));
    }
    // No place of an id is the same in all of them.
    for place in 0..32 {
        let digits: std::collections::BTreeSet<_> = seen.iter().map(|id| id.as_bytes()[place]).collect();
        assert!(digits.len() > 4, "place {place}: {digits:?}");
    }
    let mut limits = Limits::default();
    limits.link_lifetime = Duration::from_millis(20);
    let client = self::client(limits);
    let read = modern(1, "resources/read", json!({ "uri": address(&client.call("text", json!({})).await) }));
    soon(async {
        while client.ask(&read).await.get("error").is_none() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(client.ask(&read).await["error"]["code"], -32602);
}

#[tokio::test]
async fn what_is_kept_behind_links_is_bounded_and_the_oldest_goes_first() {
    let mut limits = Limits::default();
    limits.link_bytes = 16;
    let client = client(limits);
    let mut uris = Vec::new();
    for _ in 0..4 {
        uris.push(address(&client.call("text", json!({})).await));
    }
    let mut found = Vec::new();
    for uri in &uris {
        let read = client.ask(&modern(1, "resources/read", json!({ "uri": uri }))).await;
        found.push(read.get("result").is_some());
    }
    assert_eq!(found, [false, false, true, true]);
    let mut limits = Limits::default();
    limits.link_bytes = 3;
    let result = self::client(limits).call("text", json!({})).await;
    assert_eq!(result["isError"], true, "{result}");
}

#[tokio::test]
async fn a_server_without_links_has_no_resources() {
    let client = Client::new(tools());
    assert_eq!(client.call("text", json!({})).await["isError"], true);
    assert_eq!(client.ask(&modern(1, "resources/read", json!({ "uri": "haft://x" }))).await["error"]["code"], -32601);
    client.initialize("2025-11-25", json!({}));
    let answer = client.ask(&legacy(1, "resources/read", json!({ "uri": "haft://x" }))).await;
    assert_eq!(answer["error"]["code"], -32601);
    let discovered = client.ask(&modern(1, "server/discover", json!({}))).await;
    assert_eq!(discovered["result"]["capabilities"].get("resources"), None, "{STATELESS}: {discovered}");
}
