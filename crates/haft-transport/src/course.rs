//! What goes on after a message was read: one exchange, or several that came in one batch.

use std::future::poll_fn;
use std::task::{Context, Poll};

use haft_core::{Answer, Event, Exchange, Handled};

/// What became of a message, as transports tell it apart.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Nothing goes out.
    Accepted,
    /// The answer is there.
    Answer(Answer),
    /// More is to come.
    Course(Course),
}

impl From<Handled> for Outcome {
    fn from(handled: Handled) -> Self {
        match handled {
            Handled::Accepted => Self::Accepted,
            Handled::Answer(answer) => Self::Answer(answer),
            Handled::Exchange(exchange) => Self::Course(Course::One(exchange)),
            Handled::Batch(items) => Batch::new(items).into_outcome(),
        }
    }
}

/// What goes on: to be polled for its events until one of them is the last.
#[derive(Debug)]
pub(crate) enum Course {
    /// A batch, answered by one array.
    Batch(Batch),
    /// A single request.
    One(Box<Exchange>),
}

impl Course {
    /// The next event; [`Event::Answer`] and [`Event::End`] are the last.
    pub(crate) fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Event> {
        match self {
            Self::Batch(batch) => batch.poll_event(context),
            Self::One(exchange) => exchange.poll_event(context),
        }
    }

    /// The next event.
    pub(crate) async fn next(&mut self) -> Event {
        poll_fn(|context| self.poll_event(context)).await
    }

    /// Whether it ends only when somebody ends it.
    pub(crate) fn is_subscription(&self) -> bool {
        match self {
            Self::Batch(_) => false,
            Self::One(exchange) => exchange.is_subscription(),
        }
    }
}

/// Requests that came together and are answered together.
#[derive(Debug)]
pub(crate) struct Batch {
    open: Vec<Course>,
    /// The array so far, without its closing bracket.
    array: Vec<u8>,
    /// One of the answers, to carry the array.
    carrier: Option<Answer>,
}

impl Batch {
    fn new(items: Vec<Handled>) -> Self {
        let mut batch = Self { open: Vec::new(), array: Vec::new(), carrier: None };
        for item in items {
            match Outcome::from(item) {
                Outcome::Accepted => {}
                Outcome::Answer(answer) => batch.add(answer),
                Outcome::Course(course) => batch.open.push(course),
            }
        }
        batch
    }

    fn into_outcome(mut self) -> Outcome {
        if !self.open.is_empty() {
            return Outcome::Course(Course::Batch(self));
        }
        self.finish().map_or(Outcome::Accepted, Outcome::Answer)
    }

    fn add(&mut self, mut answer: Answer) {
        if answer.body.is_empty() {
            return;
        }
        self.array.push(if self.array.is_empty() { b'[' } else { b',' });
        self.array.append(&mut answer.body);
        self.carrier = Some(answer);
    }

    fn finish(&mut self) -> Option<Answer> {
        let mut answer = self.carrier.take()?;
        answer.body = std::mem::take(&mut self.array);
        answer.body.push(b']');
        // Each error in the array speaks for itself.
        answer.status = 200;
        Some(answer)
    }

    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Event> {
        let mut index = 0;
        while let Some(course) = self.open.get_mut(index) {
            match course.poll_event(context) {
                Poll::Pending => index += 1,
                Poll::Ready(Event::Message(message)) => return Poll::Ready(Event::Message(message)),
                Poll::Ready(Event::Answer(answer)) => {
                    self.open.swap_remove(index);
                    self.add(answer);
                }
                Poll::Ready(Event::End) => {
                    self.open.swap_remove(index);
                }
            }
        }
        if self.open.is_empty() { Poll::Ready(self.finish().map_or(Event::End, Event::Answer)) } else { Poll::Pending }
    }
}

/// Appends a message as one line of text, without its end.
///
/// What a tool returns may hold line breaks between the tokens of its JSON; both framings end a message there, so they
/// become blanks, which mean the same.
pub(crate) fn append_in_one_line(message: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(message);
    if message.contains(&b'\n') || message.contains(&b'\r') {
        for byte in out.iter_mut().skip(start).filter(|byte| matches!(byte, b'\n' | b'\r')) {
            *byte = b' ';
        }
    }
}
