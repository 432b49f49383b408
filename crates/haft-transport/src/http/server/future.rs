//! One request on its way to its response.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use haft_core::{Event, Peer, Via};
use haft_wire::Fault;
use haft_wire::jsonrpc::{self, Body as JsonBody, Message};
use http::{HeaderMap, Response, StatusCode};
use http_body::Body;
use tokio::time::{Sleep, sleep};

use super::body::HttpBody;
use super::collect::{CollectFault, Collector};
use super::gate::Post;
use super::heads;
use super::service::Shared;
use super::sessions::SessionStreams;
use super::streaming::{Source, Streaming};
use super::{cors, reply};
use crate::course::{Course, Outcome};

/// The response to a request, in the making.
///
/// To drop it is to go away: what that means for a call depends on the client's revision.
pub struct HttpFuture<B> {
    /// Where the message has to be read first.
    posted: Option<Posted>,
    state: State<B>,
}

enum State<B> {
    Answered(Option<Response<HttpBody>>),
    Reading(Collector<B>, HeaderMap),
    Waiting(Option<Course>, Slowness),
}

/// When a response that is not there yet has to show that it will be: begins with the first wait.
type Slowness = Option<Pin<Box<Sleep>>>;

/// A message that is served, and what its response depends on.
struct Posted {
    shared: Arc<Shared>,
    post: Post,
}

impl<B> fmt::Debug for HttpFuture<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.state {
            State::Answered(_) => "HttpFuture::Answered",
            State::Reading(..) => "HttpFuture::Reading",
            State::Waiting(..) => "HttpFuture::Waiting",
        })
    }
}

impl<B: Body<Data = Bytes> + Unpin> HttpFuture<B> {
    pub(super) const fn answered(response: Response<HttpBody>) -> Self {
        Self { posted: None, state: State::Answered(Some(response)) }
    }

    pub(super) fn post(shared: Arc<Shared>, post: Post, headers: HeaderMap, body: B) -> Self {
        let collector = Collector::new(body, shared.server.limits().message_bytes, shared.options.body_timeout);
        let posted = Posted { shared, post };
        match collector {
            Ok(collector) => Self { posted: Some(posted), state: State::Reading(collector, headers) },
            Err(fault) => Self::answered(posted.dress(posted.unread(fault))),
        }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Future for HttpFuture<B> {
    type Output = Result<Response<HttpBody>, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        loop {
            let response = match (&mut this.state, &this.posted) {
                (State::Answered(response), _) => {
                    // Nobody polls again after that.
                    return response.take().map_or(Poll::Pending, |response| Poll::Ready(Ok(response)));
                }
                (_, None) => return Poll::Pending,
                (State::Reading(collector, headers), Some(posted)) => match ready!(collector.poll(context)) {
                    Err(fault) => posted.unread(fault),
                    Ok(body) => match posted.handle(&body, headers) {
                        Outcome::Accepted => reply::empty(StatusCode::ACCEPTED),
                        Outcome::Answer(answer) => reply::answer(answer, posted.post.accepts),
                        Outcome::Course(course) => {
                            this.state = State::Waiting(Some(course), None);
                            continue;
                        }
                    },
                },
                (State::Waiting(course, slowness), Some(posted)) => {
                    ready!(posted.poll_response(course, slowness, context))
                }
            };
            let response = this.posted.as_ref().map(|posted| posted.dress(response));
            this.state = State::Answered(response);
        }
    }
}

impl Posted {
    fn handle(&self, body: &[u8], headers: &HeaderMap) -> Outcome {
        let lookup = |name: &str| heads::only(headers, name);
        let via = Via::Http { headers: heads::facts(headers), lookup: &lookup };
        let peer = Peer { principal: &self.post.principal, via };
        Outcome::from(self.shared.server.handle(body, &peer))
    }

    /// One answer is JSON; what has more to say than that becomes a stream, and so does what takes long: a connection on
    /// which nothing happens is cut by whoever stands between.
    fn poll_response(
        &self,
        course: &mut Option<Course>,
        slowness: &mut Slowness,
        context: &mut Context<'_>,
    ) -> Poll<Response<HttpBody>> {
        let Some(running) = course else { return Poll::Pending };
        let is_subscription = running.is_subscription();
        let can_stream = self.post.accepts.events && !matches!(running, Course::Batch(_));
        if is_subscription && !can_stream {
            return Poll::Ready(not_acceptable());
        }
        loop {
            let message = match running.poll_event(context) {
                Poll::Pending if is_subscription => None,
                Poll::Pending if can_stream => {
                    let slowness = slowness.get_or_insert_with(|| Box::pin(sleep(self.shared.options.keep_alive)));
                    ready!(slowness.as_mut().poll(context));
                    None
                }
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Event::Answer(answer)) => {
                    return Poll::Ready(reply::answer(answer, self.post.accepts));
                }
                // Cancelled: there is a response, as HTTP wants it, but no answer.
                Poll::Ready(Event::End) => return Poll::Ready(reply::empty(StatusCode::ACCEPTED)),
                Poll::Ready(Event::Message(message)) => Some(message),
            };
            if can_stream {
                let source = course.take().map(|course| self.source(message, course));
                return source.map_or(Poll::Pending, |source| {
                    Poll::Ready(reply::events(Streaming::new(source, self.shared.options.keep_alive)))
                });
            }
            // Reports can be done without; a question that cannot be asked would wait for ever.
            if message.is_some_and(|message| is_request(&message)) {
                return Poll::Ready(not_acceptable());
            }
        }
    }

    /// Within a session, the exchange goes on without its connection, and the client can come back for the rest.
    fn source(&self, first: Option<Vec<u8>>, course: Course) -> Source {
        let exchange = match course {
            Course::One(exchange) => exchange,
            course @ Course::Batch(_) => return Source::Course(first, course),
        };
        match exchange.session().map(|session| SessionStreams::of(session)) {
            Some(streams) => Source::Reader(streams.begin(first.as_deref(), exchange, &self.shared.replay)),
            None => Source::Course(first, Course::One(exchange)),
        }
    }

    fn unread(&self, fault: CollectFault) -> Response<HttpBody> {
        let most = self.shared.server.limits().message_bytes;
        let patience = self.shared.options.body_timeout.as_secs();
        let (status, message) = match fault {
            CollectFault::Broken => (400, "the body ended before it was complete".to_owned()),
            CollectFault::TooLong => (413, format!("the message is longer than {most} bytes")),
            CollectFault::TooSlow => (408, format!("the body was not there within {patience} s")),
        };
        let mut answer = self.shared.server.refuse(&Fault::InvalidRequest { message });
        answer.status = status;
        reply::closing(reply::answer(answer, self.post.accepts))
    }

    fn dress(&self, mut response: Response<HttpBody>) -> Response<HttpBody> {
        if let Some(origin) = &self.post.origin {
            cors::allow(origin.clone(), response.headers_mut());
        }
        response
    }
}

fn not_acceptable() -> Response<HttpBody> {
    reply::refusal(StatusCode::NOT_ACCEPTABLE, "the answer is a stream: `Accept` has to allow text/event-stream")
}

fn is_request(message: &[u8]) -> bool {
    matches!(jsonrpc::parse(message), Ok(JsonBody::One(Message::Request(_))))
}
