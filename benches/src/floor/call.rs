//! One message in, one message out, in three borrowed passes: envelope, parameters, arguments.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::case::{Tool, filler_name};

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct CallParams<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<Meta<'a>>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientInfo")]
    client: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Addition {
    a: i64,
    b: i64,
}

#[derive(Serialize)]
struct Response<'a> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: CallResult<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    content: [Text<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<Sum>,
    is_error: bool,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<ResultMeta>,
}

#[derive(Serialize)]
struct Text<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
struct Sum {
    sum: i64,
}

#[derive(Serialize)]
struct ResultMeta {
    #[serde(rename = "io.modelcontextprotocol/serverInfo")]
    server: ServerInfo,
}

#[derive(Serialize)]
struct ServerInfo {
    name: &'static str,
    version: &'static str,
}

type Function = fn(Addition) -> i64;

/// The tools, by name.
pub struct Tools {
    functions: HashMap<String, Function>,
    answers: Tool,
}

impl Tools {
    /// One that adds, and as many others as it takes to have `count`.
    pub fn new(tool: Tool, count: usize) -> Self {
        let others = (1..count).map(|index| (filler_name(index), (|_| 0) as Function));
        let functions = others
            .chain([(tool.name().to_owned(), (|addition| addition.a.wrapping_add(addition.b)) as Function)])
            .collect();
        Self { functions, answers: tool }
    }

    /// The answer to a message; `None` for a notification, and for anything that the client under measurement never sends.
    pub fn answer(&self, message: &[u8]) -> Option<Vec<u8>> {
        let envelope: Envelope<'_> = serde_json::from_slice(message).ok()?;
        let id = envelope.id.filter(|_| envelope.jsonrpc == "2.0")?;
        match envelope.method.as_ref() {
            "tools/call" => self.call(id, envelope.params?),
            "initialize" => Some(INITIALIZED.into()),
            _ => None,
        }
    }

    fn call(&self, id: &RawValue, params: &RawValue) -> Option<Vec<u8>> {
        let params: CallParams<'_> = serde_json::from_str(params.get()).ok()?;
        let stateless = match &params.meta {
            Some(meta) => {
                meta.version.as_deref()? == "2026-07-28" && meta.client.is_some() && meta.capabilities.is_some()
            }
            None => false,
        };
        let function = self.functions.get(params.name.as_ref())?;
        let sum = function(serde_json::from_str(params.arguments?.get()).ok()?);
        let (text, structured_content) = match self.answers {
            Tool::Text => (sum.to_string(), None),
            Tool::Structured => (serde_json::to_string(&Sum { sum }).ok()?, Some(Sum { sum })),
        };
        let result = CallResult {
            result_type: stateless.then_some("complete"),
            content: [Text { kind: "text", text: &text }],
            structured_content,
            is_error: false,
            meta: stateless.then_some(ResultMeta { server: SERVER }),
        };
        serde_json::to_vec(&Response { jsonrpc: "2.0", id, result }).ok()
    }
}

/// What haft says of itself in every answer of 2026-07-28.
const SERVER: ServerInfo = ServerInfo { name: "haft-benches", version: "0.0.0" };

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"haft-benches","version":"0.0.0"}}}"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::CASES;
    use crate::load::{Answer, body};

    #[test]
    fn the_floor_gives_the_answer_that_the_load_requires() {
        for case in CASES {
            let answer = Tools::new(case.tool, case.tools).answer(body(case).as_bytes());
            let learned = Answer::learn(case, &answer.unwrap_or_default());
            assert!(learned.is_ok(), "{case}: {learned:?}");
        }
    }
}
