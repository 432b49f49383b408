//! Tools that return one kind of content each, fail, or report progress.

use std::sync::Arc;
use std::time::Duration;

use haft_core::{Audio, BuildError, Context, Image, IntoOutcome, RawTool, Tool, ToolError};
use haft_wire::model::{Content, EmbeddedResource, ResourceContents};

/// A transparent picture of one pixel.
const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
    0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 13, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0, 1, 0, 0, 5, 0, 1, 0x0d,
    0x0a, 0x2d, 0xb4, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// The head of a WAV file without samples.
const SILENCE: &[u8] = &[
    b'R', b'I', b'F', b'F', 36, 0, 0, 0, b'W', b'A', b'V', b'E', b'f', b'm', b't', b' ', 16, 0, 0, 0, 1, 0, 1, 0, 0x44,
    0xac, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0, b'd', b'a', b't', b'a', 0, 0, 0, 0,
];

pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, BuildError> {
    Ok(vec![
        simple("test_simple_text", "Returns a simple text.")?,
        returns("test_image_content", "Returns a picture.", || Image::new(PIXEL, "image/png"))?,
        returns("test_audio_content", "Returns sound.", || Audio::new(SILENCE, "audio/wav"))?,
        returns("test_embedded_resource", "Returns a resource with its contents.", || {
            text_resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")
        })?,
        returns("test_multiple_content_types", "Returns text, a picture and a resource.", || {
            vec![
                Content::text("Multiple content types test:"),
                Image::new(PIXEL, "image/png").into(),
                text_resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
            ]
        })?,
        returns("test_error_handling", "Fails, on purpose.", || {
            ToolError::tell("This tool intentionally returns an error for testing")
        })?,
        returns("test_logging_tool", "Would log, to whom it were asked to.", || "Nothing was logged.")?,
        with("test_tool_with_progress", "Reports progress three times.", |context: Context| async move {
            for progress in [0.0, 50.0, 100.0] {
                context.progress(progress, Some(100.0), None);
                // bounded: the pace that the suite asks for.
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            "All done."
        })?,
        Arc::new(RawTool::new(SCHEMA_TOOL, |_, _| async { "The arguments fit the schema." })?),
        Arc::new(RawTool::new(HEADER_TOOL, |_, _| async { "The header agrees with the argument." })?),
    ])
}

/// A tool that returns a text.
pub(crate) fn simple(name: &str, description: &str) -> Result<Arc<dyn Tool>, BuildError> {
    returns(name, description, || "This is a simple text response for testing.")
}

/// A tool without arguments that returns the same at every call.
fn returns<T: IntoOutcome + 'static>(
    name: &str,
    description: &str,
    value: impl Fn() -> T + Send + Sync + Clone + 'static,
) -> Result<Arc<dyn Tool>, BuildError> {
    with(name, description, move |_| {
        let value = value.clone();
        async move { value() }
    })
}

/// A tool without arguments.
pub(crate) fn with<F>(
    name: &str,
    description: &str,
    handler: impl Fn(Context) -> F + Send + Sync + 'static,
) -> Result<Arc<dyn Tool>, BuildError>
where
    F: Future<Output: IntoOutcome> + Send + 'static,
{
    let definition =
        serde_json::json!({ "name": name, "description": description, "inputSchema": { "type": "object" } });
    Ok(Arc::new(RawTool::new(&definition.to_string(), move |_, context| handler(context))?))
}

fn text_resource(uri: &str, mime_type: &str, text: &str) -> Content {
    Content::Resource(EmbeddedResource::new(ResourceContents::text(uri, mime_type, text)))
}

/// A schema with most of what 2020-12 has; it has to come back as it is.
const SCHEMA_TOOL: &str = r##"{
  "name": "json_schema_2020_12_tool",
  "description": "Takes a contact, described with a full JSON Schema.",
  "inputSchema": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
      "address": {
        "$anchor": "addressDef",
        "type": "object",
        "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
      }
    },
    "properties": {
      "name": { "type": "string" },
      "address": { "$ref": "#/$defs/address" },
      "contactMethod": { "type": "string", "enum": ["phone", "email"] },
      "phone": { "type": "string" },
      "email": { "type": "string" }
    },
    "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
    "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
    "then": { "required": ["phone"] },
    "else": { "required": ["email"] },
    "additionalProperties": false
  }
}"##;

const HEADER_TOOL: &str = r#"{
  "name": "test_header_parameter",
  "description": "Takes an argument that HTTP clients mirror into a header.",
  "inputSchema": {
    "type": "object",
    "properties": { "region": { "type": "string", "x-mcp-header": "Region" } }
  }
}"#;
