//! Conversations over pipes: framing, order, cancellation, and the end.

use std::io::pipe;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdUnixStream;

use haft_core::{Identify, Server};
use haft_transport::stdio::{PipeError, PipeOptions, serve_pipe};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::task::JoinHandle;

use crate::messages::{call, call_with_progress, initialize, legacy, legacy_call, modern, notification, text};
use crate::stage::{Stage, anonymous, limits, once, soon, times};

/// A client at the other ends of two pipes.
pub struct PipeClient {
    pub writer: Option<Sender>,
    pub reader: BufReader<Receiver>,
    pub served: JoinHandle<Result<(), PipeError>>,
}

impl PipeClient {
    pub fn new(server: &Server) -> Self {
        Self::with_options(server, PipeOptions::default())
    }

    pub fn with_options(server: &Server, options: PipeOptions) -> Self {
        let (their_reader, our_writer) = pipe().unwrap();
        let (our_reader, their_writer) = pipe().unwrap();
        let served = tokio::spawn(serve_pipe(server.clone(), their_reader, their_writer, anonymous(), options));
        Self {
            writer: Some(Sender::from_owned_fd(our_writer.into()).unwrap()),
            reader: BufReader::new(Receiver::from_owned_fd(our_reader.into()).unwrap()),
            served,
        }
    }

    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        soon(self.writer.as_mut().unwrap().write_all(bytes)).await.unwrap();
    }

    pub async fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes()).await;
    }

    /// The next line, or `None` at the end.
    pub async fn line(&mut self) -> Option<Value> {
        let mut line = Vec::new();
        soon(self.reader.read_until(b'\n', &mut line)).await.unwrap();
        if line.is_empty() {
            return None;
        }
        assert!(line.ends_with(b"\n"));
        Some(serde_json::from_slice(&line).unwrap())
    }

    pub async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        self.line().await.unwrap()
    }

    /// Closes the input and waits for the end.
    pub async fn end(mut self) -> Vec<Value> {
        self.writer = None;
        let mut rest = Vec::new();
        while let Some(line) = self.line().await {
            rest.push(line);
        }
        soon(&mut self.served).await.unwrap().unwrap();
        rest
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_eras_are_answered_on_one_pipe() {
    let mut client = PipeClient::new(&Stage::new().server());
    let early = client.ask(&legacy("early", "tools/list", json!({}))).await;
    assert_eq!(early["error"]["code"], -32600);
    let answer = client.ask(&call(1, "echo", json!({ "text": "modern" }))).await;
    assert_eq!((text(&answer), &answer["result"]["resultType"]), ("modern", &json!("complete")));
    let answer = client.ask(&initialize("i", "2025-06-18")).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
    client.send(&notification("notifications/initialized", json!({}))).await;
    let arguments = json!({ "name": "echo", "arguments": { "text": "legacy" } });
    let answer = client.ask(&legacy(1, "tools/call", arguments)).await;
    assert_eq!((text(&answer), &answer["result"]["resultType"]), ("legacy", &Value::Null));
    let answer = client.ask(&call(2, "echo", json!({ "text": "modern again" }))).await;
    assert_eq!(text(&answer), "modern again");
    assert_eq!(client.end().await, [] as [Value; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_may_end_as_on_windows_be_blank_or_come_in_pieces() {
    let mut client = PipeClient::new(&Stage::new().server());
    let message = call("a", "echo", json!({ "text": "zwölf" })).to_string();
    client.send_bytes(format!("\n  \r\n{message}\r\n\n").as_bytes()).await;
    assert_eq!(text(&client.line().await.unwrap()), "zwölf");
    for piece in format!("{message}\n").as_bytes().chunks(7) {
        client.send_bytes(piece).await;
        tokio::task::yield_now().await;
    }
    assert_eq!(text(&client.line().await.unwrap()), "zwölf");
    assert_eq!(client.end().await, [] as [Value; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_is_no_message_is_answered_without_an_id_and_reading_goes_on() {
    let limits = limits(|limits| limits.message_bytes = 100_000);
    let mut client = PipeClient::new(&Stage::new().server_with(Identify::anonymous(), limits));
    let long = "x".repeat(300_000);
    for (line, code) in [
        (&b"{"[..], -32700),
        (b"nonsense", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700),
        (b"[]", -32600),
        (b"17", -32600),
        (long.as_bytes(), -32600),
    ] {
        client.send_bytes(line).await;
        client.send_bytes(b"\n").await;
        let answer = client.line().await.unwrap();
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert!(answer.get("id").is_none(), "{answer}");
    }
    let answer = client.ask(&call(1, "echo", json!({ "text": "still here" }))).await;
    assert_eq!(text(&answer), "still here");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_before_the_end_is_answered_even_without_a_last_line_break() {
    let stage = Stage::new();
    let mut client = PipeClient::new(&stage.server());
    let mut input = String::new();
    for id in 0..1000 {
        input += &format!("{}\n", call(id, "echo", json!({ "text": id.to_string() })));
    }
    input += &call("last", "hold", json!({})).to_string();
    client.send_bytes(input.as_bytes()).await;
    client.writer = None;
    once(&stage.started).await;
    stage.gate.add_permits(1);
    let answers = client.end().await;
    assert_eq!(answers.len(), 1001);
    assert!(answers.iter().take(1000).all(|answer| answer["id"] == text(answer).parse::<u32>().unwrap()));
    assert_eq!(text(&answers[1000]), "held");
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_message_before_the_end_is_an_error_and_the_end() {
    let mut client = PipeClient::new(&Stage::new().server());
    client.send_bytes(br#"{"jsonrpc":"2.0","id":1,"method":"ping""#).await;
    let rest = client.end().await;
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["error"]["code"], -32700);
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_calls_in_flight_are_answered_by_their_ids() {
    let stage = Stage::new();
    let limits = limits(|limits| limits.calls_in_flight = 20_000);
    let mut client = PipeClient::new(&stage.server_with(Identify::anonymous(), limits));
    for id in 0..10_000 {
        client.send(&call(id, "hold", json!({}))).await;
    }
    times(&stage.started, 10_000).await;
    // Others get through all the while.
    let pong = client.ask(&call("quick", "echo", json!({ "text": "now" }))).await;
    assert_eq!(text(&pong), "now");
    stage.gate.add_permits(10_000);
    let mut seen = vec![false; 10_000];
    for _ in 0..10_000 {
        let answer = client.line().await.unwrap();
        let id = usize::try_from(answer["id"].as_u64().unwrap()).unwrap();
        assert!(!std::mem::replace(&mut seen[id], true));
        assert_eq!(text(&answer), "held");
    }
    assert!(seen.iter().all(|seen| *seen));
    assert_eq!(client.end().await, [] as [Value; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_is_dropped_and_not_answered() {
    let stage = Stage::new();
    let mut client = PipeClient::new(&stage.server());
    client.ask(&initialize(0, "2025-11-25")).await;
    client.send(&call("modern", "hold", json!({}))).await;
    client.send(&legacy_call("legacy", "hold")).await;
    times(&stage.started, 2).await;
    for id in ["legacy", "modern", "unknown"] {
        client.send(&notification("notifications/cancelled", json!({ "requestId": id }))).await;
    }
    times(&stage.dropped, 2).await;
    assert_eq!(client.ask(&legacy(1, "ping", json!({}))).await, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    assert_eq!(client.end().await, [] as [Value; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_comes_before_its_answer_while_others_are_answered() {
    let stage = Stage::new();
    let mut client = PipeClient::new(&stage.server());
    client.send(&call_with_progress(1, "steps")).await;
    let progress = client.line().await.unwrap();
    assert_eq!(progress["method"], "notifications/progress");
    assert_eq!((&progress["params"]["progress"], &progress["params"]["progressToken"]), (&json!(1), &json!("p")));
    assert_eq!(text(&client.ask(&call(2, "echo", json!({ "text": "x" }))).await), "x");
    stage.gate.add_permits(1);
    assert_eq!(client.line().await.unwrap()["params"]["progress"], 2);
    stage.gate.add_permits(1);
    assert_eq!(text(&client.line().await.unwrap()), "stepped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_goes_out_on_the_same_pipe_and_its_answer_comes_back_on_it() {
    let mut client = PipeClient::new(&Stage::new().server());
    client.ask(&initialize(0, "2025-11-25")).await;
    client.send(&notification("notifications/initialized", json!({}))).await;
    let question = client.ask(&legacy_call(1, "ask")).await;
    assert_eq!(question["method"], "elicitation/create");
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } });
    assert_eq!(client.ask(&answer).await["id"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_legacy_client_is_told_of_changes_unasked_and_a_modern_one_where_it_listens() {
    let stage = Stage::new();
    let server = stage.server();
    let mut client = PipeClient::new(&server);
    let listen = modern("l", "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    let acknowledged = client.ask(&listen).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert!(server.remove_tool("big"));
    let changed = client.line().await.unwrap();
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert_eq!(changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l");

    client.ask(&initialize(0, "2025-11-25")).await;
    client.send(&notification("notifications/initialized", json!({}))).await;
    client.ask(&legacy(1, "ping", json!({}))).await;
    assert!(server.remove_tool("ask"));
    let told = [client.line().await.unwrap(), client.line().await.unwrap()];
    assert!(told.iter().all(|notice| notice["method"] == "notifications/tools/list_changed"));
    assert!(told.iter().any(|notice| notice.get("params").is_none()));
    // The end of the input ends the subscription, too.
    assert_eq!(client.end().await, [] as [Value; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_answered_by_one_array_where_the_revision_knows_batches() {
    let stage = Stage::new();
    let mut client = PipeClient::new(&stage.server());
    let batch = json!([
        legacy(1, "ping", json!({})),
        legacy_call(2, "hold"),
        notification("notifications/other", json!({})),
        legacy(3, "no/such", json!({}))
    ]);
    assert_eq!(client.ask(&batch).await["error"]["code"], -32600);
    client.ask(&initialize(0, "2025-03-26")).await;
    client.send(&batch).await;
    once(&stage.started).await;
    stage.gate.add_permits(1);
    let answers = client.line().await.unwrap();
    let mut ids: Vec<_> = answers.as_array().unwrap().iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3]);
    client.send(&json!([notification("notifications/other", json!({}))])).await;
    assert_eq!(client.ask(&legacy(4, "ping", json!({}))).await["id"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_serves_as_both_pipes_and_so_do_files() {
    let server = Stage::new().server();
    let (ours, theirs) = StdUnixStream::pair().unwrap();
    let reader: OwnedFd = theirs.try_clone().unwrap().into();
    let served = tokio::spawn(serve_pipe(server.clone(), reader, theirs, anonymous(), PipeOptions::default()));
    ours.set_nonblocking(true).unwrap();
    let mut ours = BufReader::new(tokio::net::UnixStream::from_std(ours).unwrap());
    let message = call(1, "echo", json!({ "text": "socket" }));
    soon(ours.write_all(format!("{message}\n").as_bytes())).await.unwrap();
    let mut line = String::new();
    soon(ours.read_line(&mut line)).await.unwrap();
    assert_eq!(text(&serde_json::from_str(&line).unwrap()), "socket");
    drop(ours);
    soon(served).await.unwrap().unwrap();

    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("input"), folder.path().join("output"));
    std::fs::write(&input, format!("{message}\n{message}")).unwrap();
    let (reader, writer) = (std::fs::File::open(&input).unwrap(), std::fs::File::create(&output).unwrap());
    soon(serve_pipe(server, reader, writer, anonymous(), PipeOptions::default())).await.unwrap();
    assert_eq!(std::fs::read_to_string(&output).unwrap().lines().count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_gone_altogether_is_not_waited_for() {
    let stage = Stage::new();
    let mut client = PipeClient::new(&stage.server());
    client.send(&call(1, "hold", json!({}))).await;
    once(&stage.started).await;
    let PipeClient { writer, reader, served } = client;
    drop((writer, reader));
    soon(served).await.unwrap().unwrap();
    once(&stage.dropped).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_do_not_end_after_the_end_of_the_input_are_cancelled() {
    let stage = Stage::new();
    let mut options = PipeOptions::default();
    options.drain = std::time::Duration::from_millis(50);
    let mut client = PipeClient::with_options(&stage.server(), options);
    client.send(&call(1, "hold", json!({}))).await;
    once(&stage.started).await;
    assert_eq!(client.end().await, [] as [Value; 0]);
    once(&stage.dropped).await;
}
