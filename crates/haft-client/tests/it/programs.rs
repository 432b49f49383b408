//! Programs that misbehave: each is named, and none is waited for in vain.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use haft_client::{CallOptions, ClientError, ClientOptions, Sent};

use crate::stage::{HANDSHAKE, connect, list, script, soon};

const ECHO: &str = r#"{"name":"echo","inputSchema":{"type":"object"}}"#;

fn hasty() -> ClientOptions {
    let mut options = ClientOptions::default();
    options.timeout = Duration::from_secs(2);
    options.probe_timeout = Duration::from_millis(300);
    options
}

/// Connects to a script and calls `echo`; the error, if any, and what was odd.
async fn outcome(text: &str) -> (Result<String, ClientError>, Vec<String>) {
    let client = match connect(script(text), hasty()).await {
        Ok(client) => client,
        Err(error) => return (Err(error), Vec::new()),
    };
    let outcome = soon(client.call("echo", "{}", &CallOptions::default())).await;
    let remarks = client.remarks().await;
    soon(client.close()).await;
    (outcome.map(|returned| returned.raw.get().to_owned()), remarks)
}

#[tokio::test]
async fn a_handshake_is_made_with_a_server_that_knows_no_other_way() {
    let answer = r#"{"content":[]}"#;
    for probe in [
        r#"say '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'"#,
        r#"say '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"not initialized"}}'"#,
        r#"say '{"jsonrpc":"2.0","id":1,"result":{}}'"#,
        r#"say '{"jsonrpc":"2.0","error":{"code":-32600,"message":"no id"}}'"#,
        r#"say '{"jsonrpc":"2.0","id":1,"result":'"#,
        ":",
    ] {
        let rest = HANDSHAKE.splitn(3, '\n').nth(2).unwrap();
        let text = format!(
            "hear; {probe}\n{rest}{}hear; say '{{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{answer}}}'\nhear",
            list(3, ECHO)
        );
        assert_eq!(outcome(&text).await.0.unwrap(), answer, "{probe}");
    }
}

/// It reads the first question only when the handshake is there too, is bound to its answer and refuses the handshake.
#[tokio::test]
async fn a_server_that_is_slow_to_start_is_spoken_with_as_its_late_answer_says() {
    let result = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}"#;
    let refusal =
        r#"{"code":-32022,"message":"no handshake","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}"#;
    let discovered = |id: u32| format!("say '{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}'");
    let text = format!(
        "hear; hear; {}; say '{{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{refusal}}}'; hear; {}\n\
         {}hear; say '{{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{{\"resultType\":\"complete\",\"content\":[]}}}}'\nhear",
        discovered(1),
        discovered(3),
        list(4, ECHO)
    );
    assert_eq!(outcome(&text).await.0.unwrap(), r#"{"resultType":"complete","content":[]}"#);
}

#[tokio::test]
async fn progress_that_comes_together_with_the_answer_is_heard() {
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":4,"progress":7}}"#;
    let answer = r#"{"jsonrpc":"2.0","id":4,"result":{"content":[]}}"#;
    let text = format!("{HANDSHAKE}{}hear; say '{progress}\n{answer}'\nhear", list(3, ECHO));
    let client = connect(script(&text), hasty()).await.unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let mut options = CallOptions::default();
    let told = Arc::clone(&heard);
    options.progress = Some(Arc::new(move |progress| told.lock().unwrap().push(progress.progress)));
    soon(client.call("echo", "{}", &options)).await.unwrap();
    assert_eq!(*heard.lock().unwrap(), [7.0]);
}

#[tokio::test]
async fn a_server_that_dies_of_the_first_question_is_started_again_for_a_handshake() {
    // The second time the first question is `initialize`.
    let text = format!(
        "hear; case \"$line\" in *server/discover*) exit 3;; esac\n\
         say '{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{{}},\"serverInfo\":{{}}}}}}'\n\
         hear\n{}hear; say '{{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{{\"content\":[]}}}}'\nhear",
        list(2, ECHO)
    );
    assert_eq!(outcome(&text).await.0.unwrap(), r#"{"content":[]}"#);
}

#[tokio::test]
async fn what_a_server_does_wrong_in_a_call_is_said_by_name() {
    let begin = format!("{HANDSHAKE}{}", list(3, ECHO));
    for (rest, expected, sent) in [
        (
            "hear; exit 7",
            "the connection ended before `tools/call` was answered: the program exited with status 7",
            Sent::Maybe,
        ),
        ("hear; echo 'cannot open /x' >&2; kill -9 $$", "its last words: cannot open /x", Sent::Maybe),
        ("hear; hear; hear", "no answer to `tools/call` within 2 s", Sent::Maybe),
        (
            "hear; say '{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":7}'; hear",
            "the answer to `tools/call` is no object",
            Sent::Maybe,
        ),
        ("hear; say '{\"jsonrpc\":\"2.0\",\"id\":4}'; hear", "cannot be read: not a valid request", Sent::Maybe),
        (
            "hear; say '{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":[],\"content\":[]}}'; hear",
            "key `content` stands twice",
            Sent::Maybe,
        ),
        (
            "hear; say '{\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32000,\"message\":\"nope\"}}'; hear",
            "the server answered `tools/call` with an error",
            Sent::Maybe,
        ),
    ] {
        let (outcome, _) = outcome(&format!("{begin}{rest}")).await;
        let error = outcome.unwrap_err();
        assert!(error.to_string().contains(expected), "{rest}: {error}");
        assert_eq!(error.sent(), sent, "{rest}");
    }
}

#[tokio::test]
async fn noise_and_second_answers_are_noticed_and_nothing_else() {
    let text = format!(
        "echo 'starting up'\n{HANDSHAKE}{}hear\n\
         say '{{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{{}}}}'\n\
         say '{{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{{\"content\":[]}}}}'\n\
         say '{{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{{\"content\":[]}}}}'\nhear",
        list(3, ECHO)
    );
    let (outcome, remarks) = outcome(&text).await;
    assert_eq!(outcome.unwrap(), r#"{"content":[]}"#);
    assert_eq!(
        remarks,
        [
            "stdout has a line that is no message: starting up",
            "an answer to request 99, which nobody made",
            "request 3 was answered late or twice",
        ]
    );
}

#[tokio::test]
async fn a_list_that_goes_round_in_circles_is_cut_and_says_so() {
    let page = |id: u64, next: &str| {
        format!(
            "hear; say '{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"tools\":[{{\"name\":\"t{id}\",\"inputSchema\":{{}}}}],\"nextCursor\":\"{next}\"}}}}'\n"
        )
    };
    let text = format!("{HANDSHAKE}{}{}{}hear", page(3, "a"), page(4, ""), page(5, "a"));
    let client = connect(script(&text), hasty()).await.unwrap();
    let tools = soon(client.tools()).await.unwrap();
    assert_eq!(tools.list.len(), 3);
    assert_eq!(
        tools.missing.as_deref(),
        Some("after page 3 the list begins again: the cursor is one that was followed before")
    );

    let endless = format!(
        "{HANDSHAKE}id=3; while hear; do say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{{\"tools\":[],\"nextCursor\":\"c'$id'\"}}}}'; id=$((id+1)); done"
    );
    let mut options = hasty();
    options.pages = 50;
    let client = connect(script(&endless), options).await.unwrap();
    let tools = soon(client.tools()).await.unwrap();
    assert_eq!((tools.pages, tools.missing.as_deref()), (50, Some("the list goes on after 50 pages")));
}

#[tokio::test]
async fn tools_that_cannot_be_used_are_set_aside_and_the_rest_work() {
    let tools = format!(
        r#"{ECHO},{{"name":"echo","inputSchema":{{}}}},{{"name":"bad"}},{{"name":"odd name","inputSchema":{{"type":"nonsense"}}}}"#
    );
    let text = format!(
        "{HANDSHAKE}{}hear; say '{{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{{\"content\":[]}}}}'\n{}hear",
        list(3, &tools),
        list(5, &tools)
    );
    let client = connect(script(&text), hasty()).await.unwrap();
    let tools = soon(client.tools()).await.unwrap();
    assert_eq!(tools.list.len(), 2);
    let aside: Vec<_> = tools.set_aside.iter().map(|aside| aside.reason.as_str()).collect();
    assert_eq!(aside, ["a tool of the same name stands before it", "`inputSchema` has to be an object"]);
    let options = CallOptions::default();
    let error = soon(client.call("odd name", "{}", &options)).await.unwrap_err();
    assert_eq!(error.to_string(), "the input schema of `odd name` cannot be used");
    soon(client.call("echo", "{}", &options)).await.unwrap();
    let error = soon(client.call("bad", "{}", &options)).await.unwrap_err();
    assert!(error.to_string().contains("that can be used: `inputSchema` has to be an object"), "{error}");
}

#[tokio::test]
async fn a_program_that_died_is_started_again_and_only_safe_calls_are_repeated() {
    // Each start answers one call and dies of the next; the ids are those of the requests.
    let text = format!(
        "calls=0\nwhile hear; do id=${{line#*\\\"id\\\":}}; id=${{id%%,*}}\ncase $line in\n\
         *server/discover*) say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"error\":{{\"code\":-32601,\"message\":\"\"}}}}';;\n\
         *initialize\\\",*) say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{{}},\"serverInfo\":{{}}}}}}';;\n\
         *tools/list*) say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{{\"tools\":[{ECHO}]}}}}';;\n\
         *tools/call*) [ $calls = 0 ] || exit 1; calls=1\nsay '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{{\"content\":[]}}}}';;\n\
         esac; done"
    );
    let client = connect(script(&text), hasty()).await.unwrap();
    let options = CallOptions::default();
    soon(client.call("echo", "{}", &options)).await.unwrap();
    let error = soon(client.call("echo", "{}", &options)).await.unwrap_err();
    assert_eq!(error.sent(), Sent::Maybe);
    // It is there again, and a call that is as good twice is made again by itself.
    let tools = soon(client.tools()).await.unwrap();
    assert_eq!(tools.list.len(), 1);
    let mut options = CallOptions::default();
    options.is_idempotent = true;
    for _ in 0..3 {
        soon(client.call("echo", "{}", &options)).await.unwrap();
    }
}

#[tokio::test]
async fn a_result_that_is_not_what_the_tool_declares_is_an_error_that_keeps_it() {
    let declared = r#"{"name":"echo","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}"#;
    for (result, expected) in [
        (
            r#"{"content":[],"structuredContent":{"n":"x"}}"#,
            "the result of `echo` does not fit the schema that the server declares",
        ),
        (r#"{"content":[]}"#, "the result of `echo` is not structured, as the server declares it"),
    ] {
        let text = format!(
            "{HANDSHAKE}{}hear; say '{{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{result}}}'\nhear",
            list(3, declared)
        );
        let error = outcome(&text).await.0.unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
        let (ClientError::Result { returned, .. } | ClientError::ResultMissing { returned, .. }) = error else {
            panic!("another error")
        };
        assert_eq!(returned.raw.get(), result);
    }
    let failed = r#"{"content":[],"isError":true}"#;
    let text = format!(
        "{HANDSHAKE}{}hear; say '{{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{failed}}}'\nhear",
        list(3, declared)
    );
    assert_eq!(outcome(&text).await.0.unwrap(), failed);
}

/// A person who thinks for longer than the server may take.
struct Slow;

impl haft_client::Answers for Slow {
    fn answer<'a>(
        &'a self,
        _asked: &'a haft_client::Asked,
    ) -> std::pin::Pin<Box<dyn Future<Output = haft_client::Answer> + Send + 'a>> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(900)).await; // bounded: what is shown is that it may take so long
            haft_client::Answer::Decline
        })
    }
}

#[tokio::test]
async fn the_time_that_a_person_takes_is_not_the_servers() {
    let text = format!(
        "{HANDSHAKE}{}hear\nsay '{{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":{{\"message\":\"?\",\"requestedSchema\":{{\"type\":\"object\",\"properties\":{{}}}}}}}}'\n\
         hear; say '{{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{{\"content\":[]}}}}'\nhear",
        list(3, ECHO)
    );
    let mut options = hasty();
    options.timeout = Duration::from_millis(300);
    options.answers = Some(Arc::new(Slow));
    let client = connect(script(&text), options).await.unwrap();
    soon(client.call("echo", "{}", &CallOptions::default())).await.unwrap();
}

#[tokio::test]
async fn a_list_has_the_tools_of_one_run_of_a_program() {
    // The first run ends at its second page.
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "mark={}\nif [ -e $mark ]; then run=second; else run=first; fi\n: >$mark\n\
         while hear; do id=${{line#*\\\"id\\\":}}; id=${{id%%,*}}\ncase $line in\n\
         *server/discover*) say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"error\":{{\"code\":-32601,\"message\":\"\"}}}}';;\n\
         *initialize\\\",*) say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{{}},\"serverInfo\":{{}}}}}}';;\n\
         *tools/list*cursor*) [ $run = second ] || exit 0; say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{{\"tools\":[{{\"name\":\"rest\",\"inputSchema\":{{}}}}]}}}}';;\n\
         *tools/list*) say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{{\"tools\":[{{\"name\":\"'$run'\",\"inputSchema\":{{}}}}],\"nextCursor\":\"a\"}}}}';;\n\
         esac; done",
        folder.path().join("mark").display()
    );
    let client = connect(script(&text), hasty()).await.unwrap();
    let tools = soon(client.tools()).await.unwrap();
    let names: Vec<_> = tools.list.iter().map(|tool| tool.definition().name.as_str()).collect();
    assert_eq!((names.as_slice(), tools.missing.as_deref()), (&["second", "rest"][..], None));
}

#[tokio::test]
async fn what_was_decided_about_one_run_of_a_program_is_not_called_in_another() {
    // The first run lists one definition and ends; the second has another.
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let text = format!(
        "mark={}\nif [ -e $mark ]; then description=second; else description=first; fi\n: >$mark\n\
         while hear; do id=${{line#*\\\"id\\\":}}; id=${{id%%,*}}\ncase $line in\n\
         *server/discover*) say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"error\":{{\"code\":-32601,\"message\":\"\"}}}}';;\n\
         *initialize\\\",*) say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{{}},\"serverInfo\":{{}}}}}}';;\n\
         *tools/list*) say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{{\"tools\":[{{\"name\":\"echo\",\"description\":\"'$description'\",\"inputSchema\":{{\"type\":\"object\"}}}}]}}}}'; [ $description = second ] || exit 0;;\n\
         *tools/call*) say '{{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":{{\"content\":[]}}}}';;\n\
         esac; done",
        mark.display()
    );
    let client = connect(script(&text), hasty()).await.unwrap();
    let tools = soon(client.tools()).await.unwrap();
    let mut options = CallOptions::default();
    options.definition = Some(tools.list[0].definition().raw.clone());
    let mut error = soon(client.call("echo", "{}", &options)).await.unwrap_err();
    if matches!(error, ClientError::Closed { .. } | ClientError::Link { .. }) {
        // The end of the first run was not known yet.
        error = soon(client.call("echo", "{}", &options)).await.unwrap_err();
    }
    assert!(matches!(error, ClientError::Changed { .. }), "{error}");
    assert_eq!(error.sent(), Sent::No);
    options.definition = Some(soon(client.tools()).await.unwrap().list[0].definition().raw.clone());
    soon(client.call("echo", "{}", &options)).await.unwrap();
}

#[tokio::test]
async fn a_flood_of_questions_is_not_answered_without_end() {
    // It does not read what it is answered, so no answer is ever done.
    let text = format!(
        "{HANDSHAKE}{}hear; number=100; while [ $number -lt 400 ]; do say '{{\"jsonrpc\":\"2.0\",\"id\":'$number',\"method\":\"ping\"}}'; \
         number=$((number+1)); done\nsay '{{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{{\"content\":[]}}}}'; sleep 5",
        list(3, ECHO)
    );
    let (outcome, _) = outcome(&text).await;
    assert_eq!(outcome.unwrap(), r#"{"content":[]}"#);
}
