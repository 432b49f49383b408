//! `haft serve`: the tools of a manifest, over stdio or HTTP.

mod access;
mod connect;
mod guard;
mod http;
mod way;

use std::path::Path;
use std::process::ExitCode;

use haft_core::{BuildError, Guard, Identify, Server, ToolSet};
use haft_diag::Diagnostic;
use haft_manifest::Manifest;
use haft_transport::stdio::{PipeOptions, serve_stdio};
use tokio::runtime::Builder;
use tokio::task::yield_now;

use crate::arguments::Serve;
use crate::check::describe;
use crate::failure::Failure;
use crate::printer::{self, Printer};
use crate::{environment, locate, signals};
pub(crate) use access::Token;
use connect::Served;
use way::Way;

/// Serves until the client goes, or a signal comes.
pub(crate) fn run(serve: &Serve, printer: Printer) -> Result<ExitCode, Failure> {
    let path = locate::manifest(serve.file.as_deref(), "serve")?;
    let way = way::choose(serve)?;
    let manifest = Manifest::load(&path, &environment::variable)?;
    // Before anything is started: from here on, every child of this process is a tool's.
    match haft_child::adopt_orphans() {
        Ok(adopts) => tracing::debug!(adopts, "orphans of tools are looked after"),
        Err(error) => tracing::warn!(%error, "processes that leave their parents may outlive their calls"),
    }
    let project = manifest.policy().clone();
    let guarded = || guard::guard(serve, project, &path, printer);
    let guard = match way {
        Way::Http(address) => {
            let served = Served {
                name: manifest.server().name.clone(),
                tools: describe(&manifest),
                path: std::path::absolute(&path).unwrap_or_else(|_| path.clone()),
            };
            let access = access::decide(serve, &address, &served.path)?;
            if let Some(warning) = access.warning() {
                printer.diagnostic(&warning);
            }
            let guard = guarded()?;
            let server = build(manifest, access.identify(), &path, Some(guard.clone()))?;
            http::run(serve, server, &address, &access, &served)?;
            guard
        }
        Way::Stdio => {
            let guard = guarded()?;
            stdio(build(manifest, Identify::anonymous(), &path, Some(guard.clone()))?)?;
            guard
        }
    };
    haft_child::kill_all();
    if guard.policy().has_shadow() {
        printer::tell(&guard.shadow_report().to_string());
    }
    Ok(ExitCode::SUCCESS)
}

/// A server that is refused, as a person is told.
pub(crate) fn refused(error: &BuildError, path: &Path) -> Diagnostic {
    Diagnostic::from_error(error).in_file(path.display().to_string())
}

pub(crate) fn build(
    manifest: Manifest,
    identify: Identify,
    path: &Path,
    guard: Option<Guard>,
) -> Result<Server, Failure> {
    let info = manifest.server().clone();
    let mut builder = Server::builder(ToolSet::new(info.name, info.version, manifest.into_tools())).identify(identify);
    if let Some(title) = info.title {
        builder = builder.title(title);
    }
    if let Some(instructions) = info.instructions {
        builder = builder.instructions(instructions);
    }
    if let Some(guard) = guard {
        builder = builder.guard(guard);
    }
    builder.build().map_err(|error| refused(&error, path).into())
}

fn stdio(server: Server) -> Result<(), Failure> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| no_runtime(&error))?;
    let outcome = runtime.block_on(async {
        signals::exit_at_the_second()?;
        let mut hangup = signals::Hangup::new()?;
        tracing::info!(name = server.facts().info().name, "serving over stdio");
        let outcome = tokio::select! {
            outcome = serve_stdio(server, PipeOptions::default()) => {
                outcome.map_err(|error| Diagnostic::from_error(&error).into())
            }
            () = hangup.came() => Ok(()),
        };
        // The task that waits for a second signal was woken by it, too.
        yield_now().await;
        outcome
    });
    // What still runs was given its time.
    runtime.shutdown_background();
    outcome
}

fn no_runtime(error: &std::io::Error) -> Failure {
    Diagnostic::error("cannot start to serve").cause(error.to_string()).into()
}
