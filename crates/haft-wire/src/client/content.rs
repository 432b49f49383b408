//! Reading blocks of content; a block that is not understood stays as it came.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::model::{Audio, Content, ContentAnnotations, EmbeddedResource, Image, ResourceContents, ResourceLink, Text};

/// Reads a block.
pub(super) fn read(raw: &RawValue) -> Content {
    block(raw).unwrap_or_else(|| Content::Raw(raw.to_owned()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Block<'a> {
    r#type: String,
    text: Option<String>,
    data: Option<String>,
    mime_type: Option<String>,
    uri: Option<String>,
    name: Option<String>,
    title: Option<String>,
    description: Option<String>,
    size: Option<u64>,
    #[serde(borrow)]
    resource: Option<&'a RawValue>,
    #[serde(borrow)]
    annotations: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

fn block(raw: &RawValue) -> Option<Content> {
    let block: Block<'_> = serde_json::from_str(raw.get()).ok()?;
    let annotations = block.annotations.and_then(annotations).map(Box::new);
    let meta = block.meta.map(ToOwned::to_owned);
    Some(match block.r#type.as_str() {
        "text" => Content::Text(Text { text: block.text?, annotations, meta }),
        "image" => Content::Image(Image { data: block.data?, mime_type: block.mime_type?, annotations, meta }),
        "audio" => Content::Audio(Audio { data: block.data?, mime_type: block.mime_type?, annotations, meta }),
        "resource" => Content::Resource(EmbeddedResource { resource: contents(block.resource?)?, annotations, meta }),
        "resource_link" => Content::ResourceLink(ResourceLink {
            uri: block.uri?,
            name: block.name?,
            title: block.title,
            description: block.description,
            mime_type: block.mime_type,
            size: block.size,
            annotations,
            meta,
        }),
        _ => return None,
    })
}

/// Reads what a resource holds.
pub(super) fn contents(raw: &RawValue) -> Option<ResourceContents> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Wire {
        uri: String,
        mime_type: Option<String>,
        text: Option<String>,
        blob: Option<String>,
    }
    let wire: Wire = serde_json::from_str(raw.get()).ok()?;
    let Wire { uri, mime_type, text, blob } = wire;
    match (text, blob) {
        (Some(text), _) => Some(ResourceContents::Text { uri, mime_type, text }),
        (None, Some(blob)) => Some(ResourceContents::Blob { uri, mime_type, blob }),
        (None, None) => None,
    }
}

fn annotations(raw: &RawValue) -> Option<ContentAnnotations> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Wire {
        #[serde(default)]
        audience: Vec<String>,
        priority: Option<f64>,
        last_modified: Option<String>,
    }
    let Wire { audience, priority, last_modified } = serde_json::from_str(raw.get()).ok()?;
    Some(ContentAnnotations { audience, priority, last_modified })
}
