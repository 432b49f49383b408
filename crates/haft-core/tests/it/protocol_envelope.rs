//! The envelope in every revision: ids, what is answered and what is not, codes, arrays of messages.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use haft_core::{Event, Handled, Limits, Question, Questions, Tool, ToolError};
use serde_json::{Value, json};

use crate::peer::{Client, at_once, body, call, events, exchange, meta, modern, soon, tool};
use crate::protocol::{HANDSHAKE, REVISIONS, STATELESS, Speaker, assert_well_formed, legacy, notification};

fn works() -> Arc<dyn Tool> {
    tool("works", |_| async { "fine" })
}

#[tokio::test]
async fn an_id_comes_back_as_it_went_whatever_its_type_and_size() {
    let client = Client::new(vec![works()]);
    client.initialize("2025-11-25", json!({}));
    for (sent, returned) in [
        ("0", "0"),
        ("1", "1"),
        ("\"1\"", "\"1\""),
        ("-7", "-7"),
        ("9007199254740993", "9007199254740993"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("\"\"", "\"\""),
        ("\"null\"", "\"null\""),
        ("\"zwölf \\\" 12\"", "\"zwölf \\\" 12\""),
        ("\"\\u0061\\/\"", "\"a/\""),
    ] {
        let modern_meta = format!(r#""_meta":{}"#, meta());
        for (method, params) in [
            ("tools/call", r#"{"name":"works"}"#.to_owned()),
            ("tools/call", format!(r#"{{"name":"works",{modern_meta}}}"#)),
            ("tools/call", format!(r#"{{"name":"unknown",{modern_meta}}}"#)),
            ("tools/list", format!("{{{modern_meta}}}")),
            ("no/such", format!("{{{modern_meta}}}")),
            ("no/such", "{}".to_owned()),
            ("ping", "{}".to_owned()),
        ] {
            let text = format!(r#"{{"params":{params},"id":{sent},"method":"{method}","jsonrpc":"2.0"}}"#);
            let answer = events(client.handle_text(&text)).await.1.unwrap();
            assert_well_formed(&body(&answer));
            let answer = String::from_utf8(answer.body).unwrap();
            assert!(answer.contains(&format!(r#""id":{returned},"#)), "{text}: {answer}");
        }
    }
}

#[tokio::test]
async fn what_has_no_usable_id_is_answered_without_one() {
    for version in REVISIONS {
        let client = Speaker::new(Client::new(vec![works()]), version, json!({})).client;
        for (text, code) in [
            ("", -32700),
            ("nonsense", -32700),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"", -32700),
            ("17", -32600),
            ("null", -32600),
            (r#"{"jsonrpc":"2.0"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        ] {
            let answer = body(&at_once(client.handle_text(text)));
            assert_well_formed(&answer);
            assert_eq!((answer.get("id"), &answer["error"]["code"]), (None, &json!(code)), "{version}: {text}");
        }
        // Where there is one, the error carries it.
        for text in [
            r#"{"id":4,"method":"ping"}"#,
            r#"{"jsonrpc":"1.0","id":4,"method":"ping"}"#,
            r#"{"jsonrpc":2.0,"id":4,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":4,"method":["ping"]}"#,
            r#"{"jsonrpc":"2.0","id":4,"method":"ping","result":{}}"#,
        ] {
            let answer = body(&at_once(client.handle_text(text)));
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(4), &json!(-32600)), "{version}: {text}");
        }
    }
}

#[tokio::test]
async fn a_message_means_the_same_however_its_strings_are_written_and_its_members_are_ordered() {
    let echo =
        crate::peer::raw("echo", json!({ "type": "object" }), |arguments, _| async move { arguments.to_string() });
    let client = Client::new(vec![echo.unwrap()]);
    client.initialize("2025-11-25", json!({}));
    let plain = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let expected = body(&events(client.handle_text(plain)).await.1.unwrap());
    assert_eq!(expected["result"]["resultType"], "complete", "{expected}");
    for (written, other) in [
        (r#""jsonrpc""#, r#""json\u0072pc""#),
        (r#""id""#, r#""\u0069d""#),
        (r#""method""#, r#""m\u0065thod""#),
        (r#""params""#, r#""p\u0061rams""#),
        (r#""_meta""#, r#""_met\u0061""#),
        (r#""name""#, r#""n\u0061me""#),
        (r#""arguments""#, r#""argument\u0073""#),
        ("io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol\\/protocolVersion"),
        ("io.modelcontextprotocol/clientCapabilities", "io.modelcontextprotocol/client\\u0043apabilities"),
        (r#""2026-07-28""#, r#""2026\u002d07-28""#),
        (r#""tools/call""#, r#""tools\/call""#),
        (r#""echo""#, r#""\u0065cho""#),
        ("{", "\t{ "),
        (":", " :\r\n "),
        (",", " , "),
    ] {
        let text = plain.replace(written, other);
        assert_ne!(text, plain);
        let answer = body(&events(client.handle_text(&text)).await.1.unwrap());
        assert_eq!(answer, expected, "{text}");
    }
    let turned = r#"{"params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"arguments":{"a":1},"name":"echo"},"method":"tools/call","id":1,"future":[{}],"jsonrpc":"2.0"}"#;
    assert_eq!(body(&events(client.handle_text(turned)).await.1.unwrap()), expected);
}

#[tokio::test]
async fn a_message_that_nests_too_deeply_is_refused_under_its_id() {
    let client = Client::new(vec![works()]);
    client.initialize("2025-11-25", json!({}));
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        for levels in [200, 10_000, 100_000] {
            let inner = if open == "[" { "" } else { "1" };
            let deep = format!("{}{inner}{}", open.repeat(levels), close.repeat(levels));
            for text in [
                format!(
                    r#"{{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{{"name":"works","arguments":{{"a":{deep}}}}}}}"#
                ),
                format!(r#"{{"params":{deep},"jsonrpc":"2.0","method":"ping","id":"deep"}}"#),
            ] {
                let answer = body(&events(client.handle_text(&text)).await.1.unwrap());
                assert_eq!(
                    (&answer["id"], &answer["error"]["code"]),
                    (&json!("deep"), &json!(-32600)),
                    "{levels}: {answer}"
                );
            }
            // Where there is no end of it, there is no message.
            let endless = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}"#, open.repeat(levels));
            assert_eq!(body(&at_once(client.handle_text(&endless)))["error"]["code"], -32700);
        }
    }
    assert_eq!(client.ask(&legacy(1, "ping", json!({}))).await["result"], json!({}));
}

#[tokio::test]
async fn notifications_and_responses_are_never_answered() {
    let runs = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&runs);
    let counts = tool("counts", move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        async { "fine" }
    });
    let client = Client::new(vec![counts]);
    let silent = [
        notification("notifications/initialized", json!({})),
        notification("notifications/cancelled", json!({})),
        notification("notifications/cancelled", json!({ "requestId": [] })),
        notification("notifications/progress", json!({ "progressToken": 1, "progress": "x" })),
        notification("notifications/roots/list_changed", json!({})),
        notification("no/such", json!(7)),
        notification("initialize", json!({ "protocolVersion": "2025-06-18" })),
        notification("ping", json!({})),
        notification("tools/call", json!({ "name": "counts", "_meta": meta() })),
        json!({ "jsonrpc": "2.0", "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 99, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": "99", "error": { "code": 1, "message": "x" } }),
        json!({ "jsonrpc": "2.0", "id": 99, "result": 7 }),
        // A peer that could not read an id says so without one, or with null.
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": "x" } }),
        json!({ "jsonrpc": "2.0", "error": { "code": -32700, "message": "x" } }),
    ];
    for version in [None, Some("2025-03-26"), Some("2025-11-25")] {
        if let Some(version) = version {
            client.initialize(version, json!({}));
        }
        for message in &silent {
            assert!(matches!(client.handle(message), Handled::Accepted), "{version:?}: {message}");
        }
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    let headers = [("mcp-protocol-version", STATELESS)].into();
    assert!(matches!(client.post(&silent[5], &headers), Handled::Accepted));
}

/// What goes wrong in every way there is, with the codes that say so in a handshake and in a stateless request.
#[tokio::test]
async fn every_fault_has_its_code_and_no_code_has_another_meaning() {
    let tools = || -> Vec<Arc<dyn Tool>> {
        vec![
            works(),
            tool("explodes", |_| async { panic!("boom") as &'static str }),
            tool("asks", |context| async move {
                context.ask("sure", Question::confirm("Sure?"))?;
                Ok::<_, ToolError>("asked")
            }),
        ]
    };
    let mut seen = BTreeSet::new();
    for version in REVISIONS {
        let client = Client::with(tools(), |builder| builder.links(true));
        let speaker = Speaker::new(client, version, json!({}));
        let is_stateless = version == STATELESS;
        for (method, params, expected) in [
            ("no/such", json!({}), -32601),
            ("prompts/list", json!({}), -32601),
            ("tools/call", json!({}), -32602),
            ("tools/call", json!({ "name": ["works"] }), -32602),
            ("tools/call", json!({ "name": "works", "arguments": "x" }), -32602),
            ("tools/call", json!({ "name": "unknown" }), -32602),
            ("tools/call", json!({ "name": "explodes" }), -32603),
            ("tools/list", json!({ "cursor": "bogus" }), -32602),
            ("resources/read", json!({}), -32602),
            ("resources/read", json!({ "uri": "haft://x" }), if is_stateless { -32602 } else { -32002 }),
        ] {
            let answer = speaker.ask(method, params.clone()).await;
            assert_well_formed(&answer);
            assert_eq!(answer["error"]["code"], expected, "{version} {method} {params}");
            seen.insert((is_stateless, expected));
        }
        if is_stateless {
            let refused = speaker.ask("tools/call", json!({ "name": "asks" })).await;
            assert_eq!(refused["error"]["code"], -32021);
            assert!(refused["error"]["data"]["requiredCapabilities"].is_object());
            seen.insert((true, -32021));
        }
    }
    // The rest of what is emitted anywhere: see the statuses, and the versions that are not served.
    let never: Vec<_> = seen.iter().filter(|(_, code)| (-32099..=-32000).contains(code)).collect();
    assert_eq!(never, [&(false, -32002), &(true, -32021)]);
}

#[tokio::test]
async fn what_goes_wrong_inside_of_a_tool_names_neither_its_files_nor_its_secrets() {
    let client = Client::new(vec![
        tool("reads", |_| async {
            std::fs::read_to_string("/nonexistent/secret-token")?;
            Ok::<_, ToolError>("read")
        }),
        tool("explodes", |_| async { panic!("secret-token in {}", file!()) as &'static str }),
        tool("is_not_configured", |context: haft_core::Context| async move {
            haft_core::State::<String>::from_context(&context).map(|_| "configured")
        }),
    ]);
    for name in ["reads", "explodes", "is_not_configured"] {
        let told = client.call(name, json!({})).await.to_string();
        for word in ["secret-token", "nonexistent", ".rs", "panicked", "alloc::", "std::", "backtrace"] {
            assert!(!told.contains(word), "{name}: {told}");
        }
        assert!(told.contains("reference"), "{name}: {told}");
    }
}

#[tokio::test]
async fn a_server_fault_ends_its_call_alone() {
    let gate = Arc::new(tokio::sync::Notify::new());
    let inner = Arc::clone(&gate);
    let waits = tool("waits", move |_| {
        let gate = Arc::clone(&inner);
        async move {
            gate.notified().await;
            "waited"
        }
    });
    let client = Client::new(vec![waits, works(), tool("explodes", |_| async { panic!("boom") as &'static str })]);
    let mut waiting = exchange(client.handle(&call(7, "waits", json!({}))));
    crate::peer::nothing_yet(&mut waiting).await;
    assert_eq!(client.call("explodes", json!({})).await["code"], -32603);
    assert_eq!(client.call("works", json!({})).await["content"][0]["text"], "fine");
    gate.notify_one();
    let Event::Answer(answer) = soon(waiting.next()).await else { panic!("no answer") };
    assert_eq!(body(&answer)["result"]["content"][0]["text"], "waited");
}

#[tokio::test]
async fn an_array_of_messages_is_read_in_2025_03_26_and_in_no_other_revision() {
    let array = json!([
        legacy(1, "ping", json!({})),
        legacy("2", "tools/call", json!({ "name": "works" })),
        notification("notifications/initialized", json!({})),
        legacy(3, "no/such", json!({})),
        7,
        { "jsonrpc": "2.0", "id": 99, "result": {} },
        legacy(4, "initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} })),
    ]);
    for version in REVISIONS {
        let speaker = Speaker::new(Client::new(vec![works()]), version, json!({}));
        if version != "2025-03-26" {
            for refused in [array.clone(), json!([]), json!([speaker.request(1, "tools/list", json!({}))])] {
                let answer = body(&at_once(speaker.client.handle(&refused)));
                assert_eq!((answer.get("id"), &answer["error"]["code"]), (None, &json!(-32600)), "{version}");
            }
            continue;
        }
        let Handled::Batch(items) = speaker.client.handle(&array) else { panic!("no batch") };
        let mut answers = Vec::new();
        for item in items {
            if let (_, Some(answer)) = events(item).await {
                let answer = body(&answer);
                assert_well_formed(&answer);
                answers.push((answer["id"].clone(), answer["error"]["code"].clone()));
            }
        }
        let expected = [
            (json!(1), Value::Null),
            (json!("2"), Value::Null),
            (json!(3), json!(-32601)),
            (Value::Null, json!(-32600)),
            // A handshake never travels among others.
            (json!(4), json!(-32600)),
        ];
        assert_eq!(answers, expected);
        assert_eq!(body(&at_once(speaker.client.handle(&json!([]))))["error"]["code"], -32600);
        let many = Value::Array(vec![legacy(1, "ping", json!({})); 101]);
        assert_eq!(body(&at_once(speaker.client.handle(&many)))["error"]["code"], -32600);
    }
    let headers: HashMap<&str, &str> = [("mcp-protocol-version", STATELESS), ("mcp-method", "tools/list")].into();
    let client = Client::new(vec![works()]);
    let refused = at_once(client.post(&json!([modern(1, "tools/list", json!({}))]), &headers));
    assert_eq!((refused.status, &body(&refused)["error"]["code"]), (400, &json!(-32600)));
}

#[tokio::test]
async fn ids_of_the_servers_questions_never_repeat_and_live_beside_the_clients_own() {
    let asks = tool("asks", |context| async move {
        let two = Questions::one("a", Question::confirm("A?")).and("b", Question::confirm("B?"));
        context.ask_all(two)?;
        Ok::<_, ToolError>("asked")
    });
    let client = Client::new(vec![asks, works()]);
    client.initialize("2025-11-25", json!({ "elicitation": {} }));
    let mut seen = BTreeSet::new();
    for round in 0..3 {
        // The client uses the very numbers that the server counts with.
        let mut running = exchange(client.handle(&legacy(round, "tools/call", json!({ "name": "asks" }))));
        let mut open = Vec::new();
        for _ in 0..2 {
            let Event::Message(question) = soon(running.next()).await else { panic!("no question") };
            let question: Value = serde_json::from_slice(&question).unwrap();
            assert_eq!(question["jsonrpc"], "2.0");
            assert!(seen.insert(question["id"].to_string()), "{question}");
            open.push(question["id"].clone());
        }
        for id in &open {
            let mine = client.ask(&legacy(id.clone(), "tools/call", json!({ "name": "works" }))).await;
            let is_open = *id == json!(round);
            assert_eq!(mine.get("error").is_some(), is_open, "an id of its own that is still open: {mine}");
            client.handle(&json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "decline" } }));
        }
        let Event::Answer(answer) = soon(running.next()).await else { panic!("no answer") };
        assert_eq!(body(&answer)["id"], round);
    }
}

#[tokio::test]
async fn a_ping_is_answered_at_once_whatever_else_goes_on() {
    for version in HANDSHAKE {
        let hangs = tool("hangs", |_| std::future::pending::<&'static str>());
        let client = Client::with(vec![hangs], |builder| {
            let mut limits = Limits::default();
            limits.calls_in_flight = 1;
            builder.limits(limits)
        });
        let speaker = Speaker::new(client, version, json!({}));
        let running = exchange(speaker.client.handle(&speaker.request(1, "tools/call", json!({ "name": "hangs" }))));
        let pong = body(&at_once(speaker.client.handle(&legacy("p", "ping", json!({})))));
        assert_eq!(pong, json!({ "jsonrpc": "2.0", "id": "p", "result": {} }));
        drop(running);
    }
}
