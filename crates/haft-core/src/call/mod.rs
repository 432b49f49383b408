//! One `tools/call`, in a straight line: record( find, rate, headers, input, permit, decide, approve, run, output, offload ).

pub(crate) mod approve;
pub(crate) mod decide;
mod find;
mod headers;
mod input;
mod offload;
mod output;
mod permit;
mod rate;
mod record;
mod round;
pub(crate) mod trail;

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, OnceLock};

use haft_wire::jsonrpc::Id;
use haft_wire::model::{CallTool, ClientCapabilities, MetaFields, ServerResult, ToolResult};
use haft_wire::{Asks, Codec, Fault};

use decide::Ruling;
use input::Input;
pub(crate) use output::{failure, finished, reference};
pub(crate) use permit::Permit;
pub(crate) use rate::Rates;
pub(crate) use record::{Outcome, Record};
pub(crate) use round::needs;

use crate::admit::Admitted;
use crate::answer::{Answer, Handled};
use crate::context::{CallShared, Context};
use crate::dispatch::refusal;
use crate::exchange::{Exchange, Running};
use crate::outlet::Outlet;
use crate::server::{Peer, Server, Via};
use crate::tool::{Arguments, CallFuture};

/// Takes a call as far as it goes without waiting: to its answer, or to a handler that is ready to run.
pub(crate) fn begin(
    server: &Server,
    admitted: &Admitted<'_>,
    peer: &Peer<'_>,
    id: &Id<'_>,
    call: &CallTool<'_>,
    fields: &MetaFields<'_>,
) -> Handled {
    let codec = admitted.codec;
    let catalogue = server.catalogue();
    let entry = match find::find(&catalogue, &call.name, server.view(admitted.principal)) {
        Ok(entry) => Arc::clone(entry),
        Err(fault) => return refusal(codec, Some(id), &fault),
    };
    if let Err(wait) = entry.rates.as_ref().map_or(Ok(()), |rates| rates.take(admitted.principal)) {
        return busy(server, codec, peer, id, &Fault::Busy { rate: true, retry_after: wait });
    }
    let input = match Input::read(call) {
        Ok(input) => input,
        Err(told) => return told_off(server, codec, id, &told),
    };
    let tree = match input.tree() {
        Ok(tree) => tree,
        Err(told) => return told_off(server, codec, id, &told),
    };
    if let Via::Http { lookup, .. } = peer.via
        && admitted.connection.is_none()
        && let Err(fault) = headers::check(&entry, &tree, lookup, codec)
    {
        return refusal(codec, Some(id), &fault);
    }
    if let Err(told) = input.check(&entry, &tree) {
        return told_off(server, codec, id, &told);
    }
    let (answers, approval) = match round::answers(server, admitted, &entry, call, input.text()) {
        Ok(brought) => brought,
        Err(fault) => return refusal(codec, Some(id), &fault),
    };
    // Admission has refused what is no token where the revision wants one.
    let token = fields.progress_token.and_then(Id::read);
    let shared = Arc::new(CallShared {
        server: Arc::clone(&server.0),
        entry,
        principal: Arc::clone(admitted.principal),
        codec,
        capabilities: admitted.capabilities,
        progress_token: token.map(Id::into_owned),
        outlet: Outlet::default(),
        answers: Mutex::new(answers),
        approval: Mutex::new(approval),
        trail: OnceLock::new(),
        can_be_asked: can_be_asked(admitted),
        permit: Mutex::new(None),
    });
    match Permit::acquire(server) {
        None => return busy(server, codec, peer, id, &Fault::Busy { rate: false, retry_after: 1 }),
        Some(permit) => Permit::hold(&shared, permit),
    }
    // Only a client that can answer something is ever asked, and only then the arguments are needed again.
    let kept = (admitted.capabilities != ClientCapabilities::default()).then(|| Arc::from(input.text()));
    let run = match input::complete(&shared.entry, input.text(), &tree) {
        None => start(&shared, Arguments::new(input.text(), &tree)),
        Some(completed) => start_from_text(&shared, &completed),
    };
    let run = match run {
        Ok(run) => run,
        Err(Stop::Fault(fault)) => return refusal(codec, Some(id), &fault),
        Err(Stop::Told(told)) => return told_off(server, codec, id, &told),
    };
    let running = Running::new(id.clone().into_owned(), shared, run, kept, admitted);
    Handled::Exchange(Box::new(Exchange::call(running)))
}

/// Why a call does not run.
pub(crate) enum Stop {
    Fault(Fault),
    Told(Box<ToolResult>),
}

/// Begins another run of a call whose arguments were checked before.
pub(crate) fn again(shared: &Arc<CallShared>, arguments: &str) -> Result<CallFuture, Stop> {
    let completed = match haft_schema::Tree::parse(arguments) {
        Ok(tree) => input::complete(&shared.entry, arguments, &tree),
        Err(_) => None,
    };
    start_from_text(shared, completed.as_deref().unwrap_or(arguments))
}

fn start_from_text(shared: &Arc<CallShared>, arguments: &str) -> Result<CallFuture, Stop> {
    match haft_schema::Tree::parse(arguments) {
        Ok(tree) => start(shared, Arguments::new(arguments, &tree)),
        // What was completed here is JSON, or a default or a constant is not what it says.
        Err(error) => Err(Stop::Fault(panicked(shared, &error.to_string()))),
    }
}

/// Begins a run. A tool may panic before it has a future to poll, and that ends nothing but this call.
fn start(shared: &Arc<CallShared>, arguments: Arguments<'_>) -> Result<CallFuture, Stop> {
    match decide::decide(shared, arguments) {
        Ruling::Ask(decision) => Ok(approve::begin(shared, arguments.text(), decision)),
        Ruling::Refused(told) => Err(Stop::Told(Box::new(told))),
        Ruling::Run => {
            let context = Context(Arc::clone(shared));
            std::panic::catch_unwind(AssertUnwindSafe(|| shared.entry.tool.call(context, arguments)))
                .map_err(|panic| Stop::Fault(panicked(shared, &panic_text(&*panic))))
        }
    }
}

/// Begins the run of a call that was approved. Whoever polls it sees to a panic.
fn run(shared: &Arc<CallShared>, arguments: &str) -> Result<CallFuture, haft_schema::TreeError> {
    let tree = haft_schema::Tree::parse(arguments)?;
    Ok(shared.entry.tool.call(Context(Arc::clone(shared)), Arguments::new(arguments, &tree)))
}

/// Whether the client's person can be asked in the middle of the call.
fn can_be_asked(admitted: &Admitted<'_>) -> bool {
    let is_ready = || admitted.connection.as_ref().is_some_and(|connection| connection.is_initialized());
    admitted.capabilities.elicitation_form
        && match admitted.codec.asks() {
            Asks::ByRequest => admitted.can_be_asked && is_ready(),
            Asks::InResult => true,
            Asks::Never => false,
        }
}

/// An internal error whose reference the log explains.
pub(crate) fn panicked(shared: &CallShared, what: &str) -> Fault {
    let reference = reference();
    tracing::error!(tool = %shared.entry.shown.name, reference, what, "the tool panicked");
    Fault::Internal { reference }
}

pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}

/// What a model can act on: a result, not a protocol error.
fn told_off(server: &Server, codec: Codec, id: &Id<'_>, told: &ToolResult) -> Handled {
    let body = codec.encode_result(id, &ServerResult::CallTool(told), &server.0.facts);
    Handled::Answer(Answer::ok(body))
}

/// Overload: a status where there are statuses, and words for the model where there are none.
fn busy(server: &Server, codec: Codec, peer: &Peer<'_>, id: &Id<'_>, fault: &Fault) -> Handled {
    match peer.via {
        Via::Http { .. } => refusal(codec, Some(id), fault),
        Via::Pipe(_) => told_off(server, codec, id, &ToolResult::error(format!("Not now: {fault}."))),
    }
}
