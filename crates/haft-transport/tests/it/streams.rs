//! When an answer is a stream, and what it looks like.

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use haft_transport::http::{HttpBody, HttpOptions, HttpService};
use http_body_util::{BodyExt, Full};
use serde_json::json;
use tokio::time::Instant;
use tower_service::Service;

use crate::http::{Request, Served};
use crate::messages::{call, call_with_progress, modern, text};
use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn what_streams_comes_as_events_and_ends_with_the_answer() {
    let stage = Stage::new();
    let served = Served::new(&stage.server());
    let mut client = served.connect().await;
    client.send(&Request::modern(&call_with_progress(1, "steps"))).await;
    let head = client.head().await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!((head.header("cache-control"), head.header("x-accel-buffering")), (Some("no-store"), Some("no")));
    let event = client.event().await.unwrap();
    let data = event.strip_prefix("data: ").unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(data).unwrap()["params"]["progress"], 1);
    stage.gate.add_permits(1);
    assert_eq!(client.message().await.unwrap()["params"]["progress"], 2);
    stage.gate.add_permits(1);
    assert_eq!(text(&client.message().await.unwrap()), "stepped");
    assert_eq!(client.event().await, None);
    // The connection is good for more.
    client.send(&Request::modern(&call(2, "echo", json!({ "text": "x" })))).await;
    assert_eq!(text(&client.response().await.json()), "x");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_takes_json_alone_gets_the_answer_without_the_reports() {
    let stage = Stage::new();
    let served = Served::new(&stage.server());
    stage.gate.add_permits(2);
    let request = Request::modern(&call_with_progress(1, "steps")).with("Accept", "application/json");
    let response = served.send(&request).await;
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
    assert_eq!(text(&response.json()), "stepped");
    let listen = modern(1, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    let response = served.send(&Request::modern(&listen).with("Accept", "application/json")).await;
    assert_eq!(response.status, 406);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_streams_from_its_start_to_the_end_of_the_server() {
    let server = Stage::new().server();
    let served = Served::new(&server);
    let mut client = served.connect().await;
    let listen =
        modern(1_234_567_890_123_u64, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    client.send(&Request::modern(&listen)).await;
    assert_eq!(client.head().await.header("content-type"), Some("text/event-stream"));
    let acknowledged = client.message().await.unwrap();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1_234_567_890_123_u64);
    assert!(server.remove_tool("big"));
    assert_eq!(client.message().await.unwrap()["method"], "notifications/tools/list_changed");
    server.shut_down();
    assert_eq!(client.message().await.unwrap()["id"], 1_234_567_890_123_u64);
    assert_eq!(client.event().await, None);
}

/// The service as a router holds it, without a connection.
async fn serve(service: &mut HttpService, message: &serde_json::Value) -> http::Response<HttpBody> {
    let mut request = http::Request::post("/mcp");
    for (name, value) in [
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", message["method"].as_str().unwrap()),
        ("mcp-name", message["params"]["name"].as_str().unwrap_or_default()),
    ] {
        request = request.header(name, value);
    }
    let body = Full::new(Bytes::from(message.to_string()));
    service.call(request.body(body).unwrap()).await.unwrap()
}

async fn chunk(body: &mut HttpBody) -> Option<String> {
    let frame = body.frame().await?.unwrap();
    Some(String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_shows_that_it_lives() {
    let stage = Stage::new();
    let mut options = HttpOptions::default();
    options.keep_alive = Duration::from_secs(15);
    let mut service = HttpService::new(stage.server(), options);
    let response = serve(&mut service, &call_with_progress(1, "steps")).await;
    let mut body = response.into_body();
    assert!(chunk(&mut body).await.unwrap().starts_with("data: "));
    for _ in 0..3 {
        let before = Instant::now();
        assert_eq!(chunk(&mut body).await.unwrap(), ": still here\n\n");
        let waited = before.elapsed();
        assert!(waited >= Duration::from_secs(15) && waited < Duration::from_secs(16), "{waited:?}");
    }
    stage.gate.add_permits(2);
    let mut rest = String::new();
    while let Some(chunk) = chunk(&mut body).await {
        rest += &chunk;
    }
    assert!(rest.contains("stepped"));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_long_becomes_a_stream() {
    let stage = Stage::new();
    let mut options = HttpOptions::default();
    options.keep_alive = Duration::from_secs(15);
    let mut service = HttpService::new(stage.server(), options);
    let before = Instant::now();
    let response = serve(&mut service, &call(1, "hold", json!({}))).await;
    assert_eq!(before.elapsed().as_secs(), 15);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    assert_eq!(chunk(&mut body).await.unwrap(), ": still here\n\n");
    stage.gate.add_permits(1);
    assert!(chunk(&mut body).await.unwrap().contains("held"));
    assert_eq!(chunk(&mut body).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_is_what_a_router_wants() {
    fn is_routable<S, B>(_: &S)
    where
        S: Service<http::Request<B>, Response = http::Response<HttpBody>> + Clone + Send + Sync + 'static,
        S::Error: Into<std::convert::Infallible>,
        S::Future: Send + 'static,
    {
    }
    fn is_body<B: http_body::Body<Data = Bytes> + Send + 'static>()
    where
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
    }
    type AnyBody = Pin<Box<dyn http_body::Body<Data = Bytes, Error = std::io::Error> + Send>>;

    let stage = Stage::new();
    let mut service = HttpService::new(stage.server(), HttpOptions::default());
    is_routable::<_, AnyBody>(&service);
    is_body::<HttpBody>();
    let response = serve(&mut service, &call(1, "echo", json!({ "text": "routed" }))).await;
    let body = response.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(text(&serde_json::from_slice(&body).unwrap()), "routed");

    // A router that chose the path has its own.
    let mut options = HttpOptions::default();
    options.path = None;
    let mut service = HttpService::new(stage.server(), options);
    let request = http::Request::get("/somewhere/else").header("host", "localhost");
    let response = service.call(request.body(Full::new(Bytes::new())).unwrap()).await.unwrap();
    assert_eq!(response.status(), 405);
}
