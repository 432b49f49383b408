//! What is listed, to whom, in which form.

use std::sync::Arc;

use haft_core::{BuildError, Limits, Principal, RawTool, Server, SourceId, Tool, ToolSet, Transform, Visibility};
use serde_json::{Value, json};

use crate::peer::{Client, at_once, modern, raw, tool};

fn named(name: &str) -> Arc<dyn Tool> {
    tool(name, |_| async { "fine" })
}

fn names(answer: &Value) -> Vec<&str> {
    answer["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_list_is_sorted_and_the_same_every_time() {
    let client = Client::new(vec![named("b"), named("c"), named("a")]);
    let first = client.ask(&modern(1, "tools/list", json!({}))).await;
    assert_eq!(names(&first), ["a", "b", "c"]);
    assert_eq!(first["result"]["cacheScope"], "public");
    assert_eq!(first, client.ask(&modern(1, "tools/list", json!({}))).await);
}

#[tokio::test]
async fn pages_lose_and_repeat_nothing_and_foreign_cursors_are_refused() {
    let tools: Vec<_> = (0..7).map(|number| named(&format!("tool_{number}"))).collect();
    let client = Client::with(tools, |builder| {
        let mut limits = Limits::default();
        limits.page_size = Some(3);
        builder.limits(limits)
    });
    let mut seen = Vec::new();
    let mut cursor = Value::Null;
    for _ in 0..7 {
        let page = client.ask(&modern(1, "tools/list", json!({ "cursor": cursor }))).await;
        seen.extend(names(&page).into_iter().map(ToOwned::to_owned));
        // The place of a cursor may be gone: the next page begins after it all the same.
        client.server.remove_tool("tool_2");
        match page["result"].get("nextCursor") {
            Some(next) => cursor = next.clone(),
            None => break,
        }
    }
    assert_eq!(seen, ["tool_0", "tool_1", "tool_2", "tool_3", "tool_4", "tool_5", "tool_6"]);
    for bogus in [json!(""), json!("bogus"), json!("AAAA"), json!(7)] {
        let refused = client.ask(&modern(1, "tools/list", json!({ "cursor": bogus }))).await;
        assert_eq!(refused["error"]["code"], -32602, "{bogus}");
    }
}

#[tokio::test]
async fn a_tool_that_a_caller_may_not_see_does_not_exist_for_it() {
    let restrict =
        Transform::Restrict { tool: "secret".to_owned(), visibility: Visibility::Groups(vec!["admins".to_owned()]) };
    let server = Server::builder(ToolSet::new("test", "1", vec![named("open"), named("secret")]))
        .transform(restrict)
        .build()
        .unwrap();
    let anyone = Client::of(server.clone(), Principal::anonymous());
    let admin = Client::of(server, Principal::person("token", "ada").with_groups(["admins"]));
    let list = modern(1, "tools/list", json!({}));
    let (for_anyone, for_admin) = (anyone.ask(&list).await, admin.ask(&list).await);
    assert_eq!((names(&for_anyone), names(&for_admin)), (vec!["open"], vec!["open", "secret"]));
    assert_eq!(for_anyone["result"]["cacheScope"], "private");
    // Not even a suggestion tells of it.
    let hidden = anyone.ask(&modern(1, "tools/call", json!({ "name": "secret" }))).await.to_string();
    let unknown = anyone.ask(&modern(1, "tools/call", json!({ "name": "sekret" }))).await.to_string();
    assert_eq!(hidden, unknown.replace("sekret", "secret"));
    assert_eq!(admin.call("secret", json!({})).await["isError"], false);
}

#[tokio::test]
async fn a_profile_shows_its_tools_alone_and_its_sessions_belong_to_it() {
    let tools = vec![named("a"), named("b"), named("c")];
    let server = Server::builder(ToolSet::new("test", "1", tools)).profile("small", ["c", "a"]).build().unwrap();
    assert!(server.profile("large").is_none());
    let small = server.profile("small").unwrap();
    assert_eq!(small.tool_names(), ["a", "c"]);
    let (whole, small) = (Client::of(server, Principal::anonymous()), Client::of(small, Principal::anonymous()));
    let list = modern(1, "tools/list", json!({}));
    let (everything, part) = (whole.ask(&list).await, small.ask(&list).await);
    assert_eq!((names(&everything), names(&part)), (vec!["a", "b", "c"], vec!["a", "c"]));
    // Outside of the profile a tool does not exist, whatever it is called.
    let outside = small.ask(&modern(1, "tools/call", json!({ "name": "b" }))).await.to_string();
    let unknown = small.ask(&modern(1, "tools/call", json!({ "name": "x" }))).await.to_string();
    assert_eq!(outside.replace("`b`", "`x`"), unknown);
    assert_eq!(small.call("c", json!({})).await["isError"], false);
    let params =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let initialize = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":params});
    let id = at_once(small.post(&initialize, &[].into())).session.unwrap();
    assert!(small.server.session(id.as_bytes(), &small.principal).is_ok());
    assert!(whole.server.session(id.as_bytes(), &whole.principal).is_err());
    let misspelt = Server::builder(ToolSet::new("test", "1", vec![named("a")])).profile("p", ["b"]).build();
    assert_eq!(misspelt.unwrap_err().to_string(), "profile `p` lists `b`, and there is no such tool");
}

#[tokio::test]
async fn transforms_reshape_what_is_shown_and_constants_stay_hidden() {
    let schema = json!({"type":"object","properties":{"path":{"type":"string"},"root":{"type":"string"}},"required":["path","root"],"additionalProperties":false});
    let echo = raw("read", schema, |arguments, _| async move { arguments.to_string() }).unwrap();
    let source = SourceId::new("files");
    let server = Server::builder(ToolSet::new("test", "1", vec![named("other")]))
        .source(source.clone(), vec![echo, named("gone")])
        .transform(Transform::Hide { tool: "gone".to_owned() })
        .transform(Transform::Namespace { source, prefix: "files.".to_owned() })
        .transform(Transform::Rename { tool: "files.read".to_owned(), name: "files.show".to_owned() })
        .transform(Transform::Describe { tool: "files.show".to_owned(), description: "Shows a file.".to_owned() })
        .transform(Transform::Constant {
            tool: "files.show".to_owned(),
            argument: "root".to_owned(),
            value: json!("/data"),
        })
        .build()
        .unwrap();
    let client = Client::of(server, Principal::anonymous());
    let list = client.ask(&modern(1, "tools/list", json!({}))).await;
    assert_eq!(names(&list), ["files.show", "other"]);
    assert_eq!(list["result"]["tools"][0]["description"], "Shows a file.");
    assert_eq!(list["result"]["tools"][0]["inputSchema"]["required"], json!(["path"]));
    let shown = client.call("files.show", json!({ "path": "a" })).await;
    assert_eq!(
        serde_json::from_str::<Value>(shown["content"][0]["text"].as_str().unwrap()).unwrap(),
        json!({ "path": "a", "root": "/data" })
    );
    assert_eq!(client.call("files.show", json!({ "path": "a", "root": "/" })).await["isError"], true);
    assert_eq!(client.call("read", json!({ "path": "a" })).await["code"], -32602);
}

#[test]
fn a_server_that_cannot_be_served_is_not_built() {
    let build = |tools: Vec<Arc<dyn Tool>>, transforms: Vec<Transform>| {
        let mut builder = Server::builder(ToolSet::new("test", "1", tools));
        for transform in transforms {
            builder = builder.transform(transform);
        }
        builder.build().map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(build(vec![named("a"), named("a")], vec![]), "two tools are named `a`");
    let misspelt = Transform::Hide { tool: "b".to_owned() };
    assert_eq!(
        build(vec![named("a")], vec![misspelt]),
        "the transform of `b` cannot be applied: there is no such tool"
    );
    let schema = raw("a", json!({"type":"objekt"}), |_, _| async { "" }).unwrap();
    assert_eq!(build(vec![schema], vec![]), "the input schema of tool `a` cannot be served");
    let header = json!({"type":"object","properties":{"a":{"type":"array","x-mcp-header":"A"}}});
    let header = raw("a", header, |_, _| async { "" }).unwrap();
    assert_eq!(build(vec![header], vec![]), "tool `a` cannot be served over HTTP");
    assert!(matches!(
        RawTool::new(r#"{"name":"a b","inputSchema":{}}"#, |_, _| async { "" }),
        Err(BuildError::Definition(_))
    ));
}

#[tokio::test]
async fn a_definition_comes_in_the_form_of_each_revision() {
    let definition = r#"{"name":"a","title":"A","description":"d","inputSchema":{"type":"object"},
        "outputSchema":{"type":"array"},"annotations":{"readOnlyHint":false},"icons":[],"_meta":{"k":1},"future":1.50}"#;
    let tool = || -> Arc<dyn Tool> { Arc::new(RawTool::new(definition, |_, _| async { "" }).unwrap()) };
    let keys = |answer: &Value| answer["result"]["tools"][0].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    for (version, expected) in [
        ("2024-11-05", vec!["description", "future", "inputSchema", "name"]),
        ("2025-03-26", vec!["annotations", "description", "future", "inputSchema", "name"]),
        ("2025-06-18", vec!["_meta", "annotations", "description", "future", "inputSchema", "name", "title"]),
        ("2025-11-25", vec!["_meta", "annotations", "description", "future", "icons", "inputSchema", "name", "title"]),
    ] {
        let client = Client::new(vec![tool()]);
        client.initialize(version, json!({}));
        let answer = client.ask(&json!({"jsonrpc":"2.0","id":1,"method":"tools/list"})).await;
        let mut found = keys(&answer);
        found.sort();
        assert_eq!(found, expected, "{version}");
        assert_eq!(answer["result"].as_object().unwrap().len(), 1);
    }
    let client = Client::new(vec![tool()]);
    let answer = client.ask(&modern(1, "tools/list", json!({}))).await;
    assert!(keys(&answer).contains(&"outputSchema".to_owned()));
}
