//! A command's time with a server: connect, work, end in good order whatever comes.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use haft_client::{Client, ClientError, ClientOptions};
use haft_diag::Diagnostic;
use tokio::runtime::Builder;
use tokio::task::yield_now;
use tokio::time::timeout;

use super::explain::explain;
use super::named::Named;
use super::prepare::Prepared;
use crate::arguments::Reach;
use crate::failure::Failure;
use crate::printer;
use crate::signals::{Signals, exit_at_the_second};

/// A server that answers.
#[derive(Debug)]
pub(crate) struct Connected {
    pub(crate) client: Client,
    /// How long it took from the start to the first answer.
    pub(crate) after: Duration,
}

/// The options that follow from the flags and the file of the target.
pub(crate) fn options(named: &Named, reach: &Reach) -> ClientOptions {
    let mut options = ClientOptions::default();
    options.version.clone_from(&reach.protocol);
    if let Some(timeout) = reach.timeout.or(named.call_timeout) {
        options.timeout = timeout;
    }
    options
}

/// Connects, does the work, and ends the connection. A signal ends the work first: what is asked for then is cancelled.
pub(crate) fn with_client(
    prepared: &Prepared,
    options: ClientOptions,
    work: impl AsyncFnOnce(&Connected) -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    if let Err(error) = haft_child::adopt_orphans() {
        tracing::warn!(%error, "processes that leave their parents may outlive this command");
    }
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Diagnostic::error("cannot start to connect").cause(error.to_string()))?;
    let outcome = runtime.block_on(async {
        let mut signals = Signals::new()?;
        exit_at_the_second()?;
        let begun = Instant::now();
        let client = tokio::select! {
            biased;
            client = Box::pin(connect(prepared, options)) => client.map_err(|error| explain(&error, &prepared.named))?,
            number = signals.next() => return Ok(interrupted(number)),
        };
        let connected = Connected { client, after: begun.elapsed() };
        let outcome = tokio::select! {
            biased;
            outcome = Box::pin(work(&connected)) => outcome,
            number = signals.next() => Ok(interrupted(number)),
        };
        // A cancellation that is on its way is written before the pipe is closed.
        for _ in 0..TURNS {
            yield_now().await;
        }
        connected.client.close().await;
        outcome
    });
    // Whoever still reads from the terminal is not waited for.
    runtime.shutdown_background();
    haft_child::kill_all();
    outcome
}

async fn connect(prepared: &Prepared, options: ClientOptions) -> Result<Client, ClientError> {
    let connecting = Client::connect(prepared.endpoint.clone(), options);
    let Some(limit) = prepared.named.startup_timeout else { return connecting.await };
    match timeout(limit, connecting).await {
        Ok(client) => client,
        Err(_) => Err(ClientError::Timeout { method: "connect", after: limit, sent: haft_client::Sent::Maybe }),
    }
}

fn interrupted(number: i32) -> ExitCode {
    printer::tell("interrupted\n");
    ExitCode::from(u8::try_from(128 + number).unwrap_or(u8::MAX))
}

/// A task that sends, one that writes, and room.
const TURNS: usize = 16;
