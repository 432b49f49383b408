//! What the fuzz targets run, and what the test of their corpus runs: every decoder, on any bytes.

#![allow(dead_code, reason = "each target runs one of these")]

use haft_schema::{CompileOptions, Schema, Tree};
use haft_wire::headers::{self, HeaderParam};
use haft_wire::jsonrpc::{Body, Malformed, Message, Raw, parse};
use haft_wire::model::{Ask, ToolDefinition};
use haft_wire::{Codec, Fault, Revision};

/// A body or a line: the envelope, and every revision's reading of what is in it.
pub fn message(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        let is_read = !matches!(parse(data), Err(Malformed { fault: Fault::Parse { .. }, .. }));
        assert_eq!(is_json, is_read, "the scan and serde_json differ on {text:?}");
    }
    match parse(data) {
        Err(malformed) => refused(&malformed),
        Ok(Body::One(one)) => decode(&one),
        Ok(Body::Batch(items)) => {
            for item in &items {
                match item {
                    Ok(one) => decode(one),
                    Err(malformed) => refused(malformed),
                }
            }
        }
        Ok(_) => {}
    }
}

fn decode(message: &Message<'_>) {
    for revision in Revision::ALL {
        let codec = Codec::new(revision);
        match message {
            Message::Notification(notification) => {
                codec.decode_notification(notification);
                codec.decode_server_notification(notification);
            }
            Message::Request(request) => {
                codec.decode_server_request(request);
                let fields = *request.params.meta();
                let _version = fields.version();
                let outcome = codec.request_meta(&fields).and_then(|_| codec.decode_request(request));
                if let Err(fault) = outcome {
                    let answer = codec.encode_fault(Some(&request.id), &fault);
                    let read: serde_json::Value = serde_json::from_slice(&answer).expect("an answer is JSON");
                    assert_eq!(
                        read["id"].to_string(),
                        serde_json::from_str::<serde_json::Value>(request.id.as_json())
                            .expect("an id is JSON")
                            .to_string()
                    );
                }
            }
            Message::Response(response) => match response.outcome {
                Ok(result) => result_of(codec, result),
                Err(error) => drop(codec.decode_error(error)),
            },
        }
    }
}

/// A result, as what a client may have asked for.
fn result_of(codec: Codec, result: Raw<'_>) {
    let _introduction = codec.decode_introduction(result);
    let _tools = codec.decode_tools(result);
    let _call = codec.decode_call(result);
    let _resource = codec.decode_resource(result);
    let _prompt = codec.decode_prompt(result);
    for ask in [Ask::ListPrompts(None), Ask::ListResources(None), Ask::ListResourceTemplates(None)] {
        let _items = codec.decode_items(&ask, result);
    }
}

fn refused(malformed: &Malformed) {
    let answer = Codec::of_unknown_revision().encode_fault(malformed.id.as_ref(), &malformed.fault);
    serde_json::from_slice::<serde_json::Value>(&answer).expect("an answer is JSON");
}

/// The value of a header; and a text written as one reads back.
pub fn header(data: &[u8]) {
    let _decoded = headers::decode(data);
    if let Ok(text) = std::str::from_utf8(data) {
        let written = headers::encode(text);
        assert!(written.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        assert_eq!(headers::decode(written.as_bytes()).as_deref(), Some(text));
    }
}

/// A tool's definition, and what its schema mirrors into headers.
pub fn definition(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(tool) = ToolDefinition::from_json(text) else { return };
    let _params = HeaderParam::declared(&tool.input_schema);
    for revision in Revision::ALL {
        let mut bytes = Vec::new();
        Codec::new(revision).encode_tool(&tool, &mut bytes);
        serde_json::from_slice::<serde_json::Value>(&bytes).expect("a definition is JSON");
    }
}

/// A schema and arguments, one line each: compiled, checked, explained, completed.
pub fn arguments(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some((schema, arguments)) = text.split_once('\n') else { return };
    let Ok(schema) = serde_json::from_str::<&serde_json::value::RawValue>(schema) else { return };
    let Ok(schema) = Schema::compile(schema, &CompileOptions::default()) else { return };
    let Ok(tree) = Tree::parse(arguments) else { return };
    let fits = schema.is_valid(&tree);
    assert_eq!(fits, schema.check(&tree).is_ok());
    if fits && let Some(filled) = schema.fill_defaults(arguments, &tree) {
        serde_json::from_str::<serde_json::Value>(&filled).expect("completed arguments are JSON");
    }
}
