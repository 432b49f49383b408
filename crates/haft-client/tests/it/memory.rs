//! Conversations with haft's own server, in memory and over HTTP, in every version.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use haft_client::bridge::{Bridge, Provider};
use haft_client::{Answer, CallOptions, ClientError, ClientOptions, Sent};
use haft_core::{Question, ToolError};
use haft_wire::model::Content;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use crate::stage::{Says, VERSIONS, Way, client, everywhere, server, soon, speaking, tool};

fn sum() -> Value {
    json!({
        "name": "sum",
        "description": "Adds.",
        "inputSchema": {
            "type": "object",
            "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
            "required": ["a", "b"],
            "additionalProperties": false
        }
    })
}

fn plain(name: &str) -> Value {
    json!({ "name": name, "description": "Does.", "inputSchema": { "type": "object" } })
}

fn text(returned: &haft_wire::model::Returned) -> String {
    match &returned.result.content[..] {
        [Content::Text(text)] => text.text.clone(),
        other => panic!("not one text: {other:?}"),
    }
}

#[tokio::test]
async fn tools_are_listed_and_called_in_every_version() {
    let add = |arguments: Value, _| async move {
        let term = |name: &str| arguments[name].as_i64().unwrap_or_default();
        (term("a") + term("b")).to_string()
    };
    let server = server(vec![tool(&sum(), add)]);
    for (way, version) in everywhere() {
        let client = client(way, &server, speaking(version)).await;
        let known = soon(client.server()).await.unwrap();
        assert_eq!(known.version, version);
        assert_eq!(known.introduction.info_text("name").as_deref(), Some("test"));
        soon(client.ping()).await.unwrap();
        let tools = soon(client.tools()).await.unwrap();
        assert_eq!(tools.list.iter().map(|tool| tool.definition().name.as_str()).collect::<Vec<_>>(), ["sum"]);
        let returned = soon(client.call("sum", r#"{"a":1,"b":2}"#, &CallOptions::default())).await.unwrap();
        assert_eq!(text(&returned), "3", "{version}");
        client.close().await;
    }
}

#[tokio::test]
async fn without_a_wish_the_newest_version_is_spoken() {
    let client = client(Way::Http, &server(Vec::new()), ClientOptions::default()).await;
    assert_eq!(client.server().await.unwrap().version, "2026-07-28");
}

#[tokio::test]
async fn wrong_arguments_are_not_sent_and_everything_that_is_wrong_is_said() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let server = server(vec![tool(&sum(), move |_, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        async { "ran" }
    })]);
    let client = client(Way::Memory, &server, ClientOptions::default()).await;
    let options = CallOptions::default();
    let error = soon(client.call("sum", r#"{"a":"1","c":2}"#, &options)).await.unwrap_err();
    assert_eq!(error.sent(), Sent::No);
    let said = error.to_string();
    for part in ["`sum`", "`/a`", "`/b`", "`/c`"] {
        assert!(said.contains(part), "{said}");
    }
    for (name, arguments, expected) in [
        ("smu", "{}", "the server has no tool `smu`; did you mean `sum`?"),
        ("sum", "[]", "the arguments of `sum` are no JSON object: it has to begin with `{`"),
        ("sum", r#"{"a":1,"a":2,"b":3}"#, "the arguments of `sum` are no JSON object: "),
    ] {
        let error = soon(client.call(name, arguments, &options)).await.unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
        assert_eq!(error.sent(), Sent::No);
    }
    assert_eq!(runs.load(Ordering::Relaxed), 0);

    // Without the check it is the server that says so, for the model.
    let mut unchecked = CallOptions::default();
    unchecked.checks_arguments = false;
    let returned = soon(client.call("sum", r#"{"a":"1"}"#, &unchecked)).await.unwrap();
    assert!(returned.result.is_error);
    assert_eq!(runs.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_failed_tool_is_a_result_and_a_broken_one_an_error() {
    let server = server(vec![
        tool(&plain("fails"), |_, _| async { Err::<(), _>(ToolError::tell("Atlantis is not found")) }),
        tool(&plain("breaks"), |_, _| async { panic!("secret") as &'static str }),
    ]);
    for (way, version) in everywhere() {
        let client = client(way, &server, speaking(version)).await;
        let returned = soon(client.call("fails", "{}", &CallOptions::default())).await.unwrap();
        assert!(returned.result.is_error);
        assert_eq!(text(&returned), "Atlantis is not found");
        let error = soon(client.call("breaks", "{}", &CallOptions::default())).await.unwrap_err();
        let ClientError::Peer { source, .. } = &error else { panic!("{error:?}") };
        assert_eq!(source.code, -32603);
    }
}

#[tokio::test]
async fn one_handler_answers_questions_in_both_eras() {
    let ask = |_, context: haft_core::Context| async move {
        let answered = context.ask("go", Question::confirm("Delete everything?"))?;
        Ok::<_, ToolError>(if answered.is_confirmed() { "deleted" } else { "kept" })
    };
    let server = server(vec![tool(&plain("delete"), ask)]);
    for (way, version) in everywhere().filter(|(_, version)| *version >= "2025-06-18") {
        for (answer, expected) in [
            (Answer::Accept(Map::from_iter([("confirmed".to_owned(), json!(true))])), "deleted"),
            (Answer::Accept(Map::from_iter([("confirmed".to_owned(), json!(false))])), "kept"),
            (Answer::Decline, "kept"),
            (Answer::Cancel, "kept"),
            // The form does not accept it, so it is not sent.
            (Answer::Accept(Map::from_iter([("confirmed".to_owned(), json!("yes"))])), "kept"),
        ] {
            let says = Says::new(answer.clone());
            let mut options = speaking(version);
            options.answers = Some(says.clone());
            let client = client(way, &server, options).await;
            let returned = soon(client.call("delete", "{}", &CallOptions::default())).await.unwrap();
            assert_eq!(text(&returned), expected, "{version} {answer:?}");
            let asked = says.asked.lock().unwrap();
            assert_eq!(asked.len(), 1);
            assert_eq!((asked[0].message(), asked[0].server.as_str()), ("Delete everything?", "test"));
        }
    }
}

#[tokio::test]
async fn a_question_that_nobody_can_answer_fails_the_call_at_once() {
    let ask = |_, context: haft_core::Context| async move {
        context.ask("go", Question::confirm("?"))?;
        Ok::<_, ToolError>("ran")
    };
    let server = server(vec![tool(&plain("asks"), ask)]);
    for (way, version) in everywhere() {
        let client = client(way, &server, speaking(version)).await;
        let outcome = soon(client.call("asks", "{}", &CallOptions::default())).await;
        assert!(outcome.is_err() || outcome.is_ok_and(|returned| returned.result.is_error), "{version}");
    }
}

#[tokio::test]
async fn a_server_that_asks_without_end_is_left() {
    let rounds = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&rounds);
    let ask = move |_, context: haft_core::Context| {
        let round = counted.fetch_add(1, Ordering::Relaxed);
        async move {
            context.ask(&format!("q{round}"), Question::confirm("?"))?;
            Ok::<_, ToolError>("ran")
        }
    };
    let server = server(vec![tool(&plain("asks"), ask)]);
    let mut options = speaking("2026-07-28");
    options.rounds = 3;
    options.answers = Some(Says::new(Answer::Decline));
    let client = client(Way::Memory, &server, options).await;
    let error = soon(client.call("asks", "{}", &CallOptions::default())).await.unwrap_err();
    assert_eq!(error.to_string(), "`tools/call` was not done after 3 rounds of questions");
    assert_eq!(rounds.load(Ordering::Relaxed), 4);
}

#[tokio::test(start_paused = true)]
async fn progress_is_heard_and_keeps_a_call_alive_but_not_for_ever() {
    for version in VERSIONS {
        let endless = |_, context: haft_core::Context| async move {
            for step in 1_u32.. {
                context.progress(f64::from(step), None, None);
                tokio::time::sleep(Duration::from_millis(20)).await; // bounded: the clock of the test is paused
            }
            "never"
        };
        let server = server(vec![tool(&plain("works"), endless)]);
        let mut options = speaking(version);
        options.longest = Duration::from_millis(600);
        let client = client(Way::Memory, &server, options).await;
        let heard = Arc::new(Mutex::new(Vec::new()));
        let mut call = CallOptions::default();
        // Shorter than the whole, longer than a step.
        call.timeout = Some(Duration::from_millis(300));
        let report = Arc::clone(&heard);
        call.progress = Some(Arc::new(move |progress| report.lock().unwrap().push(progress.progress)));
        let begun = tokio::time::Instant::now();
        let error = soon(client.call("works", "{}", &call)).await.unwrap_err();
        assert!(matches!(error, ClientError::Timeout { sent: Sent::Maybe, .. }), "{error:?}");
        assert!(begun.elapsed() >= Duration::from_millis(600));
        let heard = heard.lock().unwrap();
        assert!(heard.len() > 2 && heard.windows(2).all(|pair| pair[0] < pair[1]), "{heard:?}");
    }
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_is_cancelled() {
    struct Gone(Arc<Notify>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }
    for (way, version) in everywhere() {
        let (began, gone) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (began_there, gone_there) = (Arc::clone(&began), Arc::clone(&gone));
        let hang = move |_, _| {
            let (began, gone) = (Arc::clone(&began_there), Gone(Arc::clone(&gone_there)));
            async move {
                let _gone = gone;
                began.notify_one();
                std::future::pending::<&'static str>().await
            }
        };
        let server = server(vec![tool(&plain("hangs"), hang)]);
        let client = client(way, &server, speaking(version)).await;
        let caller = client.clone();
        let call = tokio::spawn(async move { caller.call("hangs", "{}", &CallOptions::default()).await.map(drop) });
        soon(began.notified()).await;
        call.abort();
        soon(gone.notified()).await;
    }
}

#[tokio::test]
async fn a_changed_list_is_listed_anew() {
    for (way, version) in everywhere() {
        let server = server(vec![tool(&plain("one"), |_, _| async { "1" })]);
        let client = client(way, &server, speaking(version)).await;
        assert_eq!(soon(client.tools()).await.unwrap().list.len(), 1);
        server.add_tool(tool(&plain("two"), |_, _| async { "2" })).unwrap();
        // The notice comes on its own way; until then the old list is fresh where the server said so.
        soon(async {
            while client.tools().await.unwrap().list.len() != 2 {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
}

#[tokio::test]
async fn what_is_asked_for_in_a_version_that_nobody_speaks_is_an_error() {
    let endpoint = haft_client::Endpoint::Memory(server(Vec::new()), Arc::new(haft_core::Principal::anonymous()));
    let error = soon(haft_client::Client::connect(endpoint, speaking("2023-01-01"))).await.unwrap_err();
    assert!(
        error.to_string().starts_with("there is no protocol version `2023-01-01`; known are 2026-07-28, "),
        "{error}"
    );
}

#[tokio::test]
async fn a_call_is_for_the_definition_that_the_caller_looked_at() {
    let server = server(vec![tool(&plain("t"), |_, _| async { "ran" })]);
    let client = client(Way::Memory, &server, ClientOptions::default()).await;
    let mut options = CallOptions::default();
    options.definition = Some(soon(client.tool("t")).await.unwrap().definition().raw.clone());
    soon(client.call("t", "{}", &options)).await.unwrap();
    options.definition = Some(RawValue::from_string(r#"{"name":"t"}"#.to_owned()).unwrap());
    let error = soon(client.call("t", "{}", &options)).await.unwrap_err();
    assert_eq!(error.to_string(), "the server changed the definition of `t` since it was looked at");
    assert_eq!(error.sent(), Sent::No);
}

#[tokio::test]
async fn a_model_uses_tools_in_the_shape_of_its_api() {
    let add = |arguments: Value, _| async move {
        let term = |name: &str| arguments[name].as_i64().unwrap_or_default();
        (term("a") + term("b")).to_string()
    };
    let mut definition = sum();
    definition["name"] = json!("math.sum");
    let server = server(vec![tool(&definition, add)]);
    let client = client(Way::Memory, &server, ClientOptions::default()).await;

    let bridge = soon(Bridge::new(client.clone(), Provider::Anthropic)).await.unwrap();
    let definitions: Value = serde_json::from_str(bridge.definitions()).unwrap();
    assert_eq!(definitions[0]["name"], "math_sum");
    assert_eq!(definitions[0]["input_schema"]["required"], json!(["a", "b"]));
    let uses = |input: Value| json!({ "type": "tool_use", "id": "u1", "name": "math_sum", "input": input });
    assert_eq!(
        soon(bridge.call(&uses(json!({ "a": 1, "b": 2 })))).await.unwrap(),
        json!({ "type": "tool_result", "tool_use_id": "u1", "content": [{ "type": "text", "text": "3" }], "is_error": false })
    );
    let wrong = soon(bridge.call(&uses(json!({ "a": "1" })))).await.unwrap();
    assert_eq!(wrong["is_error"], true);
    let told = wrong["content"][0]["text"].as_str().unwrap();
    assert!(told.contains("`/a`") && told.contains("`/b`"), "{told}");

    let bridge = soon(Bridge::new(client, Provider::OpenAi)).await.unwrap();
    let uses = |name: &str| json!({ "id": "c1", "type": "function", "function": { "name": name, "arguments": "{\"a\":1,\"b\":2}" } });
    assert_eq!(
        soon(bridge.call(&uses("math_sum"))).await.unwrap(),
        json!({ "role": "tool", "tool_call_id": "c1", "content": "3" })
    );
    let unknown = soon(bridge.call(&uses("math_sun"))).await.unwrap();
    assert_eq!(unknown["content"], "error: there is no tool of that name; did you mean `math_sum`?");
    assert!(soon(bridge.call(&json!({}))).await.is_err());
}
