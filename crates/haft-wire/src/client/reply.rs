//! Reading what a server answers.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::content;
use crate::error::code;
use crate::jsonrpc::{Id, Notification, Raw};
use crate::model::{
    Annotations, CacheHint, CacheScope, InputRequest, InputRequired, Introduction, InvalidReply, ListedItems,
    ListedTool, ListedTools, Meaning, Members, PeerError, Progress, ReadContents, Returned, Round, ServerCapabilities,
    ServerNotification, SetAside, ToolResult,
};
use crate::revision::{Era, Revision};

/// The members of a result, raw, of the method that it answers.
struct Answer {
    method: &'static str,
    members: Vec<(String, Box<RawValue>)>,
}

impl Answer {
    fn read(method: &'static str, raw: Raw<'_>) -> Result<Self, InvalidReply> {
        match serde_json::from_str::<Members>(raw.get()) {
            Ok(members) => Ok(Self { method, members: members.into_inner() }),
            Err(_) => Err(InvalidReply { method, reason: "is no object".to_owned() }),
        }
    }

    fn get(&self, name: &str) -> Option<&RawValue> {
        let found = self.members.iter().find(|(key, _)| key == name).map(|(_, value)| &**value);
        found.filter(|value| value.get() != "null")
    }

    /// The value even where it is null.
    fn present(&self, name: &str) -> Option<&RawValue> {
        self.members.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
    }

    fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?.get()).ok()
    }

    fn array(&self, name: &str) -> Result<Vec<Box<RawValue>>, InvalidReply> {
        let array = self.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok());
        array.ok_or_else(|| self.invalid(format!("has no array `{name}`")))
    }

    fn object(&self, name: &str) -> Option<Box<RawValue>> {
        self.get(name).filter(|raw| raw.get().starts_with('{')).map(ToOwned::to_owned)
    }

    fn invalid(&self, reason: impl Into<String>) -> InvalidReply {
        InvalidReply { method: self.method, reason: reason.into() }
    }

    /// 2026-07-28, caching; a hint that cannot be read is none.
    fn cache(&self) -> Option<CacheHint> {
        let ttl_ms = serde_json::from_str(self.get("ttlMs")?.get()).ok()?;
        let scope = match self.text("cacheScope").as_deref() {
            Some("public") => CacheScope::Public,
            _ => CacheScope::Private,
        };
        Some(CacheHint { ttl_ms, scope })
    }

    /// Whether the request is done; absent means that it is (2026-07-28, basic: result type).
    fn is_complete(&self) -> Result<bool, InvalidReply> {
        match self.get("resultType") {
            None => Ok(true),
            Some(raw) => match raw.get() {
                r#""complete""# => Ok(true),
                r#""input_required""# => Ok(false),
                _ => Err(self.invalid("has a `resultType` that is not known")),
            },
        }
    }

    fn complete(self) -> Result<Self, InvalidReply> {
        if self.is_complete()? { Ok(self) } else { Err(self.invalid("needs input, which it must not")) }
    }
}

/// The answer to `server/discover` or `initialize`; `None` for the former when it can only be of the handshake era.
pub(super) fn introduction(method: &'static str, raw: Raw<'_>) -> Result<Introduction, InvalidReply> {
    let answer = Answer::read(method, raw)?;
    let versions = if method == "initialize" {
        let chosen = answer.text("protocolVersion");
        vec![chosen.ok_or_else(|| answer.invalid("has no `protocolVersion`"))?]
    } else {
        if answer.get("resultType").is_none() {
            return Err(answer.invalid("has no `resultType`"));
        }
        let versions: Option<Vec<String>> =
            answer.get("supportedVersions").and_then(|raw| serde_json::from_str(raw.get()).ok());
        versions.ok_or_else(|| answer.invalid("has no `supportedVersions`"))?
    };
    let info = answer.object("serverInfo").or_else(|| {
        let meta: Members = serde_json::from_str(answer.get("_meta")?.get()).ok()?;
        meta.into_inner().into_iter().find(|(key, _)| key == "io.modelcontextprotocol/serverInfo").map(|(_, info)| info)
    });
    Ok(Introduction {
        versions,
        capabilities: capabilities(answer.object("capabilities")),
        info,
        instructions: answer.text("instructions"),
        cache: answer.cache(),
    })
}

fn capabilities(raw: Option<Box<RawValue>>) -> ServerCapabilities {
    let object: Map<String, Value> =
        raw.as_deref().and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    let has = |name: &str| object.get(name).is_some_and(Value::is_object);
    ServerCapabilities {
        prompts: has("prompts"),
        resources: has("resources"),
        tools: has("tools"),
        tools_list_changed: object.get("tools").and_then(|tools| tools.get("listChanged")) == Some(&Value::Bool(true)),
        raw,
    }
}

/// The answer to `tools/list`.
pub(super) fn tools(raw: Raw<'_>) -> Result<ListedTools, InvalidReply> {
    let answer = Answer::read("tools/list", raw)?.complete()?;
    let mut tools = Vec::new();
    let mut set_aside = Vec::new();
    for entry in answer.array("tools")? {
        match tool(entry) {
            Ok(tool) => tools.push(tool),
            Err(reason) => set_aside.push(reason),
        }
    }
    Ok(ListedTools { tools, set_aside, next_cursor: answer.text("nextCursor"), cache: answer.cache() })
}

/// Reads a tool as leniently as its use allows: without a name or an input schema there is none.
pub(super) fn tool(raw: Box<RawValue>) -> Result<ListedTool, SetAside> {
    let members = match serde_json::from_str::<Members>(raw.get()) {
        Ok(members) => members.into_inner(),
        Err(error) if raw.get().starts_with('{') => return Err(SetAside::new(None, error.to_string())),
        Err(_) => return Err(SetAside::new(None, "the entry is no object")),
    };
    let find = |name: &str| {
        members.iter().find(|(key, _)| key == name).map(|(_, value)| value).filter(|value| value.get() != "null")
    };
    let name: Option<String> = find("name").and_then(|raw| serde_json::from_str(raw.get()).ok());
    let Some(name) = name else { return Err(SetAside::new(None, "`name` has to be a string")) };
    let Some(input_schema) = find("inputSchema").filter(|raw| raw.get().starts_with('{')) else {
        return Err(SetAside::new(Some(name), "`inputSchema` has to be an object"));
    };
    let mut notes = Vec::new();
    let mut note = |member: &str, expected: &str| notes.push(format!("`{member}` has to be {expected}"));
    let mut text = |member: &'static str| {
        let raw = find(member)?;
        let text = serde_json::from_str(raw.get()).ok();
        if text.is_none() {
            note(member, "a string");
        }
        text
    };
    let (title, description) = (text("title"), text("description"));
    let output_schema = find("outputSchema").filter(|raw| {
        let is_schema = matches!(raw.get().as_bytes().first(), Some(b'{' | b't' | b'f'));
        if !is_schema {
            note("outputSchema", "a schema");
        }
        is_schema
    });
    let annotations = match find("annotations") {
        None => Annotations::default(),
        Some(raw) => annotations(raw, &mut note),
    };
    Ok(ListedTool {
        title,
        description,
        input_schema: input_schema.clone(),
        output_schema: output_schema.cloned(),
        annotations,
        notes,
        name,
        raw,
    })
}

/// Hints of which the malformed count as absent, which is the stricter reading of each.
fn annotations(raw: &RawValue, note: &mut impl FnMut(&str, &str)) -> Annotations {
    let mut annotations = Annotations::default();
    if !raw.get().starts_with('{') {
        note("annotations", "an object");
    }
    for (key, value) in Members::read(raw) {
        let hint = match key.as_str() {
            "readOnlyHint" => &mut annotations.read_only,
            "destructiveHint" => &mut annotations.destructive,
            "idempotentHint" => &mut annotations.idempotent,
            "openWorldHint" => &mut annotations.open_world,
            "title" => {
                annotations.title = serde_json::from_str(value.get()).ok();
                continue;
            }
            _ => {
                annotations.other.push((key, value));
                continue;
            }
        };
        match value.get() {
            "true" => *hint = Some(true),
            "false" => *hint = Some(false),
            "null" => {}
            _ => note(&key, "true or false"),
        }
    }
    annotations
}

/// The answer to a list of anything else.
pub(super) fn items(method: &'static str, raw: Raw<'_>) -> Result<ListedItems, InvalidReply> {
    let answer = Answer::read(method, raw)?.complete()?;
    let member = match method {
        "prompts/list" => "prompts",
        "resources/templates/list" => "resourceTemplates",
        _ => "resources",
    };
    Ok(ListedItems { items: answer.array(member)?, next_cursor: answer.text("nextCursor"), cache: answer.cache() })
}

/// The answer to `tools/call`.
pub(super) fn call(raw: Raw<'_>) -> Result<Round<Returned>, InvalidReply> {
    let answer = Answer::read("tools/call", raw)?;
    if !answer.is_complete()? {
        return needs(&answer).map(Round::Needs);
    }
    let content = match answer.get("content") {
        // Some servers leave it out beside structured content.
        None if answer.present("structuredContent").is_some() => Vec::new(),
        _ => answer.array("content")?,
    };
    let is_error = match answer.get("isError").map(RawValue::get) {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(answer.invalid("has an `isError` that is neither true nor false")),
    };
    Ok(Round::Done(Returned {
        result: ToolResult {
            content: content.iter().map(|block| content::read(block)).collect(),
            structured: answer.present("structuredContent").map(ToOwned::to_owned),
            is_error,
            meta: answer.object("_meta"),
        },
        raw: owned(raw),
    }))
}

/// The answer to `resources/read`: what it holds as far as it is understood, and all of it as it came.
pub(super) fn resource(raw: Raw<'_>) -> Result<Round<ReadContents>, InvalidReply> {
    let answer = Answer::read("resources/read", raw)?;
    if !answer.is_complete()? {
        return needs(&answer).map(Round::Needs);
    }
    let contents = answer.array("contents")?;
    let parts = contents.iter().filter_map(|part| content::contents(part)).collect();
    Ok(Round::Done(ReadContents { parts, raw: owned(raw) }))
}

/// The answer to `prompts/get`, as it came.
pub(super) fn prompt(raw: Raw<'_>) -> Result<Round<Box<RawValue>>, InvalidReply> {
    let answer = Answer::read("prompts/get", raw)?;
    if !answer.is_complete()? {
        return needs(&answer).map(Round::Needs);
    }
    answer.array("messages")?;
    Ok(Round::Done(owned(raw)))
}

fn needs(answer: &Answer) -> Result<InputRequired, InvalidReply> {
    let mut requests = Vec::new();
    if let Some(raw) = answer.get("inputRequests") {
        let members: Members = serde_json::from_str(raw.get())
            .map_err(|_| answer.invalid("has `inputRequests` that are no object with keys of their own"))?;
        for (key, value) in members.into_inner() {
            let entry = Members::read(&value);
            let find = |name: &str| entry.iter().find(|(key, _)| key == name).map(|(_, value)| value);
            let method: Option<String> = find("method").and_then(|raw| serde_json::from_str(raw.get()).ok());
            let Some(method) = method else {
                return Err(answer.invalid("has an input request without `method`"));
            };
            let params = find("params").cloned().unwrap_or_else(empty_object);
            requests.push(InputRequest { key, method, params });
        }
    }
    let state = match answer.get("requestState") {
        None => None,
        Some(_) => {
            Some(answer.text("requestState").ok_or_else(|| answer.invalid("has a `requestState` that is no string"))?)
        }
    };
    if requests.is_empty() && state.is_none() {
        return Err(answer.invalid("needs input, and says not which"));
    }
    Ok(InputRequired { requests, state })
}

/// A JSON-RPC error.
pub(super) fn error(revision: Revision, raw: Raw<'_>) -> PeerError {
    let members = serde_json::from_str::<Members>(raw.get()).map(Members::into_inner).unwrap_or_default();
    let find = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let code = find("code").and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or(i64::from(code::INTERNAL));
    let message = find("message").and_then(|raw| serde_json::from_str(raw.get()).ok());
    let data = find("data").cloned();
    let meaning = meaning(revision, code, data.as_deref());
    PeerError { code, message: message.unwrap_or_else(|| "an error without a message".to_owned()), data, meaning }
}

fn meaning(revision: Revision, number: i64, data: Option<&RawValue>) -> Meaning {
    let is_stateless = revision.era() == Era::Stateless;
    match i32::try_from(number) {
        Ok(code::HEADER_MISMATCH) if is_stateless => Meaning::HeaderMismatch,
        Ok(code::MISSING_CAPABILITY) if is_stateless => Meaning::MissingCapability,
        Ok(code::METHOD_NOT_FOUND) => Meaning::NoSuchMethod,
        Ok(code::RESOURCE_NOT_FOUND) => Meaning::NoSuchResource,
        // Also the answer to a handshake on a connection that is bound to a version without one.
        Ok(code::UNSUPPORTED_VERSION) => {
            let data: Value = data.and_then(|data| serde_json::from_str(data.get()).ok()).unwrap_or_default();
            let supported = data.get("supported").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let supported = supported.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            Meaning::UnsupportedVersion(supported)
        }
        _ => Meaning::Other,
    }
}

/// What a server tells.
pub(super) fn notification(notification: &Notification<'_>) -> ServerNotification {
    let params = &notification.params;
    match notification.method.as_ref() {
        "notifications/cancelled" => ServerNotification::Cancelled {
            request: params.get("requestId").and_then(Id::read).map(|id| id.as_json().to_owned()),
        },
        "notifications/message" => match params.get("data") {
            None => ServerNotification::Other,
            Some(data) => ServerNotification::Log {
                level: params.get("level").and_then(crate::model::text).unwrap_or_default().into_owned(),
                data: owned(data),
            },
        },
        "notifications/progress" => {
            progress(notification).map_or(ServerNotification::Other, ServerNotification::Progress)
        }
        "notifications/prompts/list_changed" => ServerNotification::PromptsChanged,
        "notifications/resources/list_changed" => ServerNotification::ResourcesChanged,
        "notifications/subscriptions/acknowledged" => ServerNotification::Acknowledged,
        "notifications/tools/list_changed" => ServerNotification::ToolsChanged,
        _ => ServerNotification::Other,
    }
}

fn progress(notification: &Notification<'_>) -> Option<Progress> {
    let params = &notification.params;
    let number = |name: &str| serde_json::from_str::<f64>(params.get(name)?.get()).ok();
    Some(Progress {
        token: Id::read(params.get("progressToken")?)?.as_json().to_owned(),
        progress: number("progress")?,
        total: number("total"),
        message: params.get("message").and_then(crate::model::text).map(std::borrow::Cow::into_owned),
    })
}

fn owned(raw: Raw<'_>) -> Box<RawValue> {
    // It was found valid when its message was read.
    RawValue::from_string(raw.get().to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn empty_object() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
