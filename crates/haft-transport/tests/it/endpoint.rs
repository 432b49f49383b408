//! Listening, and the end of it.

use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use haft_core::{Identify, Limits, Principal};
use haft_transport::http::{Address, Endpoint, HttpError, HttpOptions};
use serde_json::json;
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::oneshot;

use crate::http::{HttpClient, Request, Served};
use crate::messages::{call, call_with_progress, modern, text};
use crate::stage::{Stage, once, soon};

fn echo() -> Request {
    Request::modern(&call(1, "echo", json!({ "text": "x" })))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_nobody_who_it_is_does_not_open_to_the_network() {
    let endpoint = Endpoint::bind(&"0.0.0.0:0".parse().unwrap(), HttpOptions::default()).unwrap();
    let refused = soon(endpoint.serve(Stage::new().server(), std::future::pending())).await;
    let error = refused.unwrap_err();
    assert!(matches!(error, HttpError::OpenToTheNetwork { .. }));
    assert!(error.to_string().contains("can be reached from other machines"), "{error}");

    let identify = Identify::nobody().with_token("secret", Principal::client("token", "test"));
    let server = Stage::new().server_with(identify, Limits::default());
    let endpoint = Endpoint::bind(&"0.0.0.0:0".parse().unwrap(), HttpOptions::default()).unwrap();
    let Address::Tcp(address) = *endpoint.address() else { panic!("not TCP") };
    let served = tokio::spawn(endpoint.serve(server, std::future::pending()));
    let mut client = HttpClient::over(TcpStream::connect(("127.0.0.1", address.port())).await.unwrap());
    client.send(&echo().with("Host", "tools.example").with("Authorization", "Bearer secret")).await;
    assert_eq!(client.response().await.status, 200);
    served.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_port_is_an_error_that_names_it() {
    let served = Served::new(&Stage::new().server());
    let error = Endpoint::bind(&Address::Tcp(served.address), HttpOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot listen at `{}`", served.address));
    assert!(std::error::Error::source(&error).is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn threads_of_their_own_serve_alike() {
    let stage = Stage::new();
    let endpoint = Endpoint::bind(&"127.0.0.1:0".parse().unwrap(), HttpOptions::default()).unwrap();
    let Address::Tcp(address) = *endpoint.address() else { panic!("not TCP") };
    let (stop, stopped) = oneshot::channel::<()>();
    let threads = NonZeroUsize::new(3).unwrap();
    let served = tokio::spawn(endpoint.serve_per_core(stage.server(), threads, async { drop(stopped.await) }));
    let mut clients = Vec::new();
    for _ in 0..6 {
        let mut client = HttpClient::over(TcpStream::connect(address).await.unwrap());
        client.send(&Request::modern(&call(1, "hold", json!({})))).await;
        once(&stage.started).await;
        clients.push(client);
    }
    stop.send(()).unwrap();
    stage.gate.add_permits(6);
    for client in &mut clients {
        assert_eq!(text(&client.response().await.json()), "held");
    }
    soon(served).await.unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_going_on_ends_before_the_server_does() {
    let stage = Stage::new();
    let mut served = Served::new(&stage.server());
    let mut idle = served.connect().await;
    idle.send(&echo()).await;
    assert_eq!(idle.response().await.status, 200);
    let mut waiting = served.connect().await;
    waiting.send(&Request::modern(&call(1, "hold", json!({})))).await;
    let mut streaming = served.connect().await;
    streaming.send(&Request::modern(&call_with_progress(2, "steps"))).await;
    let mut listening = served.connect().await;
    let listen = modern(3, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    listening.send(&Request::modern(&listen)).await;
    listening.head().await;
    listening.message().await.unwrap();
    crate::stage::times(&stage.started, 2).await;

    served.stop.take().unwrap().send(()).unwrap();
    assert!(!idle.read().await);
    assert_eq!(listening.message().await.unwrap()["id"], 3);
    assert!(TcpStream::connect(served.address).await.is_err());
    assert!(!served.ended.is_finished());
    stage.gate.add_permits(3);
    assert_eq!(text(&waiting.response().await.json()), "held");
    streaming.head().await;
    while streaming.message().await.is_some() {}
    crate::stage::times(&stage.finished, 2).await;
    soon(served.ended).await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_end_in_time_is_cut_off() {
    let stage = Stage::new();
    let mut options = HttpOptions::default();
    options.drain = Duration::from_millis(50);
    let mut served = Served::with_options(&stage.server(), options);
    let mut client = served.connect().await;
    client.send(&Request::modern(&call(1, "hold", json!({})))).await;
    once(&stage.started).await;
    served.stop.take().unwrap().send(()).unwrap();
    soon(served.ended).await.unwrap().unwrap();
    once(&stage.dropped).await;
    assert!(!client.read().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_in_the_file_system_knows_its_users() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inner/haft.sock");
    let address: Address = format!("unix:{}", path.display()).parse().unwrap();
    let uid = rustix::process::getuid().as_raw();
    let identify = Identify::nobody().with_uid(uid, Principal::person("uid", "me"));
    let server = Stage::new().server_with(identify, Limits::default());

    let endpoint = Endpoint::bind(&address, HttpOptions::default()).unwrap();
    assert_eq!(*endpoint.address(), address);
    let (stop, stopped) = oneshot::channel::<()>();
    let served = tokio::spawn(endpoint.serve(server.clone(), async { drop(stopped.await) }));
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    let mut client = HttpClient::over(UnixStream::connect(&path).await.unwrap());
    client.send(&echo().with("Host", "whatever")).await;
    assert_eq!(text(&client.response().await.json()), "x");
    client.send(&echo().with("Origin", "http://whatever")).await;
    assert_eq!(client.response().await.status, 403);
    let error = Endpoint::bind(&address, HttpOptions::default()).unwrap_err();
    assert!(matches!(error, HttpError::Bind { .. }));
    stop.send(()).unwrap();
    soon(served).await.unwrap().unwrap();
    assert!(!path.exists());

    // What a server left that had no time to tidy up is no hindrance; a file of somebody's is.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let endpoint = Endpoint::bind(&address, HttpOptions::default()).unwrap();
    drop(endpoint);
    std::fs::write(&path, "precious").unwrap();
    assert!(Endpoint::bind(&address, HttpOptions::default()).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
}
