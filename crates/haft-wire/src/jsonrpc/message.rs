//! The envelope of a message: read once, borrowed, with parameters left raw.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::id::Id;
use super::keys::{self, KeyFault};
use super::params::Params;
use super::raw::Raw;
use super::scan::{self, NoEnvelope};
use crate::error::Fault;

/// What one body or one line holds.
#[derive(Debug)]
#[non_exhaustive]
pub enum Body<'a> {
    /// An array of messages; only revision 2025-03-26 knows it.
    Batch(Vec<Result<Message<'a>, Malformed>>),
    /// One message.
    One(Message<'a>),
}

/// A message of one of the three kinds.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "JSON-RPC has these three kinds")]
pub enum Message<'a> {
    /// Tells, and is never answered.
    Notification(Notification<'a>),
    /// Asks, and is answered under its id.
    Request(Request<'a>),
    /// Answers a request of ours.
    Response(Response<'a>),
}

/// A request.
#[derive(Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The id that the answer carries.
    pub id: Id<'a>,
    /// The method.
    pub method: Cow<'a, str>,
    /// The parameters.
    pub params: Params<'a>,
    /// An ambiguous key inside `params.arguments`, which whoever wrote the arguments can mend.
    pub ambiguous_argument: Option<KeyFault>,
}

/// A notification.
#[derive(Debug)]
#[non_exhaustive]
pub struct Notification<'a> {
    /// The method.
    pub method: Cow<'a, str>,
    /// The parameters.
    pub params: Params<'a>,
}

/// A response to a request of ours.
#[derive(Debug)]
#[non_exhaustive]
pub struct Response<'a> {
    /// The id of the request; an error about what could not be read has none.
    pub id: Option<Id<'a>>,
    /// The result, or the error object.
    pub outcome: Result<Raw<'a>, Raw<'a>>,
}

/// A message that cannot be served, with the id to answer it under where one could be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Malformed {
    /// The id, if there was a usable one.
    pub id: Option<Id<'static>>,
    /// What is wrong.
    pub fault: Fault,
    /// Whether this was meant to be a response. Answering one could go on for ever, so on a pipe nobody does.
    pub is_response: bool,
}

/// Reads a body.
///
/// # Errors
///
/// When the body is not JSON in UTF-8, no JSON-RPC 2.0 message, or has ambiguous keys outside `params.arguments`.
pub fn parse(body: &[u8]) -> Result<Body<'_>, Malformed> {
    let text = std::str::from_utf8(body).map_err(|error| {
        nameless(Fault::Parse { message: format!("not UTF-8 after {} bytes", error.valid_up_to()) })
    })?;
    if text.trim_ascii_start().starts_with('[') {
        return batch(text);
    }
    message(text).map(Body::One)
}

fn batch(text: &str) -> Result<Body<'_>, Malformed> {
    let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| nameless(not_json(&error)))?;
    if items.is_empty() {
        return Err(nameless(invalid("an empty batch")));
    }
    if items.len() > MAX_BATCH {
        return Err(nameless(invalid("more than 100 messages in a batch")));
    }
    Ok(Body::Batch(items.into_iter().map(|item| message(item.get())).collect()))
}

fn message(text: &str) -> Result<Message<'_>, Malformed> {
    let envelope = scan::envelope(text).map_err(|why| nameless(no_envelope(text, &why)))?;
    if envelope.is_deep
        && let Err(error) = serde_json::from_str::<IgnoredAny>(text)
    {
        return Err(nameless(not_json(&error)));
    }
    let id = envelope.id.and_then(Id::read);
    let is_response = envelope.method.is_none() && (envelope.result.is_some() || envelope.error.is_some());
    let refuse = |fault| Malformed { id: id.clone().map(Id::into_owned), fault, is_response };
    let is_call = envelope.method.is_some_and(|method| method.get() == "\"tools/call\"");
    let ambiguous_argument = if envelope.is_ambiguous || envelope.is_deep { keys::check(text) } else { Ok(None) };
    let ambiguous_argument = match ambiguous_argument {
        Ok(Some(fault)) if !is_call => return Err(refuse(Fault::InvalidRequest { message: fault.to_string() })),
        Ok(argument) => argument,
        // Of two ids neither is the one to answer under.
        Err(fault) if fault.is_about("id") => {
            return Err(nameless(Fault::InvalidRequest { message: fault.to_string() }));
        }
        Err(fault) => return Err(refuse(Fault::InvalidRequest { message: fault.to_string() })),
    };
    if envelope.jsonrpc.is_none_or(|version| version.get() != "\"2.0\"") {
        return Err(refuse(invalid("`jsonrpc` has to be \"2.0\"")));
    }
    match (envelope.method, envelope.id, envelope.result, envelope.error) {
        (Some(method), given, None, None) => {
            let Some(method) = crate::model::text(method) else {
                return Err(refuse(invalid("`method` has to be a string")));
            };
            if given.is_none() {
                return Ok(Message::Notification(Notification { method, params: envelope.params }));
            }
            let Some(id) = id else {
                return Err(nameless(invalid("`id` has to be a string or an integer")));
            };
            Ok(Message::Request(Request { id, method, params: envelope.params, ambiguous_argument }))
        }
        (None, given, None, Some(error)) if given.is_none_or(|raw| raw.get() == "null") => {
            Ok(Message::Response(Response { id: None, outcome: Err(error) }))
        }
        (None, Some(_), result, error) => {
            let outcome = match (result, error) {
                (Some(result), None) => Ok(result),
                (None, Some(error)) => Err(error),
                (Some(_), Some(_)) => return Err(refuse(invalid("both `result` and `error`"))),
                (None, None) => return Err(refuse(invalid("neither `method`, `result` nor `error`"))),
            };
            if id.is_none() {
                return Err(refuse(invalid("`id` has to be a string or an integer")));
            }
            Ok(Message::Response(Response { id, outcome }))
        }
        (None, None, _, _) => Err(refuse(invalid("neither `method` nor `id`"))),
        (Some(_), _, _, _) => Err(refuse(invalid("`method` beside `result` or `error`"))),
    }
}

const fn nameless(fault: Fault) -> Malformed {
    Malformed { id: None, fault, is_response: false }
}

fn invalid(message: &str) -> Fault {
    Fault::InvalidRequest { message: message.to_owned() }
}

/// What is wrong with a text that holds no envelope, and where.
fn no_envelope(text: &str, why: &NoEnvelope) -> Fault {
    match (why, serde_json::from_str::<IgnoredAny>(text)) {
        (NoEnvelope::NoJson | NoEnvelope::NoObject, Err(error)) => not_json(&error),
        (NoEnvelope::NoJson | NoEnvelope::NoObject, Ok(_)) => invalid("the message has to be an object"),
    }
}

fn not_json(error: &serde_json::Error) -> Fault {
    Fault::Parse { message: format!("line {}, column {}", error.line(), error.column()) }
}

/// Messages that one batch may hold.
const MAX_BATCH: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(text: &str) -> String {
        match parse(text.as_bytes()) {
            Ok(Body::One(Message::Request(request))) => {
                format!("request {} {} {:?}", request.id, request.method, request.ambiguous_argument.map(|f| f.pointer))
            }
            Ok(Body::One(Message::Notification(notification))) => format!("notification {}", notification.method),
            Ok(Body::One(Message::Response(response))) => {
                format!("response {:?} {}", response.id.map(|id| id.to_string()), response.outcome.is_ok())
            }
            Ok(Body::Batch(items)) => format!("batch of {}", items.len()),
            Err(malformed) => format!("{:?} {}", malformed.id.map(|id| id.to_string()), malformed.fault),
        }
    }

    #[test]
    fn each_kind_of_message_is_told_apart() {
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "request 1 ping None"),
            (r#" {"method":"a\u0062","id":"x","jsonrpc":"2.0","params":{}} "#, r#"request "x" ab None"#),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "notification notifications/initialized"),
            (r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, r#"response Some("3") true"#),
            (r#"{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":""}}"#, r#"response Some("3") false"#),
            (r#"{"jsonrpc":"2.0","error":{"code":1,"message":""}}"#, "response None false"),
            (r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#, "response None false"),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},7]"#, "batch of 2"),
        ] {
            assert_eq!(outcome(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_message_says_why_and_keeps_the_id() {
        for (text, expected) in [
            ("{", "None not JSON: line 1, column 1"),
            ("", "None not JSON: line 1, column 0"),
            ("17", "None not a valid request: the message has to be an object"),
            ("[]", "None not a valid request: an empty batch"),
            (r#"{"id":4,"method":"ping"}"#, r#"Some("4") not a valid request: `jsonrpc` has to be "2.0""#),
            (
                r#"{"jsonrpc":"1.0","id":4,"method":"ping"}"#,
                r#"Some("4") not a valid request: `jsonrpc` has to be "2.0""#,
            ),
            (r#"{"jsonrpc":"2.0","id":4,"method":7}"#, r#"Some("4") not a valid request: `method` has to be a string"#),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
                "None not a valid request: `id` has to be a string or an integer",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
                "None not a valid request: `id` has to be a string or an integer",
            ),
            (r#"{"jsonrpc":"2.0","id":4}"#, r#"Some("4") not a valid request: neither `method`, `result` nor `error`"#),
            (
                r#"{"jsonrpc":"2.0","id":4,"result":1,"error":{}}"#,
                r#"Some("4") not a valid request: both `result` and `error`"#,
            ),
            (
                r#"{"jsonrpc":"2.0","id":4,"id":5,"method":"a"}"#,
                "None not a valid request: key `id` stands twice at ``",
            ),
            (
                r#"{"jsonrpc":"2.0","id":4,"method":"a","method":"b"}"#,
                r#"Some("4") not a valid request: key `method` stands twice at ``"#,
            ),
            (
                r#"{"jsonrpc":"2.0","id":4,"method":"a","params":{"_meta":{"x":{"y":1,"y":2}}}}"#,
                r#"Some("4") not a valid request: key `y` stands twice at `/params/_meta/x`"#,
            ),
        ] {
            assert_eq!(outcome(text), expected, "{text}");
        }
    }

    #[test]
    fn what_hides_behind_an_ambiguous_argument_is_found() {
        for text in [
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"arguments":{"a":1,"a":2}},"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"argumentsX":{"a":1,"a":2}}}"#,
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"arguments":{"a":1,"a":2}}}"#,
        ] {
            assert!(outcome(text).starts_with(r#"Some("4") not a valid request"#), "{text}");
        }
    }

    #[test]
    fn an_ambiguous_argument_is_left_to_whoever_answers_the_call() {
        let text =
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"x","arguments":{"a":{"b":1,"b":2}}}}"#;
        assert_eq!(outcome(text), r#"request 4 tools/call Some("/params/arguments/a")"#);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let malformed = parse(b"{\"a\":\"\xff\"}").unwrap_err();
        assert_eq!(malformed.fault.to_string(), "not JSON: not UTF-8 after 6 bytes");
    }
}
