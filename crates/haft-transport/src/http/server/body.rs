//! Bodies of responses.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

use super::activity::InFlight;
use super::streaming::Streaming;

/// The body of a response: nothing, one answer, or a stream of events.
#[derive(Debug)]
pub struct HttpBody(Kind);

#[derive(Debug)]
enum Kind {
    Empty,
    Events(Box<Streaming>),
    Whole(Bytes),
}

impl HttpBody {
    pub(super) const fn empty() -> Self {
        Self(Kind::Empty)
    }

    pub(super) fn whole(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        if bytes.is_empty() { Self::empty() } else { Self(Kind::Whole(bytes)) }
    }

    pub(super) fn events(streaming: Streaming) -> Self {
        Self(Kind::Events(Box::new(streaming)))
    }

    /// A stream keeps its connection busy until it ends.
    pub(super) fn hold(&mut self, in_flight: InFlight) {
        if let Kind::Events(streaming) = &mut self.0 {
            streaming.hold(in_flight);
        }
    }
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut self.0 {
            Kind::Empty => Poll::Ready(None),
            Kind::Events(streaming) => {
                streaming.poll_chunk(context).map(|chunk| chunk.map(|chunk| Ok(Frame::data(chunk))))
            }
            Kind::Whole(bytes) => {
                let bytes = std::mem::take(bytes);
                self.0 = Kind::Empty;
                Poll::Ready(Some(Ok(Frame::data(bytes))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Empty => true,
            Kind::Events(streaming) => streaming.is_over(),
            Kind::Whole(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Empty => SizeHint::with_exact(0),
            Kind::Events(_) => SizeHint::default(),
            Kind::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
        }
    }
}
