//! Tools in the shapes of the APIs of models: definitions out, a use of a tool in, its result out.
//!
//! These APIs take names of `A-Z a-z 0-9 _ -` up to 64 characters; others are mapped, each to its own. Nothing is
//! decided here: whether a model may call a tool is for the caller to say before [`Bridge::call`].

use std::collections::{HashMap, HashSet};

use haft_wire::model::{Content, ListedTool, ResourceContents, Returned};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use thiserror::Error;

use crate::client::Client;
use crate::error::ClientError;
use crate::options::CallOptions;

/// Whose API it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Provider {
    /// Messages: `tool_use` and `tool_result` blocks.
    Anthropic,
    /// Chat completions: `tool_calls` and messages of the role `tool`.
    OpenAi,
}

/// The tools of one server for one API.
#[derive(Debug)]
pub struct Bridge {
    client: Client,
    provider: Provider,
    definitions: String,
    /// The tool behind each name that the model sees.
    names: HashMap<String, String>,
}

/// A use of a tool that has another shape than the API gives it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the use of a tool has no {missing}")]
#[non_exhaustive]
pub struct InvalidToolUse {
    /// What it lacks.
    pub missing: &'static str,
}

/// A use of a tool, taken apart.
struct ToolUse {
    id: String,
    name: String,
    /// An object as JSON text.
    arguments: String,
}

impl Bridge {
    /// The tools that the server has now.
    ///
    /// # Errors
    ///
    /// As [`Client::tools`].
    pub async fn new(client: Client, provider: Provider) -> Result<Self, ClientError> {
        let tools = client.tools().await?;
        let names: Vec<&str> = tools.list.iter().map(|tool| tool.definition().name.as_str()).collect();
        let shown = shown_names(&names);
        let definitions = definitions(provider, tools.list.iter().map(|tool| tool.definition()).zip(&shown));
        let names = shown.iter().cloned().zip(names.into_iter().map(str::to_owned)).collect();
        Ok(Self { client, provider, definitions, names })
    }

    /// The definitions, an array as JSON text; schemas are those of the server, digit by digit.
    pub fn definitions(&self) -> &str {
        &self.definitions
    }

    /// The tool behind a name that the model sees.
    pub fn tool(&self, shown: &str) -> Option<&str> {
        self.names.get(shown).map(String::as_str)
    }

    /// Calls the tool that a model wants to use, and answers the way its API reads it. What goes wrong is an answer,
    /// too: the model is told what it can act on.
    ///
    /// # Errors
    ///
    /// When the use has no id or no name, so that there is nothing to answer to.
    pub async fn call(&self, tool_use: &Value) -> Result<Value, InvalidToolUse> {
        let ToolUse { id, name, arguments } = ToolUse::read(self.provider, tool_use)?;
        let Some(tool) = self.tool(&name) else {
            let near = haft_diag::nearest(&name, self.names.keys().map(String::as_str));
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Ok(failed(self.provider, &id, &format!("there is no tool of that name{near}")));
        };
        match self.client.call(tool, &arguments, &CallOptions::default()).await {
            Ok(returned) => Ok(result(self.provider, &id, &returned)),
            Err(ClientError::Result { returned, .. } | ClientError::ResultMissing { returned, .. }) => {
                // It has run, and what came is better than nothing.
                Ok(result(self.provider, &id, &returned))
            }
            Err(error) => Ok(failed(self.provider, &id, &error.to_string())),
        }
    }
}

/// Names that the APIs take, one for each, all different. What can stay stays.
pub fn shown_names(names: &[&str]) -> Vec<String> {
    let mut taken: HashSet<String> =
        names.iter().filter(|name| is_accepted(name)).map(|name| (*name).to_owned()).collect();
    let mut shown = Vec::with_capacity(names.len());
    let mut kept = HashSet::new();
    let mut numbers = HashMap::new();
    for name in names {
        if is_accepted(name) && kept.insert(*name) {
            shown.push((*name).to_owned());
            continue;
        }
        let plain: String =
            name.chars().take(LONGEST).map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
        let plain = if plain.is_empty() { "tool".to_owned() } else { plain };
        // Where many become one, none of them counts from the beginning.
        let number = numbers.entry(plain.clone()).or_insert(1_usize);
        let mut candidate = plain.clone();
        while !taken.insert(candidate.clone()) {
            *number += 1;
            let suffix = format!("_{number}");
            let stem: String = plain.chars().take(LONGEST.saturating_sub(suffix.len())).collect();
            candidate = format!("{stem}{suffix}");
        }
        shown.push(candidate);
    }
    shown
}

/// The definitions under these names, an array as JSON text that ends with a newline, one definition on each line.
pub fn definitions<'t>(provider: Provider, tools: impl IntoIterator<Item = (&'t ListedTool, &'t String)>) -> String {
    let lines: Vec<String> = tools.into_iter().map(|(tool, shown)| definition(provider, tool, shown)).collect();
    if lines.is_empty() { "[]\n".to_owned() } else { format!("[\n{}\n]\n", lines.join(",\n")) }
}

fn definition(provider: Provider, tool: &ListedTool, shown: &str) -> String {
    let (name, schema) = (json!(shown), object_schema(&tool.input_schema));
    let description = match tool.description.as_ref().or(tool.title.as_ref()) {
        Some(description) => format!(",\"description\":{}", json!(description)),
        None => String::new(),
    };
    match provider {
        Provider::Anthropic => format!("{{\"name\":{name}{description},\"input_schema\":{schema}}}"),
        Provider::OpenAi => {
            let function = format!("{{\"name\":{name}{description},\"parameters\":{schema}}}");
            format!("{{\"type\":\"function\",\"function\":{function}}}")
        }
    }
}

/// The schema on one line, with the type that the APIs ask for.
fn object_schema(schema: &RawValue) -> String {
    let text = schema.get();
    let members = text.trim().strip_prefix('{').unwrap_or("}").trim_start();
    let has_type = serde_json::from_str::<Value>(text).is_ok_and(|schema| schema.get("type").is_some());
    let whole = match members {
        _ if has_type => text.to_owned(),
        "}" => "{\"type\":\"object\"}".to_owned(),
        members => format!("{{\"type\":\"object\",{members}"),
    };
    // Line breaks stand between the parts of JSON only.
    whole.replace(['\n', '\r'], " ")
}

impl ToolUse {
    fn read(provider: Provider, value: &Value) -> Result<Self, InvalidToolUse> {
        let text = |value: Option<&Value>, missing| {
            value.and_then(Value::as_str).map(str::to_owned).ok_or(InvalidToolUse { missing })
        };
        let id = text(value.get("id"), "id")?;
        let (name, arguments) = match provider {
            Provider::Anthropic => (value.get("name"), value.get("input").map(Value::to_string)),
            Provider::OpenAi => {
                let function = value.get("function");
                let arguments = function.and_then(|function| function.get("arguments")).and_then(Value::as_str);
                (function.and_then(|function| function.get("name")), arguments.map(str::to_owned))
            }
        };
        let arguments = arguments.filter(|arguments| !arguments.trim().is_empty());
        Ok(Self { id, name: text(name, "name")?, arguments: arguments.unwrap_or_else(|| "{}".to_owned()) })
    }
}

fn result(provider: Provider, id: &str, returned: &Returned) -> Value {
    let content = &returned.result.content;
    let structured = returned.result.structured.as_deref().filter(|_| content.is_empty()).map(RawValue::get);
    match provider {
        Provider::Anthropic => {
            let mut blocks: Vec<Value> = content.iter().map(block).collect();
            blocks.extend(structured.map(|text| json!({ "type": "text", "text": text })));
            json!({
                "type": "tool_result",
                "tool_use_id": id,
                "content": blocks,
                "is_error": returned.result.is_error,
            })
        }
        Provider::OpenAi => {
            let texts = content.iter().map(words).chain(structured.map(str::to_owned));
            let texts: Vec<String> = texts.collect();
            json!({ "role": "tool", "tool_call_id": id, "content": texts.join("\n") })
        }
    }
}

fn failed(provider: Provider, id: &str, why: &str) -> Value {
    match provider {
        Provider::Anthropic => {
            let content = [json!({ "type": "text", "text": why })];
            json!({ "type": "tool_result", "tool_use_id": id, "content": content, "is_error": true })
        }
        Provider::OpenAi => json!({ "role": "tool", "tool_call_id": id, "content": format!("error: {why}") }),
    }
}

fn block(content: &Content) -> Value {
    match content {
        Content::Image(image) if IMAGES.contains(&image.mime_type.as_str()) => {
            let source = json!({ "type": "base64", "media_type": image.mime_type, "data": image.data });
            json!({ "type": "image", "source": source })
        }
        content => json!({ "type": "text", "text": words(content) }),
    }
}

/// A block as text; of what is no text, what it is.
fn words(content: &Content) -> String {
    match content {
        Content::Audio(audio) => format!("[audio, {}]", audio.mime_type),
        Content::Image(image) => format!("[image, {}]", image.mime_type),
        Content::Raw(raw) => raw.get().to_owned(),
        Content::Resource(embedded) => match &embedded.resource {
            ResourceContents::Text { text, .. } => text.clone(),
            ResourceContents::Blob { uri, .. } => format!("[resource, {uri}]"),
            _ => "[resource]".to_owned(),
        },
        Content::ResourceLink(link) => format!("[resource link, {}] {}", link.uri, link.name),
        Content::Text(text) => text.text.clone(),
        _ => "[content of another kind]".to_owned(),
    }
}

fn is_accepted(name: &str) -> bool {
    (1..=LONGEST).contains(&name.len()) && name.chars().all(is_plain)
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')
}

const LONGEST: usize = 64;
const IMAGES: [&str; 4] = ["image/gif", "image/jpeg", "image/png", "image/webp"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_mapped_to_different_ones_that_are_accepted() {
        let long = "x".repeat(70);
        let names = ["a.b", "a_b", "a/b", "a_b_2", "", "grüße", &long, &format!("{long}y"), "ok"];
        let shown = shown_names(&names);
        let x = |count: usize| "x".repeat(count);
        assert_eq!(shown, ["a_b_3", "a_b", "a_b_4", "a_b_2", "tool", "gr__e", &x(64), &format!("{}_2", x(62)), "ok"]);
        assert!(shown.iter().all(|name| is_accepted(name)));
        assert_eq!(shown.iter().collect::<HashSet<_>>().len(), names.len());
    }

    #[test]
    fn schemas_get_the_type_that_is_asked_for_and_keep_their_numbers() {
        for (schema, expected) in [
            ("{}", r#"{"type":"object"}"#),
            (r#"{"type": "object"}"#, r#"{"type": "object"}"#),
            ("{\n\"maximum\":1.0e400}", r#"{"type":"object","maximum":1.0e400}"#),
            ("{ \"properties\":\n{}}", r#"{"type":"object","properties": {}}"#),
        ] {
            assert_eq!(object_schema(&RawValue::from_string(schema.to_owned()).unwrap()), expected);
        }
    }

    #[test]
    fn uses_are_read_in_the_shape_of_their_api() {
        let read = |provider, value: &Value| {
            ToolUse::read(provider, value).map(|read| format!("{} {} {}", read.id, read.name, read.arguments))
        };
        let anthropic = json!({ "type": "tool_use", "id": "1", "name": "t", "input": { "a": 1 } });
        assert_eq!(read(Provider::Anthropic, &anthropic), Ok(r#"1 t {"a":1}"#.to_owned()));
        let openai = json!({ "id": "1", "type": "function", "function": { "name": "t", "arguments": "{\"a\": 1.0}" } });
        assert_eq!(read(Provider::OpenAi, &openai), Ok(r#"1 t {"a": 1.0}"#.to_owned()));
        assert_eq!(read(Provider::OpenAi, &json!({ "id": "1", "function": { "name": "t" } })), Ok("1 t {}".to_owned()));
        assert_eq!(read(Provider::OpenAi, &anthropic), Err(InvalidToolUse { missing: "name" }));
        assert_eq!(read(Provider::Anthropic, &json!({ "name": "t" })), Err(InvalidToolUse { missing: "id" }));
    }
}
