//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::activity::{Activity, Counted, InFlight, Watch};
use super::body::HttpBody;
use super::future::HttpFuture;
use super::listener::Stream;
use super::service::HttpService;

/// Serves a connection until either side has enough of it. `stop` turns true when it should end after what it is at.
pub(super) async fn serve(stream: Stream, service: &HttpService, stop: watch::Receiver<bool>) {
    let service = service.with_client(stream.client());
    match stream {
        Stream::Tcp(stream) => {
            // Answers are written whole; to wait for more of them only costs time.
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "a connection ended before it began");
                return;
            }
            serve_stream(stream, service, stop).await;
        }
        #[cfg(unix)]
        Stream::Unix(stream) => serve_stream(stream, service, stop).await,
    }
}

async fn serve_stream<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    service: HttpService,
    mut stop: watch::Receiver<bool>,
) {
    let activity = Arc::new(Activity::default());
    let options = service.shared.options.clone();
    let mut looks = Watch::new(Arc::clone(&activity), &options);
    let counted = ConnectionService { service, activity: Arc::clone(&activity) };
    let io = TokioIo::new(Counted::new(stream, activity));
    let mut builder = http1::Builder::new();
    builder.max_header_size(options.header_bytes);
    let mut connection = builder.serve_connection(io, counted);
    let mut look = pin!(sleep(looks.every()));
    let mut is_stopping = false;
    let ended = loop {
        tokio::select! {
            biased;
            ended = poll_fn(|context| connection.poll_without_shutdown(context)) => break ended,
            () = look.as_mut() => {
                if let Some(silence) = looks.look() {
                    tracing::debug!(?silence, "closed a connection");
                    return;
                }
                look.as_mut().reset(Instant::now() + looks.every());
            }
            _ = stop.wait_for(|stop| *stop), if !is_stopping => {
                is_stopping = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
    let mut stream = connection.into_parts().io.into_inner().into_inner();
    // A server that is to end has read all that it answers.
    let closed = if is_stopping { stream.shutdown().await } else { linger(stream).await };
    if let Err(error) = closed {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Ends a connection so that the client gets what was sent last: bytes that nobody read would make the system throw the
/// response away with the connection.
async fn linger<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S) -> io::Result<()> {
    timeout(LINGER, stream.shutdown()).await??;
    let mut unread = [0; 4096];
    let until = Instant::now() + LINGER;
    loop {
        let read = stream.read(&mut unread);
        match tokio::time::timeout_at(until, read).await {
            Ok(Ok(count)) if count > 0 => {}
            Ok(read) => return read.map(drop),
            Err(_) => return Ok(()),
        }
    }
}

/// The service of one connection, which knows when a request is open.
#[derive(Debug)]
struct ConnectionService {
    service: HttpService,
    activity: Arc<Activity>,
}

impl hyper::service::Service<Request<Incoming>> for ConnectionService {
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Serving;

    fn call(&self, request: Request<Incoming>) -> Serving {
        Serving { in_flight: Some(self.activity.begin()), future: self.service.begin(request) }
    }
}

/// A request of one connection.
#[derive(Debug)]
struct Serving {
    in_flight: Option<InFlight>,
    future: HttpFuture<Incoming>,
}

impl Future for Serving {
    type Output = Result<Response<HttpBody>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = Pin::new(&mut self.future).poll(context);
        polled.map_ok(|mut response| {
            if let Some(in_flight) = self.in_flight.take() {
                response.body_mut().hold(in_flight);
            }
            response
        })
    }
}

/// How long a client may take to read the last of a connection.
const LINGER: Duration = Duration::from_secs(1);
