//! A client and its server in one process, with no transport between them.

use std::future::poll_fn;
use std::sync::Arc;

use haft_core::{Connection, Event, Notices, Peer, Principal, Server, Via};

use crate::course::{Course, Outcome};

/// A connection to a server in memory. It is closed when this goes away.
#[derive(Debug)]
pub struct InMemory {
    server: Server,
    connection: Arc<Connection>,
    principal: Arc<Principal>,
    notices: Notices,
}

impl InMemory {
    /// Connects to a server as this principal.
    pub fn new(server: Server, principal: Arc<Principal>) -> Self {
        let connection = server.connection(Arc::clone(&principal));
        let notices = connection.notices();
        Self { server, connection, principal, notices }
    }

    /// Sends a message and gives back what comes for it.
    ///
    /// Has to be called inside of a tokio runtime with time enabled.
    pub fn send(&self, message: &[u8]) -> Replies {
        let peer = Peer { principal: &self.principal, via: Via::Pipe(&self.connection) };
        Replies(match Outcome::from(self.server.handle(message, &peer)) {
            Outcome::Accepted => Rest::Nothing,
            Outcome::Answer(answer) => Rest::Answer(answer.body),
            Outcome::Course(course) => Rest::Course(course),
        })
    }

    /// Sends a message and waits for all that comes for it; the answer is the last.
    pub async fn call(&self, message: &[u8]) -> Vec<Vec<u8>> {
        let mut replies = self.send(message);
        let mut all = Vec::new();
        while let Some(reply) = replies.next().await {
            all.push(reply);
        }
        all
    }

    /// The next notification that belongs to no request; `None` when the server ends.
    pub async fn notice(&mut self) -> Option<Vec<u8>> {
        poll_fn(|context| self.notices.poll_notice(context)).await
    }
}

impl Drop for InMemory {
    fn drop(&mut self) {
        self.connection.close();
    }
}

/// What comes for one message. To drop it is to go away before the answer.
#[derive(Debug)]
pub struct Replies(Rest);

#[derive(Debug)]
enum Rest {
    Answer(Vec<u8>),
    Course(Course),
    Nothing,
}

impl Replies {
    /// The next message; `None` after the last one.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        let event = match &mut self.0 {
            Rest::Course(course) => course.next().await,
            Rest::Answer(_) | Rest::Nothing => Event::End,
        };
        if let Event::Message(message) = event {
            return Some(message);
        }
        match (event, std::mem::replace(&mut self.0, Rest::Nothing)) {
            (Event::Answer(answer), _) => Some(answer.body),
            (_, Rest::Answer(body)) => Some(body),
            _ => None,
        }
    }
}
