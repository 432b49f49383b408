//! Calls, with as many rounds as the server needs.

use std::time::Duration;

use haft_wire::Codec;
use haft_wire::headers;
use haft_wire::model::{Ask, InputRequired, Meaning, ReadContents, Returned, Round};
use serde_json::Map;
use serde_json::value::RawValue;
use tokio::time::sleep;

use crate::answers::answered;
use crate::client::Client;
use crate::error::ClientError;
use crate::live::Answered;
use crate::options::CallOptions;
use crate::tools::Tool;

impl Client {
    /// Calls a tool. The arguments are an object as JSON text, sent byte for byte.
    ///
    /// A tool that fails is a result that says so. What the server asks for in the middle of the call is answered by
    /// [`ClientOptions::answers`](crate::ClientOptions::answers).
    ///
    /// # Errors
    ///
    /// When there is no such tool, the arguments or the structured result do not fit, or the server does not answer as
    /// it should; [`ClientError::sent`] says whether the tool may have run.
    pub async fn call(&self, name: &str, arguments: &str, options: &CallOptions) -> Result<Returned, ClientError> {
        let arguments = object(name, arguments)?;
        let (mut tool, mut opened) = self.found(name).await?;
        unchanged(&tool, options)?;
        if options.checks_arguments {
            tool.check(&arguments)?;
        }
        let mut is_relisted = false;
        let returned = loop {
            let ask = Ask::call(name, &arguments);
            let mut bound = options.clone();
            // What was decided about one definition does not run over a connection on which it was not read.
            bound.opened = options.definition.as_ref().map(|_| opened);
            match self.follow(ask, &tool, &bound, Codec::decode_call).await {
                Err(ClientError::Restarted { .. }) if !is_relisted => {
                    is_relisted = true;
                    (tool, opened) = self.found(name).await?;
                    unchanged(&tool, options)?;
                }
                Err(ClientError::Peer { source, .. }) if source.meaning == Meaning::HeaderMismatch && !is_relisted => {
                    // Nothing has run: what is mirrored changed since the list (2026-07-28, tools: `x-mcp-header`).
                    is_relisted = true;
                    let tools = self.list().await?;
                    tool = tools.find(name).cloned().ok_or_else(|| tools.unknown(name))?;
                    opened = tools.opened;
                    unchanged(&tool, options)?;
                    if options.checks_arguments {
                        tool.check(&arguments)?;
                    }
                }
                other => break other?,
            }
        };
        if options.checks_result { checked(&tool, returned) } else { Ok(returned) }
    }

    /// Reads a resource: the parts that are understood, and all of it as it came.
    ///
    /// # Errors
    ///
    /// When there is no such resource or the server does not answer as it should.
    pub async fn read_resource(&self, uri: &str) -> Result<ReadContents, ClientError> {
        let options = CallOptions { is_idempotent: true, ..CallOptions::default() };
        self.rounds(Ask::read(uri), &|_| Vec::new(), &options, Codec::decode_resource).await
    }

    /// A prompt, as it came. The arguments are an object of strings as JSON text.
    ///
    /// # Errors
    ///
    /// When there is no such prompt, or the server does not answer as it should.
    pub async fn prompt(&self, name: &str, arguments: Option<&str>) -> Result<Box<RawValue>, ClientError> {
        let arguments = arguments.map(|text| object(name, text)).transpose()?;
        let ask = Ask::GetPrompt { name, arguments: arguments.as_deref(), input_responses: None, request_state: None };
        let options = CallOptions { is_idempotent: true, ..CallOptions::default() };
        self.rounds(ask, &|_| Vec::new(), &options, Codec::decode_prompt).await
    }

    async fn follow<T>(
        &self,
        ask: Ask<'_>,
        tool: &Tool,
        options: &CallOptions,
        decode: Decode<T>,
    ) -> Result<T, ClientError> {
        let mirrored = |ask: &Ask<'_>| match ask {
            Ask::CallTool { arguments, .. } => headers::mirrored(&tool.header_params, arguments),
            _ => Vec::new(),
        };
        self.rounds(ask, &mirrored, options, decode).await
    }

    /// Asks until the server has what it needs (2026-07-28, multi round-trip requests).
    async fn rounds<T>(
        &self,
        ask: Ask<'_>,
        mirrored: &(dyn Fn(&Ask<'_>) -> Vec<(String, String)> + Send + Sync),
        options: &CallOptions,
        decode: Decode<T>,
    ) -> Result<T, ClientError> {
        let mut answers: Option<Box<RawValue>> = None;
        let mut state: Option<String> = None;
        for round in 0..=self.options().rounds {
            let again = ask.again(answers.as_deref(), state.as_deref());
            let live = self.live().await?;
            let mirrors = live.link.is_http() && !live.codec().begins_with_handshake();
            let headers = if mirrors { mirrored(&again) } else { Vec::new() };
            drop(live);
            let (live, answered) = self.ask(&again, &headers, options).await?;
            let result = answered.outcome.map_err(|source| ClientError::Peer { method: ask.method(), source })?;
            match decode(live.codec(), Answered::raw(&result))? {
                Round::Done(done) => return Ok(done),
                Round::Needs(input) => {
                    answers = self.answer(&input).await?;
                    state = input.state;
                    if answers.is_none() {
                        // Nothing but the state: the server wants to be asked later.
                        let pause = (FIRST * 2_u32.saturating_pow(round)).min(LONGEST);
                        sleep(pause).await; // bounded: by the number of rounds
                    }
                }
            }
        }
        Err(ClientError::Rounds { method: ask.method(), rounds: self.options().rounds })
    }

    /// The answers to what a server needs, an object by key; `None` where it asks nothing.
    async fn answer(&self, input: &InputRequired) -> Result<Option<Box<RawValue>>, ClientError> {
        if input.requests.is_empty() {
            return Ok(None);
        }
        let live = self.live().await?;
        let capabilities = live.facts().capabilities();
        let unmet: Vec<String> = input
            .requests
            .iter()
            .filter(|request| !capabilities.allow(&request.method, &request.params))
            .map(|request| haft_diag::escape(&request.method).into_owned())
            .collect();
        let (Some(handler), true) = (live.answers(), unmet.is_empty()) else {
            return Err(ClientError::NeedsInput { methods: unmet });
        };
        let mut answers = Map::new();
        for request in &input.requests {
            let value = answered(handler, &live.server_name(), request).await.unwrap_or_else(|why| {
                live.remark(format!("a question was left without its answer: {why}"));
                serde_json::json!({ "action": "cancel" })
            });
            answers.insert(request.key.clone(), value);
        }
        Ok(RawValue::from_string(serde_json::Value::Object(answers).to_string()).ok())
    }
}

type Decode<T> = fn(Codec, haft_wire::jsonrpc::Raw<'_>) -> Result<Round<T>, haft_wire::model::InvalidReply>;

/// Whether the tool is still the one that the caller decided about.
fn unchanged(tool: &Tool, options: &CallOptions) -> Result<(), ClientError> {
    let definition = tool.definition();
    match &options.definition {
        Some(known) if known.get() != definition.raw.get() => {
            Err(ClientError::Changed { tool: definition.name.clone() })
        }
        _ => Ok(()),
    }
}

/// Arguments as they are sent: one object.
fn object(tool: &str, text: &str) -> Result<Box<RawValue>, ClientError> {
    let refuse = |reason: String| ClientError::ArgumentText { tool: tool.to_owned(), reason };
    let raw: Box<RawValue> = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    if raw.get().starts_with('{') { Ok(raw) } else { Err(refuse("it has to begin with `{`".to_owned())) }
}

/// A result that is what the tool declares; a failure need not be (2026-07-28, tools: output schema).
fn checked(tool: &Tool, returned: Returned) -> Result<Returned, ClientError> {
    if returned.result.is_error {
        return Ok(returned);
    }
    let schema = match tool.output() {
        None => return Ok(returned),
        Some(Ok(schema)) => schema,
        Some(Err(error)) => {
            // The tool has run; what cannot be checked is still its result.
            tracing::warn!(%error, tool = %tool.definition().name, "the output schema cannot be used");
            return Ok(returned);
        }
    };
    let name = || tool.definition().name.clone();
    match &returned.result.structured {
        None => Err(ClientError::ResultMissing { tool: name(), returned: Box::new(returned) }),
        Some(value) => match tool.check_structured(schema, value) {
            Ok(()) => Ok(returned),
            Err(problems) => Err(ClientError::Result { tool: name(), problems, returned: Box::new(returned) }),
        },
    }
}

const FIRST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(10);
