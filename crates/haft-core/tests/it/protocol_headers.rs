//! Headers that repeat what the body says: standard ones, and arguments that a tool wants mirrored.

use std::collections::HashMap;
use std::sync::Arc;

use haft_core::{Handled, Peer, RawTool, Tool, Transform, Via};
use haft_wire::headers::HeaderFacts;
use serde_json::{Value, json};

use crate::peer::{Client, body, events, meta, raw, tool};
use crate::protocol::{STATELESS, legacy, notification};

/// A tool that wants arguments of every kind mirrored, one of them deep inside.
fn client() -> Client {
    let schema = json!({
        "type": "object",
        "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "count": { "type": "integer", "x-mcp-header": "Method" },
            "dry": { "type": "boolean", "x-mcp-header": "Dry" },
            "where": { "type": "object", "properties": { "zone": { "type": "string", "x-mcp-header": "Zone" } } },
            "plain": { "type": "string" },
        },
    });
    let definition = json!({ "name": "mirrors", "inputSchema": schema }).to_string();
    Client::new(vec![Arc::new(RawTool::new(&definition, |_, _| async { "fine" }).unwrap()) as Arc<dyn Tool>])
}

fn post(client: &Client, text: &str, headers: &[(&str, &[u8])]) -> Handled {
    let headers: HashMap<String, &[u8]> = headers.iter().map(|(name, value)| (name.to_lowercase(), *value)).collect();
    let lookup = |name: &str| headers.get(name).copied();
    let facts = HeaderFacts {
        version: lookup("mcp-protocol-version"),
        method: lookup("mcp-method"),
        name: lookup("mcp-name"),
        session: lookup("mcp-session-id"),
    };
    let peer = Peer { principal: &client.principal, via: Via::Http { headers: facts, lookup: &lookup } };
    client.server.handle(text.as_bytes(), &peer)
}

/// Calls `mirrors`: the code of the error (0 for a result) and the status.
async fn call(client: &Client, arguments: &str, mirrored: &[(&str, &[u8])]) -> (i64, u16) {
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{{"name":"mirrors","arguments":{arguments},"_meta":{}}}}}"#,
        meta()
    );
    let mut headers: Vec<(&str, &[u8])> =
        vec![("MCP-Protocol-Version", STATELESS.as_bytes()), ("Mcp-Method", b"tools/call"), ("Mcp-Name", b"mirrors")];
    headers.extend(mirrored);
    let answer = events(post(client, &text, &headers)).await.1.unwrap();
    let status = answer.status;
    let answer = body(&answer);
    assert_eq!(answer["id"], "x", "{answer}");
    (answer["error"]["code"].as_i64().unwrap_or_default(), status)
}

#[tokio::test]
async fn a_mirrored_argument_is_the_same_in_its_header_whatever_its_type_and_place() {
    type Case = (&'static str, &'static [(&'static str, &'static [u8])], bool);
    let client = client();
    let cases: &[Case] = &[
        ("{}", &[], true),
        (r#"{"region":"us-west 1"}"#, &[("Mcp-Param-Region", b"us-west 1")], true),
        (r#"{"region":"us-west 1"}"#, &[("mcp-param-REGION", b"  us-west 1 \t")], true),
        (r#"{"region":"us-west 1"}"#, &[("Mcp-Param-Region", b"US-WEST 1")], false),
        (r#"{"region":"us-west 1"}"#, &[], false),
        (r#"{"region":""}"#, &[("Mcp-Param-Region", b"")], true),
        (r#"{"region":""}"#, &[], false),
        (r#"{"region":"zwölf"}"#, &[("Mcp-Param-Region", b"=?base64?enfDtmxm?=")], true),
        (r#"{"region":"zw\u00f6lf"}"#, &[("Mcp-Param-Region", b"=?base64?enfDtmxm?=")], true),
        (r#"{"region":"Z\u00fcrich"}"#, &[("Mcp-Param-Region", b"=?base64?WsO8cmljaA==?=")], true),
        (r#"{"region":"Zürich"}"#, &[("Mcp-Param-Region", b"=?base64?WsO8cmljaA==?=")], true),
        (r#"{"region":"Zürich"}"#, &[("Mcp-Param-Region", b"Z\xc3\xbcrich")], false),
        (r#"{"region":"Zürich"}"#, &[("Mcp-Param-Region", b"=?base64?WsO8cmljaA=?=")], false),
        (r#"{"region":"Zürich"}"#, &[("Mcp-Param-Region", b"=?base64?WsO8cmljaA?=")], false),
        (r#"{"region":"Zürich"}"#, &[("Mcp-Param-Region", b"=?BASE64?WsO8cmljaA==?=")], false),
        (r#"{"region":"=?BASE64?eA==?="}"#, &[("Mcp-Param-Region", b"=?BASE64?eA==?=")], true),
        (r#"{"region":"=?base64?eA=="}"#, &[("Mcp-Param-Region", b"=?base64?eA==")], true),
        (r#"{"region":"=?base64?eA==?="}"#, &[("Mcp-Param-Region", b"=?base64?eA==?=")], false),
        (r#"{"region":"x"}"#, &[("Mcp-Param-Region", b"=?base64?eA==?=")], true),
        (r#"{"region":"a\nb"}"#, &[("Mcp-Param-Region", b"a\nb")], false),
        (r#"{"region":"a\u0001"}"#, &[("Mcp-Param-Region", b"a\x01")], false),
        (r#"{"region":null}"#, &[], true),
        (r#"{"region":null}"#, &[("Mcp-Param-Region", b"null")], false),
        ("{}", &[("Mcp-Param-Region", b"x")], false),
        (r#"{"dry":true}"#, &[("Mcp-Param-Dry", b"true")], true),
        (r#"{"dry":false}"#, &[("Mcp-Param-Dry", b"false")], true),
        (r#"{"dry":false}"#, &[("Mcp-Param-Dry", b"False")], false),
        (r#"{"dry":true}"#, &[("Mcp-Param-Dry", b"1")], false),
        (r#"{"where":{"zone":"a"}}"#, &[("Mcp-Param-Zone", b"a")], true),
        (r#"{"where":{"zone":"a"}}"#, &[], false),
        (r#"{"where":{}}"#, &[], true),
        (r#"{"where":{}}"#, &[("Mcp-Param-Zone", b"a")], false),
        // `Mcp-Param-Method` is not `Mcp-Method`; a header of no argument is nobody's business.
        (r#"{"count":42}"#, &[("Mcp-Param-Method", b"42"), ("Mcp-Param-Plain", b"\xff"), ("Mcp-Param-X", b"x")], true),
        (r#"{"plain":"x"}"#, &[], true),
    ];
    for (arguments, mirrored, is_right) in cases {
        let expected = if *is_right { (0, 200) } else { (-32020, 400) };
        assert_eq!(call(&client, arguments, mirrored).await, expected, "{arguments} {mirrored:?}");
    }
}

#[tokio::test]
async fn a_mirrored_integer_is_compared_as_a_number_and_exactly() {
    let client = client();
    for (body, header, is_right) in [
        ("42", "42", true),
        ("42", "42.0", true),
        ("42.0", "42", true),
        ("42.0", "42.00", true),
        ("-7", "-7", true),
        ("0", "0", true),
        ("9007199254740991", "9007199254740991", true),
        ("42", "43", false),
        ("42", "-42", false),
        ("42", "42.5", false),
        ("42", "0x2a", false),
        ("42", "forty-two", false),
        ("42", "", false),
        ("42", "NaN", false),
        ("42", "inf", false),
        ("9007199254740993", "9007199254740992", false),
        ("123456789012345678901234567890", "123456789012345678901234567891", false),
        // An integer, however it is written.
        ("1e2", "99", false),
        ("4.2e1", "43", false),
    ] {
        let arguments = format!(r#"{{"count":{body}}}"#);
        let expected = if is_right { (0, 200) } else { (-32020, 400) };
        let headers = [("Mcp-Param-Method", header.as_bytes())];
        assert_eq!(call(&client, &arguments, &headers).await, expected, "{body} {header}");
        assert_eq!(call(&client, &arguments, &[]).await, (-32020, 400), "{body}");
    }
}

#[tokio::test]
async fn mirrored_arguments_are_for_stateless_requests_over_http_alone() {
    let client = client();
    let params = json!({ "name": "mirrors", "arguments": { "region": "x" } });
    let request = legacy(1, "tools/call", params.clone());
    let (_, answer) = events(client.post(&request, &HashMap::new())).await;
    assert_eq!(body(&answer.unwrap())["result"]["isError"], false);
    assert_eq!(client.call("mirrors", json!({ "region": "x" })).await["isError"], false);
    client.initialize("2025-11-25", json!({}));
    assert_eq!(client.ask(&request).await["result"]["isError"], false);
}

#[tokio::test]
async fn standard_headers_are_compared_after_decoding_and_only_for_requests() {
    let client = Client::with(vec![tool("get", |_| async { "fine" })], |builder| builder.links(true));
    let request = |method: &str, params: Value| {
        let mut params = params;
        params["_meta"] = meta();
        legacy(1, method, params).to_string()
    };
    let tools_call = || request("tools/call", json!({ "name": "get" }));
    for (text, method, name, expected) in [
        (tools_call(), Some("tools/call"), Some("get"), (0, 200)),
        (tools_call(), Some(" tools/call\t"), Some("=?base64?Z2V0?="), (0, 200)),
        (tools_call(), Some("TOOLS/CALL"), Some("get"), (-32020, 400)),
        (tools_call(), Some("tools/list"), Some("get"), (-32020, 400)),
        (tools_call(), None, Some("get"), (-32020, 400)),
        (tools_call(), Some("tools/call"), None, (-32020, 400)),
        (tools_call(), Some("tools/call"), Some("Get"), (-32020, 400)),
        (tools_call(), Some("tools/call"), Some("=?base64?Z2V?="), (-32020, 400)),
        // Header and body are compared before anybody looks for the tool or the method.
        (request("tools/call", json!({ "name": "unknown" })), Some("tools/call"), Some("get"), (-32020, 400)),
        (request("tools/call", json!({ "name": "unknown" })), Some("tools/call"), Some("unknown"), (-32602, 200)),
        (request("no/such", json!({})), Some("tools/call"), None, (-32020, 400)),
        (request("no/such", json!({})), Some("no/such"), None, (-32601, 404)),
        (request("resources/read", json!({ "uri": "haft://x" })), Some("resources/read"), None, (-32020, 400)),
        (
            request("resources/read", json!({ "uri": "haft://x" })),
            Some("resources/read"),
            Some("haft://x"),
            (-32602, 200),
        ),
        (request("tools/list", json!({})), Some("tools/list"), None, (0, 200)),
        (request("server/discover", json!({})), None, None, (-32020, 400)),
        (request("subscriptions/listen", json!({})), Some("tools/list"), None, (-32020, 400)),
    ] {
        let mut headers: Vec<(&str, &[u8])> = vec![("mcp-protocol-version", STATELESS.as_bytes())];
        headers.extend(method.map(|method| ("mcp-method", method.as_bytes())));
        headers.extend(name.map(|name| ("mcp-name", name.as_bytes())));
        let answer = events(post(&client, &text, &headers)).await.1.unwrap();
        let status = answer.status;
        let answer = body(&answer);
        assert_eq!(answer["id"], 1);
        let found = (answer["error"]["code"].as_i64().unwrap_or_default(), status);
        assert_eq!(found, expected, "{text} {method:?} {name:?}: {answer}");
    }
    let told = notification("notifications/cancelled", json!({ "requestId": 9, "_meta": meta() })).to_string();
    let version: &[(&str, &[u8])] = &[("mcp-protocol-version", STATELESS.as_bytes())];
    assert!(matches!(post(&client, &told, version), Handled::Accepted));
}

#[tokio::test]
async fn an_argument_that_is_fixed_and_hidden_cannot_be_given_by_a_caller() {
    let schema =
        json!({ "type": "object", "properties": { "root": { "type": "string" }, "path": { "type": "string" } } });
    let echo = raw("read", schema, |arguments, _| async move { arguments.to_string() }).unwrap();
    let constant = Transform::Constant { tool: "read".to_owned(), argument: "root".to_owned(), value: json!("/data") };
    let client = Client::with(vec![echo], |builder| builder.transform(constant));
    let fine = client.call("read", json!({ "path": "a" })).await;
    let seen: Value = serde_json::from_str(fine["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(seen, json!({ "path": "a", "root": "/data" }));
    for hidden in [json!({ "root": "/etc" }), json!({ "path": "a", "root": "/data" }), json!({ "Root": "/etc" })] {
        let told = client.call("read", hidden.clone()).await;
        assert_eq!(told["isError"], true, "{hidden}: {told}");
        assert!(!told.to_string().contains("/data"), "{told}");
    }
}

/// Everything is wrong at once; what is found first is mended, until nothing is left.
#[tokio::test]
async fn faults_are_found_in_the_order_in_which_they_tell_the_least() {
    let asks = tool("asks", |context| async move {
        context.ask("sure", haft_core::Question::confirm("Sure?"))?;
        Ok::<_, haft_core::ToolError>("asked")
    });
    let client = client();
    client.server.add_tool(asks).unwrap();
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let mut message =
        legacy(1, "server/discove", json!({ "name": "mirrored", "arguments": { "count": "x", "region": "a" } }));
    let mut headers: HashMap<&str, &str> = HashMap::new();
    let mut found = Vec::new();
    for step in 0..12 {
        match step {
            1 => message["method"] = json!("server/discover"),
            2 => drop(headers.insert("mcp-protocol-version", "2031-01-01")),
            3 => message["params"]["_meta"] = json!({ version: "2030-01-01", capabilities: {} }),
            4 => drop(headers.insert("mcp-protocol-version", "2030-01-01")),
            5 => {
                message["params"]["_meta"][version] = json!(STATELESS);
                headers.insert("mcp-protocol-version", STATELESS);
            }
            6 => {
                message["method"] = json!("tools/cal");
                headers.insert("mcp-method", "tools/cal");
            }
            7 => {
                message["method"] = json!("tools/call");
                headers.extend([("mcp-method", "tools/call"), ("mcp-name", "mirrored")]);
            }
            8 => {
                message["params"]["name"] = json!("mirrors");
                headers.insert("mcp-name", "mirrors");
            }
            9 => headers.extend([("mcp-param-region", "a"), ("mcp-param-method", "x")]),
            10 => {
                message["params"]["arguments"] = json!({ "region": "a", "count": 1 });
                headers.insert("mcp-param-method", "1");
            }
            11 => {
                message["params"] = json!({ "name": "asks", "_meta": meta() });
                headers.insert("mcp-name", "asks");
            }
            _ => {}
        }
        let answer = events(client.post(&message, &headers)).await.1.unwrap();
        let status = answer.status;
        let answer = body(&answer);
        found.push((answer["error"]["code"].as_i64(), answer["result"]["isError"].as_bool(), status));
    }
    let error = |code, status| (Some(code), None, status);
    let expected = [
        // Neither a header nor `_meta`: a legacy request, for a method that there is not.
        error(-32601, 200),
        error(-32020, 400),
        error(-32602, 400),
        error(-32020, 400),
        error(-32022, 400),
        error(-32020, 400),
        error(-32601, 404),
        error(-32602, 200),
        error(-32020, 400),
        (None, Some(true), 200),
        (None, Some(false), 200),
        error(-32021, 400),
    ];
    assert_eq!(found, expected);
}
