//! The client's half against the server's half: what one writes, the other reads.

use haft_wire::jsonrpc::{Body, Id, Message, Raw, parse};
use haft_wire::model::{
    Ask, CacheHint, CacheScope, ClientCapabilities, ClientRequest, Content, Implementation, InputRequest,
    InputRequired, Meaning, Round, ServerFacts, ServerNotification, ServerResult, ToolPage, ToolResult,
};
use haft_wire::{ClientFacts, Codec, Fault};
use serde_json::value::RawValue;
use serde_json::{Value, json};

fn codecs() -> impl Iterator<Item = Codec> {
    Codec::names().map(|name| Codec::named(name).unwrap())
}

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

fn facts() -> ClientFacts {
    let mut capabilities = ClientCapabilities::default();
    capabilities.elicitation_form = true;
    ClientFacts::new(Implementation::new("tester", "1"), capabilities)
}

fn server() -> ServerFacts {
    ServerFacts::new(Implementation::new("server", "2")).with_instructions(Some("be brief".to_owned()))
}

/// The result of an answer, as the client gets it.
fn result(answer: &[u8]) -> Result<String, String> {
    match parse(answer).unwrap() {
        Body::One(Message::Response(response)) => {
            response.outcome.map(|raw| raw.get().to_owned()).map_err(|raw| raw.get().to_owned())
        }
        other => panic!("no answer: {other:?}"),
    }
}

#[test]
fn a_request_is_read_as_it_was_meant_in_every_version() {
    let arguments = raw(r#"{"big":123456789012345678901234567890,"b":[1.50]}"#);
    for codec in codecs() {
        let token = Id::number(7);
        let bytes = codec.encode_ask(&Id::number(7), &Ask::call("Zürich/x", &arguments), &facts(), Some(&token));
        let Body::One(Message::Request(request)) = parse(&bytes).unwrap() else { panic!("no request") };
        assert_eq!(request.id.as_json(), "7");
        let meta = codec.request_meta(request.params.meta()).unwrap();
        assert_eq!(meta.progress_token.map(|token| token.as_json().to_owned()).as_deref(), Some("7"));
        let ClientRequest::CallTool(call) = codec.decode_request(&request).unwrap() else { panic!("no call") };
        assert_eq!((call.name.as_ref(), call.arguments.unwrap().get()), ("Zürich/x", arguments.get()));
        assert_eq!(meta.capabilities.is_some(), !codec.begins_with_handshake());
    }
}

#[test]
fn a_conversation_begins_as_its_version_wants_it() {
    for codec in codecs() {
        let ask = if codec.begins_with_handshake() { Ask::Initialize } else { Ask::Discover };
        let bytes = codec.encode_ask(&Id::number(1), &ask, &facts(), None);
        let Body::One(Message::Request(request)) = parse(&bytes).unwrap() else { panic!("no request") };
        let answer = match codec.decode_request(&request).unwrap() {
            ClientRequest::Initialize(initialize) => {
                assert_eq!(initialize.protocol_version, codec.name());
                let knows_forms = codec.name() >= "2025-06-18";
                assert_eq!(initialize.capabilities.elicitation_form, knows_forms, "{}", codec.name());
                ServerResult::Initialize
            }
            ClientRequest::Discover => ServerResult::Discover(CacheHint::new(60, CacheScope::Public)),
            other => panic!("{other:?}"),
        };
        let answer = result(&codec.encode_result(&request.id, &answer, &server())).unwrap();
        let introduction = codec.decode_introduction(Raw::parse(&answer).unwrap()).unwrap();
        assert!(introduction.versions.iter().any(|version| version == codec.name()));
        assert_eq!(introduction.info_text("name").as_deref(), Some("server"));
        assert_eq!(introduction.instructions.as_deref(), Some("be brief"));
        assert!(introduction.capabilities.tools && introduction.capabilities.tools_list_changed);
        assert_eq!(introduction.cache.is_some(), !codec.begins_with_handshake());
    }
}

#[test]
fn what_a_tool_returns_comes_back_as_it_was() {
    for codec in codecs() {
        let mut sent = ToolResult::structured(raw(r#"{"sum":3.0}"#));
        sent.content.push(Content::Raw(raw(r#"{"type":"hologram","depth":7}"#)));
        let answer = result(&codec.encode_result(&Id::number(1), &ServerResult::CallTool(&sent), &server())).unwrap();
        let Round::Done(returned) = codec.decode_call(Raw::parse(&answer).unwrap()).unwrap() else { panic!("a round") };
        assert!(matches!(&returned.result.content[0], Content::Text(text) if text.text == r#"{"sum":3.0}"#));
        assert!(matches!(&returned.result.content[1], Content::Raw(raw) if raw.get().contains("hologram")));
        let has_structured = codec.name() >= "2025-06-18";
        assert_eq!(returned.result.structured.is_some(), has_structured, "{}", codec.name());
        assert_eq!(returned.raw.get(), answer);
    }
}

#[test]
fn questions_and_their_state_come_back_as_they_were() {
    let codec = Codec::newest();
    let params = raw(r#"{"mode":"form","message":"?","requestedSchema":{}}"#);
    let input =
        InputRequired::new(vec![InputRequest::new("a", "elicitation/create", params)], Some("st\u{e4}te".to_owned()));
    let answer = result(&codec.encode_result(&Id::number(1), &ServerResult::InputRequired(&input), &server())).unwrap();
    let Round::Needs(read) = codec.decode_call(Raw::parse(&answer).unwrap()).unwrap() else { panic!("done") };
    assert_eq!(read.state, input.state);
    assert_eq!((read.requests[0].key.as_str(), read.requests[0].method.as_str()), ("a", "elicitation/create"));

    let (arguments, answers) = (raw("{}"), raw(r#"{"a":{"action":"decline"}}"#));
    let ask = Ask::call("x", &arguments).again(Some(&answers), read.state.as_deref());
    let bytes = codec.encode_ask(&Id::number(2), &ask, &facts(), None);
    let Body::One(Message::Request(request)) = parse(&bytes).unwrap() else { panic!("no request") };
    let ClientRequest::CallTool(call) = codec.decode_request(&request).unwrap() else { panic!("no call") };
    assert_eq!(call.request_state.as_deref(), input.state.as_deref());
    assert_eq!(call.input_responses.unwrap().get(), answers.get());
}

#[test]
fn one_malformed_tool_is_set_aside_and_the_rest_stay() {
    let tools = br#"{"name":"good","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"x":1},"future":[1]},
        {"inputSchema":{}},7,{"name":"no schema"},{"name":"b c/\u00fc","inputSchema":{},"title":7,"annotations":{"destructiveHint":"no"}},
        {"name":"twice","name":"twice","inputSchema":{}}"#;
    for codec in codecs() {
        let page = ToolPage::new(tools, Some(""), CacheHint::new(5, CacheScope::Private));
        let body = codec.encode_result(&Id::number(1), &ServerResult::ListTools(page), &server());
        let text = String::from_utf8(body).unwrap();
        let value: &RawValue =
            serde_json::from_str::<std::collections::HashMap<String, &RawValue>>(&text).unwrap()["result"];
        let page = codec.decode_tools(Raw::parse(value.get()).unwrap()).unwrap();
        assert_eq!(page.tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["good", "b c/\u{fc}"]);
        assert_eq!(page.tools[0].annotations.read_only, Some(true));
        assert!(page.tools[0].raw.get().contains(r#""future":[1]"#));
        assert_eq!(page.tools[1].annotations.destructive, None);
        assert_eq!(page.tools[1].notes, ["`title` has to be a string", "`destructiveHint` has to be true or false"]);
        assert_eq!(page.next_cursor.as_deref(), Some(""));
        let reasons: Vec<_> =
            page.set_aside.iter().map(|aside| (aside.name.as_deref(), aside.reason.as_str())).collect();
        assert_eq!(
            reasons[..3],
            [
                (None, "`name` has to be a string"),
                (None, "the entry is no object"),
                (Some("no schema"), "`inputSchema` has to be an object"),
            ]
        );
        assert!(reasons[3].1.contains("stands twice"), "{reasons:?}");
    }
}

#[test]
fn an_error_says_what_it_means_where_the_version_gives_it_a_meaning() {
    let codec = Codec::newest();
    for (fault, meaning) in [
        (Fault::HeaderMismatch { message: "x".to_owned() }, Meaning::HeaderMismatch),
        (Fault::MethodNotFound { method: "x".to_owned() }, Meaning::NoSuchMethod),
        (Fault::UnknownTool { name: "x".to_owned(), suggestion: None }, Meaning::Other),
    ] {
        let error = result(&codec.encode_fault(Some(&Id::number(1)), &fault)).unwrap_err();
        assert_eq!(codec.decode_error(Raw::parse(&error).unwrap()).meaning, meaning);
    }
    let fault = Fault::UnsupportedVersion { requested: "x".to_owned() };
    let error = result(&codec.encode_fault(Some(&Id::number(1)), &fault)).unwrap_err();
    let Meaning::UnsupportedVersion(versions) = codec.decode_error(Raw::parse(&error).unwrap()).meaning else {
        panic!("no versions")
    };
    assert_eq!(Codec::best_of(&versions), Some(codec));
    // What no peer should send is still an error to somebody.
    for odd in ["7", "{}", r#"{"code":1.5,"message":[]}"#, r#"{"code":99999999999,"message":"m","data":null}"#] {
        assert_eq!(codec.decode_error(Raw::parse(odd).unwrap()).meaning, Meaning::Other, "{odd}");
    }
}

#[test]
fn what_has_not_the_shape_of_an_answer_says_so() {
    let codec = Codec::newest();
    for (text, expected) in [
        ("[]", "the answer to `tools/call` is no object"),
        ("{}", "the answer to `tools/call` has no array `content`"),
        (r#"{"content":7}"#, "the answer to `tools/call` has no array `content`"),
        (
            r#"{"content":[],"isError":"no"}"#,
            "the answer to `tools/call` has an `isError` that is neither true nor false",
        ),
        (r#"{"resultType":"task"}"#, "the answer to `tools/call` has a `resultType` that is not known"),
        (r#"{"resultType":"input_required"}"#, "the answer to `tools/call` needs input, and says not which"),
        (
            r#"{"resultType":"input_required","inputRequests":{"a":{}}}"#,
            "the answer to `tools/call` has an input request without `method`",
        ),
    ] {
        assert_eq!(codec.decode_call(Raw::parse(text).unwrap()).unwrap_err().to_string(), expected, "{text}");
    }
    for text in ["{}", r#"{"supportedVersions":["x"]}"#, r#"{"resultType":"complete"}"#] {
        assert!(codec.decode_introduction(Raw::parse(text).unwrap()).is_err(), "{text}");
    }
}

#[test]
fn headers_say_what_the_body_says() {
    for (version, method, expected) in [
        ("2024-11-05", "tools/call", json!([])),
        ("2025-03-26", "tools/call", json!([])),
        ("2025-06-18", "initialize", json!([])),
        ("2025-11-25", "tools/call", json!([["mcp-protocol-version", "2025-11-25"]])),
        (
            "2026-07-28",
            "tools/call",
            json!([
                ["mcp-protocol-version", "2026-07-28"],
                ["mcp-method", "tools/call"],
                ["mcp-name", "=?base64?WsO8cmljaA==?="]
            ]),
        ),
    ] {
        let headers = Codec::named(version).unwrap().headers(method, Some("Zürich"));
        let headers: Value = headers.iter().map(|(name, value)| json!([name, value])).collect();
        assert_eq!(headers, expected, "{version}");
    }
}

#[test]
fn arguments_are_mirrored_as_their_types_say() {
    let schema = raw(
        r#"{"properties":{"s":{"type":"string","x-mcp-header":"S"},"i":{"type":"integer","x-mcp-header":"I"},
            "b":{"type":"boolean","x-mcp-header":"B"},"o":{"properties":{"d":{"type":"string","x-mcp-header":"D"}}}}}"#,
    );
    let params = haft_wire::headers::HeaderParam::declared(&schema).unwrap();
    let mirrored = |arguments: &str| {
        let headers = haft_wire::headers::mirrored(&params, &raw(arguments));
        let mut headers: Vec<_> =
            headers.into_iter().map(|(name, value)| format!("{}={value}", &name["mcp-param-".len()..])).collect();
        headers.sort();
        headers
    };
    assert_eq!(
        mirrored(r#"{"s":" a","i":42.0,"b":false,"o":{"d":"x\r\ny"}}"#),
        ["b=false", "d==?base64?eA0KeQ==?=", "i=42", "s==?base64?IGE=?="]
    );
    assert_eq!(mirrored(r#"{"s":null,"i":9007199254740992,"b":[],"o":7}"#), Vec::<String>::new());
    assert_eq!(mirrored(r#"{"i":-9007199254740991,"s":""}"#), ["i=-9007199254740991", "s="]);
}

#[test]
fn what_a_server_tells_is_told_apart() {
    let codec = Codec::newest();
    let told = |text: &str| match parse(text.as_bytes()).unwrap() {
        Body::One(Message::Notification(notification)) => codec.decode_server_notification(&notification),
        other => panic!("{other:?}"),
    };
    let list = String::from_utf8(codec.encode_list_changed(Some(&Id::number(3)))).unwrap();
    assert!(matches!(told(&list), ServerNotification::ToolsChanged));
    let progress = String::from_utf8(codec.encode_progress(&Id::number(3), 0.5, Some(2.0), Some("half"))).unwrap();
    let ServerNotification::Progress(progress) = told(&progress) else { panic!("no progress") };
    assert_eq!((progress.token.as_str(), progress.progress, progress.total), ("3", 0.5, Some(2.0)));
    for odd in [
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":null,"progress":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":"x"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":7}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/future"}"#,
    ] {
        assert!(matches!(told(odd), ServerNotification::Other), "{odd}");
    }
}
