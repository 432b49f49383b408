//! Asking a person in the middle of a call, by replay: the call ends with the question and runs again with the answer.

use haft_wire::model::InputRequest;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// Something to ask the person behind the client.
#[derive(Clone, Debug)]
pub struct Question {
    pub(crate) method: &'static str,
    pub(crate) params: Value,
    /// Schema of the answer's content.
    pub(crate) schema: Option<Value>,
    /// Whether the answer is taken as it comes.
    is_open: bool,
}

impl Question {
    /// Asks for yes or no.
    pub fn confirm(message: impl Into<String>) -> Self {
        let schema = json!({
            "type": "object",
            "properties": { "confirmed": { "type": "boolean", "title": "Go ahead?" } },
            "required": ["confirmed"],
        });
        Self::form(message, schema)
    }

    /// Asks for one line of text under a name.
    pub fn text(message: impl Into<String>, name: &str) -> Self {
        let mut properties = Map::new();
        properties.insert(name.to_owned(), json!({ "type": "string" }));
        Self::form(message, json!({ "type": "object", "properties": properties, "required": [name] }))
    }

    /// Asks with a form: a flat JSON Schema object of strings, numbers, booleans and choices
    /// (2026-07-28, elicitation: requested schema). Never ask for passwords, keys or payment data this way.
    pub fn form(message: impl Into<String>, schema: Value) -> Self {
        let params = json!({ "mode": "form", "message": message.into(), "requestedSchema": schema });
        Self { method: "elicitation/create", params, schema: Some(schema), is_open: false }
    }

    /// Sends the person to a URL, for what must not pass through client and model.
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> Self {
        let params = json!({ "mode": "url", "message": message.into(), "url": url.into() });
        Self { method: "elicitation/create", params, schema: None, is_open: false }
    }

    /// Asks for something that this library has no words for; the answer comes back as it is.
    pub const fn open(method: &'static str, params: Value) -> Self {
        Self { method, params, schema: None, is_open: true }
    }

    pub(crate) fn request(&self, key: &str) -> InputRequest {
        // A `Value` always encodes.
        let params = serde_json::value::to_raw_value(&self.params).unwrap_or_else(|_| RawValue::NULL.to_owned());
        InputRequest::new(key, self.method, params)
    }
}

/// Questions that a call waits for, by key.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    pub(crate) list: Vec<(String, Question)>,
}

impl Questions {
    /// One question.
    pub fn one(key: impl Into<String>, question: Question) -> Self {
        Self { list: vec![(key.into(), question)] }
    }

    /// The same with one more.
    #[must_use]
    pub fn and(mut self, key: impl Into<String>, question: Question) -> Self {
        self.list.push((key.into(), question));
        self
    }
}

impl Questions {
    /// Whether the questions can be answered at all: each has a key of its own, and a form has a schema that is one.
    pub(crate) fn check(&self) -> Result<(), String> {
        for (position, (key, question)) in self.list.iter().enumerate() {
            if self.list.iter().take(position).any(|(earlier, _)| earlier == key) {
                return Err(format!("two questions have the key `{key}`"));
            }
            if key.starts_with("haft.") {
                return Err(format!("the key `{key}` is one of this library's own"));
            }
            if let Some(schema) = &question.schema {
                compile(schema).map_err(|error| format!("the form of question `{key}` cannot be checked: {error}"))?;
            }
        }
        Ok(())
    }
}

/// What came back for a question.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Answered {
    /// The person said yes, with what a form asked for.
    Accepted(Value),
    /// The person closed the question.
    Cancelled,
    /// The person said no.
    Declined,
    /// The answer to an open question, as it came.
    Open(Value),
}

impl Answered {
    /// Whether the person said yes, and to [`Question::confirm`] also ticked it.
    pub fn is_confirmed(&self) -> bool {
        match self {
            Self::Accepted(content) => content.get("confirmed").is_none_or(|confirmed| confirmed == &Value::Bool(true)),
            Self::Cancelled | Self::Declined | Self::Open(_) => false,
        }
    }

    /// The content of the form, as a type; `None` when the person did not accept.
    ///
    /// # Errors
    ///
    /// When the content has another shape than the type.
    pub fn content<T: DeserializeOwned>(&self) -> Result<Option<T>, serde_json::Error> {
        match self {
            Self::Accepted(content) | Self::Open(content) => serde_json::from_value(content.clone()).map(Some),
            Self::Cancelled | Self::Declined => Ok(None),
        }
    }

    /// Reads an answer; `None` when it does not have the shape that the question wants.
    pub(crate) fn read(question: &Question, raw: &Value) -> Option<Self> {
        let object = raw.as_object()?;
        if question.is_open {
            return Some(Self::Open(raw.clone()));
        }
        match object.get("action")?.as_str()? {
            "accept" => {
                let content = object.get("content").cloned().unwrap_or(Value::Null);
                match &question.schema {
                    None => Some(Self::Accepted(content)),
                    Some(schema) => fits(schema, &content).then_some(Self::Accepted(content)),
                }
            }
            "cancel" => Some(Self::Cancelled),
            "decline" => Some(Self::Declined),
            _ => None,
        }
    }
}

/// Whether the content of a form fits the schema that was asked with.
fn fits(schema: &Value, content: &Value) -> bool {
    let Ok(schema) = compile(schema) else { return false };
    let text = content.to_string();
    haft_schema::Tree::parse(&text).is_ok_and(|tree| schema.is_valid(&tree))
}

fn compile(schema: &Value) -> Result<haft_schema::Schema, Box<dyn std::error::Error + Send + Sync>> {
    let schema = serde_json::value::to_raw_value(schema)?;
    Ok(haft_schema::Schema::compile(&schema, &haft_schema::CompileOptions::default())?)
}
