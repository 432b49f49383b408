//! Faults in every revision: code, status, data; and that no code has a second meaning.

use std::collections::BTreeSet;

use haft_wire::jsonrpc::Id;
use haft_wire::{Codec, Fault, Revision};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A code and a status.
type Told = (i64, u16);

/// Every fault there is, and how it is told in a handshake and in a stateless request.
fn faults() -> Vec<(Fault, Told, Told)> {
    let text = || "text".to_owned();
    let required = || RawValue::from_string(r#"{"sampling":{}}"#.to_owned()).unwrap();
    vec![
        (Fault::Busy { rate: true, retry_after: 7 }, (-32603, 429), (-32603, 429)),
        (Fault::Busy { rate: false, retry_after: 7 }, (-32603, 503), (-32603, 503)),
        (Fault::HeaderMismatch { message: text() }, (-32602, 400), (-32020, 400)),
        (Fault::Internal { reference: text() }, (-32603, 200), (-32603, 200)),
        (Fault::InvalidParams { message: text() }, (-32602, 200), (-32602, 200)),
        (Fault::InvalidRequest { message: text() }, (-32600, 400), (-32600, 400)),
        (Fault::MalformedMeta { message: text() }, (-32602, 400), (-32602, 400)),
        (Fault::MethodNotFound { method: text() }, (-32601, 200), (-32601, 404)),
        (Fault::MissingCapability { required: required() }, (-32602, 400), (-32021, 400)),
        (Fault::Parse { message: text() }, (-32700, 400), (-32700, 400)),
        (Fault::ResourceNotFound { uri: text() }, (-32002, 200), (-32602, 200)),
        (Fault::UnknownTool { name: text(), suggestion: None }, (-32602, 200), (-32602, 200)),
        (Fault::UnsupportedVersion { requested: text() }, (-32602, 400), (-32022, 400)),
    ]
}

fn encoded(revision: Revision, id: Option<&Id<'_>>, fault: &Fault) -> Value {
    serde_json::from_slice(&Codec::new(revision).encode_fault(id, fault)).unwrap()
}

#[test]
fn every_fault_has_the_code_and_the_status_of_its_era() {
    for (fault, handshake, stateless) in faults() {
        for revision in Revision::ALL {
            let (code, status) = if revision == Revision::V2026_07_28 { stateless } else { handshake };
            let answer = encoded(revision, Some(&Id::number(4)), &fault);
            assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(4)), "{answer}");
            assert_eq!(answer["error"]["code"], code, "{revision} {fault:?}");
            assert!(answer["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{answer}");
            assert_eq!(answer.as_object().unwrap().len(), 3, "{answer}");
            assert_eq!(Codec::new(revision).status(&fault), status, "{revision} {fault:?}");
            // Without an id that can be read there is none, in no revision.
            assert_eq!(encoded(revision, None, &fault).get("id"), None);
        }
    }
}

#[test]
fn codes_that_the_protocol_reserves_are_used_in_their_meaning_alone() {
    let reserved = |revision: Revision| -> BTreeSet<i64> {
        let codes = faults().into_iter().map(|(fault, ..)| encoded(revision, None, &fault)["error"]["code"].as_i64());
        codes.flatten().filter(|code| (-32099..=-32000).contains(code)).collect()
    };
    for revision in Revision::ALL {
        let expected = if revision == Revision::V2026_07_28 { vec![-32022, -32021, -32020] } else { vec![-32002] };
        assert_eq!(reserved(revision).into_iter().collect::<Vec<_>>(), expected, "{revision}");
    }
}

#[test]
fn the_data_of_an_error_is_what_the_protocol_says_of_it() {
    let modern = |fault: &Fault| encoded(Revision::V2026_07_28, None, fault)["error"]["data"].take();
    let all: Vec<_> = Revision::ALL.into_iter().rev().map(Revision::as_str).collect();
    for (fault, handshake, stateless) in faults() {
        let expected = match &fault {
            Fault::MissingCapability { .. } => json!({ "requiredCapabilities": { "sampling": {} } }),
            Fault::ResourceNotFound { .. } => json!({ "uri": "text" }),
            Fault::UnsupportedVersion { .. } => json!({ "supported": all, "requested": "text" }),
            Fault::Internal { .. } => json!({ "reference": "text" }),
            Fault::Busy { .. } => json!({ "retryAfterSeconds": 7 }),
            _ => Value::Null,
        };
        assert_eq!(modern(&fault), expected, "{handshake:?} {stateless:?}");
    }
}
