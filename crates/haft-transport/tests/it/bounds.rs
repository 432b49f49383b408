//! Clients that send too much, too slowly, or read nothing: the server stays as small as it was, and serves the next one.

use std::time::Duration;

use haft_transport::http::HttpOptions;
use haft_transport::stdio::{PipeError, PipeOptions};
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::http::{Request, Served};
use crate::messages::{call, text};
use crate::pipes::PipeClient;
use crate::stage::{Stage, once, soon};

const MEGABYTE: usize = 1024 * 1024;

/// The most memory that this process ever had, in bytes.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

fn echo() -> Request {
    Request::modern(&call(1, "echo", json!({ "text": "x" })))
}

async fn assert_serves(served: &Served) {
    assert_eq!(text(&served.send(&echo()).await.json()), "x");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_huge_body_is_refused_before_it_is_read() {
    let served = Served::new(&Stage::new().server());
    let before = peak_memory();
    let mut client = served.connect().await;
    client.send_bytes(format!("{}Content-Length: 104857600\r\n\r\n", echo().head()).as_bytes()).await;
    let response = client.response().await;
    assert_eq!((response.status, response.header("connection")), (413, Some("close")));
    assert_eq!(response.json()["error"]["code"], -32600);

    // Without a length it is refused where it becomes too long; the client that goes on sending still gets the answer.
    let mut client = served.connect().await;
    client.send_bytes(format!("{}Transfer-Encoding: chunked\r\n\r\n", echo().head()).as_bytes()).await;
    let chunk = [b"10000\r\n", vec![b' '; 0x10000].as_slice(), b"\r\n"].concat();
    for _ in 0..1600 {
        if client.stream.write_all(&chunk).await.is_err() {
            break;
        }
    }
    assert_eq!(client.response().await.status, 413);
    assert!(peak_memory() - before < 64 * MEGABYTE, "{} more", peak_memory() - before);
    assert_serves(&served).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_stops_halfway_is_not_waited_for() {
    let mut options = HttpOptions::default();
    options.body_timeout = Duration::from_millis(100);
    let served = Served::with_options(&Stage::new().server(), options);
    let mut client = served.connect().await;
    client.send_bytes(format!("{}Content-Length: 100\r\n\r\n{{", echo().head()).as_bytes()).await;
    let response = client.response().await;
    assert_eq!((response.status, response.header("connection")), (408, Some("close")));
    assert!(!client.read().await);
    assert_serves(&served).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_that_do_not_end_and_connections_that_say_nothing_are_closed() {
    let mut options = HttpOptions::default();
    options.header_timeout = Duration::from_millis(200);
    options.idle_timeout = Duration::from_millis(600);
    let served = Served::with_options(&Stage::new().server(), options);
    let mut slow = served.connect().await;
    let mut silent = served.connect().await;
    let mut used = served.connect().await;
    used.send(&echo()).await;
    assert_eq!(used.response().await.status, 200);
    let head = echo().head();
    let mut bytes = head.as_bytes().iter().cycle();
    soon(async {
        // bounded: a byte now and then, until the server has enough of it
        while slow.stream.write_all(&[*bytes.next().unwrap()]).await.is_ok() {
            // bounded: the server closes the connection within its timeout
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    assert!(!silent.read().await);
    assert!(!used.read().await);
    assert_serves(&served).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_or_too_large_headers_are_refused() {
    let served = Served::new(&Stage::new().server());
    let large = echo().with("X-Large", &"x".repeat(64 * 1024));
    let many = (0..200).fold(echo(), |request, number| request.with(&format!("X-{number}"), "x"));
    for request in [large, many] {
        let response = served.send(&request).await;
        assert_eq!(response.status, 431, "{response:?}");
    }
    assert_serves(&served).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_whose_client_reads_nothing_is_given_up() {
    let mut options = HttpOptions::default();
    options.stall_timeout = Duration::from_millis(200);
    options.connections = 1;
    let served = Served::with_options(&Stage::new().server(), options);
    let mut client = served.connect().await;
    client.send(&Request::modern(&call(1, "big", json!({ "bytes": 12 * MEGABYTE })))).await;
    // There is one connection only: the next one is served when that one is gone.
    assert_serves(&served).await;
    drop(client);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_waits_while_its_call_runs() {
    let stage = Stage::new();
    let mut options = HttpOptions::default();
    options.header_timeout = Duration::from_millis(40);
    options.idle_timeout = Duration::from_millis(80);
    options.stall_timeout = Duration::from_millis(40);
    let served = Served::with_options(&stage.server(), options);
    let mut client = served.connect().await;
    client.send(&Request::modern(&call(1, "hold", json!({})))).await;
    once(&stage.started).await;
    // bounded: several times what the server waits for clients that say nothing
    tokio::time::sleep(Duration::from_millis(400)).await;
    stage.gate.add_permits(1);
    assert_eq!(text(&client.response().await.json()), "held");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipe_whose_client_reads_nothing_is_bounded_and_given_up() {
    let before = peak_memory();
    let mut options = PipeOptions::default();
    options.stall = Duration::from_millis(500);
    options.queue_bytes = MEGABYTE;
    let mut client = PipeClient::with_options(&Stage::new().server(), options);
    let message = format!("{}\n", call(1, "big", json!({ "bytes": 100_000 })));
    let writer = client.writer.as_mut().unwrap();
    // A hundred megabytes of answers, if anybody took them.
    let mut sent = 0;
    while sent < 1000 && soon(writer.write_all(message.as_bytes())).await.is_ok() {
        sent += 1;
    }
    let ended = soon(client.served).await.unwrap();
    assert!(matches!(ended, Err(PipeError::Stalled { .. })), "{ended:?}");
    assert!(peak_memory() - before < 64 * MEGABYTE, "{} more", peak_memory() - before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_of_a_pipe_gets_everything() {
    let mut options = PipeOptions::default();
    options.queue_bytes = 64 * 1024;
    let mut client = PipeClient::with_options(&Stage::new().server(), options);
    let mut writer = client.writer.take().unwrap();
    let sending = tokio::spawn(async move {
        for id in 0..60 {
            let message = format!("{}\n", call(id, "big", json!({ "bytes": 100_000 })));
            writer.write_all(message.as_bytes()).await.unwrap();
        }
    });
    for id in 0..60 {
        let answer = client.line().await.unwrap();
        assert_eq!(answer["id"], id);
        tokio::task::yield_now().await;
    }
    soon(sending).await.unwrap();
    assert_eq!(client.line().await, None);
}
