//! What the server asks in the middle of a call: in which form, of whom, with which state, and what it makes of answers.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use haft_core::{Event, Limits, Principal, Question, Questions, Server, Tool, ToolError, ToolSet};
use serde_json::{Value, json};

use crate::peer::{Client, at_once, body, events, exchange, meta_with, modern, soon, tool};
use crate::protocol::{HANDSHAKE, STATELESS, Speaker, assert_well_formed, legacy, notification};

const URL: &str = "https://login.example/begin";

/// Asks what its name says, and tells how it was answered.
fn asking(name: &str, questions: impl Fn() -> Questions + Send + Sync + 'static) -> Arc<dyn Tool> {
    tool(name, move |context| {
        let questions = questions();
        async move { Ok::<_, ToolError>(format!("{:?}", context.ask_all(questions)?)) }
    })
}

fn tools() -> Vec<Arc<dyn Tool>> {
    let sampling = || Question::open("sampling/createMessage", json!({ "messages": [], "maxTokens": 9 }));
    vec![
        asking("both", || Questions::one("form", Question::confirm("Sure?")).and("url", Question::url("Go", URL))),
        asking("form", || Questions::one("form", Question::confirm("Sure?"))),
        asking("roots", || Questions::one("roots", Question::open("roots/list", json!({})))),
        asking("samples", move || Questions::one("sample", sampling())),
        asking("url", || Questions::one("url", Question::url("Go", URL))),
        tool("works", |_| async { "fine" }),
    ]
}

fn call(name: &str, capabilities: Value, rest: &Value) -> Value {
    let mut params = json!({ "name": name, "arguments": {}, "_meta": meta_with(capabilities) });
    for (key, value) in rest.as_object().unwrap() {
        params[key] = value.clone();
    }
    modern(1, "tools/call", params)
}

fn form() -> Value {
    json!({ "elicitation": {} })
}

fn yes() -> Value {
    json!({ "action": "accept", "content": { "confirmed": true } })
}

#[tokio::test]
async fn only_what_this_very_request_can_do_is_asked_and_what_is_missing_is_named() {
    let client = Client::new(tools());
    let (form, url) = (json!({ "elicitation": { "form": {} } }), json!({ "elicitation": { "url": {} } }));
    let both = json!({ "elicitation": { "form": {}, "url": {} } });
    let (roots, sampling) = (json!({ "roots": {} }), json!({ "sampling": {} }));
    for (name, declared, missing) in [
        ("form", json!({ "elicitation": {} }), None),
        ("form", form.clone(), None),
        ("form", both.clone(), None),
        ("form", json!({}), Some(&form)),
        ("form", url.clone(), Some(&form)),
        ("form", json!({ "elicitation": null }), Some(&form)),
        ("form", json!({ "elicitation": true }), Some(&form)),
        ("form", json!({ "elicitation": [{}, {}] }), Some(&form)),
        ("form", json!({ "sampling": {}, "roots": {}, "extensions": { "elicitation": {} } }), Some(&form)),
        ("url", both.clone(), None),
        ("url", url.clone(), None),
        ("url", json!({ "elicitation": {} }), Some(&url)),
        ("url", json!({}), Some(&url)),
        ("both", both.clone(), None),
        ("both", json!({}), Some(&both)),
        ("both", form.clone(), Some(&url)),
        ("roots", roots.clone(), None),
        ("roots", both.clone(), Some(&roots)),
        ("samples", sampling.clone(), None),
        ("samples", both.clone(), Some(&sampling)),
        ("works", json!({}), None),
    ] {
        let request = call(name, declared.clone(), &json!({}));
        let answer = client.ask(&request).await;
        assert_well_formed(&answer);
        let Some(missing) = missing else {
            assert!(answer["result"].is_object(), "{name} {declared}: {answer}");
            continue;
        };
        assert_eq!(answer["error"]["code"], -32021, "{name} {declared}: {answer}");
        assert_eq!(answer["error"]["data"], json!({ "requiredCapabilities": missing }), "{name} {declared}");
        let headers: HashMap<&str, &str> =
            [("mcp-protocol-version", STATELESS), ("mcp-method", "tools/call"), ("mcp-name", name)].into();
        let (messages, answer) = events(client.post(&request, &headers)).await;
        assert_eq!((messages.len(), answer.unwrap().status), (0, 400));
    }
}

#[tokio::test]
async fn questions_go_out_in_the_result_and_nothing_goes_out_as_a_request_or_after_it() {
    let client = Client::new(tools());
    let everything = json!({ "elicitation": { "form": {}, "url": {} }, "roots": {}, "sampling": {} });
    for (name, expected) in [
        ("form", json!({ "form": "elicitation/create" })),
        ("url", json!({ "url": "elicitation/create" })),
        ("both", json!({ "form": "elicitation/create", "url": "elicitation/create" })),
        ("roots", json!({ "roots": "roots/list" })),
        ("samples", json!({ "sample": "sampling/createMessage" })),
    ] {
        let mut running = exchange(client.handle(&call(name, everything.clone(), &json!({}))));
        let Event::Answer(answer) = soon(running.next()).await else { panic!("something before the answer") };
        assert!(matches!(soon(running.next()).await, Event::End));
        let result = body(&answer)["result"].take();
        assert_eq!(result["resultType"], "input_required");
        assert!(result["requestState"].is_string(), "{result}");
        for member in ["content", "isError", "structuredContent", "ttlMs", "cacheScope"] {
            assert_eq!(result.get(member), None, "{result}");
        }
        let requests = result["inputRequests"].as_object().unwrap();
        let found: Value = requests.iter().map(|(key, request)| (key.clone(), request["method"].clone())).collect();
        assert_eq!(found, expected);
        for request in requests.values() {
            let members: Vec<_> = request.as_object().unwrap().keys().collect();
            assert_eq!(members, ["method", "params"], "{request}");
        }
    }
    // Nothing is kept for a client that may never come back.
    assert_eq!(client.server.calls_in_flight(), 0);
}

#[tokio::test]
async fn two_questions_under_one_key_never_go_out_as_two_members_of_one_name() {
    let twice = asking("twice", || {
        Questions::one("same", Question::confirm("Sure?")).and("same", Question::text("Who?", "name"))
    });
    let client = Client::new(vec![twice]);
    let answer = events(client.handle(&call("twice", form(), &json!({})))).await.1.unwrap();
    let text = String::from_utf8(answer.body).unwrap();
    assert!(text.matches(r#""same":"#).count() <= 1, "{text}");
}

#[tokio::test]
async fn nothing_but_a_call_is_ever_answered_with_a_question() {
    let client = Client::with(tools(), |builder| builder.links(true));
    for (method, params) in [
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "haft://x", "inputResponses": { "form": yes() } })),
        ("tools/call", json!({ "name": "works", "inputResponses": { "form": yes() } })),
    ] {
        let mut params = params;
        params["_meta"] = meta_with(form());
        let answer = client.ask(&modern(1, method, params)).await;
        assert_ne!(answer["result"]["resultType"], "input_required", "{method}: {answer}");
    }
}

#[tokio::test]
async fn questions_of_the_library_are_flat_forms_of_primitives_or_addresses() {
    let named = asking("named", || {
        Questions::one("confirm", Question::confirm("Sure?"))
            .and("text", Question::text("Who?", "name"))
            .and("url", Question::url("Go there", URL))
    });
    let client = Client::new(vec![named]);
    let both = json!({ "elicitation": { "form": {}, "url": {} } });
    let result = client.ask(&call("named", both.clone(), &json!({}))).await["result"].take();
    for key in ["confirm", "text"] {
        let params = &result["inputRequests"][key]["params"];
        assert!(params["message"].is_string());
        assert!(params.get("mode").is_none_or(|mode| mode == "form"), "{params}");
        assert_eq!(params["requestedSchema"]["type"], "object");
        for property in params["requestedSchema"]["properties"].as_object().unwrap().values() {
            assert!(["string", "boolean"].contains(&property["type"].as_str().unwrap()), "{params}");
        }
    }
    let address = json!({ "mode": "url", "message": "Go there", "url": URL });
    assert_eq!(result["inputRequests"]["url"]["params"], address);
    // 2025-11-25 gives each address an id of its own.
    client.initialize("2025-11-25", both);
    let mut ids = Vec::new();
    for id in 0..2 {
        let mut running = exchange(client.handle(&legacy(id, "tools/call", json!({ "name": "named" }))));
        for _ in 0..3 {
            let Event::Message(question) = soon(running.next()).await else { panic!("no question") };
            let question: Value = serde_json::from_slice(&question).unwrap();
            assert_eq!(question["method"], "elicitation/create");
            let params = &question["params"];
            assert_eq!(params.get("elicitationId").is_some(), params["mode"] == "url", "{question}");
            ids.extend(params.get("elicitationId").map(ToString::to_string));
        }
    }
    ids.dedup();
    assert_eq!(ids.len(), 2);
}

#[tokio::test]
async fn every_kind_of_choice_goes_out_as_written_and_answers_are_held_to_it() {
    let schema = json!({
        "type": "object",
        "properties": {
            "plain": { "type": "string", "enum": ["a", "b"] },
            "titled": { "type": "string", "oneOf": [{ "const": "a", "title": "A" }, { "const": "b", "title": "B" }] },
            "many": { "type": "array", "items": { "type": "string", "enum": ["a", "b"] }, "minItems": 1, "maxItems": 1 },
            "many_titled": { "type": "array", "items": { "anyOf": [{ "const": "a", "title": "A" }] } },
            "old": { "type": "string", "enum": ["a"], "enumNames": ["A"] },
            "mail": { "type": "string", "format": "email", "minLength": 3, "maxLength": 20 },
            "number": { "type": "number", "minimum": 0, "maximum": 1, "default": 0.5 },
            "count": { "type": "integer" },
            "flag": { "type": "boolean", "default": true },
        },
        "required": ["plain"],
    });
    let sent = schema.clone();
    let client =
        Client::new(vec![asking("chooses", move || Questions::one("form", Question::form("Which?", sent.clone())))]);
    let first = client.ask(&call("chooses", form(), &json!({}))).await;
    assert_eq!(first["result"]["inputRequests"]["form"]["params"]["requestedSchema"], schema);
    let answered = async |content: Value| {
        let response = json!({ "inputResponses": { "form": { "action": "accept", "content": content } } });
        client.ask(&call("chooses", form(), &response)).await["result"]["resultType"].take()
    };
    for content in [
        json!({ "plain": "a" }),
        json!({ "plain": "b", "titled": "b", "many": ["a"], "many_titled": [], "old": "a", "mail": "a@b.example" }),
        json!({ "plain": "a", "number": 1, "count": 2.0, "flag": false }),
    ] {
        assert_eq!(answered(content.clone()).await, "complete", "{content}");
    }
    for content in [
        json!({}),
        json!({ "plain": "c" }),
        json!({ "plain": "a", "titled": "c" }),
        json!({ "plain": "a", "many": [] }),
        json!({ "plain": "a", "many": ["a", "b"] }),
        json!({ "plain": "a", "many_titled": ["b"] }),
        json!({ "plain": "a", "mail": "nobody" }),
        json!({ "plain": "a", "number": 1.5 }),
        json!({ "plain": "a", "count": 1.5 }),
        json!([]),
        json!("a"),
    ] {
        assert_eq!(answered(content.clone()).await, "input_required", "{content}");
    }
}

#[tokio::test]
async fn an_answer_that_is_missing_is_asked_for_again_and_one_too_many_is_ignored() {
    let client = Client::new(tools());
    let both = json!({ "elicitation": { "form": {}, "url": {} } });
    let first = client.ask(&call("both", both.clone(), &json!({}))).await["result"].take();
    let state = first["requestState"].clone();
    let accepted = json!({ "action": "accept" });
    for (responses, kind) in [
        (json!({}), "input_required"),
        (json!({ "form": yes() }), "input_required"),
        (json!({ "form": yes(), "other": yes(), "Url": accepted }), "input_required"),
        (json!({ "form": 7, "url": accepted }), "input_required"),
        (json!({ "form": yes(), "url": accepted }), "complete"),
        (json!({ "form": yes(), "url": accepted, "other": 7, "more": null }), "complete"),
        (json!({ "form": { "action": "decline" }, "url": { "action": "cancel" } }), "complete"),
    ] {
        for rest in
            [json!({ "inputResponses": responses, "requestState": state }), json!({ "inputResponses": responses })]
        {
            let answer = client.ask(&call("both", both.clone(), &rest)).await;
            assert_eq!(answer["result"]["resultType"], kind, "{rest}: {answer}");
        }
    }
}

fn server_with(key: [u8; 32], limits: Limits) -> Server {
    Server::builder(ToolSet::new("test", "1", tools())).state_key(key).limits(limits).build().unwrap()
}

#[tokio::test]
async fn another_server_with_the_same_key_goes_on_with_the_call_and_one_with_another_does_not() {
    let of = |key| Client::of(server_with([key; 32], Limits::default()), Principal::anonymous());
    let first = of(7).ask(&call("form", form(), &json!({}))).await["result"].take();
    let retry =
        call("form", form(), &json!({ "inputResponses": { "form": yes() }, "requestState": first["requestState"] }));
    assert_eq!(of(7).ask(&retry).await["result"]["resultType"], "complete");
    assert_eq!(of(8).ask(&retry).await["error"]["code"], -32602);
}

#[tokio::test]
async fn state_that_has_expired_is_refused() {
    let mut limits = Limits::default();
    limits.ask_timeout = Duration::ZERO;
    let client = Client::of(server_with([7; 32], limits), Principal::anonymous());
    let first = client.ask(&call("form", form(), &json!({}))).await["result"].take();
    let retry =
        call("form", form(), &json!({ "inputResponses": { "form": yes() }, "requestState": first["requestState"] }));
    soon(async {
        // Expiry has whole seconds; the next one begins within one.
        while client.ask(&retry).await.get("error").is_none() {
            tokio::time::sleep(Duration::from_millis(20)).await; // bounded: by `soon`
        }
    })
    .await;
    assert_eq!(client.ask(&retry).await["error"]["code"], -32602);
}

#[tokio::test]
async fn a_client_of_the_handshake_era_is_asked_what_it_declared_and_only_when_it_is_ready() {
    let both = json!({ "elicitation": { "form": {}, "url": {} } });
    for (version, capabilities, name, is_asked) in [
        ("2025-11-25", json!({ "elicitation": {} }), "form", true),
        ("2025-11-25", both.clone(), "url", true),
        ("2025-11-25", both.clone(), "both", true),
        ("2025-11-25", json!({ "elicitation": {} }), "url", false),
        ("2025-11-25", json!({ "elicitation": {} }), "both", false),
        ("2025-11-25", json!({ "elicitation": { "url": {} } }), "form", false),
        ("2025-11-25", json!({}), "form", false),
        ("2025-06-18", json!({ "elicitation": {} }), "form", true),
        ("2025-06-18", json!({}), "form", false),
        ("2025-03-26", json!({ "elicitation": {} }), "form", false),
        ("2024-11-05", json!({ "elicitation": {} }), "form", false),
    ] {
        let speaker = Speaker::new(Client::new(tools()), version, capabilities.clone());
        let mut running = exchange(speaker.client.handle(&legacy(1, "tools/call", json!({ "name": name }))));
        match soon(running.next()).await {
            Event::Message(question) => {
                assert!(is_asked, "{version} {capabilities} {name}");
                assert_eq!(serde_json::from_slice::<Value>(&question).unwrap()["method"], "elicitation/create");
            }
            Event::Answer(answer) => {
                assert!(!is_asked, "{version} {capabilities} {name}");
                assert_eq!(body(&answer)["result"]["isError"], true);
            }
            Event::End => panic!("no answer"),
        }
    }
    // Before `notifications/initialized`, nothing is asked.
    let client = Client::new(tools());
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": form() });
    assert_eq!(at_once(client.handle(&legacy(0, "initialize", params))).status, 200);
    let (messages, answer) = events(client.handle(&legacy(1, "tools/call", json!({ "name": "form" })))).await;
    assert_eq!((messages, &body(&answer.unwrap())["result"]["isError"]), (vec![], &json!(true)));
    client.handle(&notification("notifications/initialized", json!({})));
    let mut running = exchange(client.handle(&legacy(2, "tools/call", json!({ "name": "form" }))));
    assert!(matches!(soon(running.next()).await, Event::Message(_)));
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_answers_is_withdrawn_under_its_id() {
    for version in HANDSHAKE.into_iter().skip(2) {
        let speaker = Speaker::new(Client::new(tools()), version, form());
        let mut running = exchange(speaker.client.handle(&legacy("call", "tools/call", json!({ "name": "form" }))));
        let Event::Message(question) = running.next().await else { panic!("no question") };
        let question: Value = serde_json::from_slice(&question).unwrap();
        let Event::Message(withdrawn) = running.next().await else { panic!("not withdrawn") };
        let withdrawn: Value = serde_json::from_slice(&withdrawn).unwrap();
        assert_eq!(withdrawn, notification("notifications/cancelled", json!({ "requestId": question["id"] })));
        let Event::Answer(answer) = running.next().await else { panic!("no answer") };
        assert_eq!(body(&answer)["result"]["isError"], true);
        // An answer after that is nobody's.
        speaker.client.handle(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": yes() }));
        assert_eq!(speaker.ask("ping", json!({})).await["result"], json!({}));
    }
}
