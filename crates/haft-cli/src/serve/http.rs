//! Serving over HTTP, with a runtime on each core.

use std::fs::File;
use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use haft_core::Server;
use haft_diag::Diagnostic;
use haft_transport::http::{Address, Endpoint, HttpError, HttpOptions};
use tokio::runtime::Builder;
use tokio::task::yield_now;

use super::access::{Access, Origin};
use super::connect::{Served, announcement};
use super::no_runtime;
use crate::arguments::Serve;
use crate::failure::Failure;
use crate::signals::{Signals, exit_at_the_second};
use crate::{printer, state};

/// Serves until a signal comes and what was going on has ended.
pub(super) fn run(
    serve: &Serve,
    server: Server,
    address: &Address,
    access: &Access,
    served: &Served,
) -> Result<(), Failure> {
    let mut options = HttpOptions::default();
    options.hosts.clone_from(&serve.allow_host);
    options.origins.clone_from(&serve.allow_origin);
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| no_runtime(&error))?;
    let outcome = runtime.block_on(async {
        let mut signals = Signals::new()?;
        exit_at_the_second()?;
        let endpoint = Endpoint::bind(address, options).map_err(|error| explain(&error))?;
        let _announced = announce(access, endpoint.address());
        printer::tell(&announcement(served, endpoint.address(), access));
        let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let stopped = async move {
            signals.next().await;
            // The task that waits for a second signal was woken by this one, too. It has to take it before anybody sees
            // that the server ends, or a signal sent then would be one with the first.
            yield_now().await;
            tracing::info!("ending; a second signal does not wait");
        };
        endpoint.serve_per_core(server, threads, stopped).await.map_err(|error| explain(&error))
    });
    runtime.shutdown_background();
    outcome
}

/// Lets this user's `haft call` find the token; held for as long as it is served.
fn announce(access: &Access, address: &Address) -> Option<File> {
    let (Access::Token(_, Origin::State(folder)), Address::Tcp(socket)) = (access, address) else { return None };
    match state::announce(folder, socket.port(), &format!("http://{socket}")) {
        Ok(file) => Some(file),
        Err(error) => {
            tracing::warn!(%error, "`haft call` will not find the token by itself");
            None
        }
    }
}

fn explain(error: &HttpError) -> Failure {
    let diagnostic = Diagnostic::from_error(error);
    let is_busy = matches!(error, HttpError::Bind { source, .. } if source.kind() == ErrorKind::AddrInUse);
    let hint = "something else listens there; take another port, `--http 127.0.0.1:0` takes one that is free";
    (if is_busy { diagnostic.hint(hint) } else { diagnostic }).into()
}
