//! Writing JSON into a buffer: what both codecs share.

use serde_json::value::RawValue;

use crate::jsonrpc::Id;
use crate::model::{
    Annotations, Audio, Content, ContentAnnotations, EmbeddedResource, Image, InputRequest, ResourceContents,
    ResourceLink, ServerResult, Text,
};

/// An object that is being written.
pub(crate) struct Object<'o> {
    out: &'o mut Vec<u8>,
    is_empty: bool,
}

impl<'o> Object<'o> {
    pub(crate) fn open(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, is_empty: true }
    }

    pub(crate) fn close(self) {
        self.out.push(b'}');
    }

    /// Begins a member; the caller writes its value.
    pub(crate) fn key(&mut self, key: &str) -> &mut Vec<u8> {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
        string(self.out, key);
        self.out.push(b':');
        self.out
    }

    pub(crate) fn string(&mut self, key: &str, value: &str) {
        string(self.key(key), value);
    }

    pub(crate) fn string_if(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.string(key, value);
        }
    }

    pub(crate) fn raw(&mut self, key: &str, value: &str) {
        self.key(key).extend_from_slice(value.as_bytes());
    }

    pub(crate) fn raw_if(&mut self, key: &str, value: Option<&RawValue>) {
        if let Some(value) = value {
            self.raw(key, value.get());
        }
    }

    pub(crate) fn bool_if(&mut self, key: &str, value: Option<bool>) {
        if let Some(value) = value {
            self.raw(key, if value { "true" } else { "false" });
        }
    }
}

/// About how long the answer will be, so that most are written without growing.
pub(crate) fn capacity(result: &ServerResult<'_>) -> usize {
    match result {
        ServerResult::ListTools(page) => page.tools.len() + 256,
        ServerResult::CallTool(result) => {
            let structured = result.structured.as_ref().map_or(0, |value| value.get().len() * 2);
            let text = match result.content.first() {
                Some(Content::Text(text)) => text.text.len(),
                _ => 0,
            };
            256 + structured + text + text / 8
        }
        _ => 512,
    }
}

/// A JSON string.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    // Writing a string to memory cannot fail; should it ever, the message stays valid JSON.
    if serde_json::to_writer(&mut *out, text).is_err() {
        out.extend_from_slice(b"\"\"");
    }
}

/// A finite number as JSON writes it; integral ones without a fraction.
pub(crate) fn number(out: &mut Vec<u8>, value: f64) {
    #[expect(clippy::cast_possible_truncation, reason = "integral and within 2^53 is checked first")]
    let text = if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 {
        (value as i64).to_string()
    } else {
        serde_json::to_string(&value).unwrap_or_else(|_| String::from("0"))
    };
    out.extend_from_slice(if text == "null" { b"0" } else { text.as_bytes() });
}

/// The envelope of a result up to the result's value.
pub(crate) fn open_result(id: &Id<'_>, capacity: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(capacity + 48);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id.as_json().as_bytes());
    out.extend_from_slice(br#","result":"#);
    out
}

/// A whole error message. An id that could not be read is left out (2025-11-25 and later, schema: error responses).
pub(crate) fn error(id: Option<&Id<'_>>, code: i32, message: &str, data: Option<&str>) -> Vec<u8> {
    let mut out = Vec::with_capacity(96 + message.len());
    let mut envelope = Object::open(&mut out);
    envelope.string("jsonrpc", "2.0");
    if let Some(id) = id {
        envelope.raw("id", id.as_json());
    }
    let mut error = Object::open(envelope.key("error"));
    error.raw("code", &code.to_string());
    error.string("message", message);
    if let Some(data) = data {
        error.raw("data", data);
    }
    error.close();
    envelope.close();
    out
}

/// A whole notification with `params` written by the caller.
pub(crate) fn notification(method: &str, params: impl FnOnce(&mut Object<'_>)) -> Vec<u8> {
    let mut out = Vec::with_capacity(128);
    let mut envelope = Object::open(&mut out);
    envelope.string("jsonrpc", "2.0");
    envelope.string("method", method);
    let mut object = Object::open(envelope.key("params"));
    params(&mut object);
    object.close();
    envelope.close();
    out
}

/// `notifications/progress` (every revision; `message` from 2025-03-26 on, and ignored before).
pub(crate) fn progress(token: &Id<'_>, progress: f64, total: Option<f64>, message: Option<&str>) -> Vec<u8> {
    notification("notifications/progress", |params| {
        params.raw("progressToken", token.as_json());
        number(params.key("progress"), progress);
        if let Some(total) = total {
            number(params.key("total"), total);
        }
        params.string_if("message", message);
    })
}

/// `{method, params}` of something that the client is asked for.
pub(crate) fn input_request(out: &mut Vec<u8>, request: &InputRequest) {
    let mut object = Object::open(out);
    object.string("method", &request.method);
    object.raw("params", request.params.get());
    object.close();
}

/// The `annotations` of a tool.
pub(crate) fn annotations(out: &mut Vec<u8>, annotations: &Annotations) {
    let mut object = Object::open(out);
    object.string_if("title", annotations.title.as_deref());
    object.bool_if("readOnlyHint", annotations.read_only);
    object.bool_if("destructiveHint", annotations.destructive);
    object.bool_if("idempotentHint", annotations.idempotent);
    object.bool_if("openWorldHint", annotations.open_world);
    for (key, value) in &annotations.other {
        object.raw(key, value.get());
    }
    object.close();
}

/// What a revision knows of content.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "revisions differ in independent features")]
pub(crate) struct ContentForm {
    pub(crate) audio: bool,
    pub(crate) links: bool,
    pub(crate) meta: bool,
    pub(crate) last_modified: bool,
}

/// A block of content, brought down to what the revision knows.
pub(crate) fn content(out: &mut Vec<u8>, block: &Content, form: ContentForm) {
    match block {
        Content::Audio(audio) if form.audio => media(out, "audio", (&audio.data, &audio.mime_type), |object| {
            tail(object, audio.annotations.as_deref(), audio.meta.as_deref(), form);
        }),
        Content::Audio(audio) => audio_as_resource(out, audio),
        Content::Image(Image { data, mime_type, annotations, meta }) => {
            media(out, "image", (data, mime_type), |object| {
                tail(object, annotations.as_deref(), meta.as_deref(), form);
            });
        }
        Content::Raw(raw) => out.extend_from_slice(raw.get().as_bytes()),
        Content::Resource(EmbeddedResource { resource, annotations, meta }) => {
            let mut object = Object::open(out);
            object.string("type", "resource");
            resource_contents(object.key("resource"), resource);
            tail(&mut object, annotations.as_deref(), meta.as_deref(), form);
            object.close();
        }
        Content::ResourceLink(link) if form.links => resource_link(out, link, form),
        Content::ResourceLink(link) => link_as_text(out, link),
        Content::Text(Text { text, annotations, meta }) => {
            out.extend_from_slice(br#"{"type":"text","text":"#);
            string(out, text);
            let mut object = Object { out, is_empty: false };
            tail(&mut object, annotations.as_deref(), meta.as_deref(), form);
            object.close();
        }
    }
}

/// What `resources/read` and embedded resources hold.
pub(crate) fn resource_contents(out: &mut Vec<u8>, contents: &ResourceContents) {
    let mut object = Object::open(out);
    match contents {
        ResourceContents::Blob { uri, mime_type, blob } => {
            object.string("uri", uri);
            object.string_if("mimeType", mime_type.as_deref());
            object.string("blob", blob);
        }
        ResourceContents::Text { uri, mime_type, text } => {
            object.string("uri", uri);
            object.string_if("mimeType", mime_type.as_deref());
            object.string("text", text);
        }
    }
    object.close();
}

fn media(out: &mut Vec<u8>, kind: &str, (data, mime_type): (&str, &str), rest: impl FnOnce(&mut Object<'_>)) {
    let mut object = Object::open(out);
    object.string("type", kind);
    object.string("data", data);
    object.string("mimeType", mime_type);
    rest(&mut object);
    object.close();
}

fn resource_link(out: &mut Vec<u8>, link: &ResourceLink, form: ContentForm) {
    let mut object = Object::open(out);
    object.string("type", "resource_link");
    object.string("uri", &link.uri);
    object.string("name", &link.name);
    object.string_if("title", link.title.as_deref());
    object.string_if("description", link.description.as_deref());
    object.string_if("mimeType", link.mime_type.as_deref());
    if let Some(size) = link.size {
        object.raw("size", &size.to_string());
    }
    tail(&mut object, link.annotations.as_deref(), link.meta.as_deref(), form);
    object.close();
}

/// A link for peers that know none: the same facts as a sentence.
fn link_as_text(out: &mut Vec<u8>, link: &ResourceLink) {
    let title = link.title.as_deref().unwrap_or(&link.name);
    let text = match &link.description {
        Some(description) => format!("{title}: {description} ({})", link.uri),
        None => format!("{title} ({})", link.uri),
    };
    let mut object = Object::open(out);
    object.string("type", "text");
    object.string("text", &text);
    object.close();
}

/// Sound for peers that know none: an embedded resource with the same bytes.
fn audio_as_resource(out: &mut Vec<u8>, audio: &Audio) {
    let mut object = Object::open(out);
    object.string("type", "resource");
    let mut resource = Object::open(object.key("resource"));
    resource.string("uri", "audio:inline");
    resource.string("mimeType", &audio.mime_type);
    resource.string("blob", &audio.data);
    resource.close();
    object.close();
}

fn tail(object: &mut Object<'_>, annotations: Option<&ContentAnnotations>, meta: Option<&RawValue>, form: ContentForm) {
    if let Some(annotations) = annotations {
        let mut inner = Object::open(object.key("annotations"));
        if !annotations.audience.is_empty() {
            let audience = inner.key("audience");
            audience.push(b'[');
            for (position, role) in annotations.audience.iter().enumerate() {
                if position > 0 {
                    audience.push(b',');
                }
                string(audience, role);
            }
            audience.push(b']');
        }
        if let Some(priority) = annotations.priority {
            number(inner.key("priority"), priority);
        }
        if form.last_modified {
            inner.string_if("lastModified", annotations.last_modified.as_deref());
        }
        inner.close();
    }
    if form.meta {
        object.raw_if("_meta", meta);
    }
}
