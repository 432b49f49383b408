//! Connections to one server, kept for the next message.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Uri;
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::{Client, connect::HttpConnector};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower_service::Service;

use super::remote::Place;
use crate::client::{Cause, LinkError};

pub(super) type Pool = Client<Connector, Full<Bytes>>;

pub(super) fn pool(place: &Place, connect_timeout: Duration) -> Result<Pool, LinkError> {
    let connector = Connector { tls: tls(place)?, limit: connect_timeout };
    let pool = Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(IDLE_CONNECTIONS)
        .build(connector);
    Ok(pool)
}

fn tls(place: &Place) -> Result<HttpsConnector<HttpConnector>, LinkError> {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    // A stream can be silent for hours: a peer that is gone must be noticed.
    tcp.set_keepalive(Some(KEEP_ALIVE));
    tcp.set_keepalive_interval(Some(KEEP_ALIVE));
    let builder = HttpsConnectorBuilder::new();
    let builder = if place.is_secure {
        builder.with_provider_and_native_roots(ring::default_provider()).map_err(|source| LinkError::Tls { source })?
    } else {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| LinkError::Tls { source: std::io::Error::other(error) })?;
        // Never used: the place of a pool does not change, and this one has no TLS.
        builder.with_tls_config(config.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
    };
    Ok(builder.https_or_http().enable_http1().wrap_connector(tcp))
}

/// Connects, with the name, TCP and TLS in one time.
#[derive(Clone, Debug)]
pub(super) struct Connector {
    tls: HttpsConnector<HttpConnector>,
    limit: Duration,
}

impl Service<Uri> for Connector {
    type Response = MaybeHttpsStream<TokioIo<TcpStream>>;
    type Error = Cause;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Cause>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Cause>> {
        self.tls.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let (connecting, limit) = (self.tls.call(uri), self.limit);
        Box::pin(async move {
            let late = |_| Cause::from(format!("not within {} s", limit.as_secs_f64()));
            timeout(limit, connecting).await.map_err(late)?
        })
    }
}

/// Common servers close a connection after 5 s without a request, and one sent at that moment is lost without anybody
/// knowing whether it was acted upon.
const IDLE: Duration = Duration::from_secs(4);
const IDLE_CONNECTIONS: usize = 8;
const KEEP_ALIVE: Duration = Duration::from_secs(30);
