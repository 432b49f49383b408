//! From a message to what answers it: one match, one line per method.

use std::sync::Arc;

use haft_wire::jsonrpc::{Body, Id, Malformed, Message, Request, parse};
use haft_wire::model::{
    CacheHint, CacheScope, ClientNotification, ClientRequest, Initialize, MetaFields, ReadResource, ServerResult,
    ToolPage,
};
use haft_wire::{Codec, Fault};

use crate::admit::{self, Admitted, Refused};
use crate::answer::{Answer, Handled};
use crate::call;
use crate::connection::Connection;
use crate::listen;
use crate::server::{Peer, Server, Via};

/// Reads a body and serves what it holds.
pub(crate) fn handle(server: &Server, body: &[u8], peer: &Peer<'_>) -> Handled {
    match parse(body) {
        Err(malformed) => unreadable(&malformed, peer),
        Ok(Body::One(message)) => one(server, &message, peer),
        Ok(Body::Batch(messages)) => batch(server, messages, peer),
        Ok(_) => unreadable_fault("a body of an unknown kind"),
    }
}

fn batch(server: &Server, messages: Vec<Result<Message<'_>, Malformed>>, peer: &Peer<'_>) -> Handled {
    let connection = match peer.via {
        Via::Pipe(connection) => Some(Arc::clone(connection)),
        Via::Http { headers, .. } => headers.session.and_then(|id| server.session(id, peer.principal).ok()),
    };
    if !connection.and_then(|connection| connection.codec()).is_some_and(Codec::knows_batches) {
        return unreadable_fault("an array of messages, which only revision 2025-03-26 knows");
    }
    let handled = messages.into_iter().map(|message| match message {
        Err(malformed) => unreadable(&malformed, peer),
        Ok(Message::Request(request)) if request.method == "initialize" => {
            let fault = Fault::InvalidRequest { message: "`initialize` inside of a batch".to_owned() };
            refusal(Codec::of_unknown_revision(), Some(&request.id), &fault)
        }
        Ok(message) => one(server, &message, peer),
    });
    Handled::Batch(handled.collect())
}

fn one(server: &Server, message: &Message<'_>, peer: &Peer<'_>) -> Handled {
    if let Message::Request(request) = message {
        let fields = *request.params.meta();
        return match admit::request(server, request, &fields, peer) {
            Ok(admitted) => serve(server, request, &fields, peer, &admitted),
            Err(refused) => refuse(refused, Some(&request.id)),
        };
    }
    let connection = match admit::bystander(server, message, peer) {
        Ok(connection) => connection,
        Err(refused) => return refuse(refused, None),
    };
    match (message, connection) {
        (Message::Notification(notification), Some(connection)) => {
            let codec = connection.codec().unwrap_or(Codec::of_unknown_revision());
            match codec.decode_notification(notification) {
                ClientNotification::Cancelled(cancelled) => {
                    if let Some(id) = cancelled.request {
                        connection.cancel(&id);
                    }
                }
                ClientNotification::Initialized => connection.initialized(),
                _ => {}
            }
            Handled::Accepted
        }
        (Message::Response(response), Some(connection)) => {
            // An answer that comes too late is nobody's fault.
            connection.answer(response);
            Handled::Accepted
        }
        (Message::Response(_), None) => unreadable_fault("a response to nothing that was asked"),
        (Message::Notification(_) | Message::Request(_), _) => Handled::Accepted,
    }
}

fn serve(
    server: &Server,
    request: &Request<'_>,
    fields: &MetaFields<'_>,
    peer: &Peer<'_>,
    admitted: &Admitted<'_>,
) -> Handled {
    let codec = admitted.codec;
    let id = &request.id;
    let in_use = admitted.connection.as_ref().is_some_and(|connection| connection.has_in_flight(id));
    if in_use {
        let message = "a request with this `id` is still open".to_owned();
        return refusal(codec, Some(id), &Fault::InvalidRequest { message });
    }
    let decoded = match codec.decode_request(request) {
        Ok(decoded) => decoded,
        Err(fault) => return refusal(codec, Some(id), &fault),
    };
    let facts = &server.0.facts;
    let resources = facts.serves_resources();
    let never = CacheHint::new(0, CacheScope::Private);
    match decoded {
        ClientRequest::CallTool(call) => call::begin(server, admitted, peer, id, &call, fields),
        ClientRequest::Discover => result(server, codec, id, &ServerResult::Discover(discovery(server))),
        ClientRequest::Initialize(initialize) => initialized(server, admitted, id, &initialize),
        ClientRequest::Listen(filter) => listen::begin(server, admitted, id, filter),
        ClientRequest::ListResourceTemplates(_) if resources => {
            result(server, codec, id, &ServerResult::ListResourceTemplates(never))
        }
        ClientRequest::ListResources(_) if resources => result(server, codec, id, &ServerResult::ListResources(never)),
        ClientRequest::ListTools(page) => list_tools(server, admitted, id, page.cursor.as_deref()),
        ClientRequest::Ping => result(server, codec, id, &ServerResult::Empty),
        ClientRequest::ReadResource(read) if resources => read_resource(server, admitted, id, &read),
        _ => refusal(codec, Some(id), &Fault::MethodNotFound { method: request.method.clone().into_owned() }),
    }
}

/// What a server says of itself is the same for everybody, as long as it runs.
fn discovery(server: &Server) -> CacheHint {
    let ttl = u64::try_from(server.0.limits.list_ttl.as_millis()).unwrap_or(u64::MAX);
    CacheHint::new(ttl, CacheScope::Public)
}

fn initialized(server: &Server, admitted: &Admitted<'_>, id: &Id<'_>, initialize: &Initialize<'_>) -> Handled {
    let negotiated = admit::negotiate(initialize);
    let body = negotiated.codec.encode_result(id, &ServerResult::Initialize, &server.0.facts);
    let mut answer = Answer::ok(body);
    if let Some(pipe) = &admitted.connection {
        pipe.negotiate(negotiated);
        return Handled::Answer(answer);
    }
    let principal = Arc::clone(admitted.principal);
    let session = server.0.sessions.begin(|id| Connection::session(server, principal, id));
    match session {
        None => refusal(negotiated.codec, Some(id), &Fault::Busy { rate: false, retry_after: 60 }),
        Some(session) => {
            session.negotiate(negotiated);
            answer.session = session.id().map(ToOwned::to_owned);
            Handled::Answer(answer)
        }
    }
}

fn list_tools(server: &Server, admitted: &Admitted<'_>, id: &Id<'_>, cursor: Option<&str>) -> Handled {
    let codec = admitted.codec;
    match server.catalogue().page(&server.0, codec, server.view(admitted.principal), cursor) {
        Err(fault) => refusal(codec, Some(id), &fault),
        Ok(page) => {
            let page = ToolPage::new(&page.tools, page.next_cursor.as_deref(), page.cache);
            result(server, codec, id, &ServerResult::ListTools(page))
        }
    }
}

fn read_resource(server: &Server, admitted: &Admitted<'_>, id: &Id<'_>, read: &ReadResource<'_>) -> Handled {
    match server.0.links.read(&read.uri, admitted.principal) {
        None => refusal(admitted.codec, Some(id), &Fault::ResourceNotFound { uri: read.uri.clone().into_owned() }),
        Some(contents) => {
            let ttl = u64::try_from(server.0.limits.list_ttl.as_millis()).unwrap_or(u64::MAX);
            let cache = CacheHint::new(ttl, CacheScope::Private);
            result(server, admitted.codec, id, &ServerResult::ReadResource(&[contents], cache))
        }
    }
}

fn result(server: &Server, codec: Codec, id: &Id<'_>, result: &ServerResult<'_>) -> Handled {
    Handled::Answer(Answer::ok(codec.encode_result(id, result, &server.0.facts)))
}

fn refuse(refused: Refused, id: Option<&Id<'_>>) -> Handled {
    match refused {
        Refused::Fault(codec, fault) => refusal(codec, id, &fault),
        Refused::Session(fault) => {
            let fault = Fault::InvalidRequest { message: fault.to_string() };
            let mut answer = fault_answer(Codec::of_unknown_revision(), id, &fault);
            // 2025-03-26 to 2025-11-25, transports: a session that is not there.
            answer.status = 404;
            Handled::Answer(answer)
        }
    }
}

fn unreadable(malformed: &Malformed, peer: &Peer<'_>) -> Handled {
    if malformed.is_response && matches!(peer.via, Via::Pipe(_)) {
        return Handled::Accepted;
    }
    refusal(Codec::of_unknown_revision(), malformed.id.as_ref(), &malformed.fault)
}

fn unreadable_fault(message: &str) -> Handled {
    refusal(Codec::of_unknown_revision(), None, &Fault::InvalidRequest { message: message.to_owned() })
}

pub(crate) fn refusal(codec: Codec, id: Option<&Id<'_>>, fault: &Fault) -> Handled {
    Handled::Answer(fault_answer(codec, id, fault))
}

pub(crate) fn fault_answer(codec: Codec, id: Option<&Id<'_>>, fault: &Fault) -> Answer {
    let retry_after = match fault {
        Fault::Busy { retry_after, .. } => Some(*retry_after),
        _ => None,
    };
    Answer {
        status: codec.status(fault),
        body: codec.encode_fault(id, fault),
        session: None,
        retry_after,
        unsent: None,
    }
}
