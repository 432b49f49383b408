//! The server's side of a conversation over pipes.

use std::future::poll_fn;
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use haft_core::{Connection, Event, Notices, Peer, Principal, Server, Unsent, Via};
use haft_wire::Fault;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, Interval, MissedTickBehavior, Sleep, interval, sleep_until};

use super::input::Input;
use super::options::{PipeError, PipeOptions};
use super::outbound::{Outbound, WriteFault};
use super::output::Output;
use crate::course::{Course, Outcome};
use crate::lines::{Line, Lines};

/// Serves one peer over a pair of descriptors, until it has no more to say or does not read any more.
///
/// Pipes and sockets are waited for, anything else is read and written by threads. What was read is answered: after the
/// end of the input, calls may go on for [`PipeOptions::drain`]; then they are cancelled.
///
/// Has to be called inside of a tokio runtime with I/O and time enabled.
///
/// # Errors
///
/// When a descriptor cannot be used, or the peer did not read for [`PipeOptions::stall`].
pub async fn serve_pipe(
    server: Server,
    reader: impl Into<OwnedFd>,
    writer: impl Into<OwnedFd>,
    principal: Arc<Principal>,
    options: PipeOptions,
) -> Result<(), PipeError> {
    let conversation = Conversation::new(server, reader.into(), writer.into(), principal, options)?;
    conversation.run(|_| Poll::Pending).await
}

/// All that belongs to one peer.
#[derive(Debug)]
pub(super) struct Conversation {
    server: Server,
    connection: Arc<Connection>,
    principal: Arc<Principal>,
    options: PipeOptions,
    /// Gone once nothing more is read.
    input: Option<Input>,
    lines: Lines,
    outbound: Outbound,
    /// Calls that did not answer at once.
    calls: JoinSet<()>,
    subscriptions: JoinSet<()>,
    events: mpsc::Receiver<Outgoing>,
    sender: mpsc::Sender<Outgoing>,
    notices: Option<Notices>,
    drain: Option<Drain>,
}

/// The end of a conversation.
#[derive(Debug)]
struct Drain {
    deadline: Pin<Box<Sleep>>,
    /// When to look whether somebody still reads.
    look: Interval,
}

/// How reading went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Read {
    /// There is nothing to read now.
    Idle,
    /// There may be more.
    More,
}

impl Conversation {
    pub(super) fn new(
        server: Server,
        reader: OwnedFd,
        writer: OwnedFd,
        principal: Arc<Principal>,
        options: PipeOptions,
    ) -> Result<Self, PipeError> {
        let unusable = |stream| move |source| PipeError::Unusable { stream, source };
        let input = Input::new(reader).map_err(unusable("the input"))?;
        let output = Output::new(writer).map_err(unusable("the output"))?;
        let connection = server.connection(Arc::clone(&principal));
        let (sender, events) = mpsc::channel(EVENTS);
        Ok(Self {
            lines: Lines::new(server.limits().message_bytes),
            notices: Some(connection.notices()),
            outbound: Outbound::new(output, options.stall),
            input: Some(input),
            calls: JoinSet::new(),
            subscriptions: JoinSet::new(),
            drain: None,
            server,
            connection,
            principal,
            options,
            events,
            sender,
        })
    }

    /// Goes on until the conversation is over. `stop` is ready when it has to end; ready again, at once.
    pub(super) async fn run(mut self, mut stop: impl FnMut(&mut Context<'_>) -> Poll<()>) -> Result<(), PipeError> {
        poll_fn(|context| {
            while stop(context).is_ready() {
                if self.drain.is_some() {
                    return Poll::Ready(Ok(()));
                }
                self.server.shut_down();
                self.begin_drain();
            }
            self.poll(context)
        })
        .await
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<(), PipeError>> {
        for _ in 0..ROUNDS {
            self.gather(context);
            let read = self.read(context);
            let was_full = self.is_full();
            // While there is more to read, answers wait for company; but not for ever.
            if read == Read::Idle || self.outbound.len() >= FLUSH {
                match self.outbound.poll_write(context) {
                    Poll::Ready(Ok(())) => {}
                    Poll::Ready(Err(WriteFault::Closed)) => return Poll::Ready(Ok(())),
                    Poll::Ready(Err(WriteFault::Failed(error))) => return Poll::Ready(Err(error)),
                    Poll::Pending if self.is_full() || read == Read::Idle => return self.poll_drain(context),
                    Poll::Pending => {}
                }
            }
            if read == Read::Idle && !was_full && self.events.is_empty() {
                return self.poll_drain(context);
            }
        }
        // Others have their turn.
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Takes what running calls and the catalogue have to say, while there is room for it.
    fn gather(&mut self, context: &mut Context<'_>) {
        for tasks in [&mut self.calls, &mut self.subscriptions] {
            while let Poll::Ready(Some(ended)) = tasks.poll_join_next(context) {
                if let Err(error) = ended
                    && error.is_panic()
                {
                    tracing::error!(%error, "a call ended without an answer");
                }
            }
        }
        while !self.is_full() {
            match self.events.poll_recv(context) {
                Poll::Ready(Some(message)) => self.outbound.push(&message.bytes),
                Poll::Ready(None) | Poll::Pending => break,
            }
        }
        while !self.is_full()
            && let Some(notices) = &mut self.notices
        {
            match notices.poll_notice(context) {
                Poll::Ready(Some(notice)) => self.outbound.push(&notice),
                Poll::Ready(None) => self.notices = None,
                Poll::Pending => break,
            }
        }
    }

    /// Handles lines until it is time to look at everything else.
    fn read(&mut self, context: &mut Context<'_>) -> Read {
        loop {
            if self.is_full() {
                return Read::Idle;
            }
            let Some(input) = &mut self.input else { return Read::Idle };
            if let Some(line) = self.lines.next() {
                let told = Told { server: &self.server, connection: &self.connection, principal: &self.principal };
                if let Some(course) = told.handle(&line, &mut self.outbound) {
                    self.begin(course);
                }
                if self.outbound.len() >= FLUSH {
                    return Read::More;
                }
                continue;
            }
            match input.poll_read(context, self.lines.room()) {
                Poll::Pending => return Read::Idle,
                Poll::Ready(Ok(count)) if count > 0 => {
                    self.lines.filled(count);
                    continue;
                }
                Poll::Ready(Ok(_)) => {}
                Poll::Ready(Err(error)) => tracing::warn!(%error, "cannot read from the client"),
            }
            self.end_input();
            return Read::More;
        }
    }

    /// The peer said its last.
    fn end_input(&mut self) {
        let told = Told { server: &self.server, connection: &self.connection, principal: &self.principal };
        let course = self.lines.finish().and_then(|line| told.handle(&line, &mut self.outbound));
        if let Some(course) = course {
            self.begin(course);
        }
        // Nobody answers a question any more.
        self.connection.end_input();
        // Nobody can end these any more, or wants what they would tell.
        self.subscriptions.abort_all();
        self.notices = None;
        self.begin_drain();
    }

    fn begin(&mut self, course: Course) {
        let tasks = if course.is_subscription() { &mut self.subscriptions } else { &mut self.calls };
        tasks.spawn(drive(course, self.sender.clone()));
    }

    fn begin_drain(&mut self) {
        self.input = None;
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let deadline = Box::pin(sleep_until(Instant::now() + self.options.drain));
        self.drain.get_or_insert(Drain { deadline, look });
    }

    /// Ends, once nothing more is read and nothing is left to say.
    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<Result<(), PipeError>> {
        let Some(drain) = &mut self.drain else { return Poll::Pending };
        let is_done = self.calls.is_empty()
            && self.subscriptions.is_empty()
            && self.events.is_empty()
            && self.outbound.poll_write(context).is_ready();
        if is_done || drain.deadline.as_mut().poll(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        while drain.look.poll_tick(context).is_ready() {
            if self.outbound.is_closed() {
                return Poll::Ready(Ok(()));
            }
        }
        Poll::Pending
    }

    const fn is_full(&self) -> bool {
        self.outbound.len() >= self.options.queue_bytes
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.connection.close();
    }
}

/// What a line is told to.
struct Told<'a> {
    server: &'a Server,
    connection: &'a Arc<Connection>,
    principal: &'a Arc<Principal>,
}

impl Told<'_> {
    /// Handles a line; gives back what does not end at once.
    fn handle(&self, line: &Line<'_>, outbound: &mut Outbound) -> Option<Course> {
        let outcome = match line {
            Line::Text(text) => {
                let peer = Peer { principal: self.principal, via: Via::Pipe(self.connection) };
                Outcome::from(self.server.handle(text, &peer))
            }
            Line::TooLong => {
                let most = self.server.limits().message_bytes;
                let message = format!("the message is longer than {most} bytes");
                Outcome::Answer(self.server.refuse(&Fault::InvalidRequest { message }))
            }
        };
        match outcome {
            Outcome::Accepted => None,
            Outcome::Answer(answer) => {
                outbound.push(&answer.body);
                None
            }
            Outcome::Course(course) => first_steps(course, outbound),
        }
    }
}

/// Goes on with what is ready now; most calls end here, without a task.
fn first_steps(mut course: Course, outbound: &mut Outbound) -> Option<Course> {
    // Whoever goes on with it polls it again at once, so nobody has to be woken from here.
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..FIRST_EVENTS {
        match course.poll_event(&mut context) {
            Poll::Ready(Event::Message(message)) => outbound.push(&message),
            Poll::Ready(Event::Answer(answer)) => {
                outbound.push(&answer.body);
                return None;
            }
            Poll::Ready(Event::End) => return None,
            Poll::Pending => break,
        }
    }
    Some(course)
}

async fn drive(mut course: Course, sender: mpsc::Sender<Outgoing>) {
    loop {
        let (message, is_last) = match course.next().await {
            Event::Message(bytes) => (Outgoing { bytes, _unsent: None }, false),
            Event::Answer(answer) => (Outgoing { bytes: answer.body, _unsent: answer.unsent }, true),
            Event::End => return,
        };
        if sender.send(message).await.is_err() || is_last {
            return;
        }
    }
}

/// A message on its way to the writer.
#[derive(Debug)]
struct Outgoing {
    bytes: Vec<u8>,
    /// Counted until the writer has the bytes, and its queue is bounded.
    _unsent: Option<Unsent>,
}

/// Messages of running calls on their way to the writer; each call holds one more at most.
const EVENTS: usize = 64;
/// Rounds of reading and writing before other tasks of the thread have their turn.
const ROUNDS: usize = 16;
/// Bytes that are worth a write of their own.
const FLUSH: usize = 64 * 1024;
/// Events that a call may have ready at once before it goes on by itself.
const FIRST_EVENTS: usize = 16;
/// How often to look whether somebody reads, while nothing is written.
const LOOK: Duration = Duration::from_millis(100);
