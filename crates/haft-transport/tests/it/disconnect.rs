//! What becomes of a call when its client goes away: cancelled in one era, finished in the other.

use haft_core::Identify;
use serde_json::{Value, json};

use crate::http::{Request, Served};
use crate::messages::{call, call_with_progress, initialize, legacy_call, modern};
use crate::stage::{Stage, limits, once, soon};

/// Sends a request, waits until its call runs, and goes away.
async fn leave(stage: &Stage, served: &Served, request: &Request) {
    let mut client = served.connect().await;
    client.send(request).await;
    once(&stage.started).await;
    drop(client);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_the_stateless_era_is_cancelled() {
    let stage = Stage::new();
    let served = Served::new(&stage.server());
    for message in [call(1, "hold", json!({})), call(1, "steps", json!({})), call_with_progress(1, "steps")] {
        leave(&stage, &served, &Request::modern(&message)).await;
        once(&stage.dropped).await;
    }
    assert_eq!(stage.finished.available_permits(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_the_handshake_era_runs_to_its_end() {
    let stage = Stage::new();
    let served = Served::new(&stage.server());
    let response = served.send(&Request::post(&initialize(0, "2025-11-25"))).await;
    let session = response.header("mcp-session-id").unwrap();
    let in_session = |message: &Value| Request::of_session(message, session);
    for request in [
        in_session(&legacy_call(1, "hold")),
        in_session(&legacy_call(2, "steps")),
        Request::post(&legacy_call(3, "hold")),
        Request::post(&legacy_call(4, "steps")),
    ] {
        leave(&stage, &served, &request).await;
        stage.gate.add_permits(2);
        once(&stage.finished).await;
        // Whatever of it was not needed is taken away for the next one.
        while let Ok(permit) = stage.gate.try_acquire() {
            permit.forget();
        }
    }
    assert_eq!(stage.dropped.available_permits(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_gives_its_place_to_another() {
    let limits = limits(|limits| limits.subscriptions = 1);
    let served = Served::new(&Stage::new().server_with(Identify::anonymous(), limits));
    let listen = modern(1, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    let mut first = served.connect().await;
    first.send(&Request::modern(&listen)).await;
    assert_eq!(first.head().await.status, 200);
    assert_eq!(served.send(&Request::modern(&listen)).await.status, 503);
    drop(first);
    soon(async {
        loop {
            let mut next = served.connect().await;
            next.send(&Request::modern(&listen)).await;
            if next.head().await.status == 200 {
                break;
            }
        }
    })
    .await;
}
