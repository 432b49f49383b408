//! Streamable HTTP as a `tower` service.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use haft_core::Server;
use http::{Request, Response};
use http_body::Body;

use super::authority::Authorities;
use super::body::HttpBody;
use super::future::HttpFuture;
use super::gate::{self, Gate};
use super::options::HttpOptions;
use super::replay::Budget;
use super::sessions::ReplayBounds;

/// Streamable HTTP as a `tower` service, for a router such as axum's. Clones serve the same server.
///
/// It answers to the names of this machine and to those in [`HttpOptions::hosts`]. It does not know on which address it
/// listens: a program that lets other machines in has to build its server with
/// [`Identify`](haft_core::Identify), and it has to bound headers, connections and silence itself. [`Endpoint`] does all
/// of that.
///
/// Requests are served inside of a tokio runtime with time enabled.
///
/// [`Endpoint`]: super::Endpoint
#[derive(Clone, Debug)]
pub struct HttpService {
    pub(super) shared: Arc<Shared>,
    pub(super) client: Client,
}

/// What all clones share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) server: Server,
    pub(super) options: HttpOptions,
    pub(super) authorities: Authorities,
    pub(super) replay: ReplayBounds,
}

/// What is known of the other end of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    pub(super) address: Option<IpAddr>,
    pub(super) uid: Option<u32>,
}

/// The address of a client, as a request extension: whoever mounts the service puts it in, where proxies are to be
/// believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "whoever mounts the service fills it in")]
pub struct ClientAddress(pub IpAddr);

impl HttpService {
    /// Serves a server.
    pub fn new(server: Server, options: HttpOptions) -> Self {
        let authorities = Authorities::of_this_machine(&options);
        Self::with_authorities(server, options, authorities)
    }

    pub(super) fn with_authorities(server: Server, options: HttpOptions, authorities: Authorities) -> Self {
        let replay = ReplayBounds {
            stream_bytes: options.replay_stream_bytes,
            budget: Arc::new(Budget::new(options.replay_bytes)),
            patience: options.stall_timeout,
        };
        Self { shared: Arc::new(Shared { server, options, authorities, replay }), client: Client::default() }
    }

    /// The same for one connection.
    pub(super) fn with_client(&self, client: Client) -> Self {
        Self { shared: Arc::clone(&self.shared), client }
    }

    /// Begins to serve a request.
    pub(super) fn begin<B: Body<Data = Bytes> + Unpin>(&self, request: Request<B>) -> HttpFuture<B> {
        let (parts, body) = request.into_parts();
        let mut client = self.client;
        if let Some(ClientAddress(address)) = parts.extensions.get() {
            client.address = Some(*address);
        }
        match gate::check(&self.shared, &parts, client) {
            Gate::Answered(response) => HttpFuture::answered(response),
            Gate::Post(post) => HttpFuture::post(Arc::clone(&self.shared), post, parts.headers, body),
        }
    }
}

impl<B: Body<Data = Bytes> + Unpin> tower_service::Service<Request<B>> for HttpService {
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = HttpFuture<B>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> HttpFuture<B> {
        self.begin(request)
    }
}
