//! Asking the person behind the client, by replay, in both eras.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use haft_core::{Event, Limits, Principal, Question, Tool, ToolError};
use serde_json::{Value, json};

use crate::peer::{Client, body, exchange, meta_with, modern, nothing_yet, raw, soon, tool};

fn form() -> Value {
    json!({ "elicitation": {} })
}

/// Asks for a name and then for a colour, and counts its effects.
fn asks_twice(effects: &Arc<AtomicUsize>) -> Arc<dyn Tool> {
    let effects = Arc::clone(effects);
    tool("paints", move |context| {
        let effects = Arc::clone(&effects);
        async move {
            let name: Value = context.ask("name", Question::text("Who?", "name"))?.content()?.unwrap_or_default();
            let colour: Value =
                context.ask("colour", Question::text("Which?", "colour"))?.content()?.unwrap_or_default();
            effects.fetch_add(1, Ordering::SeqCst);
            Ok::<_, ToolError>(format!("{} {}", name["name"], colour["colour"]))
        }
    })
}

fn round(name: &str, capabilities: Value, rest: &Value) -> Value {
    let mut params = json!({ "name": name, "arguments": {}, "_meta": meta_with(capabilities) });
    for (key, value) in rest.as_object().unwrap() {
        params[key] = value.clone();
    }
    modern(1, "tools/call", params)
}

#[tokio::test]
async fn a_modern_call_ends_with_its_question_and_runs_again_with_the_answer() {
    let effects = Arc::new(AtomicUsize::new(0));
    let client = Client::new(vec![asks_twice(&effects)]);
    let first = client.ask(&round("paints", form(), &json!({}))).await["result"].take();
    assert_eq!(first["resultType"], "input_required");
    assert_eq!(first["inputRequests"]["name"]["method"], "elicitation/create");
    assert_eq!(first.get("ttlMs"), None);
    let answer = json!({ "name": { "action": "accept", "content": { "name": "Ada" } } });
    let second = json!({ "inputResponses": answer, "requestState": first["requestState"] });
    let second = client.ask(&round("paints", form(), &second)).await["result"].take();
    assert_eq!(second["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), ["colour"]);
    assert_ne!(second["requestState"], first["requestState"]);
    let answer = json!({ "colour": { "action": "accept", "content": { "colour": "red" } }, "unknown": 7 });
    let third = json!({ "inputResponses": answer, "requestState": second["requestState"] });
    let third = client.ask(&round("paints", form(), &third)).await["result"].take();
    assert_eq!(third["content"][0]["text"], r#""Ada" "red""#);
    assert_eq!(effects.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn state_is_good_for_its_caller_its_tool_and_its_arguments_alone() {
    let ask = |name: &str| {
        raw(name, json!({"type":"object"}), |_, context| async move {
            context.ask("ok", Question::confirm("Really?"))?;
            Ok::<_, ToolError>("done")
        })
        .unwrap()
    };
    let client = Client::new(vec![ask("one"), ask("two")]);
    let first = client.ask(&round("one", form(), &json!({}))).await["result"].take();
    let state = first["requestState"].as_str().unwrap();
    let yes = json!({ "ok": { "action": "accept", "content": { "confirmed": true } } });
    let retry = |state: &str, name: &str, arguments: Value| {
        round(name, form(), &json!({ "inputResponses": yes, "requestState": state, "arguments": arguments }))
    };
    let other = Client::of(client.server.clone(), Principal::client("token", "other"));
    for (who, message) in [
        (&client, retry(&format!("{state}-TAMPERED"), "one", json!({}))),
        (&client, retry("", "one", json!({}))),
        (&client, retry(state, "two", json!({}))),
        (&client, retry(state, "one", json!({ "more": 1 }))),
        (&other, retry(state, "one", json!({}))),
    ] {
        assert_eq!(who.ask(&message).await["error"]["code"], -32602, "{message}");
    }
    assert_eq!(client.ask(&retry(state, "one", json!({}))).await["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn a_question_that_the_client_cannot_answer_is_a_missing_capability() {
    let client = Client::new(vec![tool("asks", |context| async move {
        context.ask("ok", Question::confirm("Really?"))?;
        Ok::<_, ToolError>("done")
    })]);
    let refused = client.ask(&round("asks", json!({}), &json!({}))).await;
    assert_eq!(refused["error"]["code"], -32021);
    assert_eq!(refused["error"]["data"], json!({ "requiredCapabilities": { "elicitation": { "form": {} } } }));
}

#[tokio::test]
async fn an_answer_of_the_wrong_shape_is_asked_for_again() {
    let client = Client::new(vec![tool("asks", |context| async move {
        let answer = context.ask("ok", Question::confirm("Really?"))?;
        Ok::<_, ToolError>(if answer.is_confirmed() { "yes" } else { "no" })
    })]);
    for wrong in [
        json!(12345),
        json!(null),
        json!({}),
        json!({ "action": "accept" }),
        json!({ "action": "accept", "content": { "confirmed": "yes" } }),
    ] {
        let answer = client.ask(&round("asks", form(), &json!({ "inputResponses": { "ok": wrong } }))).await;
        assert_eq!(answer["result"]["resultType"], "input_required", "{wrong}");
    }
    for (given, expected) in [
        (json!({ "action": "accept", "content": { "confirmed": true } }), "yes"),
        (json!({ "action": "accept", "content": { "confirmed": false } }), "no"),
        (json!({ "action": "decline" }), "no"),
        (json!({ "action": "cancel" }), "no"),
    ] {
        let answer = client.ask(&round("asks", form(), &json!({ "inputResponses": { "ok": given } }))).await;
        assert_eq!(answer["result"]["content"][0]["text"], expected, "{given}");
    }
}

#[tokio::test]
async fn a_legacy_client_is_asked_inside_of_the_call() {
    let effects = Arc::new(AtomicUsize::new(0));
    let client = Client::new(vec![asks_twice(&effects)]);
    client.initialize("2025-11-25", form());
    let call = json!({"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"paints","arguments":{}}});
    let mut running = exchange(client.handle(&call));
    for (name, value) in [("name", "Ada"), ("colour", "red")] {
        let Event::Message(question) = soon(running.next()).await else { panic!("no question") };
        let question: Value = serde_json::from_slice(&question).unwrap();
        assert_eq!(question["method"], "elicitation/create");
        nothing_yet(&mut running).await;
        let result = json!({ "action": "accept", "content": { name: value } });
        client.handle(&json!({"jsonrpc":"2.0","id":question["id"],"result":result}));
    }
    let Event::Answer(answer) = soon(running.next()).await else { panic!("no answer") };
    assert_eq!(body(&answer)["result"]["content"][0]["text"], r#""Ada" "red""#);
    assert_eq!(effects.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_legacy_client_that_cannot_or_does_not_answer_gets_a_tool_error() {
    let tools = || {
        vec![tool("asks", |context| async move {
            let answer = context.ask("ok", Question::confirm("Really?"))?;
            Ok::<_, ToolError>(if answer.is_confirmed() { "yes" } else { "no" })
        })]
    };
    let call = json!({"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"asks","arguments":{}}});
    for (version, capabilities) in [("2025-11-25", json!({})), ("2025-03-26", form()), ("2024-11-05", form())] {
        let client = Client::new(tools());
        client.initialize(version, capabilities);
        let answer = client.ask(&call).await;
        assert_eq!(answer["result"]["isError"], true, "{version}: {answer}");
    }
    let client = Client::with(tools(), |builder| {
        let mut limits = Limits::default();
        limits.ask_timeout = std::time::Duration::from_secs(2);
        builder.limits(limits)
    });
    client.initialize("2025-06-18", form());
    let mut running = exchange(client.handle(&call));
    assert!(matches!(soon(running.next()).await, Event::Message(_)));
    let Event::Message(withdrawn) = soon(running.next()).await else { panic!("the question is not withdrawn") };
    assert_eq!(serde_json::from_slice::<Value>(&withdrawn).unwrap()["method"], "notifications/cancelled");
    let Event::Answer(answer) = soon(running.next()).await else { panic!("no answer") };
    assert_eq!(body(&answer)["result"]["content"][0]["text"], "Nobody answered the question of `asks` within 2 s.");
    // A client that fails at the question has closed it.
    let mut running = exchange(client.handle(&call));
    let Event::Message(question) = soon(running.next()).await else { panic!("no question") };
    let question: Value = serde_json::from_slice(&question).unwrap();
    client.handle(&json!({"jsonrpc":"2.0","id":question["id"],"error":{"code":-1,"message":"no"}}));
    let Event::Answer(answer) = soon(running.next()).await else { panic!("no answer") };
    assert_eq!(body(&answer)["result"]["content"][0]["text"], "no");
}

#[tokio::test]
async fn a_question_ends_with_the_input_that_its_answer_would_come_by() {
    let client = Client::new(vec![tool("asks", |context| async move {
        let answer = context.ask("ok", Question::confirm("Really?"))?;
        Ok::<_, ToolError>(if answer.is_confirmed() { "yes" } else { "no" })
    })]);
    client.initialize("2025-06-18", form());
    let call = |id: u64| json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{"name":"asks","arguments":{}}});
    let mut running = exchange(client.handle(&call(1)));
    let Event::Message(question) = soon(running.next()).await else { panic!("no question") };
    let question: Value = serde_json::from_slice(&question).unwrap();
    assert_eq!(question["params"].get("mode"), None, "2025-06-18 knows no modes");
    nothing_yet(&mut running).await;
    client.connection.end_input();
    let mut late = exchange(client.handle(&call(2)));
    assert!(matches!(soon(late.next()).await, Event::Message(_)));
    for running in [&mut running, &mut late] {
        let Event::Answer(answer) = soon(running.next()).await else { panic!("no answer") };
        assert_eq!(body(&answer)["result"]["content"][0]["text"], "no");
    }
}
