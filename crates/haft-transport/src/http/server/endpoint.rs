//! A listener that serves one server and nothing else.

use std::io;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use haft_core::Server;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::sleep;

use super::address::Address;
use super::authority::Authorities;
use super::error::HttpError;
use super::listener::{Bound, Listener, Stream};
use super::options::HttpOptions;
use super::service::HttpService;
use super::workers::{Connections, Workers};

/// A socket that is bound, and will serve.
///
/// ```no_run
/// # async fn example(server: haft_core::Server) -> Result<(), Box<dyn std::error::Error>> {
/// use haft_transport::http::{Endpoint, HttpOptions};
///
/// let endpoint = Endpoint::bind(&"127.0.0.1:0".parse()?, HttpOptions::default())?;
/// println!("serving at {}", endpoint.address());
/// endpoint.serve(server, std::future::pending()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Endpoint {
    bound: Bound,
    address: Address,
    options: HttpOptions,
}

impl Endpoint {
    /// Binds to an address. Connections wait until the endpoint serves.
    ///
    /// A socket in the file system is for its owner alone, and so is its folder, where there was none.
    ///
    /// # Errors
    ///
    /// When the address is in use, or not one of this machine.
    pub fn bind(address: &Address, options: HttpOptions) -> Result<Self, HttpError> {
        let bound = Bound::new(address).map_err(|source| HttpError::Bind { address: address.clone(), source })?;
        let address = bound.tcp_address().map_or_else(|| address.clone(), Address::Tcp);
        Ok(Self { bound, address, options })
    }

    /// The address, with the port that was chosen.
    pub const fn address(&self) -> &Address {
        &self.address
    }

    /// Serves in this runtime, until `shutdown` is ready and what was going on has ended, within
    /// [`HttpOptions::drain`].
    ///
    /// # Errors
    ///
    /// When other machines could call the tools without saying who they are, or there is no runtime with I/O.
    pub async fn serve(self, server: Server, shutdown: impl Future<Output = ()> + Send) -> Result<(), HttpError> {
        let (listener, service) = self.open(server)?;
        let (stop, stopping) = watch::channel(false);
        let mut connections = Connections::new(service.clone(), stopping);
        let accepting = Accepting::new(listener, &service);
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                biased;
                () = shutdown.as_mut() => break,
                (stream, permit) = accepting.next() => connections.begin(stream, permit),
            }
        }
        drop(accepting);
        end(&service, &stop);
        connections.drain(service.shared.options.drain).await;
        Ok(())
    }

    /// Serves on so many threads of its own, with a runtime on each: the fastest way, where calls need no common one.
    ///
    /// Otherwise as [`Self::serve`].
    ///
    /// # Errors
    ///
    /// As for [`Self::serve`], or when a thread cannot be started.
    pub async fn serve_per_core(
        self,
        server: Server,
        threads: NonZeroUsize,
        shutdown: impl Future<Output = ()> + Send,
    ) -> Result<(), HttpError> {
        let (listener, service) = self.open(server)?;
        let (stop, stopping) = watch::channel(false);
        let mut workers = Workers::start(threads, &service, &stopping).map_err(|source| HttpError::Start { source })?;
        let accepting = Accepting::new(listener, &service);
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                biased;
                () = shutdown.as_mut() => break,
                (stream, permit) = accepting.next() => {
                    if let Err(error) = workers.begin(stream, permit).await {
                        tracing::debug!(%error, "a connection ended before it began");
                    }
                }
            }
        }
        drop(accepting);
        end(&service, &stop);
        workers.drain().await;
        Ok(())
    }

    fn open(self, server: Server) -> Result<(Listener, HttpService), HttpError> {
        if self.address.is_on_network() && server.identification().serves_anonymous() {
            return Err(HttpError::OpenToTheNetwork { address: self.address });
        }
        let authorities = match &self.address {
            Address::Unix(_) => Authorities::of_socket_file(&self.options),
            Address::Tcp(_) if self.address.is_on_network() => Authorities::of_network(&self.options),
            Address::Tcp(_) => Authorities::of_this_machine(&self.options),
        };
        let listener = self.bound.listen().map_err(|source| HttpError::Start { source })?;
        Ok((listener, HttpService::with_authorities(server, self.options, authorities)))
    }
}

/// Streams end by themselves; everything else ends after what it is at.
fn end(service: &HttpService, stop: &watch::Sender<bool>) {
    service.shared.server.shut_down();
    stop.send_replace(true);
}

/// Connections as they come in, as many as there may be.
#[derive(Debug)]
struct Accepting {
    listener: Listener,
    permits: Arc<Semaphore>,
}

impl Accepting {
    fn new(listener: Listener, service: &HttpService) -> Self {
        let most = service.shared.options.connections.min(Semaphore::MAX_PERMITS);
        Self { listener, permits: Arc::new(Semaphore::new(most)) }
    }

    async fn next(&self) -> (Stream, OwnedSemaphorePermit) {
        loop {
            let permit = Arc::clone(&self.permits).acquire_owned().await;
            match (self.listener.accept().await, permit) {
                (Ok(stream), Ok(permit)) => return (stream, permit),
                (Err(error), _) => {
                    tracing::debug!(%error, "cannot accept a connection");
                    // Of one client only, or of all: then others have to close some first.
                    if !matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) {
                        sleep(OUT_OF_DESCRIPTORS).await;
                    }
                }
                // Nobody closes the semaphore.
                (Ok(_), Err(_)) => {}
            }
        }
    }
}

/// How long to wait when the system gives no more connections.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(50);
