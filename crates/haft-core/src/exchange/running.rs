//! A call that runs: its permit, its deadline, its questions, and what comes of it.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use haft_wire::jsonrpc::Id;
use haft_wire::model::{ServerResult, ToolResult};
use haft_wire::{Asks, Codec, Disconnect, Fault};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Sleep;

use super::Event;
use super::asking::Asking;
use crate::admit::Admitted;
use crate::answer::{Answer, Unsent};
use crate::call::{self, Outcome, Permit, Record, Stop};
use crate::connection::{Connection, Flight};
use crate::context::CallShared;
use crate::dispatch::fault_answer;
use crate::outcome::CallOutcome;
use crate::question::Questions;
use crate::tool::CallFuture;

/// Rounds of questions that one call may need.
const MOST_ROUNDS: usize = 16;

/// A call that runs.
pub(crate) struct Running {
    id: Id<'static>,
    shared: Arc<CallShared>,
    stage: Stage,
    /// The arguments, for another run after an answer.
    arguments: Option<Arc<str>>,
    connection: Option<Arc<Connection>>,
    can_be_asked: bool,
    deadline: Option<Pin<Box<Sleep>>>,
    /// The answer, while messages before it still wait.
    answer: Option<Answer>,
    rounds: usize,
    is_registered: bool,
    is_over: bool,
    record: Record,
}

enum Stage {
    /// Waits for the client's answers.
    Asking(Asking),
    /// Nothing runs any more.
    Over,
    /// Waits for a place among the calls of the tool.
    Queueing(Pin<Box<dyn Future<Output = Option<OwnedSemaphorePermit>> + Send>>, CallFuture),
    Running(CallFuture),
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Running {
    pub(crate) fn new(
        id: Id<'static>,
        shared: Arc<CallShared>,
        run: CallFuture,
        arguments: Option<Arc<str>>,
        admitted: &Admitted<'_>,
    ) -> Self {
        Self {
            id,
            stage: queue(&shared, run),
            record: Record::intent(&shared),
            shared,
            arguments,
            connection: admitted.connection.clone(),
            can_be_asked: admitted.can_be_asked,
            deadline: None,
            answer: None,
            rounds: 0,
            is_registered: false,
            is_over: false,
        }
    }

    pub(super) const fn connection(&self) -> Option<&Arc<Connection>> {
        self.connection.as_ref()
    }

    pub(super) fn codec(&self) -> Codec {
        self.shared.codec
    }

    /// Whether the work goes on when the client goes away.
    pub(super) fn outlives_its_client(&self) -> bool {
        !self.is_over
            && self.shared.codec.disconnect() == Disconnect::Finish
            && !self.shared.outlet.is_cancelled()
            && self.connection.as_ref().is_none_or(|connection| !connection.is_closed())
    }

    /// Runs to the end with nobody listening.
    pub(super) async fn finish_alone(mut self) {
        while let Event::Message(_) = std::future::poll_fn(|context| self.poll_event(context)).await {}
    }

    pub(super) fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Event> {
        loop {
            if self.is_over || self.shared.outlet.is_cancelled() {
                // After an accepted cancel nothing goes out any more, not even what waits.
                self.over();
                return Poll::Ready(Event::End);
            }
            if let Some(message) = self.shared.outlet.take() {
                return Poll::Ready(Event::Message(message));
            }
            if let Some(mut answer) = self.answer.take() {
                answer.unsent = Unsent::of(&self.shared.server, &answer.body);
                self.over();
                return Poll::Ready(Event::Answer(answer));
            }
            match self.poll_stage(context) {
                Poll::Ready(Some(answer)) => self.answer = Some(answer),
                Poll::Ready(None) => {}
                Poll::Pending => {
                    self.register();
                    self.shared.outlet.wait(context.waker());
                    // What was sent between the look and the wait has woken nobody.
                    if !self.shared.outlet.is_waiting() && self.poll_deadline(context).is_pending() {
                        return Poll::Pending;
                    }
                }
            }
        }
    }

    /// Goes on with whatever the call is at: an answer, another stage (`None`), or nothing yet.
    fn poll_stage(&mut self, context: &mut Context<'_>) -> Poll<Option<Answer>> {
        match &mut self.stage {
            Stage::Over => Poll::Ready(Some(self.fault(&call::panicked(&self.shared, "polled after its end")))),
            Stage::Queueing(place, _) => {
                let Poll::Ready(place) = place.as_mut().poll(context) else { return Poll::Pending };
                if self.shared.server.is_backed_up() {
                    // Nobody reads what is there; there is no use in more.
                    self.record.note(Outcome::Failed);
                    let busy = Fault::Busy { rate: false, retry_after: 1 };
                    return Poll::Ready(Some(self.result(&ToolResult::error(format!("Not now: {busy}.")))));
                }
                if let Some(place) = place {
                    Permit::hold_place(&self.shared, place);
                }
                if let Stage::Queueing(_, run) = std::mem::replace(&mut self.stage, Stage::Over) {
                    self.stage = Stage::Running(run);
                }
                Poll::Ready(None)
            }
            Stage::Running(run) => {
                let polled = std::panic::catch_unwind(AssertUnwindSafe(|| run.as_mut().poll(context)));
                match polled {
                    Ok(Poll::Pending) => Poll::Pending,
                    Ok(Poll::Ready(outcome)) => {
                        self.stop();
                        Poll::Ready(self.settle(outcome))
                    }
                    Err(panic) => {
                        // A future that panicked is not polled again.
                        self.stop();
                        self.record.note(Outcome::Panicked);
                        Poll::Ready(Some(self.fault(&call::panicked(&self.shared, &call::panic_text(&*panic)))))
                    }
                }
            }
            Stage::Asking(asking) => match asking.poll(context) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(answers) => {
                    call::approve::take(&self.shared, answers);
                    self.run_again()
                }
            },
        }
    }

    /// What an outcome is to the client; `None` when the call goes on with questions.
    fn settle(&mut self, outcome: CallOutcome) -> Option<Answer> {
        self.record.note(match &outcome {
            CallOutcome::Done(_) => Outcome::Answered,
            CallOutcome::Failed(_) => Outcome::Failed,
            CallOutcome::Needs(_) => Outcome::Asked,
        });
        let result = match outcome {
            CallOutcome::Done(result) => match call::finished(&self.shared, result) {
                Ok(result) => result,
                Err(fault) => return Some(self.fault(&fault)),
            },
            CallOutcome::Failed(error) => call::failure(&self.shared, error),
            CallOutcome::Needs(questions) => return self.ask(&questions),
        };
        Some(self.result(&result))
    }

    fn ask(&mut self, questions: &Questions) -> Option<Answer> {
        let arguments = self.arguments.as_deref().unwrap_or_default();
        if self.shared.codec.asks() == Asks::InResult {
            return Some(match call::needs(&self.shared, questions, arguments) {
                Ok(input) => self.encode(&ServerResult::InputRequired(&input)),
                Err(fault) => self.fault(&fault),
            });
        }
        self.rounds += 1;
        let connection = self.connection.as_ref().filter(|_| self.can_be_asked && self.rounds <= MOST_ROUNDS);
        let asking = match connection {
            // Before a client said that it is ready, it is asked nothing (2025-11-25, lifecycle: initialization).
            Some(connection) if self.shared.codec.asks() == Asks::ByRequest && connection.is_initialized() => {
                Asking::begin(connection, &self.shared, questions)
            }
            _ => None,
        };
        let Some(asking) = asking else {
            let name = &self.shared.entry.shown.name;
            let text = format!("`{name}` has to ask the person, and this client offers no way to do that.");
            return Some(self.result(&ToolResult::error(text)));
        };
        // Nobody waits in line for a person who thinks.
        Permit::release_place(&self.shared);
        self.deadline = None;
        self.stage = Stage::Asking(asking);
        None
    }

    fn run_again(&mut self) -> Poll<Option<Answer>> {
        self.deadline = None;
        let arguments = self.arguments.clone().unwrap_or_else(|| Arc::from("{}"));
        let completed = call::again(&self.shared, &arguments);
        match completed {
            Ok(run) => {
                self.stage = queue(&self.shared, run);
                Poll::Ready(None)
            }
            Err(Stop::Fault(fault)) => Poll::Ready(Some(self.fault(&fault))),
            Err(Stop::Told(told)) => Poll::Ready(Some(self.result(&told))),
        }
    }

    /// Ends the call when its time is over.
    fn poll_deadline(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let (limit, is_asking) = match &self.stage {
            Stage::Asking(_) => (self.shared.server.limits.ask_timeout, true),
            _ => (self.timeout(), false),
        };
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        if deadline.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        if let Stage::Asking(asking) = &self.stage {
            asking.withdraw(&self.shared);
        }
        self.record.note(Outcome::TimedOut);
        // Dropping the run cancels it; a blocking function keeps its place until it ends.
        self.stop();
        let name = &self.shared.entry.shown.name;
        let text = if is_asking {
            format!("Nobody answered the question of `{name}` within {} s.", limit.as_secs_f64())
        } else {
            format!("`{name}` did not finish within {} s and was stopped.", limit.as_secs_f64())
        };
        self.answer = Some(self.result(&ToolResult::error(text)));
        Poll::Ready(())
    }

    fn timeout(&self) -> Duration {
        self.shared.entry.limits.timeout.unwrap_or(self.shared.server.limits.call_timeout)
    }

    /// From the first wait on, the connection can cancel the call.
    fn register(&mut self) {
        if !self.is_registered
            && let Some(connection) = &self.connection
        {
            connection.begin(self.id.clone(), Flight::Call(Arc::clone(&self.shared)));
        }
        self.is_registered = true;
    }

    fn over(&mut self) {
        // A blocking function looks whether anybody still waits.
        self.shared.outlet.cancel();
        self.is_over = true;
        self.record.end(&self.shared);
        self.stop();
        if let Some(connection) = self.connection.as_ref().filter(|_| self.is_registered) {
            connection.finish(&self.id);
        }
    }

    /// Drops what runs. A tool may panic at that, too.
    fn stop(&mut self) {
        let stage = std::mem::replace(&mut self.stage, Stage::Over);
        if let Err(panic) = std::panic::catch_unwind(AssertUnwindSafe(|| drop(stage))) {
            call::panicked(&self.shared, &call::panic_text(&*panic));
        }
    }

    fn result(&self, result: &ToolResult) -> Answer {
        self.encode(&ServerResult::CallTool(result))
    }

    fn encode(&self, result: &ServerResult<'_>) -> Answer {
        Answer::ok(self.shared.codec.encode_result(&self.id, result, &self.shared.server.facts))
    }

    fn fault(&self, fault: &Fault) -> Answer {
        fault_answer(self.shared.codec, Some(&self.id), fault)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_over {
            self.over();
        }
    }
}

/// A run that waits for a place where the tool has only so many.
fn queue(shared: &Arc<CallShared>, run: CallFuture) -> Stage {
    match &shared.entry.places {
        None => Stage::Running(run),
        Some(places) => {
            let place = Arc::clone(places).acquire_owned();
            Stage::Queueing(Box::pin(async move { place.await.ok() }), run)
        }
    }
}
