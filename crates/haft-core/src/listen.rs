//! Subscriptions: what a client that listens is told, and how it ends (2026-07-28, subscriptions).

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use haft_wire::jsonrpc::Id;
use haft_wire::model::Listen;
use haft_wire::{Codec, Fault};

use crate::admit::Admitted;
use crate::answer::{Answer, Handled};
use crate::changes::Watcher;
use crate::connection::{Connection, Flight};
use crate::dispatch::refusal;
use crate::exchange::{Event, Exchange};
use crate::outlet::Outlet;
use crate::principal::Principal;
use crate::server::{Server, Shared};

/// A subscription that is open.
pub(crate) struct Subscription {
    server: Server,
    id: Id<'static>,
    codec: Codec,
    principal: Arc<Principal>,
    outlet: Arc<Outlet>,
    connection: Option<Arc<Connection>>,
    filter: Listen,
    step: Step,
    change: Option<Change>,
    _place: Place,
}

type Change = Pin<Box<dyn Future<Output = Option<(Watcher, u64)>> + Send>>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Acknowledge,
    Cancelled,
    Ended,
    Listening,
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Begins a subscription, unless there are too many.
pub(crate) fn begin(server: &Server, admitted: &Admitted<'_>, id: &Id<'_>, filter: Listen) -> Handled {
    let Some(place) = Place::take(&server.0) else {
        return refusal(admitted.codec, Some(id), &Fault::Busy { rate: false, retry_after: 5 });
    };
    let outlet = Arc::new(Outlet::default());
    let id = id.clone().into_owned();
    if let Some(connection) = &admitted.connection {
        connection.begin(id.clone(), Flight::Subscription(Arc::clone(&outlet)));
    }
    // From before the acknowledgement on, no change is missed.
    let watcher = server.0.changes.watch();
    let seen = server.catalogue().fingerprint(server.view(admitted.principal));
    let change = next_change(server.clone(), Arc::clone(admitted.principal), watcher, seen);
    Handled::Exchange(Box::new(Exchange::subscription(Subscription {
        server: server.clone(),
        id,
        codec: admitted.codec,
        principal: Arc::clone(admitted.principal),
        outlet,
        connection: admitted.connection.clone(),
        filter,
        step: Step::Acknowledge,
        change: Some(Box::pin(change)),
        _place: place,
    })))
}

impl Subscription {
    pub(crate) fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Event> {
        if self.outlet.is_cancelled() {
            return Poll::Ready(Event::End);
        }
        match self.step {
            Step::Acknowledge => {
                self.step = Step::Listening;
                Poll::Ready(Event::Message(self.codec.encode_acknowledged(&self.id, self.filter)))
            }
            Step::Cancelled => {
                self.step = Step::Ended;
                Poll::Ready(Event::Answer(Answer::ok(self.codec.encode_listen_ended(&self.id, &self.server.0.facts))))
            }
            Step::Ended => Poll::Ready(Event::End),
            Step::Listening => self.poll_change(context),
        }
    }

    fn poll_change(&mut self, context: &mut Context<'_>) -> Poll<Event> {
        loop {
            self.outlet.wait(context.waker());
            if self.outlet.is_cancelled() {
                return Poll::Ready(Event::End);
            }
            let Some(change) = &mut self.change else { return self.end() };
            match change.as_mut().poll(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => {
                    self.change = None;
                    return self.end();
                }
                Poll::Ready(Some((watcher, seen))) => {
                    let next = next_change(self.server.clone(), Arc::clone(&self.principal), watcher, seen);
                    self.change = Some(Box::pin(next));
                    if self.filter.tools_list_changed {
                        return Poll::Ready(Event::Message(self.codec.encode_list_changed(Some(&self.id))));
                    }
                }
            }
        }
    }

    /// The server ends it: on a pipe with a word of its own, and with the result at last.
    fn end(&mut self) -> Poll<Event> {
        if self.connection.is_some() {
            self.step = Step::Cancelled;
            return Poll::Ready(Event::Message(self.codec.encode_cancelled(&self.id)));
        }
        self.step = Step::Ended;
        Poll::Ready(Event::Answer(Answer::ok(self.codec.encode_listen_ended(&self.id, &self.server.0.facts))))
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(connection) = &self.connection {
            connection.finish(&self.id);
        }
    }
}

/// Waits until what the principal sees has changed; `None` when the server ends.
async fn next_change(
    server: Server,
    principal: Arc<Principal>,
    mut watcher: Watcher,
    seen: u64,
) -> Option<(Watcher, u64)> {
    loop {
        if !watcher.changed(server.0.limits.change_quiet).await {
            return None;
        }
        let now = server.catalogue().fingerprint(server.view(&principal));
        if now != seen {
            return Some((watcher, now));
        }
    }
}

/// A place among the subscriptions that are open.
struct Place(Arc<Shared>);

impl Place {
    fn take(server: &Arc<Shared>) -> Option<Self> {
        let before = server.subscriptions.fetch_add(1, Ordering::AcqRel);
        let place = Self(Arc::clone(server));
        // Dropping the place takes back what was added.
        (before < server.limits.subscriptions).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.subscriptions.fetch_sub(1, Ordering::AcqRel);
    }
}
