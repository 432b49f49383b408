//! The reading half of a connection: what comes in goes to whoever waits for it.

use std::sync::{Arc, Weak};
use std::time::Duration;

use haft_transport::client::{Inbox, Incoming, Outgoing};
use haft_wire::jsonrpc::{Body, Message, Request, Response, parse};
use haft_wire::model::{InputRequest, ServerNotification};
use haft_wire::{ServerRequest, code};
use tokio::time::timeout;

use crate::answers::answered;
use crate::live::Live;
use crate::pending::{Delivery, Standing};

/// Reads until the connection ends or nobody holds it any more.
pub(crate) async fn run(mut inbox: Inbox, live: Weak<Live>) {
    while let Some(incoming) = inbox.next().await {
        let Some(live) = live.upgrade() else { return };
        match incoming {
            Incoming::Closed(closed) => {
                live.pending.close(closed);
                return;
            }
            Incoming::Ended { request, fault: Some(fault) } => {
                if live.pending.answer(request, Delivery::Fault(fault)).is_err() {
                    tracing::trace!(request, "an exchange ended that nobody waits for");
                }
            }
            Incoming::Ended { request, fault: None } => {
                let reason = "ended without an answer".to_owned();
                if live.pending.answer(request, Delivery::Malformed(reason)).is_ok() {
                    tracing::debug!(request, "the exchange ended without an answer");
                }
            }
            Incoming::Message { bytes, request, head } => {
                let (status, session) = head.map_or((None, None), |head| (Some(head.status), head.session));
                Arrival { live: &live, request, status, session }.read(&bytes);
            }
            Incoming::Noise(line) => live.remark(format!("stdout has a line that is no message: {line}")),
            other => tracing::trace!(?other, "not understood"),
        }
    }
}

/// A message with what the transport knows of it.
struct Arrival<'l> {
    live: &'l Arc<Live>,
    /// On whose exchange it came, where the transport has exchanges.
    request: Option<u64>,
    status: Option<u16>,
    session: Option<String>,
}

impl Arrival<'_> {
    fn read(self, bytes: &[u8]) {
        match parse(bytes) {
            Ok(Body::One(message)) => self.message(message),
            Ok(Body::Batch(messages)) => {
                for message in messages {
                    let arrival = Self { live: self.live, request: self.request, status: self.status, session: None };
                    match message {
                        Ok(message) => arrival.message(message),
                        Err(malformed) => arrival.malformed(malformed.id.as_ref(), &malformed.fault.to_string()),
                    }
                }
            }
            Ok(other) => self.live.remark(format!("a message of an unknown kind: {other:?}")),
            Err(malformed) => self.malformed(malformed.id.as_ref(), &malformed.fault.to_string()),
        }
    }

    fn message(self, message: Message<'_>) {
        match message {
            Message::Notification(notification) => {
                let told = self.live.codec().decode_server_notification(&notification);
                self.told(told);
            }
            Message::Request(request) => self.asked(&request),
            Message::Response(response) => self.answered(&response),
        }
    }

    fn answered(self, response: &Response<'_>) {
        let own = |raw: haft_wire::jsonrpc::Raw<'_>| {
            serde_json::value::RawValue::from_string(raw.get().to_owned())
                .unwrap_or_else(|_| serde_json::value::RawValue::NULL.to_owned())
        };
        // An error about what could not be read has no id; over HTTP it is clear all the same whose it is.
        let number = response.id.as_ref().map_or(self.request, |id| id.as_json().parse().ok());
        let outcome = response.outcome.map(own).map_err(own);
        let Some(number) = number else {
            self.live.remark("an answer to nothing that was asked".to_owned());
            return;
        };
        let delivery = Delivery::Answer { outcome, status: self.status, session: self.session };
        match self.live.pending.answer(number, delivery) {
            Ok(()) => {}
            // A slow start is nothing odd: the first question was given up, and answered all the same.
            Err(Standing::Over) if number == 1 => {}
            Err(Standing::Over) => self.live.remark(format!("request {number} was answered late or twice")),
            Err(Standing::Unknown) => self.live.remark(format!("an answer to request {number}, which nobody made")),
        }
    }

    fn malformed(self, id: Option<&haft_wire::jsonrpc::Id<'_>>, why: &str) {
        let number = id.and_then(|id| id.as_json().parse().ok()).or(self.request);
        let delivery = Delivery::Malformed(format!("cannot be read: {why}"));
        let delivered = number.is_some_and(|number| self.live.pending.answer(number, delivery).is_ok());
        if !delivered {
            self.live.remark(format!("a message that cannot be read: {why}"));
        }
    }

    fn told(self, notification: ServerNotification) {
        match notification {
            ServerNotification::Log { level, data } => {
                tracing::debug!(target: "haft::server", level, data = data.get(), "the server logs");
            }
            ServerNotification::Progress(progress) => self.live.pending.report(progress),
            ServerNotification::ToolsChanged => self.live.tools_changed(),
            other => tracing::trace!(?other, "told"),
        }
    }

    fn asked(self, request: &Request<'_>) {
        let Some(place) = self.live.place_for_a_question() else {
            self.live
                .remark("asks faster than it can be answered; what is too much stays without an answer".to_owned());
            return;
        };
        let id = request.id.clone().into_owned();
        let live = Arc::clone(self.live);
        let codec = live.codec();
        let body = match codec.decode_server_request(request) {
            ServerRequest::Ping => codec.encode_answer(&id, "{}"),
            ServerRequest::Input(input) => {
                live.clone().own(async move {
                    let _place = place;
                    let body = match input_answer(&live, &input).await {
                        Ok(result) => codec.encode_answer(&id, &result),
                        Err((code, why)) => codec.encode_refusal(&id, code, &why),
                    };
                    send(&live, body).await;
                });
                return;
            }
            _ => codec.encode_refusal(&id, code::METHOD_NOT_FOUND, "clients have no such method"),
        };
        live.clone().own(async move {
            let _place = place;
            send(&live, body).await;
        });
    }
}

/// The answer to what a server asks by a request of its own.
async fn input_answer(live: &Live, input: &InputRequest) -> Result<String, (i32, String)> {
    if !live.facts().capabilities().allow(&input.method, &input.params) {
        return Err((code::INVALID_PARAMS, "the client did not declare that it can do this".to_owned()));
    }
    let Some(answers) = live.answers() else {
        return Err((code::METHOD_NOT_FOUND, "nobody is here to answer".to_owned()));
    };
    let _asked = live.asked();
    match answered(answers, &live.server_name(), input).await {
        Ok(value) => Ok(value.to_string()),
        Err(why) => {
            live.remark(format!("a question was left without its answer: {why}"));
            Ok(serde_json::json!({ "action": "cancel" }).to_string())
        }
    }
}

async fn send(live: &Live, body: Vec<u8>) {
    let outgoing = Outgoing::message(body).with_headers(live.headers("", None));
    match timeout(SEND, live.link.send(outgoing)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "an answer was not taken"),
        Err(_) => tracing::debug!("an answer was not taken in time"),
    }
}

const SEND: Duration = Duration::from_secs(30);
