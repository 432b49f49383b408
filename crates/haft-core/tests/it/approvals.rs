//! Calls under a policy: what runs unasked, who is asked, and what a yes is good for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use haft_core::{Context, Event, Guard, Principal, Question, Server, Tool, ToolError, ToolSet};
use haft_policy::{Approver, Policy, Rule, RuleSet, Tier, ToolPattern, Verdict};
use haft_store::audit::{AuditLog, Options};
use haft_store::{Grant, MemoryStore, Moment, State, Store};
use serde_json::{Value, json};

use crate::peer::{Client, body, events, exchange, meta_with, modern, soon};

/// A tool that counts its runs.
struct Counted {
    tool: Arc<dyn Tool>,
    runs: Arc<AtomicUsize>,
}

impl Counted {
    fn new(name: &str, annotations: Value) -> Self {
        Self::described(name, annotations, "A tool.", false)
    }

    /// A tool that also asks a question of its own.
    fn asking(name: &str, annotations: Value) -> Self {
        Self::described(name, annotations, "A tool.", true)
    }

    fn described(name: &str, annotations: Value, description: &str, asks: bool) -> Self {
        let runs = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&runs);
        let definition = json!({
            "name": name,
            "description": description,
            "annotations": annotations,
            "inputSchema": { "type": "object", "properties": { "id": { "type": "integer", "default": 7 } } },
        });
        let tool = haft_core::RawTool::new(&definition.to_string(), move |arguments, context: Context| {
            let counted = Arc::clone(&counted);
            async move {
                if asks {
                    context.ask("sure", Question::confirm("Sure?"))?;
                }
                counted.fetch_add(1, Ordering::Relaxed);
                Ok::<_, ToolError>(format!("ran with {arguments}"))
            }
        });
        Self { tool: Arc::new(tool.unwrap()), runs }
    }

    fn runs(&self) -> usize {
        self.runs.load(Ordering::Relaxed)
    }
}

const DESTRUCTIVE: &str = "delete";

fn destructive() -> Counted {
    Counted::new(DESTRUCTIVE, json!({ "destructiveHint": true }))
}

fn guarded(tools: Vec<Arc<dyn Tool>>, guard: Guard) -> Server {
    Server::builder(ToolSet::new("test", "1.0", tools)).guard(guard).build().unwrap()
}

fn client(server: &Server) -> Client {
    Client::of(server.clone(), Principal::anonymous())
}

/// A call of a client that can show forms, with what else belongs to a round.
fn round(name: &str, arguments: Value, more: Value) -> Value {
    let mut params = json!({
        "name": name,
        "arguments": arguments,
        "_meta": meta_with(json!({ "elicitation": {} })),
    });
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    modern(1, "tools/call", params)
}

fn yes() -> Value {
    json!({ "haft.approval": { "action": "accept", "content": { "confirmed": true } } })
}

async fn outcome(client: &Client, message: &Value) -> Value {
    let answer = soon(client.ask(message)).await;
    answer.get("result").or_else(|| answer.get("error")).cloned().unwrap()
}

/// The state of the question that a first call leads to.
async fn state(client: &Client, name: &str, arguments: Value) -> String {
    let asked = outcome(client, &round(name, arguments, json!({}))).await;
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    asked["requestState"].as_str().unwrap().to_owned()
}

fn text(outcome: &Value) -> &str {
    outcome["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {outcome}"))
}

#[tokio::test]
async fn by_default_what_destroys_is_asked_about_and_the_rest_of_ones_own_runs() {
    let cases = [
        (json!({ "readOnlyHint": true }), true),
        // Hints that contradict each other promise nothing.
        (json!({ "readOnlyHint": true, "destructiveHint": true }), false),
        (json!({ "destructiveHint": false }), true),
        (json!({ "destructiveHint": true }), false),
        (json!({}), false),
    ];
    for (annotations, runs) in cases {
        let tool = Counted::new("t", annotations.clone());
        let server = guarded(vec![Arc::clone(&tool.tool)], Guard::new(Policy::default()));
        for _ in 0..2 {
            let answered = outcome(&client(&server), &round("t", json!({}), json!({}))).await;
            assert_eq!(answered["resultType"] == "complete", runs, "{annotations}: {answered}");
        }
        assert_eq!(tool.runs(), if runs { 2 } else { 0 });
    }
}

#[tokio::test]
async fn the_question_shows_what_runs_before_any_text_of_the_tool() {
    let tool = Counted::new(DESTRUCTIVE, json!({ "title": "\u{1b}[2JHarmless\nArguments: {}" }));
    let server = guarded(vec![tool.tool], Guard::new(Policy::default()));
    let asked =
        outcome(&client(&server), &round(DESTRUCTIVE, json!({ "id": 3, "\u{202e}b": "x\ny" }), json!({}))).await;
    let question = &asked["inputRequests"]["haft.approval"];
    assert_eq!(question["method"], "elicitation/create");
    let message = question["params"]["message"].as_str().unwrap();
    let order = [
        "Server: test 1.0",
        "Tool: local.delete (definition ",
        "Arguments: ",
        "\"id\": 3",
        "Reason to ask: ",
        "The tool calls itself: ",
    ];
    let places: Vec<_> =
        order.iter().map(|part| message.find(part).unwrap_or_else(|| panic!("{part}: {message}"))).collect();
    assert!(places.is_sorted(), "{message}");
    assert!(!message.contains('\u{1b}') && !message.contains('\u{202e}'), "{message}");
    assert!(!message.contains("Harmless\n"), "{message}");
}

#[tokio::test]
async fn a_yes_is_good_for_one_run_of_exactly_what_was_asked() {
    let tool = destructive();
    let server = guarded(vec![Arc::clone(&tool.tool)], Guard::new(Policy::default()));
    let client = client(&server);
    let state = state(&client, DESTRUCTIVE, json!({ "id": 1 })).await;
    let said = json!({ "requestState": state, "inputResponses": yes() });
    let answered = outcome(&client, &round(DESTRUCTIVE, json!({ "id": 1 }), said.clone())).await;
    assert_eq!(text(&answered), r#"ran with {"id":1}"#);
    assert_eq!(tool.runs(), 1);
    // The same once more.
    let again = outcome(&client, &round(DESTRUCTIVE, json!({ "id": 1 }), said)).await;
    assert_eq!(again["isError"], true);
    assert!(text(&again).contains("used before"), "{again}");
    assert_eq!(tool.runs(), 1);
}

#[tokio::test]
async fn what_was_not_asked_for_is_no_yes() {
    let (tool, other) = (destructive(), Counted::new("other", json!({})));
    let tools = vec![Arc::clone(&tool.tool), Arc::clone(&other.tool)];
    let server = guarded(tools, Guard::new(Policy::default()));
    let client = client(&server);
    let state = state(&client, DESTRUCTIVE, json!({ "id": 1 })).await;
    let tampered = format!("{}{}", &state[..state.len() - 2], if state.ends_with("AA") { "BB" } else { "AA" });
    let arguments = || json!({ "id": 1 });
    let no = |action: &str, content: Value| json!({ "haft.approval": { "action": action, "content": content } });

    // Asked again.
    for (what, more) in [
        ("an answer without state", json!({ "inputResponses": yes() })),
        ("state without an answer", json!({ "requestState": state })),
        (
            "an answer under another key",
            json!({ "requestState": state, "inputResponses": { "approval": yes()["haft.approval"] } }),
        ),
        ("an argument", json!({ "approved": true, "confirm": true })),
    ] {
        let answered = outcome(&client, &round(DESTRUCTIVE, arguments(), more)).await;
        assert_eq!(answered["resultType"], "input_required", "{what}: {answered}");
    }
    // Refused as no state of this call.
    for (what, name, arguments, state) in [
        ("tampered", DESTRUCTIVE, arguments(), tampered),
        ("other arguments", DESTRUCTIVE, json!({ "id": 2 }), state.clone()),
        ("another tool", "other", arguments(), state.clone()),
        ("made up", DESTRUCTIVE, arguments(), "c3RhdGU".to_owned()),
    ] {
        let more = json!({ "requestState": state, "inputResponses": yes() });
        let answered = outcome(&client, &round(name, arguments, more)).await;
        assert_eq!(answered["code"], -32602, "{what}: {answered}");
    }
    // Somebody else.
    let stranger = Client::of(server.clone(), Principal::client("token", "somebody"));
    let more = json!({ "requestState": state, "inputResponses": yes() });
    assert_eq!(outcome(&stranger, &round(DESTRUCTIVE, arguments(), more)).await["code"], -32602);
    // A no, in all its forms.
    for answer in [
        no("decline", json!({})),
        no("cancel", json!({})),
        no("accept", json!({ "confirmed": false })),
        no("accept", json!({ "confirmed": "true" })),
        no("accept", json!({})),
        json!({ "haft.approval": true }),
    ] {
        let asked = self::state(&client, DESTRUCTIVE, arguments()).await;
        let more = json!({ "requestState": asked, "inputResponses": answer });
        let answered = outcome(&client, &round(DESTRUCTIVE, arguments(), more)).await;
        assert_eq!(answered["isError"], true, "{answer}: {answered}");
        assert!(text(&answered).contains("the person said no"), "{answered}");
        // And it stays a no.
        let more = json!({ "requestState": asked, "inputResponses": yes() });
        let answered = outcome(&client, &round(DESTRUCTIVE, arguments(), more)).await;
        assert!(text(&answered).contains("used before"), "{answered}");
    }
    assert_eq!((tool.runs(), other.runs()), (0, 0));

    // Another definition under the same name.
    let changed = Counted::described(DESTRUCTIVE, json!({}), "Another tool.", false);
    server.replace_tools(vec![Arc::clone(&changed.tool)], Vec::new()).unwrap();
    let more = json!({ "requestState": state, "inputResponses": yes() });
    assert_eq!(outcome(&client, &round(DESTRUCTIVE, arguments(), more)).await["code"], -32602);
    assert_eq!(changed.runs(), 0);
}

#[tokio::test]
async fn an_approval_is_carried_through_the_questions_of_the_tool_and_no_further() {
    let tool = Counted::asking(DESTRUCTIVE, json!({}));
    let server = guarded(vec![Arc::clone(&tool.tool)], Guard::new(Policy::default()));
    let client = client(&server);
    let approved = state(&client, DESTRUCTIVE, json!({})).await;
    let more = json!({ "requestState": approved, "inputResponses": yes() });
    let asks = outcome(&client, &round(DESTRUCTIVE, json!({}), more)).await;
    assert!(asks["inputRequests"].get("sure").is_some(), "{asks}");
    let sure = json!({ "sure": { "action": "accept", "content": { "confirmed": true } } });
    let last = json!({ "requestState": asks["requestState"], "inputResponses": sure });
    let answered = outcome(&client, &round(DESTRUCTIVE, json!({}), last.clone())).await;
    assert!(text(&answered).starts_with("ran with"), "{answered}");
    let again = outcome(&client, &round(DESTRUCTIVE, json!({}), last)).await;
    assert!(text(&again).contains("used before"), "{again}");
    assert_eq!(tool.runs(), 1);
}

#[tokio::test]
async fn a_client_of_the_handshake_era_is_asked_inside_of_the_call() {
    for version in ["2025-06-18", "2025-11-25"] {
        for (says, runs) in [("yes", 1), ("no", 0)] {
            let tool = destructive();
            let server = guarded(vec![Arc::clone(&tool.tool)], Guard::new(Policy::default()));
            let client = client(&server);
            client.initialize(version, json!({ "elicitation": {} }));
            // What only looks like an answer counts for nothing.
            let params = json!({ "name": DESTRUCTIVE, "arguments": {}, "inputResponses": yes() });
            let call = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params });
            let mut exchange = exchange(client.handle(&call));
            let Event::Message(question) = soon(exchange.next()).await else { panic!("no question") };
            let question: Value = serde_json::from_slice(&question).unwrap();
            assert_eq!(question["method"], "elicitation/create");
            assert_eq!(tool.runs(), 0);
            let content = json!({ "action": "accept", "content": { "confirmed": says == "yes" } });
            client.handle(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": content }));
            let Event::Answer(answer) = soon(exchange.next()).await else { panic!("no answer") };
            let result = &body(&answer)["result"];
            assert_eq!(result["isError"], says == "no", "{result}");
            assert_eq!(tool.runs(), runs);
        }
    }
}

#[tokio::test]
async fn without_a_way_to_ask_the_call_is_refused_at_once_and_the_rule_is_named() {
    let tool = destructive();
    let rule = Rule::new([ToolPattern::parse("delete").unwrap()], Verdict::Ask(Approver::Client)).named("careful");
    for (policy, named) in [
        (Policy::default(), "the default policy"),
        (Policy::default().with(Tier::User, RuleSet::new([rule])), "rule `careful` of the user's policy"),
    ] {
        let server = guarded(vec![Arc::clone(&tool.tool)], Guard::new(policy));
        let silent = client(&server).call(DESTRUCTIVE, json!({})).await;
        assert_eq!(silent["isError"], true);
        assert_eq!(
            text(&silent),
            format!("`delete` was not run: approval is required by {named}, and nobody can be asked here.")
        );
        for version in ["2024-11-05", "2025-03-26", "2025-11-25"] {
            let client = client(&server);
            client.initialize(version, json!({}));
            let call = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": { "name": DESTRUCTIVE } });
            let (messages, answer) = events(client.handle(&call)).await;
            assert!(messages.is_empty());
            let answer = body(&answer.unwrap());
            assert!(text(&answer["result"]).contains(named), "{answer}");
        }
    }
    assert_eq!(tool.runs(), 0);
}

fn for_people() -> (Counted, Arc<MemoryStore>, Server) {
    let tool = destructive();
    let rule = Rule::new([ToolPattern::parse("*").unwrap()], Verdict::Ask(Approver::Person)).named("by-hand");
    let store = Arc::new(MemoryStore::default());
    let policy = Policy::default().with(Tier::User, RuleSet::new([rule]));
    let server = guarded(vec![Arc::clone(&tool.tool)], Guard::new(policy).with_approvals(store.clone()));
    (tool, store, server)
}

fn now() -> Moment {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    Moment::from_millis(u64::try_from(since.as_millis()).unwrap())
}

#[tokio::test]
async fn a_person_is_asked_on_a_way_of_their_own_and_the_identical_call_spends_the_yes() {
    let (tool, store, server) = for_people();
    let client = client(&server);
    let first = client.call(DESTRUCTIVE, json!({ "id": 1 })).await;
    let tickets = store.tickets(now()).unwrap();
    assert_eq!((tickets.len(), &tickets[0].state), (1, &State::Waiting));
    assert_eq!(tickets[0].arguments, r#"{"id":1}"#);
    assert!(text(&first).contains(&tickets[0].id.to_string()) && text(&first).contains("by-hand"), "{first}");
    // Until there is an answer it is the same question, and the client's own yes is none.
    let said = json!({ "inputResponses": yes() });
    let second = outcome(&client, &round(DESTRUCTIVE, json!({ "id": 1 }), said)).await;
    assert!(text(&second).contains(&tickets[0].id.to_string()), "{second}");

    store.allow(&tickets[0].id, Grant::Once { expires: now().plus(Duration::from_mins(1)) }, "me", now()).unwrap();
    // Other arguments, another caller: questions of their own.
    client.call(DESTRUCTIVE, json!({ "id": 2 })).await;
    Client::of(server.clone(), Principal::client("token", "x")).call(DESTRUCTIVE, json!({ "id": 1 })).await;
    assert_eq!(tool.runs(), 0);
    // Another notation of the same arguments is the same call; a default that is written out, too.
    let run = client.ask(&modern(1, "tools/call", json!({ "name": DESTRUCTIVE, "arguments": { "id": 1 } }))).await;
    assert_eq!(text(&run["result"]), r#"ran with {"id":1}"#);
    assert_eq!(tool.runs(), 1);
    let spent = client.call(DESTRUCTIVE, json!({ "id": 1 })).await;
    assert_eq!(spent["isError"], true);
    assert_eq!(tool.runs(), 1);
}

#[tokio::test]
async fn that_too_many_questions_wait_is_said_as_that() {
    let (tool, store, server) = for_people();
    let most = haft_store::Limits::default().waiting_of_one;
    let client = client(&server);
    for id in 0..most {
        outcome(&client, &round(DESTRUCTIVE, json!({ "id": id }), json!({}))).await;
    }
    assert_eq!(store.tickets(now()).unwrap().len(), most);
    let refused = outcome(&client, &round(DESTRUCTIVE, json!({ "id": most }), json!({}))).await;
    let expected =
        format!("`delete` was not run: there are already {most} questions of this caller that wait for an answer.");
    assert_eq!((refused["isError"].as_bool(), text(&refused)), (Some(true), expected.as_str()));
    assert_eq!(tool.runs(), 0);
}

#[tokio::test]
async fn a_person_can_say_no_and_can_say_yes_for_longer() {
    let (tool, store, server) = for_people();
    let client = client(&server);
    client.call(DESTRUCTIVE, json!({})).await;
    let ticket = store.tickets(now()).unwrap().remove(0);
    assert_eq!(ticket.arguments, r#"{"id":7}"#, "defaults are filled in before anybody is asked");
    store.deny(&ticket.id, "me", now().plus(Duration::from_mins(1)), now()).unwrap();
    let denied = client.call(DESTRUCTIVE, json!({ "id": 7 })).await;
    assert!(text(&denied).contains("a person said no"), "{denied}");

    client.call(DESTRUCTIVE, json!({ "id": 8 })).await;
    let ticket = store.tickets(now()).unwrap().into_iter().find(|ticket| ticket.state == State::Waiting).unwrap();
    store.allow(&ticket.id, Grant::Repeated { expires: now().plus(Duration::from_mins(1)) }, "me", now()).unwrap();
    for _ in 0..3 {
        client.call(DESTRUCTIVE, json!({ "id": 8 })).await;
    }
    assert_eq!(tool.runs(), 3);
}

#[tokio::test]
async fn a_store_that_fails_never_means_yes() {
    #[derive(Debug)]
    struct Broken;
    fn broken<T>() -> Result<T, haft_store::StoreError> {
        // Any error will do, and this one needs no disk.
        let store = MemoryStore::default();
        Err(store.find("nothing", now()).unwrap_err())
    }
    impl Store for Broken {
        fn ask(&self, _: &haft_store::Request<'_>, _: Moment) -> Result<haft_store::Ticket, haft_store::StoreError> {
            broken()
        }
        fn tickets(&self, _: Moment) -> Result<Vec<haft_store::Ticket>, haft_store::StoreError> {
            broken()
        }
        fn find(&self, _: &str, _: Moment) -> Result<haft_store::Ticket, haft_store::StoreError> {
            broken()
        }
        fn allow(
            &self,
            _: &haft_store::TicketId,
            _: Grant,
            _: &str,
            _: Moment,
        ) -> Result<haft_store::Ticket, haft_store::StoreError> {
            broken()
        }
        fn deny(
            &self,
            _: &haft_store::TicketId,
            _: &str,
            _: Moment,
            _: Moment,
        ) -> Result<haft_store::Ticket, haft_store::StoreError> {
            broken()
        }
        fn spend(&self, _: &haft_store::Binding, _: Moment) -> Result<haft_store::Spent, haft_store::StoreError> {
            broken()
        }
        fn spend_nonce(&self, _: &[u8], _: Moment, _: Moment) -> Result<bool, haft_store::StoreError> {
            broken()
        }
    }
    let tool = destructive();
    let guard = Guard::new(Policy::default()).with_approvals(Arc::new(Broken));
    let server = guarded(vec![Arc::clone(&tool.tool)], guard);
    let answered = outcome(&client(&server), &round(DESTRUCTIVE, json!({}), json!({}))).await;
    assert_eq!(answered["isError"], true);
    assert!(text(&answered).contains("approvals cannot be looked up"), "{answered}");
    assert_eq!(tool.runs(), 0);
}

#[tokio::test]
async fn what_is_denied_is_not_there() {
    let (tool, other) = (destructive(), Counted::new("other", json!({ "readOnlyHint": true })));
    let rule = Rule::new([ToolPattern::parse(DESTRUCTIVE).unwrap()], Verdict::Deny);
    let policy = Policy::default().with(Tier::Project, RuleSet::new([rule]));
    let server = guarded(vec![tool.tool, other.tool], Guard::new(policy));
    let client = client(&server);
    let list = client.ask(&modern(1, "tools/list", json!({}))).await;
    let names: Vec<_> = list["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["other"]);
    assert_eq!(list["result"]["cacheScope"], "private");
    let (denied, unknown) = (client.call(DESTRUCTIVE, json!({})).await, client.call("nothing", json!({})).await);
    assert_eq!(denied["code"], unknown["code"]);
    assert_eq!(denied["message"].as_str().unwrap().replace(DESTRUCTIVE, "nothing"), unknown["message"]);
}

fn log(folder: &std::path::Path, options: Options) -> Arc<AuditLog> {
    Arc::new(AuditLog::open(folder, options, now()).unwrap())
}

/// What is on record, each record in a few words.
fn records(folder: &std::path::Path, log: &AuditLog) -> Vec<String> {
    log.flush(Duration::from_secs(5)).unwrap();
    let words = |entry: haft_store::audit::Entry| {
        let parts = [entry.verdict, entry.rule, entry.step, entry.outcome].into_iter().flatten().collect::<Vec<_>>();
        format!("{} {}", entry.event, parts.join(" ")).trim_end().to_owned()
    };
    haft_store::audit::read(folder)
        .unwrap()
        .map(|entry| words(entry.unwrap()))
        .filter(|words| words != "note")
        .collect()
}

#[tokio::test]
async fn every_decision_run_and_outcome_is_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit");
    let log = log(&path, Options::default());
    let (tool, reads) = (destructive(), Counted::new("reads", json!({ "readOnlyHint": true })));
    let secret =
        Rule::new([ToolPattern::parse("secret").unwrap()], Verdict::Deny).when_interactive(true).named("no-secrets");
    let policy = Policy::default().with(Tier::User, RuleSet::new([secret]));
    let hidden = Counted::new("secret", json!({ "readOnlyHint": true }));
    let guard = Guard::new(policy).with_audit(Arc::clone(&log));
    let server = guarded(vec![tool.tool, reads.tool, hidden.tool], guard);
    let client = client(&server);
    client.call("reads", json!({ "id": 424_242_424_242_i64 })).await;
    outcome(&client, &round("secret", json!({}), json!({}))).await;
    let state = state(&client, DESTRUCTIVE, json!({ "id": 1 })).await;
    let said = json!({ "requestState": state, "inputResponses": yes() });
    outcome(&client, &round(DESTRUCTIVE, json!({ "id": 1 }), said.clone())).await;
    outcome(&client, &round(DESTRUCTIVE, json!({ "id": 1 }), said)).await;
    assert_eq!(
        records(&path, &log),
        [
            "decision allow default:read-only",
            "intent",
            "outcome answered",
            "decision deny no-secrets",
            "outcome refused",
            "decision ask default:otherwise",
            "approval asked",
            "outcome asked",
            "decision ask default:otherwise",
            "approval spent",
            "intent",
            "outcome answered",
            "decision ask default:otherwise",
            "outcome refused",
        ]
    );
    assert!(haft_store::audit::verify(&path).unwrap().is_intact());
    let text: String = std::fs::read_dir(&path)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "jsonl"))
        .map(|file| std::fs::read_to_string(file).unwrap())
        .collect();
    assert!(!text.contains("424242424242"), "arguments are redacted");
}

#[tokio::test]
async fn where_nothing_can_be_written_down_only_reading_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::default();
    options.buffer_bytes = 0;
    let log = log(&folder.path().join("audit"), options);
    let reads = Counted::new("reads", json!({ "readOnlyHint": true }));
    let adds = Counted::new("adds", json!({ "destructiveHint": false }));
    let tool = destructive();
    let tools = vec![Arc::clone(&reads.tool), Arc::clone(&adds.tool), Arc::clone(&tool.tool)];
    let server = guarded(tools, Guard::new(Policy::default()).with_audit(log));
    let client = client(&server);
    for _ in 0..2 {
        assert_eq!(client.call("reads", json!({})).await["isError"], false);
        for name in ["adds", DESTRUCTIVE] {
            let refused = client.call(name, json!({})).await;
            assert!(text(&refused).contains("cannot be put on record"), "{refused}");
        }
    }
    assert_eq!((reads.runs(), adds.runs(), tool.runs()), (2, 0, 0));
}
