//! Blocks of content in every revision: whole where it is known, brought down where it is not.

use haft_wire::jsonrpc::Id;
use haft_wire::model::{
    Audio, Content, ContentAnnotations, EmbeddedResource, Image, Implementation, ResourceContents, ResourceLink,
    ServerFacts, ServerResult, Text, ToolResult,
};
use haft_wire::{Codec, Revision};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// How a block is written in a revision.
fn written(block: &Content, revision: Revision) -> Value {
    let mut result = ToolResult::default();
    result.content = vec![block.clone(), block.clone()];
    let facts = ServerFacts::new(Implementation::new("test", "1"));
    let bytes = Codec::new(revision).encode_result(&Id::number(1), &ServerResult::CallTool(&result), &facts);
    let mut answer: Value = serde_json::from_slice(&bytes).unwrap();
    let blocks = answer["result"]["content"].as_array_mut().unwrap();
    assert_eq!(blocks.len(), 2);
    assert_eq!(blocks[0], blocks[1]);
    blocks.swap_remove(0)
}

fn check(block: &Content, expected: [&Value; 5]) {
    for (revision, expected) in Revision::ALL.into_iter().zip(expected) {
        assert_eq!(&written(block, revision), expected, "{revision}");
    }
}

#[test]
fn text_pictures_and_resources_are_the_same_in_every_revision() {
    let png = Image::from_base64("AJ//", "image/png");
    let text = ResourceContents::text("test://x", "text/plain", "zwölf \"12\"\n");
    let blob = ResourceContents::blob("test://x", "application/octet-stream", "AJ//");
    for (block, expected) in [
        (Content::text("zwölf \"12\"\n\u{1}"), json!({ "type": "text", "text": "zwölf \"12\"\n\u{1}" })),
        (Content::text(""), json!({ "type": "text", "text": "" })),
        (Content::Image(png), json!({ "type": "image", "data": "AJ//", "mimeType": "image/png" })),
        (
            Content::Resource(EmbeddedResource::new(text)),
            json!({ "type": "resource",
                "resource": { "uri": "test://x", "mimeType": "text/plain", "text": "zwölf \"12\"\n" } }),
        ),
        (
            Content::Resource(EmbeddedResource::new(blob)),
            json!({ "type": "resource",
                "resource": { "uri": "test://x", "mimeType": "application/octet-stream", "blob": "AJ//" } }),
        ),
    ] {
        check(&block, [&expected; 5]);
    }
}

#[test]
fn sound_is_an_embedded_resource_for_clients_of_2024() {
    let sound = Content::Audio(Audio::from_base64("AJ//", "audio/wav"));
    let before = written(&sound, Revision::V2024_11_05);
    assert_eq!(before["type"], "resource");
    assert!(before["resource"]["uri"].is_string());
    assert_eq!((&before["resource"]["mimeType"], &before["resource"]["blob"]), (&json!("audio/wav"), &json!("AJ//")));
    let after = json!({ "type": "audio", "data": "AJ//", "mimeType": "audio/wav" });
    check(&sound, [&before, &after, &after, &after, &after]);
}

#[test]
fn a_link_is_a_sentence_for_clients_that_know_none() {
    let mut link = ResourceLink::new("test://x", "x.txt");
    let bare = json!({ "type": "resource_link", "uri": "test://x", "name": "x.txt" });
    let sentence = json!({ "type": "text", "text": "x.txt (test://x)" });
    check(&Content::ResourceLink(link.clone()), [&sentence, &sentence, &bare, &bare, &bare]);
    link.title = Some("The x".to_owned());
    link.description = Some("All of it.".to_owned());
    link.mime_type = Some("text/plain".to_owned());
    link.size = Some(7);
    let whole = json!({ "type": "resource_link", "uri": "test://x", "name": "x.txt", "title": "The x",
        "description": "All of it.", "mimeType": "text/plain", "size": 7 });
    let sentence = json!({ "type": "text", "text": "The x: All of it. (test://x)" });
    check(&Content::ResourceLink(link), [&sentence, &sentence, &whole, &whole, &whole]);
}

/// The same block of each kind with annotations and `_meta`.
fn annotated() -> Vec<Content> {
    let mut annotations = ContentAnnotations::default();
    annotations.audience = vec!["user".to_owned(), "assistant".to_owned()];
    annotations.priority = Some(0.5);
    annotations.last_modified = Some("2026-01-01T00:00:00Z".to_owned());
    let annotations = Some(Box::new(annotations));
    let meta = || Some(RawValue::from_string(r#"{"com.example/k":{"b":1,"a":2}}"#.to_owned()).unwrap());
    let mut text = Text::default();
    let mut image = Image::from_base64("AA==", "image/png");
    let mut audio = Audio::from_base64("AA==", "audio/wav");
    let mut link = ResourceLink::new("test://x", "x");
    let mut resource = EmbeddedResource::new(ResourceContents::text("test://x", "text/plain", "x"));
    (text.annotations, text.meta) = (annotations.clone(), meta());
    (image.annotations, image.meta) = (annotations.clone(), meta());
    (audio.annotations, audio.meta) = (annotations.clone(), meta());
    (link.annotations, link.meta) = (annotations.clone(), meta());
    (resource.annotations, resource.meta) = (annotations, meta());
    vec![
        Content::Text(text),
        Content::Image(image),
        Content::Audio(audio),
        Content::ResourceLink(link),
        Content::Resource(resource),
    ]
}

#[test]
fn annotations_and_meta_stand_on_the_block_as_far_as_the_revision_knows_them() {
    for block in annotated() {
        for revision in Revision::ALL {
            let written = written(&block, revision);
            let knows_meta = revision >= Revision::V2025_06_18;
            let meta = json!({ "com.example/k": { "b": 1, "a": 2 } });
            assert_eq!(written.get("_meta"), knows_meta.then_some(&meta), "{revision}: {written}");
            // Never inside of an embedded resource, where some pages of the protocol show them.
            assert_eq!(written["resource"].get("annotations"), None, "{revision}: {written}");
            let kind = written["type"].as_str().unwrap();
            let is_brought_down = match &block {
                Content::Audio(_) => kind != "audio",
                Content::ResourceLink(_) => kind != "resource_link",
                _ => false,
            };
            if is_brought_down {
                continue;
            }
            let mut expected = json!({ "audience": ["user", "assistant"], "priority": 0.5 });
            if knows_meta {
                expected["lastModified"] = json!("2026-01-01T00:00:00Z");
            }
            assert_eq!(written["annotations"], expected, "{revision}");
        }
    }
}

#[test]
fn annotations_that_say_nothing_of_something_leave_it_out() {
    let mut text = Text::default();
    let mut annotations = ContentAnnotations::default();
    annotations.priority = Some(1.0);
    text.annotations = Some(Box::new(annotations));
    let expected = json!({ "type": "text", "text": "", "annotations": { "priority": 1 } });
    check(&Content::Text(text), [&expected; 5]);
}

#[test]
fn a_block_that_came_from_a_peer_is_passed_on_as_it_came() {
    let raw = r#"{ "type":"future", "n":1.50,"b":1,"a":2 }"#;
    let block = Content::Raw(RawValue::from_string(raw.to_owned()).unwrap());
    let mut result = ToolResult::default();
    result.content = vec![block];
    let facts = ServerFacts::new(Implementation::new("test", "1"));
    for revision in Revision::ALL {
        let bytes = Codec::new(revision).encode_result(&Id::number(1), &ServerResult::CallTool(&result), &facts);
        assert!(String::from_utf8(bytes).unwrap().contains(raw), "{revision}");
    }
}
