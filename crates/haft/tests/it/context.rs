//! What a function gets beside its arguments.

use std::sync::Mutex;

use haft::{Context, Question, Server, State, ToolError, tool, tools};
use serde_json::{Value, json};

use crate::conversation::Conversation;

#[derive(Default)]
struct Log {
    lines: Mutex<Vec<String>>,
}

/// Writes a line.
#[tool(destructive = false)]
async fn write(State(log): State<Log>, line: String) -> usize {
    let mut lines = log.lines.lock().unwrap();
    lines.push(line);
    lines.len()
}

/// Writes a line, and may block.
#[tool(destructive = false)]
fn write_slowly(log: State<Log>, line: String, cx: &Context, also: Context) -> String {
    log.lines.lock().unwrap().push(line);
    format!("{} {}", cx.tool().name, also.is_cancelled())
}

/// Does three things one after the other.
#[tool(read_only)]
async fn steps(cx: &Context) {
    for step in 1..=3_u8 {
        cx.progress(step.into(), Some(3.0), Some("step"));
        tokio::task::yield_now().await;
    }
}

/// Deletes everything. Requires user confirmation; do not auto-call.
#[tool(destructive)]
async fn delete(log: State<Log>, cx: Context) -> Result<String, ToolError> {
    if !cx.ask("delete", Question::confirm("Delete everything?"))?.is_confirmed() {
        return Err(ToolError::tell("nothing was deleted"));
    }
    let deleted = log.lines.lock().unwrap().drain(..).count();
    Ok(format!("{deleted} deleted"))
}

/// Fails with a secret in its error.
#[tool]
async fn leak() -> Result<String, ToolError> {
    let number: u32 = "s3cret".parse::<u32>().map_err(|_| std::io::Error::other("s3cret"))?;
    Ok(number.to_string())
}

#[tokio::test]
async fn state_is_shared_by_all_calls() {
    let client = Conversation::with(Server::new(tools![write, write_slowly]).state(Log::default()));
    assert_eq!(client.text("write", json!({ "line": "a" })).await, "1");
    assert_eq!(client.text("write_slowly", json!({ "line": "b" })).await, "write_slowly false");
    assert_eq!(client.text("write", json!({ "line": "c" })).await, "3");
}

#[tokio::test]
async fn a_server_without_the_state_fails_the_call_and_goes_on() {
    let client = Conversation::with(Server::new(tools![write]));
    let told = client.error("write", json!({ "line": "a" })).await;
    assert!(told.starts_with("`write` failed."), "{told}");
    client.error("write", json!({ "line": "a" })).await;
}

#[tokio::test]
async fn progress_reaches_a_client_that_asked_for_it() {
    let client = Conversation::with(Server::new(tools![steps]));
    let messages = client.call_with("steps", json!({}), &json!({ "progressToken": "t" }), |_| Value::Null).await;
    let (answer, notices) = messages.split_last().unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "done");
    assert!(!notices.is_empty());
    for notice in notices {
        assert_eq!(notice["method"], "notifications/progress");
        assert_eq!(notice["params"]["progressToken"], "t");
        assert_eq!(notice["params"]["total"], 3.0);
    }
    let messages = client.call_with("steps", json!({}), &json!({}), |_| Value::Null).await;
    assert_eq!(messages.len(), 1);
}

#[tokio::test]
async fn a_function_asks_the_person_before_it_does_something() {
    let client = Conversation::with(Server::new(tools![write, delete]).state(Log::default()));
    client.text("write", json!({ "line": "a" })).await;
    let say = async |action: &'static str, content: Value| {
        let reply = |_: &Value| json!({ "action": action, "content": content });
        let messages = client.call_with("delete", json!({}), &json!({}), reply).await;
        assert_eq!(messages[0]["method"], "elicitation/create");
        assert_eq!(messages[0]["params"]["message"], "Delete everything?");
        messages.last().unwrap()["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(say("decline", Value::Null).await, "nothing was deleted");
    assert_eq!(say("accept", json!({ "confirmed": false })).await, "nothing was deleted");
    assert_eq!(say("accept", json!({ "confirmed": true })).await, "1 deleted");
}

#[tokio::test]
async fn an_error_that_nobody_said_on_purpose_stays_in_the_log() {
    let client = Conversation::with(Server::new(tools![leak]));
    let told = client.error("leak", json!({})).await;
    assert!(told.starts_with("`leak` failed.") && !told.contains("s3cret"), "{told}");
}
