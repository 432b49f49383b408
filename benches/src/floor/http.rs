//! The floor over HTTP: hyper's HTTP/1.1 connections on one single-threaded runtime.

use std::convert::Infallible;
use std::net::{Ipv4Addr, TcpListener as StdListener};
use std::rc::Rc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::task::{LocalSet, spawn_local};

use super::call::Tools;
use crate::Result;
use crate::case::Tool;
use crate::server::end_with_stdin;

/// Serves on loopback until stdin ends.
pub fn serve(port: u16, tool: Tool, count: usize) -> Result<()> {
    let listener = StdListener::bind((Ipv4Addr::LOCALHOST, port))?;
    println!("{}", listener.local_addr()?);
    end_with_stdin();
    listen(listener, Tools::new(tool, count))
}

/// Serves whoever connects, on this thread, for ever.
pub fn listen(listener: StdListener, tools: Tools) -> Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = Builder::new_current_thread().enable_io().build()?;
    LocalSet::new().block_on(&runtime, accept(listener, Rc::new(tools)))
}

async fn accept(listener: StdListener, tools: Rc<Tools>) -> Result<()> {
    let listener = TcpListener::from_std(listener)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let tools = Rc::clone(&tools);
        let service = service_fn(move |request| answer(Rc::clone(&tools), request));
        spawn_local(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

async fn answer(tools: Rc<Tools>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let body = request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let mut response = Response::new(Full::default());
    if let Some(message) = tools.answer(&body) {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        *response.body_mut() = Full::new(message.into());
    } else {
        *response.status_mut() = StatusCode::ACCEPTED;
    }
    Ok(response)
}
