//! The body of a request, read whole, within bounds of size and time.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::Body;
use tokio::time::{Sleep, sleep};

/// Reads a body.
#[derive(Debug)]
pub(super) struct Collector<B> {
    body: B,
    gathered: Gathered,
    most: usize,
    patience: Duration,
    /// Begins with the first wait; most bodies come in one piece with their headers.
    deadline: Option<Pin<Box<Sleep>>>,
}

#[derive(Debug)]
enum Gathered {
    Nothing,
    One(Bytes),
    Many(Vec<u8>),
}

/// Why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CollectFault {
    /// The connection broke, or what came was no body.
    Broken,
    TooLong,
    TooSlow,
}

impl<B: Body<Data = Bytes> + Unpin> Collector<B> {
    /// Reads at most so many bytes, for at most so long; a body that says how long it is may be refused at once.
    pub(super) fn new(body: B, most: usize, patience: Duration) -> Result<Self, CollectFault> {
        if body.size_hint().lower() > most as u64 {
            return Err(CollectFault::TooLong);
        }
        Ok(Self { body, gathered: Gathered::Nothing, most, patience, deadline: None })
    }

    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<Bytes, CollectFault>> {
        while !self.body.is_end_stream() {
            match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Ready(None) => break,
                Poll::Ready(Some(Err(_))) => return Poll::Ready(Err(CollectFault::Broken)),
                Poll::Ready(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data()
                        && let Err(fault) = self.gather(data)
                    {
                        return Poll::Ready(Err(fault));
                    }
                }
                Poll::Pending => {
                    let patience = self.patience;
                    let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(patience)));
                    return deadline.as_mut().poll(context).map(|()| Err(CollectFault::TooSlow));
                }
            }
        }
        Poll::Ready(Ok(match std::mem::replace(&mut self.gathered, Gathered::Nothing) {
            Gathered::Nothing => Bytes::new(),
            Gathered::One(bytes) => bytes,
            Gathered::Many(bytes) => Bytes::from(bytes),
        }))
    }

    fn gather(&mut self, data: Bytes) -> Result<(), CollectFault> {
        let length = match &self.gathered {
            Gathered::Nothing => 0,
            Gathered::One(bytes) => bytes.len(),
            Gathered::Many(bytes) => bytes.len(),
        };
        if data.len() > self.most - length {
            return Err(CollectFault::TooLong);
        }
        match &mut self.gathered {
            Gathered::Nothing => self.gathered = Gathered::One(data),
            Gathered::One(first) => {
                let mut bytes = Vec::with_capacity(2 * (first.len() + data.len()));
                bytes.extend_from_slice(first);
                bytes.extend_from_slice(&data);
                self.gathered = Gathered::Many(bytes);
            }
            Gathered::Many(bytes) => bytes.extend_from_slice(&data),
        }
        Ok(())
    }
}
